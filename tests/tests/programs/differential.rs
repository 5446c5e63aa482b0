//! One program, every device of the machine: each region runs on the host and on every device, and all results are
//! compared with those of the plain serial loop. Integers are exact; floats are too, under `fp(strict)`.
use omp_tests::{Values, on_every_device};

const LENGTHS: [usize; 9] = [0, 1, 2, 3, 31, 256, 257, 1000, 4099];

macro_rules! arithmetic {
    ($($module:ident: $t:ident;)*) => { $(
        mod $module {
            use super::*;

            #[omp::offload]
            fn mixed(d: usize, a: &[$t], b: &[$t], y: &mut [$t], z: &mut [[$t; 3]]) {
                #[omp::target(device(d), map(to: a, b), map(from: y), map(tofrom: z))]
                for i in 0..y.len() {
                    let (p, q) = (a[i], b[i]);
                    let mut s = p.wrapping_add(q).wrapping_mul(3);
                    for k in 0..3 {
                        s ^= z[i][k] >> 1;
                        z[i][k] = s.wrapping_sub(k as $t);
                    }
                    y[i] = if s > q { s | 1 } else { !s & p };
                }
            }

            fn mixed_serial(a: &[$t], b: &[$t], y: &mut [$t], z: &mut [[$t; 3]]) {
                for i in 0..y.len() {
                    let (p, q) = (a[i], b[i]);
                    let mut s = p.wrapping_add(q).wrapping_mul(3);
                    for k in 0..3 {
                        s ^= z[i][k] >> 1;
                        z[i][k] = s.wrapping_sub(k as $t);
                    }
                    y[i] = if s > q { s | 1 } else { !s & p };
                }
            }

            #[omp::offload]
            fn reductions(d: usize, x: &[$t]) -> ($t, $t, $t, $t, $t, $t, $t) {
                let (mut sum, mut product, mut least, mut most) = (7 as $t, 1 as $t, $t::MAX, $t::MIN);
                let (mut and, mut or, mut xor) = (!(0 as $t), 0 as $t, 5 as $t);
                #[omp::target(device(d), map(to: x), reduction(+: sum), reduction(*: product), reduction(min: least),
                    reduction(max: most), reduction(&: and), reduction(|: or), reduction(^: xor))]
                for i in 0..x.len() {
                    let v = x[i];
                    sum = sum.wrapping_add(v);
                    product = product.wrapping_mul(v | 1);
                    least = least.min(v);
                    most = most.max(v);
                    and &= v | 3;
                    or |= v & 12;
                    xor ^= v;
                }
                (sum, product, least, most, and, or, xor)
            }

            #[test]
            fn elementwise_and_reduced() {
                for n in LENGTHS {
                    let mut r = Values(n as u64 + 1);
                    let a: Vec<$t> = (0..n).map(|_| r.wide() as $t).collect();
                    let b: Vec<$t> = (0..n).map(|_| r.wide() as $t).collect();
                    let z: Vec<[$t; 3]> = (0..n).map(|_| [r.wide() as $t, r.wide() as $t, r.wide() as $t]).collect();
                    let (mut y0, mut z0) = (vec![0; n], z.clone());
                    mixed_serial(&a, &b, &mut y0, &mut z0);
                    let want = (
                        a.iter().fold(7 as $t, |s, v| s.wrapping_add(*v)),
                        a.iter().fold(1 as $t, |s, v| s.wrapping_mul(*v | 1)),
                        a.iter().copied().min().unwrap_or($t::MAX),
                        a.iter().copied().max().unwrap_or($t::MIN),
                        a.iter().fold(!(0 as $t), |s, v| s & (*v | 3)),
                        a.iter().fold(0, |s, v| s | (*v & 12)),
                        a.iter().fold(5, |s, v| s ^ *v),
                    );
                    on_every_device(|d| {
                        let (mut y, mut z) = (vec![77 as $t; n], z.clone());
                        mixed(d, &a, &b, &mut y, &mut z);
                        assert_eq!(y, y0, "device {d}, n = {n}");
                        assert_eq!(z, z0, "device {d}, n = {n}");
                        assert_eq!(reductions(d, &a), want, "device {d}, n = {n}");
                    });
                }
            }
        }
    )* };
}
arithmetic! { on_i8: i8; on_u8: u8; on_i16: i16; on_u16: u16; on_i32: i32; on_u32: u32; on_i64: i64; on_u64: u64; on_isize: isize; on_usize: usize; }

