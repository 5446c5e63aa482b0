//! Names that patterns bind for a part of a body, and that mean something else beside it, on every device against plain Rust.
#![allow(clippy::needless_range_loop, reason = "the loops are as users write them")]
use omp_tests::on_every_device;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the functions of this file do with directives, and without.
macro_rules! bodies {
    ($name:ident, $d:ident $s:ident $last:ident, $($target:meta)?, $($scan:meta)?, $($sum:meta)?, $($inner:meta)?, $($lastly:meta)?) => {
        mod $name {
            #![allow(unused_variables, unused_assignments, clippy::ptr_arg)]

            #[omp::offload]
            pub fn arms($d: usize, y: &mut [usize], k: usize) {
                $(#[$target])?
                for i in 0..y.len() {
                    y[i] = match (i, 1) {
                        (k, _) if k < 3 => k + 100,
                        (_, k) if k == 2 => 7,
                        _ => k,
                    };
                }
            }

            /// What `else` changes is the array, not what the condition binds.
            #[omp::offload]
            pub fn scan($d: usize, x: &[u32], t: &mut [u32], y: &mut [u32]) -> u32 {
                let mut $s = 0;
                $(#[$scan])?
                for i in 0..x.len() {
                    if let Some(t) = x[i].checked_sub(1000) {
                    } else {
                        t[i] += 1;
                    }
                    match x[i] & 3 {
                        t if t > 1 => {}
                        _ => t[i] += 2,
                    }
                    $s += x[i];
                    y[i] = $s;
                }
                $s
            }

            #[omp::offload]
            pub fn sum($d: usize, x: &[f64], y: &mut [f64]) -> f64 {
                let mut $s = 1.0;
                $(#[$sum])?
                for i in 0..x.len() {
                    let mut o = Some(x[i]);
                    while let Some(mut $s) = o {
                        $s += 1.0;
                        o = if $s > 2.5 { None } else { Some($s) };
                        y[i] = $s;
                    }
                    $s += x[i];
                }
                $s
            }

            #[omp::offload]
            pub fn inner($d: usize, x: &[f64], y: &mut [f64]) {
                $(#[$target])?
                for i in 0..y.len() {
                    let mut $s = 0.0;
                    $(#[$inner])?
                    for j in 0..x.len() {
                        let (mut o, mut other) = (Some(x[j]), 0.0);
                        while let Some(mut $s) = o {
                            $s += 1.0;
                            (other, o) = ($s, None);
                        }
                        $s += x[j] + other;
                    }
                    y[i] = $s;
                }
            }

            #[omp::offload]
            pub fn last($d: usize, x: &[u32], y: &mut [u32]) -> u32 {
                let mut $last = 7;
                $(#[$lastly])?
                for i in 0..x.len() {
                    if x[i] > 3 {
                        $last = x[i];
                    }
                    {
                        let mut $last = 0;
                        $last = x[i] + 1;
                        y[i] = $last;
                    }
                    if let Some(mut $last) = Some(i) {
                        $last = 1;
                    }
                }
                $last
            }
        }
    };
}
bodies!(
    device,
    d s last,
    omp::target(device(d)),
    omp::target(device(d), scan(+: s)),
    omp::target(device(d), reduction(+: s)),
    omp::parallel_for(reduction(+: s)),
    omp::target(device(d), lastprivate(last))
);
bodies!(plain, d s last, , , , ,);

#[test]
fn names_that_patterns_hide() {
    let x: Vec<u32> = (0..5000u32).map(|i| i.wrapping_mul(2_654_435_761) >> 20).collect();
    let floats = vec![1.0; 1000];
    on_every_device(|d| {
        let (mut got, mut want) = (vec![0; 10], vec![0; 10]);
        device::arms(d, &mut got, 5);
        plain::arms(d, &mut want, 5);
        assert_eq!(got, want, "on {d}");

        let n = x.len();
        let (mut t, mut y, mut other_t, mut other_y) = (vec![1; n], vec![0; n], vec![1; n], vec![0; n]);
        let sum = device::scan(d, &x, &mut t, &mut y);
        assert_eq!(sum, plain::scan(d, &x, &mut other_t, &mut other_y), "on {d}");
        assert!(t == other_t && y == other_y, "on {d}");

        let (mut y, mut other) = (vec![0.0; 1000], vec![0.0; 1000]);
        let sum = device::sum(d, &floats, &mut y);
        assert_eq!(sum.to_bits(), plain::sum(d, &floats, &mut other).to_bits(), "on {d}");
        assert_eq!(y, other, "on {d}");

        let (mut y, mut other) = (vec![0.0; 10], vec![0.0; 10]);
        device::inner(d, &floats, &mut y);
        plain::inner(d, &floats, &mut other);
        assert_eq!(y, other, "on {d}");
    });
}

#[test]
fn what_hides_a_lastprivate_variable_does_not_assign_it() {
    on_every_device(|d| {
        let (mut y, mut other) = ([0; 4], [0; 4]);
        assert_eq!(device::last(d, &[9, 1, 2, 8], &mut y), plain::last(d, &[9, 1, 2, 8], &mut other));
        assert_eq!(y, other);
        let failed = catch_unwind(AssertUnwindSafe(|| device::last(d, &[9, 8, 2, 1], &mut y)));
        let text = *failed.unwrap_err().downcast::<String>().unwrap();
        assert!(text.contains("does not assign `last`"), "{text}");
    });
}

#[omp::offload]
fn item(x: &[u32], y: &mut [u32], device: usize) -> u32 {
    let mut s = 3;
    #[omp::target(device(device), reduction(+: s))]
    for i in 0..x.len() {
        s += x[i];
        {
            let mut s = [0, 5];
            s[i % 2] += x[i];
            y[i] = s[1];
        }
        if let Some(mut s) = Some(x[i]) {
            s *= 2;
            y[i] += s;
        }
    }
    s
}

/// What hides a reduction item says nothing of it: `s[i % 2]` makes no array of the sum.
#[test]
fn reduction_items() {
    on_every_device(|device| {
        let mut y = [0; 3];
        assert_eq!((item(&[1, 2, 3], &mut y, device), y), (9, [7, 11, 11]));
    });
}

/// A name that stands for an array and, elsewhere in the function, for a number.
#[omp::offload]
fn array_and_number(x: &[f32], device: usize) -> (f32, f32, i32) {
    let mut y = vec![0.0; x.len()];
    let mut z = vec![0.0; x.len()];
    #[omp::target(nowait, device(device))]
    for i in 0..x.len() {
        y[i] = x[i] * 2.0;
    }
    let first = y[0];
    {
        let y = -0.5 * first;
        #[omp::target(nowait, device(device))]
        for i in 0..x.len() {
            z[i] = x[i] * y;
        }
    }
    omp::taskwait!();
    let sum: f32 = y.iter().sum();
    let y = 3;
    let mut n = 0;
    #[omp::target(reduction(+: n), device(device))]
    for _ in x {
        n += y;
    }
    (sum, z[2], n)
}

#[test]
fn what_is_an_array_elsewhere() {
    on_every_device(|device| assert_eq!(array_and_number(&[1.0, 2.0, 3.0], device), (12.0, -3.0, 9)));
}

/// The primitive types' names are a user's to give.
mod primitives {
    #![allow(non_camel_case_types, dead_code, clippy::manual_is_multiple_of, clippy::cast_lossless)]
    type u64 = u8;
    type usize = u16;
    type bool = u8;
    type i128 = i8;
    type size = core::primitive::usize;

    #[derive(Clone, Copy, PartialEq, Eq, omp::Device)]
    enum Kind {
        Odd = 256,
        Even = 0,
    }

    #[omp::offload]
    pub fn run(d: size, x: &[u32], y: &mut [u32]) -> (u32, u32) {
        let (mut sum, mut last, mut counts) = (0, 0, [0u32; 4]);
        let step = 2;
        #[omp::target(device(d), map(to: x[0..]), reduction(+: sum, counts), lastprivate(last))]
        for i in 0..y.len() {
            let kind = if x[i] % 2 == 0 { Kind::Even } else { Kind::Odd };
            y[i] = (x[i] * 70_000) as u64 as u32 + kind as u32 + (usize::MAX as u32);
            sum += y[i];
            last = if kind == Kind::Odd { x[i] } else { y[i] };
            counts[i % 4] += 1;
        }
        #[omp::target_data(map(tofrom: y[..]), device(d))]
        {
            #[omp::target(device(d))]
            for i in (0..y.len()).step_by(step) {
                y[i] += counts[i % 4];
            }
            omp::target_update!(from(y[1..]), device(d));
        }
        #[omp::target(device(d), scan(+: sum))]
        for i in 0..y.len() {
            sum += x[i];
            y[i] ^= sum;
        }
        (sum, last)
    }
}

#[test]
fn primitives_may_have_other_names() {
    let x: Vec<u32> = (0..50).map(|v| v * 3 + 1).collect();
    let (mut sum, mut last, mut want) = (0, 0, vec![0; 50]);
    for (i, y) in want.iter_mut().enumerate() {
        *y = (x[i] * 70_000) % 256 + (x[i] & 1) * 256 + 65_535;
        sum += *y;
        last = if x[i] & 1 == 1 { x[i] } else { *y };
    }
    for (i, y) in want.iter_mut().enumerate() {
        *y += if i & 1 == 0 { 12 + u32::from(i & 3 < 2) } else { 0 };
        sum += x[i];
        *y ^= sum;
    }
    on_every_device(|d| {
        let mut y = vec![0; 50];
        assert_eq!(primitives::run(d, &x, &mut y), (sum, last), "device {d}");
        assert_eq!(y, want, "device {d}");
    });
}
