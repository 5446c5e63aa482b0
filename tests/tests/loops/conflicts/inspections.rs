//! Loops of which no formula shows that iterations keep apart: all iterations are looked at, once for the numbers. Right
//! programs run whatever their size, races are told with two iterations, and where data decides, the launch checks.
#![allow(clippy::needless_range_loop, reason = "indices are what is tested")]
use omp_tests::{on_every_device, panic_of};

#[omp::offload]
fn strided(d: usize, s: usize, x: &[u32], y: &mut [u32]) {
    let n = x.len();
    #[omp::target(device(d))]
    for i in 0..n {
        y[(i * s) % n] = x[i];
    }
}

#[omp::offload]
fn strided_task(d: usize, s: usize, x: &[u32], y: &mut [u32]) {
    let n = x.len();
    #[omp::target(device(d), nowait)]
    for i in 0..n {
        y[(i * s) % n] = x[i];
    }
    omp::taskwait!();
}

#[omp::offload]
fn cyclic(d: usize, (p, b): (usize, usize), x: &[u32], y: &mut [u32]) {
    let (n, part) = (x.len(), x.len() / p);
    #[omp::target(device(d))]
    for i in 0..n {
        y[i / b % p * part + i / b / p * b + i % b] = x[i];
    }
}

#[omp::offload]
fn morton(d: usize, n: usize, y: &mut [u32]) {
    #[omp::target(device(d), collapse(2))]
    for i in 0..n {
        for j in 0..n {
            let (a, b) = ((i | (i << 4)) & 0x0f0f, (j | (j << 4)) & 0x0f0f);
            let (a, b) = ((a | (a << 2)) & 0x3333, (b | (b << 2)) & 0x3333);
            let (a, b) = ((a | (a << 1)) & 0x5555, (b | (b << 1)) & 0x5555);
            y[(a << 1) | b] = (i * n + j) as u32;
        }
    }
}

/// Reads of one iteration against writes of others.
#[omp::offload]
fn neighbours(d: usize, k: usize, y: &mut [u32]) {
    let n = y.len();
    #[omp::target(device(d))]
    for i in 0..n {
        if i * i % 4 == 0 {
            y[i] = y[(i / 2 * k + 1) % n];
        }
    }
}

/// Which of two stores of one element is made, data decides.
#[omp::offload]
fn chosen(d: usize, s: usize, x: &[i32], y: &mut [i32]) {
    let n = x.len();
    #[omp::target(device(d))]
    for i in 0..n {
        if x[i] > 0 {
            y[i * s % n] = x[i];
        }
    }
}

/// As in [`chosen`]: the loop ends early.
#[omp::offload]
fn cut(d: usize, s: usize, x: &[i32], y: &mut [[i32; 2]]) {
    let n = x.len();
    #[omp::target(device(d))]
    for i in 0..n {
        for k in 0..2 {
            if x[i] <= 0 {
                break;
            }
            y[i * s % n][k] = x[i];
        }
    }
}

/// Of `y`, data decides; every iteration stores to `z[2]`.
#[omp::offload]
fn chosen_and_one(d: usize, n: usize, x: &[i32], y: &mut [i32], z: &mut [i32]) {
    #[omp::target(device(d))]
    for i in 0..n {
        if x[i] > 0 {
            y[i % 3] = x[i];
        }
        for k in 0..i {
            z[2] = (i * 10 + k) as i32;
        }
    }
}

/// As in [`chosen_and_one`], as a task.
#[omp::offload]
fn chosen_and_halves(d: usize, n: usize, x: &[i32], y: &mut [i32], z: &mut [i32]) {
    #[omp::target(device(d), nowait)]
    for i in 0..n {
        if x[i] > 0 {
            y[i * 3 % n] = x[i];
        }
        if i % 2 == 0 || n > 3 {
            z[i / 2] = i as i32;
        }
    }
    omp::taskwait!();
}

/// Of `y`, data decides; the subscript of `z` is none that an inspection understands.
#[omp::offload]
fn chosen_and_unknown(d: usize, n: usize, x: &[i32], y: &mut [i32], z: &mut [i32]) {
    let k = 3usize;
    #[omp::target(device(d))]
    for i in 0..n {
        if x[i] > 0 {
            y[i % 3] = x[i];
        }
        let at = match i {
            0 => n,
            1 | 2 => i | 4,
            _ => (n as i32 - k as i32).unsigned_abs() as usize,
        };
        z[at] = i as i32;
    }
}