macro_rules! floats {
    ($($module:ident: $t:ident;)*) => { $(
        mod $module {
            use super::*;

            #[omp::offload]
            fn mixed(d: usize, a: &[$t], b: &[$t], y: &mut [$t], flag: &mut [bool]) {
                #[omp::target(device(d), fp(strict))]
                for i in 0..y.len() {
                    let p = a[i] * b[i] + 1.5;
                    y[i] = (p / (b[i].abs() + 0.25)).sqrt().min(1e3) - p.floor() % 3.0;
                    flag[i] = p > b[i];
                }
            }

            fn mixed_serial(a: &[$t], b: &[$t], y: &mut [$t], flag: &mut [bool]) {
                for i in 0..y.len() {
                    let p = a[i] * b[i] + 1.5;
                    y[i] = (p / (b[i].abs() + 0.25)).sqrt().min(1e3) - p.floor() % 3.0;
                    flag[i] = p > b[i];
                }
            }

            #[omp::offload]
            fn reductions(d: usize, x: &[$t]) -> ($t, $t, $t, bool, bool) {
                let (mut sum, mut least, mut most, mut all, mut any) = (0.5, $t::INFINITY, $t::NEG_INFINITY, true, false);
                #[omp::target(device(d), reduction(+: sum), reduction(min: least), reduction(max: most), reduction(&&: all), reduction(||: any))]
                for i in 0..x.len() {
                    sum += x[i];
                    least = least.min(x[i]);
                    most = most.max(x[i]);
                    all = all && x[i] > -0.999;
                    any = any || x[i] > 0.999;
                }
                (sum, least, most, all, any)
            }

            #[test]
            fn elementwise_and_reduced() {
                for n in LENGTHS {
                    let mut r = Values(n as u64 + 1);
                    let mut unit = || (f64::from(r.bits()) / 2_147_483_648.0 - 1.0) as $t;
                    let a: Vec<$t> = (0..n).map(|_| unit()).collect();
                    let b: Vec<$t> = (0..n).map(|_| unit()).collect();
                    let (mut y0, mut f0) = (vec![0.0; n], vec![false; n]);
                    mixed_serial(&a, &b, &mut y0, &mut f0);
                    let exact: f64 = a.iter().map(|&v| f64::from(v)).sum::<f64>() + 0.5;
                    let size: f64 = a.iter().map(|&v| f64::from(v).abs()).sum::<f64>() + 0.5;
                    let bound = (64.0 + (n.max(1) as f64).log2()) * f64::from($t::EPSILON) / 2.0 * size;
                    on_every_device(|d| {
                        let (mut y, mut f) = (vec![77.0; n], vec![true; n]);
                        mixed(d, &a, &b, &mut y, &mut f);
                        for i in 0..n {
                            let same = y[i] == y0[i] || (y[i].is_nan() && y0[i].is_nan());
                            assert!(same, "device {d}, n = {n}, element {i}: {} and {}", y[i], y0[i]);
                        }
                        assert_eq!(f, f0, "device {d}, n = {n}");
                        let (sum, least, most, all, any) = reductions(d, &a);
                        assert!((f64::from(sum) - exact).abs() <= bound, "device {d}, n = {n}: {sum} and {exact}");
                        assert_eq!(reductions(d, &a).0.to_bits(), sum.to_bits(), "device {d}, n = {n}: another sum the second time");
                        assert_eq!(least, a.iter().fold($t::INFINITY, |m, v| m.min(*v)), "device {d}, n = {n}");
                        assert_eq!(most, a.iter().fold($t::NEG_INFINITY, |m, v| m.max(*v)), "device {d}, n = {n}");
                        assert_eq!(all, a.iter().all(|v| *v > -0.999), "device {d}, n = {n}");
                        assert_eq!(any, a.iter().any(|v| *v > 0.999), "device {d}, n = {n}");
                    });
                }
            }
        }
    )* };
}
floats! { on_f32: f32; on_f64: f64; }

