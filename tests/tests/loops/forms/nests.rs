//! Nests under `collapse`: inner bounds of every form that is allowed, on every device and against the plain loops.
#![allow(clippy::cast_lossless, reason = "one body for many types")]
use omp_tests::{compare, on_every_device, twice};

/// Each nest calls `visit!(i, j, …)`; what it visits is summed up with weights that tell iterations apart.
macro_rules! nests {
    (|$m:ident $n:ident $k:ident $s:ident $t:ident| $($name:ident $levels:literal { $($body:tt)* })*) => {
        $(mod $name {
            #[omp::offload]
            #[allow(unused)]
            pub fn device(d: usize, $m: i32, $n: usize, $k: u8) -> (i64, [i64; 4]) {
                let mut $s = 0i64;
                let mut $t = [-1i64; 4];
                #[omp::target(device(d), collapse($levels), reduction(+: $s), lastprivate($t))]
                $($body)*
                ($s, $t)
            }

            #[allow(unused)]
            pub fn serial($m: i32, $n: usize, $k: u8) -> (i64, [i64; 4]) {
                let mut $s = 0i64;
                let mut $t = [-1i64; 4];
                $($body)*
                ($s, $t)
            }
        })*

        #[test]
        fn nests_are_those_of_rust() {
            on_every_device(|d| {
                for (m, n, k) in [(0, 0, 0), (1, 1, 1), (-3, 5, 2), (7, 3, 4), (20, 33, 9), (5, 0, 200), (-1, 40, 3)] {
                    $(
                        let (got, want) = ($name::device(d, m, n, k), $name::serial(m, n, k));
                        assert_eq!(got, want, "{}: {m}, {n}, {k}, device {d}", stringify!($name));
                    )*
                }
            });
        }
    };
}

nests! {
    |m n k s t|
    rectangle 2 { for i in -2..m { for j in 0..n {
        t = [i as i64, j as i64, 0, 0];
        s += (i as i64 + 7) * (j as i64 * 31 + 3);
    } } }
    stepped 2 { for i in (0..=n).step_by(3) { for j in (-5..m).rev().step_by(2) {
        t = [i as i64, j as i64, 0, 0];
        s += (i as i64 + 7) * (j as i64 * 31 + 3);
    } } }
    triangle 2 { for i in 0..m { for j in i..m {
        t = [i as i64, j as i64, 0, 0];
        s += (i as i64 + 7) * (j as i64 * 31 + 3);
    } } }
    triangle_backwards 2 { for i in (0..m).rev() { for j in (0..=i).rev() {
        t = [i as i64, j as i64, 0, 0];
        s += (i as i64 + 7) * (j as i64 * 31 + 3);
    } } }
    triangle_stepped 2 { for i in (0..n).step_by(2) { for j in (2 * i..3 * n).step_by(3) {
        t = [i as i64, j as i64, 0, 0];
        s += (i as i64 + 7) * (j as i64 * 31 + 3);
    } } }
    triangle_stepped_backwards 2 { for i in -4..m { for j in (-i..3 * i + 2).rev().step_by(2) {
        t = [i as i64, j as i64, 0, 0];
        s += (i as i64 + 7) * (j as i64 * 31 + 3);
    } } }
    narrow 2 { for i in 0..k { for j in i..=k {
        t = [i as i64, j as i64, 0, 0];
        s += (i as i64 + 7) * (j as i64 * 31 + 3);
    } } }
    tetrahedron 3 { for i in 0..m { for j in 0..=i { for l in j..=i {
        t = [i as i64, j as i64, l as i64, 0];
        s += (i as i64 + 7) * (j as i64 * 31 + 3) + l as i64;
    } } } }
    mixed 3 { for i in 0..m { for j in 0..n { for l in (i..m).step_by(2) {
        t = [i as i64, j as i64, l as i64, 0];
        s += (i as i64 + 7) * (j as i64 * 31 + 3) + l as i64;
    } } } }
    four 4 { for h in 0..2 { for i in 0..m { for j in 0..k { for l in (0..n).rev() {
        t = [h as i64, i as i64, j as i64, l as i64];
        s += (i as i64 + 7) * (j as i64 * 31 + 3) + l as i64 * (h as i64 - 5);
    } } } } }
    four_dependent 4 { for h in 0..3 { for i in h..m { for j in 0..k { for l in i - h..m {
        t = [h as i64, i as i64, j as i64, l as i64];
        s += (i as i64 + 7) * (j as i64 * 31 + 3) + l as i64 * (h as i64 - 5);
    } } } } }
    sequential_inside 2 { for i in 0..m { for j in 0..n {
        t = [i as i64, j as i64, 0, 0];
        for l in (i..m).rev() { if l % 3 == 1 { continue; } s += (l as i64 + i as i64) * (j as i64 + 1); }
    } } }
}