#[omp::offload]
fn chosen_task(d: usize, s: usize, x: &[i32], y: &mut [i32]) {
    let n = x.len();
    #[omp::target(device(d), nowait)]
    for i in 0..n {
        if x[i] > 0 {
            y[i * s % n] = x[i];
        }
    }
    omp::taskwait!();
}

/// Iterations of the inner loop meet or don't.
#[omp::offload]
fn inner(d: usize, (m, s): (usize, usize), y: &mut [u32]) {
    let n = y.len() / m;
    #[omp::target(device(d))]
    for i in 0..n {
        #[omp::parallel_for]
        for j in 0..m {
            y[i * m + j * s % m] = j as u32;
        }
    }
}

#[omp::offload]
fn to_the_last(d: usize, last: usize, y: &mut [u32]) {
    #[omp::target(device(d), reduction(+: y[0..=last]))]
    for i in 0..y.len() {
        y[i % 2] += 1;
    }
}

#[omp::offload]
fn update_to_the_last(d: usize, last: usize, y: &mut [u32]) {
    #[omp::target_data(map(tofrom: y), device(d))]
    {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            y[i] = 7;
        }
        omp::target_update!(from(y[0..=last]), device(d));
    }
}

#[test]
fn permutations_of_every_size() {
    for n in [0usize, 1, 2, 63, 65, 4095, 4096, 4097, 30_000] {
        let x: Vec<u32> = (0..n as u32).collect();
        on_every_device(|d| {
            for f in [strided, strided_task] {
                let mut y = vec![0; n];
                let mut moved = || f(d, 7, &x, &mut y);
                if n > 0 && n.is_multiple_of(7) {
                    let text = panic_of(moved).expect("two iterations meet");
                    assert!(text.contains("for example in the iterations"), "{text}");
                    continue;
                }
                moved();
                assert!((0..n).all(|i| y[i * 7 % n] == x[i]), "{n} on {d}");
                // A stride that is no generator, then the first one again.
                if n > 10 && n.is_multiple_of(5) {
                    let text = panic_of(|| f(d, 10, &x, &mut y)).expect("two iterations meet");
                    // A device may find it while it runs.
                    let told = text.contains("race through `y`") && text.contains("element 0");
                    assert!(told || text.contains("overlapping writes: iteration (i ="), "{n}: {text}");
                    f(d, 7, &x, &mut y);
                }
            }
        });
    }
}

#[test]
fn layouts() {
    on_every_device(|d| {
        for (n, p, b) in [(64usize, 4, 4), (1 << 14, 16, 8)] {
            let x: Vec<u32> = (0..n as u32).collect();
            let mut y = vec![u32::MAX; n];
            cyclic(d, (p, b), &x, &mut y);
            assert!((0..n).all(|i| y[i / b % p * (n / p) + i / b / p * b + i % b] == x[i]), "{n} on {d}");
        }
        for n in [1usize, 8, 64, 128] {
            let mut y = vec![u32::MAX; n * n];
            morton(d, n, &mut y);
            y.sort_unstable();
            assert!(y.iter().enumerate().all(|(i, v)| *v == i as u32), "{n} on {d}");
        }
    });
}

#[test]
fn reads_against_writes() {
    on_every_device(|d| {
        for n in [64usize, 4096, 5000] {
            // Even elements are written, odd ones read.
            neighbours(d, 4, &mut vec![1; n]);
            let text =
                panic_of(|| neighbours(d, 3, &mut vec![1; n])).expect("iteration 2 reads what 4 writes");
            let told = text.contains("race through `y`") && text.contains("for example");
            assert!(told || text.contains("overlapping writes: iteration (i ="), "{text}");
        }
    });
}

#[test]
fn data_decides() {
    for n in [10usize, 4098, 20_000] {
        let half: Vec<i32> = (0..n as i32).map(|i| if i < n as i32 / 2 { i + 1 } else { -1 }).collect();
        let all: Vec<i32> = (1..=n as i32).collect();
        let want: Vec<i32> = (0..n).map(|k| if k.is_multiple_of(2) { half[k / 2] } else { 0 }).collect();
        on_every_device(|d| {
            for f in [chosen, chosen_task] {
                for _ in 0..2 {
                    let mut y = vec![0; n];
                    f(d, 2, &half, &mut y);
                    assert!(y == want, "{n} on {d}");
                    let mut z = vec![[0; 2]; n];
                    cut(d, 2, &half, &mut z);
                    assert!((0..n).all(|k| z[k] == [want[k]; 2]), "{n} on {d}");
                }
                // The host runs such a loop in order, which is no race.
                if d != omp::get_initial_device() {
                    let text = panic_of(|| f(d, 2, &all, &mut vec![0; n])).expect("both store");
                    assert!(text.contains("overlapping writes: iteration (i ="), "{text}");
                    let text = panic_of(|| cut(d, 2, &all, &mut vec![[0; 2]; n])).expect("both store");
                    assert!(text.contains("overlapping writes: iteration (i ="), "{text}");
                }
                // And go on.
                let mut y = vec![0; n];
                f(d, 1, &all, &mut y);
                assert!(y == all, "{n} on {d}");
            }
        });
    }
}