#[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
struct Particle {
    kind: u8,
    at: (f32, f32),
    weight: f64,
    tags: [i16; 3],
}

#[omp::declare_target]
fn moved(p: Particle, by: f32) -> Particle {
    let tags = [p.tags[2], p.tags[0], p.tags[1]];
    Particle { kind: p.kind ^ 1, at: (p.at.0 + by, p.at.1 * by), weight: p.weight * 0.5, tags }
}

#[omp::offload]
fn move_all(d: usize, by: f32, p: &mut [Particle]) {
    #[omp::target(device(d), fp(strict), map(tofrom: p))]
    for i in 0..p.len() {
        p[i] = moved(p[i], by);
        p[i].tags[1] += 1;
    }
}

#[test]
fn structs_keep_their_layout() {
    for n in LENGTHS {
        let start: Vec<Particle> = (0..n)
            .map(|i| Particle {
                kind: i as u8,
                at: (i as f32, -1.25),
                weight: i as f64 / 3.0,
                tags: [i as i16, 2, 3],
            })
            .collect();
        let want: Vec<Particle> = start
            .iter()
            .map(|&p| {
                let mut p = moved(p, 0.75);
                p.tags[1] += 1;
                p
            })
            .collect();
        on_every_device(|d| {
            let mut p = start.clone();
            move_all(d, 0.75, &mut p);
            assert_eq!(p, want, "device {d}, n = {n}");
        });
    }
}

#[omp::offload]
fn steps(d: usize, lo: i32, hi: i32, s: usize, y: &mut [i32]) {
    #[omp::target(device(d))]
    for i in (lo..hi).rev().step_by(s) {
        y[(i - lo) as usize] = i * 3;
    }
}

#[omp::offload]
fn triangle(d: usize, n: usize, y: &mut [u32]) -> u64 {
    let mut cells = 0u64;
    #[omp::target(device(d), collapse(2), reduction(+: cells))]
    for i in 0..n {
        for j in i..n {
            y[i * n + j] += (i * 100 + j) as u32;
            cells += 1;
        }
    }
    cells
}

#[test]
fn ranges_and_nests() {
    for (lo, hi, s) in [(0, 0, 1), (-5, 17, 3), (3, 3, 7), (-100, 100, 1), (0, 1000, 999), (5, 2, 1)] {
        let n = (hi - lo).max(0) as usize;
        let mut want = vec![-1; n];
        for i in (lo..hi).rev().step_by(s) {
            want[(i - lo) as usize] = i * 3;
        }
        on_every_device(|d| {
            let mut y = vec![-1; n];
            steps(d, lo, hi, s, &mut y);
            assert_eq!(y, want, "device {d}, ({lo}..{hi}).rev().step_by({s})");
        });
    }
    for n in [0usize, 1, 2, 33, 70] {
        let want: Vec<u32> = (0..n * n)
            .map(|at| if at % n >= at / n { 5 + (at / n * 100 + at % n) as u32 } else { 5 })
            .collect();
        on_every_device(|d| {
            let mut y = vec![5; n * n];
            assert_eq!(triangle(d, n, &mut y), (n * (n + 1) / 2) as u64, "device {d}, n = {n}");
            assert_eq!(y, want, "device {d}, n = {n}");
        });
    }
}

#[omp::offload]
fn generic<T: omp::Device + std::ops::Add<Output = T> + std::ops::Mul<Output = T>, const N: usize>(
    d: usize,
    a: T,
    x: &[[T; N]],
    y: &mut [T],
) {
    #[omp::target(device(d), fp(strict))]
    for i in 0..x.len() {
        let mut s = a;
        for k in 0..N {
            s = s * a + x[i][k];
        }
        y[i] = s;
    }
}