/// Nothing but a bound can overflow in this nest, where overflow is an error at all.
#[omp::offload]
fn bounded(d: usize, k: u8) -> (u32, u32) {
    let (mut count, mut bits) = (0u32, 0u32);
    #[omp::target(device(d), collapse(2), reduction(+: count), reduction(^: bits))]
    for i in 0..k {
        for j in i..i + 200 {
            count += 1;
            bits ^= u32::from(i) << 8 | u32::from(j);
        }
    }
    (count, bits)
}

#[test]
fn bounds_overflow_as_elsewhere() {
    on_every_device(|d| {
        for k in [0, 1, 9, 56] {
            let want = (0..k).flat_map(|i| (i..i + 200).map(move |j| u32::from(i) << 8 | u32::from(j)));
            let (mut count, mut bits) = (0, 0);
            want.for_each(|pair| (count, bits) = (count + 1, bits ^ pair));
            assert_eq!(bounded(d, k), (count, bits), "{k}, device {d}");
        }
        let all = std::panic::catch_unwind(|| bounded(d, 100));
        if cfg!(debug_assertions) {
            let text = *all.unwrap_err().downcast::<String>().expect("a text");
            assert!(text.contains("attempt to add with overflow") && text.contains("i = "), "{text}");
        } else {
            // `i + 200` is below `i` from 56 on.
            assert_eq!(all.expect("it wraps").0, 56 * 200, "device {d}");
        }
    });
}

twice! {
    /// Loops over all values of a type of 64 bits, of which there are more than a `u64` counts, end by a `break`; or they
    /// step far.
    pub fn through_all(d: usize, y: &mut [u64], top: u64) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        let n = i as u64;
        let (mut up, mut down, mut signed, mut far) = (0, 0, 0i64, 7u64);
        for k in 0..=top {
            if k > n { break; }
            if k % 3 == 1 { continue; }
            up += k;
        }
        for mut k in (0..=u64::MAX).rev() {
            k -= 1;
            if k < u64::MAX - n { break; }
            down = k;
        }
        'all: for k in i64::MIN..=i64::MAX {
            for _ in 0..=n {
                if signed > 2 * i as i64 { break 'all; }
                signed += 1;
                if k % 2 == 0 { continue 'all; }
            }
        }
        for k in (0..=top).step_by(usize::MAX / 3) { far = far.wrapping_mul(3).wrapping_add(k); }
        for k in (i64::MIN..=i64::MAX).step_by(usize::MAX / 5) { far = far.wrapping_mul(5) ^ k as u64; }
        for k in (i64::MIN..=i64::MAX).rev().step_by(usize::MAX / 15) { far = far.wrapping_mul(5) ^ k as u64; }
        // None at all.
        for k in n + 1..=n { far ^= k + 1; }
        y[i] = up ^ down.rotate_left(7) ^ (signed as u64) << 17 ^ far.rotate_left(30);
    }
    }
}

#[test]
fn loops_have_all_values_of_their_types() {
    compare!(m, d => {
        let mut y = [0; 40];
        m::through_all(d, &mut y, u64::MAX);
        y
    });
}