#[omp::declare_target]
fn add_to_the_first(p: &mut [i32], v: i32) {
    p[0] += v;
}

/// Each helper is given more than it writes.
#[omp::offload]
fn parts(d: usize, x: &[i32], y: &mut [i32]) {
    #[omp::target(device(d))]
    for i in 0..x.len() {
        add_to_the_first(&mut y[4 * i..4 * i + 4], x[i]);
        add_to_the_first(&mut y[4 * i + 1..], 3);
    }
}

#[test]
fn of_slices_every_element_counts() {
    on_every_device(|d| {
        let (x, mut y) = ([1, 2], [0; 8]);
        // The host runs such a loop in order, which is no race.
        if d == omp::get_initial_device() {
            parts(d, &x, &mut y);
            assert_eq!(y, [1, 3, 0, 0, 2, 3, 0, 0]);
        } else {
            let text = panic_of(|| parts(d, &x, &mut y)).expect("a slice of both iterations");
            assert!(text.contains(" may write `y[") && text.contains("every element counts"), "{text}");
            chosen(d, 1, &x, &mut y);
        }
    });
}

/// Claims for what data decides take nothing from what is refused without them.
#[test]
fn conflicts_beside_what_data_decides() {
    on_every_device(|d| {
        for n in [16usize, 100, 1000] {
            let x = vec![0; n];
            for f in [chosen_and_one, chosen_and_halves, chosen_and_unknown] {
                let (mut y, mut z) = (vec![7; n], vec![7; n + 1]);
                let text = panic_of(|| f(d, n, &x, &mut y, &mut z)).expect("a conflict, or no proof");
                assert!(text.contains("`z`"), "{text}");
                assert!(y.iter().chain(&z).all(|v| *v == 7), "{n} on {d}");
            }
        }
        // So ends `on_every_device`'s round on its device.
        let mut y = vec![0; 2];
        chosen(d, 1, &[1, 2], &mut y);
        assert_eq!(y, [1, 2]);
    });
}

#[test]
fn inner_nests() {
    on_every_device(|d| {
        for (n, m) in [(3usize, 100), (50, 1000)] {
            let mut y = vec![0; n * m];
            inner(d, (m, 7), &mut y);
            assert!((0..n * m).all(|k| y[k / m * m + k % m * 7 % m] == (k % m) as u32), "{n}, {m} on {d}");
            let text = panic_of(|| inner(d, (m, 10), &mut y)).expect("10 divides");
            assert!(text.contains("for example in the iterations j = "), "{text}");
        }
    });
}

/// As a slice in Rust: its end is beyond every number.
#[test]
fn sections_to_the_last_number() {
    on_every_device(|d| {
        let mut y = vec![0; 4];
        for f in [to_the_last, update_to_the_last] {
            assert!(
                panic_of(|| f(d, usize::MAX, &mut y)).is_some_and(|t| t.contains("[0..=usize::MAX]`")),
                "{d}"
            );
            assert!(panic_of(|| f(d, 4, &mut y)).is_some(), "{d}");
        }
        let mut y = vec![0; 4];
        to_the_last(d, 3, &mut y);
        assert_eq!(y, [2, 2, 0, 0]);
        update_to_the_last(d, 3, &mut y);
        assert_eq!(y, [7; 4]);
    });
}

/// In a debug build, `pow` fails where it overflows: what follows is reached, or the region fails.
#[omp::offload]
fn powers(d: usize, (n, m): (u32, usize), y: &mut [u32]) {
    #[omp::target(device(d))]
    for i in 0..n {
        y[i.pow(2) as usize & m] = i;
    }
}

/// The same after an assertion on data.
#[omp::offload]
fn asserted(d: usize, s: usize, x: &[i32], y: &mut [i32]) {
    let n = x.len();
    #[omp::target(device(d))]
    for i in 0..n {
        assert!(x[i] > 0, "negative");
        y[i * s % n] = x[i];
    }
}