#[test]
fn generic_functions_have_an_instance_each() {
    on_every_device(|d| {
        let mut y = [0i64; 2];
        generic(d, 3, &[[1, 2], [3, 4]], &mut y);
        assert_eq!(y, [(3 * 3 + 1) * 3 + 2, (3 * 3 + 3) * 3 + 4]);
        let mut y = [0.0f32; 1];
        generic(d, 0.5, &[[1.0, 2.0, 4.0]], &mut y);
        assert_eq!(y, [((0.25 + 1.0) * 0.5 + 2.0) * 0.5 + 4.0]);
        let mut y = [0u8; 3];
        generic(d, 2, &[[1], [2], [3]], &mut y);
        assert_eq!(y, [5, 6, 7]);
    });
}

#[omp::offload]
fn section(d: usize, lo: usize, hi: usize, x: &[i32], y: &mut [i32]) {
    #[omp::target(device(d), map(to: x[lo..hi]), map(tofrom: y[lo..hi]))]
    for i in lo..hi {
        y[i] += x[i];
    }
}

#[omp::offload]
fn every_third(d: usize, y: &mut [i32]) {
    #[omp::target(device(d), map(from: y))]
    for i in 0..y.len() {
        if i % 3 == 0 {
            y[i] = i as i32;
        }
    }
}

#[test]
fn what_is_not_written_keeps_its_value() {
    let x: Vec<i32> = (0..1000).collect();
    on_every_device(|d| {
        for (lo, hi) in [(0, 1000), (1, 999), (500, 500), (999, 1000), (17, 170)] {
            let mut y = vec![5; 1000];
            section(d, lo, hi, &x, &mut y);
            for (i, &got) in y.iter().enumerate() {
                let want = if (lo..hi).contains(&i) { 5 + i as i32 } else { 5 };
                assert_eq!(got, want, "device {d}, {lo}..{hi}, element {i}");
            }
        }
        let mut y = vec![-9; 100];
        every_third(d, &mut y);
        assert!((0..100).all(|i| y[i] == if i % 3 == 0 { i as i32 } else { -9 }), "device {d}");
    });
}

#[omp::offload]
fn gather(d: usize, x: &[f64], at: &[u32], y: &mut [f64]) {
    #[omp::target(device(d), map(to: x, at), map(from: y))]
    for i in 0..y.len() {
        y[i] = x[at[i] as usize];
    }
}

#[test]
fn a_failed_check_is_a_panic_with_its_place_and_the_program_goes_on() {
    on_every_device(|d| {
        let x: Vec<f64> = (0..100).map(f64::from).collect();
        let mut at: Vec<u32> = (0..100).rev().collect();
        let mut y = vec![0.0; 100];
        for bad in [0usize, 50, 99] {
            let right = std::mem::replace(&mut at[bad], 100 + bad as u32);
            let caught =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| gather(d, &x, &at, &mut y)));
            let payload = caught.expect_err("an index past the end");
            let text = payload.downcast::<String>().expect("the payload is a String");
            assert!(text.contains("the len is 100 but the index is"), "device {d}: {text}");
            assert!(text.contains(&(100 + bad).to_string()), "device {d}: {text}");
            at[bad] = right;
            gather(d, &x, &at, &mut y);
            assert!((0..100).all(|i| y[i] == (99 - i) as f64), "device {d}: after the panic");
        }
    });
}

#[omp::offload]
fn subtract(d: usize, x: &[u32], start: u32) -> u32 {
    let mut left = start;
    #[omp::target(device(d), reduction(+: left))]
    for i in 0..x.len() {
        left -= x[i];
    }
    left
}

#[omp::offload]
fn count(d: usize, n: usize) -> u8 {
    let mut sum = 0u8;
    #[omp::target(device(d), reduction(+: sum))]
    for _ in 0..n {
        sum += 1;
    }
    sum
}

/// A partial result starts at the operator's identity, below which an unsigned difference would be. The host's loop
/// overflows where Rust's does; devices wrap.
#[test]
fn partial_results_do_not_overflow() {
    on_every_device(|d| assert_eq!(subtract(d, &[1, 2, 3, 4], 4_000_000_000), 3_999_999_990, "device {d}"));
    let host = omp::get_initial_device();
    let counted = std::panic::catch_unwind(|| count(host, 300));
    assert_eq!(counted.is_err(), cfg!(debug_assertions));
    assert_eq!(counted.unwrap_or(44), 44);
}