#[test]
fn checks_before_conflicts() {
    on_every_device(|d| {
        let mut y = vec![0; 1024];
        powers(d, (10, 1023), &mut y);
        assert!((0..10).all(|i| y[i * i] == i as u32));
        let text = panic_of(|| powers(d, (1024, 255), &mut y)).expect("squares meet");
        assert!(text.contains("race through `y`") && text.contains("i = 0 and i = 16"), "{text}");
        let x: Vec<i32> = (1..=100).collect();
        let mut z = vec![0; 100];
        asserted(d, 3, &x, &mut z);
        assert!((0..100).all(|i| z[i * 3 % 100] == x[i]));
        let text = panic_of(|| asserted(d, 2, &x, &mut z)).expect("both store");
        assert!(text.contains("race through `y`"), "{text}");
        let text = panic_of(|| asserted(d, 3, &[1, -1, 1, 1], &mut z)).expect("-1");
        assert!(text.contains("negative"), "{text}");
    });
}

/// The inner loop reverses bits.
#[omp::offload]
fn reversed(d: usize, (bits, more): (u32, usize), a: &mut [u32]) {
    let n = a.len();
    #[omp::target(device(d))]
    for i in 0..n {
        let mut r = 0;
        let mut t = i;
        for _ in 0..bits {
            r = r << 1 | t & 1;
            t >>= 1;
        }
        if i < r + more {
            a.swap(i, r);
        }
    }
}

#[omp::offload]
fn reversed_by_method(d: usize, (k, more): (u32, usize), a: &mut [u32]) {
    let n = a.len();
    #[omp::target(device(d))]
    for i in 0..n {
        let r = i.reverse_bits() >> k;
        if i < r + more {
            a.swap(i, r);
        }
    }
}

#[test]
fn bits_reversed() {
    for bits in [2u32, 5, 10, 14] {
        let n = 1usize << bits;
        let want: Vec<u32> = (0..n).map(|i| (i.reverse_bits() >> (usize::BITS - bits)) as u32).collect();
        on_every_device(|d| {
            let mut a: Vec<u32> = (0..n as u32).collect();
            reversed(d, (bits, 0), &mut a);
            assert!(a == want, "{bits} on {d}");
            reversed_by_method(d, (usize::BITS - bits, 0), &mut a);
            assert!(a.iter().enumerate().all(|(i, v)| *v == i as u32), "{bits} on {d}");
            // Both iterations of a pair swap.
            for text in [
                panic_of(|| reversed(d, (bits, n), &mut a)),
                panic_of(|| reversed_by_method(d, (usize::BITS - bits, n), &mut a)),
            ] {
                let text = text.expect("a race");
                assert!(text.contains("race through `a`") || text.contains("overlapping writes"), "{text}");
            }
        });
    }
}

/// Rows by iteration, columns by data.
#[omp::offload]
fn histograms(d: usize, (bins, width): (usize, usize), x: &[u32], h: &mut [u32]) {
    let rows = h.len() / width;
    let each = x.len() / rows;
    #[omp::target(device(d))]
    for r in 0..rows {
        for i in 0..each {
            h[r * width + x[r * each + i] as usize % bins] += 1;
        }
    }
}

/// The same with a condition, and with bits.
#[omp::offload]
fn histograms_by_condition(d: usize, (bins, k): (usize, u32), x: &[u32], h: &mut [u32], g: &mut [u32]) {
    let rows = h.len() / bins;
    let each = x.len() / rows;
    #[omp::target(device(d))]
    for r in 0..rows {
        for i in 0..each {
            let c = x[r * each + i] as usize;
            if c < bins {
                h[r * bins + c] += 1;
            }
            g[r << k | c & ((1 << k) - 1)] += 1;
        }
    }
}

#[test]
fn columns_of_data() {
    let (rows, each, bins) = (40usize, 70, 12);
    let x: Vec<u32> = (0..(rows * each) as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 20).collect();
    let mut want = vec![0; rows * bins];
    x.iter().enumerate().for_each(|(i, v)| want[i / each * bins + *v as usize % bins] += 1);
    on_every_device(|d| {
        let mut h = vec![0; rows * bins];
        histograms(d, (bins, bins), &x, &mut h);
        assert!(h == want, "{d}");
        let text = panic_of(|| histograms(d, (bins + 1, bins), &x, &mut h)).expect("a possible race");
        assert!(text.contains("race through `h`"), "{text}");
        let (mut h, mut g) = (vec![0; rows * bins], vec![0; rows * 16]);
        histograms_by_condition(d, (bins, 4), &x, &mut h, &mut g);
        let all: u32 = x.iter().map(|v| u32::from((*v as usize) < bins)).sum();
        assert_eq!((h.iter().sum::<u32>(), g.iter().sum::<u32>()), (all, x.len() as u32), "{d}");
    });
}

#[omp::offload]
fn morton_of_16_bits(d: usize, (n, last): (u64, u64), y: &mut [u32]) {
    #[omp::target(device(d), collapse(2))]
    for i in 0..n {
        for j in 0..n {
            let (a, b) = ((i | (i << 8)) & 0x00ff_00ff, (j | (j << 8)) & 0x00ff_00ff);
            let (a, b) = ((a | (a << 4)) & 0x0f0f_0f0f, (b | (b << 4)) & 0x0f0f_0f0f);
            let (a, b) = ((a | (a << 2)) & 0x3333_3333, (b | (b << 2)) & 0x3333_3333);
            let (a, b) = ((a | (a << 1)) & 0x5555_5555, (b | (b << 1)) & last);
            y[((a << 1) | b) as usize] = (i * n + j) as u32;
        }
    }
}

#[test]
fn long_codes() {
    on_every_device(|d| {
        for n in [8u64, 64] {
            let mut y = vec![u32::MAX; (n * n) as usize];
            morton_of_16_bits(d, (n, 0x5555_5555), &mut y);
            y.sort_unstable();
            assert!(y.iter().enumerate().all(|(i, v)| *v == i as u32), "{n} on {d}");
            let text = panic_of(|| morton_of_16_bits(d, (n, 0x5555_5554), &mut y)).expect("a race");
            assert!(text.contains("race through `y`") || text.contains("overlapping writes"), "{text}");
        }
    });
}

/// `y[code / k]`, of which `k = 1` is right and another one wrong, as several numbers have one code then.
macro_rules! codes {
    ($i:ident $n:ident: $($name:ident $wrong:literal [$($code:tt)*])*) => {
        $(
            #[omp::offload]
            fn $name(d: usize, $n: u32, k: usize, y: &mut [u32]) {
                #[omp::target(device(d))]
                for $i in 1..$n {
                    y[($($code)*) as usize / k] = $i;
                }
            }
        )*

        #[test]
        fn methods_of_numbers() {
            on_every_device(|d| {
                $(
                    let (code, n) = (|$i: u32, $n: u32| -> u32 { let _ = $n; $($code)* }, 1000);
                    let mut y = vec![0; 1 << 20];
                    $name(d, n, 1, &mut y);
                    assert!((1..n).all(|i| y[code(i, n) as usize] == i), "{} on {d}", stringify!($name));
                    let text = panic_of(|| $name(d, n, $wrong, &mut y));
                    match text {
                        Some(text) => assert!(
                            text.contains("race through `y`") || text.contains("overlapping writes"),
                            "{}: {text}",
                            stringify!($name)
                        ),
                        // Where a check of overflow stands before it, the host runs the loop in order.
                        None => assert!(
                            ["power", "rounded"].contains(&stringify!($name))
                                && cfg!(debug_assertions)
                                && d == omp::get_initial_device(),
                            "{} on {d}",
                            stringify!($name)
                        ),
                    }
                )*
            });
        }
    };
}

codes! { i n:
    leading 4 [i.leading_zeros() * n + i]
    trailing 4 [i.trailing_zeros() * n + i]
    ones 4 [i.count_ones() * n + i]
    zeros 4 [i.count_zeros() * n + i]
    power 100 [i.pow(2)]
    root 4 [i.isqrt() * n + i]
    rotated 1000 [i.rotate_left(8)]
    swapped 1000 [i.swap_bytes() >> 16]
    bits 10 [i.reverse_bits() >> 20]
    difference 4 [i.abs_diff(n)]
    least 4 [i.min(n / 2) * n + i]
    within 4 [i.clamp(3, n / 2) * n + i.max(7) / 8 * 8 + i % 8]
    rounded 40 [i.next_multiple_of(8) + n * (i % 8)]
    logarithm 4 [i.ilog2() * n + i]
}

/// Constant bounds: a mask and a factor decide at the launch, for small numbers of which all iterations meet.
#[omp::offload]
fn masked(d: usize, (k, m): (usize, usize), y: &mut [u32]) {
    #[omp::target(device(d))]
    for i in 0..64usize {
        y[i.wrapping_mul(k) & m] = i as u32;
    }
}

#[test]
fn masks_and_factors_of_constant_bounds() {
    on_every_device(|d| {
        let mut y = vec![0; 64];
        masked(d, (5, 63), &mut y);
        let mut want = vec![0; 64];
        (0..64).for_each(|i| want[(i * 5) & 63] = i as u32);
        assert_eq!(y, want);
        let text = panic_of(|| masked(d, (2, 63), &mut [0; 64]));
        let text = text.expect("the races");
        assert!(text.contains("has a race through `y`") && text.contains("i = 0 and i = 32"), "{text}");
    });
}
