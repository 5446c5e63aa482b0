//! Reductions and scans in any geometry: operators × types × teams × threads × lengths, against the loop one after the other.
use omp_tests::{Values, on_every_device};

/// Teams and threads: one, powers of two, what is no multiple of anything, and the most.
const GEOMETRIES: [(usize, usize); 9] =
    [(1, 1), (1, 1024), (2, 31), (5, 33), (30, 100), (64, 256), (133, 1000), (4095, 63), (4096, 1)];
const LENGTHS: [usize; 5] = [0, 1, 33, 1000, 7001];

/// The map `v -> a v + b`; maps do not commute.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Affine {
    a: u32,
    b: u32,
}

#[omp::declare_reduction(then: Affine, identity = Affine { a: 1, b: 0 })]
fn then(f: Affine, g: Affine) -> Affine {
    Affine { a: f.a.wrapping_mul(g.a), b: f.b.wrapping_mul(g.a).wrapping_add(g.b) }
}

/// The first largest value and where it is.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Best {
    value: f32,
    index: usize,
}

#[omp::declare_reduction(best: Best, identity = Best { value: f32::NEG_INFINITY, index: usize::MAX })]
fn best(a: Best, b: Best) -> Best {
    if b.value > a.value { b } else { a }
}

macro_rules! integers {
    ($($T:ident)*) => { $(
        mod $T {
            use super::*;

            type All = ($T, $T, $T, $T, $T, $T, $T);

            #[omp::offload]
            fn reduced(d: usize, (teams, threads): (usize, usize), x: &[$T], all: All) -> All {
                let (mut sum, mut product, mut least, mut most, mut and, mut or, mut odd) = all;
                #[omp::target(device(d), num_teams(teams), thread_limit(threads), reduction(+: sum), reduction(*: product),
                    reduction(min: least), reduction(max: most), reduction(&: and), reduction(|: or), reduction(^: odd))]
                for i in 0..x.len() {
                    sum = sum.wrapping_add(x[i]);
                    product = product.wrapping_mul(x[i] | 1);
                    least = least.min(x[i]);
                    if x[i] > most {
                        most = x[i];
                    }
                    and &= x[i] | 5;
                    or |= x[i] & 9;
                    odd ^= x[i];
                }
                (sum, product, least, most, and, or, odd)
            }

            #[omp::offload]
            fn scanned(d: usize, (teams, threads): (usize, usize), x: &[$T], y: &mut [$T], z: &mut [$T], from: $T) -> $T {
                let mut s = from;
                #[omp::target(device(d), num_teams(teams), thread_limit(threads), scan(+: s), scan(max: y), scan(^: z))]
                for i in 1..x.len() {
                    y[i] = y[i - 1].max(x[i - 1]);
                    z[i] ^= z[i - 1];
                    s = s.wrapping_add(x[i] ^ 3);
                }
                s
            }

            #[test]
            fn all_operators() {
                for (k, n) in LENGTHS.into_iter().enumerate() {
                    let mut r = Values(n as u64);
                    let mut next = || r.wide() as $T;
                    let x: Vec<$T> = (0..n).map(|_| next()).collect();
                    let (z, from) = ((0..n).map(|_| next()).collect::<Vec<_>>(), next());
                    let start: All = (next(), 3, next(), next(), next(), next(), next());
                    let mut want = start;
                    for &v in &x {
                        want.0 = want.0.wrapping_add(v);
                        want.1 = want.1.wrapping_mul(v | 1);
                        want.2 = want.2.min(v);
                        want.3 = want.3.max(v);
                        want.4 &= v | 5;
                        want.5 |= v & 9;
                        want.6 ^= v;
                    }
                    let (mut s, mut y, mut parity) = (from, vec![7; n], z.clone());
                    for i in 1..n {
                        y[i] = y[i - 1].max(x[i - 1]);
                        parity[i] ^= parity[i - 1];
                        s = s.wrapping_add(x[i] ^ 3);
                    }
                    on_every_device(|d| {
                        for geometry in GEOMETRIES.into_iter().skip(k % 2).step_by(2) {
                            assert_eq!(reduced(d, geometry, &x, start), want, "{n} by {geometry:?} on {d}");
                            let (mut got, mut odd) = (vec![7; n], z.clone());
                            assert_eq!(scanned(d, geometry, &x, &mut got, &mut odd, from), s, "{n} by {geometry:?} on {d}");
                            assert!(got == y && odd == parity, "{n} by {geometry:?} on {d}");
                        }
                    });
                }
            }
        }
    )* };
}
integers! { i32 u64 u8 i16 }

#[omp::offload]
fn logical(d: usize, (teams, threads): (usize, usize), x: &[bool], start: bool) -> (bool, bool, bool) {
    let (mut all, mut any, mut odd) = (start, !start, start);
    #[omp::target(device(d), num_teams(teams), thread_limit(threads), reduction(&&: all), reduction(||: any), reduction(^: odd))]
    for i in 0..x.len() {
        all = all && x[i];
        if x[i] {
            any = true;
        }
        odd ^= x[i];
    }
    (all, any, odd)
}

#[omp::offload]
fn declared(
    d: usize,
    (teams, threads): (usize, usize),
    f: &[Affine],
    x: &[f32],
    y: &mut [Affine],
) -> (Affine, Best, Affine) {
    let (mut all, mut top) = (Affine { a: 5, b: 7 }, Best { value: -1.0, index: usize::MAX });
    #[omp::target(device(d), num_teams(teams), thread_limit(threads), reduction(then: all), reduction(best: top))]
    for i in 0..f.len() {
        all = then(all, f[i]);
        top = best(top, Best { value: x[i], index: i });
    }
    let mut c = Affine { a: 1, b: 3 };
    #[omp::target(device(d), num_teams(teams), thread_limit(threads), scan(then: c))]
    for i in 0..f.len() {
        y[i] = c;
        c = then(c, f[i]);
    }
    (all, top, c)
}

#[test]
fn declared_operators_and_logical_ones() {
    for n in LENGTHS {
        let mut r = Values(n as u64);
        let f: Vec<Affine> = (0..n).map(|_| Affine { a: r.bits() | 1, b: r.bits() }).collect();
        let x: Vec<f32> = (0..n).map(|_| (r.bits() % 50) as f32).collect();
        let (mut all, mut top) = (Affine { a: 5, b: 7 }, Best { value: -1.0, index: usize::MAX });
        let (mut c, mut prefixes) = (Affine { a: 1, b: 3 }, Vec::new());
        for i in 0..n {
            all = then(all, f[i]);
            top = best(top, Best { value: x[i], index: i });
            prefixes.push(c);
            c = then(c, f[i]);
        }
        on_every_device(|d| {
            for geometry in GEOMETRIES.into_iter().skip(n % 2).step_by(2) {
                let mut y = vec![Affine { a: 0, b: 0 }; n];
                assert_eq!(
                    declared(d, geometry, &f, &x, &mut y),
                    (all, top, c),
                    "{n} by {geometry:?} on {d}"
                );
                assert!(y == prefixes, "{n} by {geometry:?} on {d}");
                let bits: Vec<bool> = x.iter().map(|v| *v != 17.0).collect();
                let want =
                    (bits.iter().all(|b| *b), bits.iter().any(|b| *b), bits.iter().fold(true, |a, b| a ^ b));
                assert_eq!(logical(d, geometry, &bits, true), want, "{n} by {geometry:?} on {d}");
            }
        });
    }
}

#[omp::offload]
fn sums(d: usize, (teams, threads): (usize, usize), x: &[f32]) -> (f32, f64) {
    let (mut narrow, mut wide) = (0.0f32, 0.0f64);
    #[omp::target(device(d), num_teams(teams), thread_limit(threads), reduction(+: narrow, wide))]
    for i in 0..x.len() {
        narrow += x[i];
        wide += f64::from(x[i]) * 1e-3;
    }
    (narrow, wide)
}

#[omp::offload]
fn reproducible(d: usize, (teams, threads): (usize, usize), x: &[f32]) -> f32 {
    let mut sum = 0.0;
    #[omp::target(device(d), num_teams(teams), thread_limit(threads), reduction(reproducible, +: sum))]
    for i in 0..x.len() {
        sum += x[i] * 1.5 - 0.25;
    }
    sum
}

#[omp::offload]
fn floats_scanned(d: usize, (teams, threads): (usize, usize), x: &[f32], y: &mut [f32]) {
    #[omp::target(device(d), num_teams(teams), thread_limit(threads), scan(+: y))]
    for i in 1..x.len() {
        y[i] = y[i - 1] + x[i];
    }
}

/// Terms that nearly cancel: what is left is far below what was added.
fn ill_conditioned(n: usize) -> Vec<f32> {
    let mut r = Values(n as u64);
    let mut x: Vec<f32> = (0..n).map(|_| (r.bits() as f32 - 2e9) * (r.bits() % 13) as f32).collect();
    for i in 0..n / 2 {
        x[n - 1 - i] = -x[i];
    }
    x
}

#[test]
fn floats_keep_their_bounds() {
    for n in [1, 1000, 70_001] {
        let x = ill_conditioned(n);
        // Sums of `f64` are exact enough to compare with.
        let exact: f64 = x.iter().map(|v| f64::from(*v)).sum();
        let magnitude: f64 = x.iter().map(|v| f64::from(v.abs())).sum();
        let u = f64::from(f32::EPSILON) / 2.0;
        let bound = (64.0 + (n as f64).log2()) * u * magnitude;
        let mut first = None;
        on_every_device(|d| {
            for geometry in GEOMETRIES {
                let (narrow, wide) = sums(d, geometry, &x);
                assert!(
                    (f64::from(narrow) - exact).abs() <= bound,
                    "{narrow} for {exact}: {n} by {geometry:?} on {d}"
                );
                assert!(
                    (wide - exact * 1e-3).abs() <= 1e-6 * bound.max(1e-300),
                    "{wide} by {geometry:?} on {d}"
                );
                assert_eq!(sums(d, geometry, &x), (narrow, wide), "again, {n} by {geometry:?} on {d}");
                let bits = reproducible(d, geometry, &x).to_bits();
                assert_eq!(*first.get_or_insert(bits), bits, "{n} by {geometry:?} on {d}");
            }
            for geometry in [(1, 1), (3, 32), (70, 256)] {
                let mut y = vec![x[0]; n];
                floats_scanned(d, geometry, &x, &mut y);
                let (mut sum, mut all) = (f64::from(x[0]), f64::from(x[0].abs()));
                for i in 1..n {
                    sum += f64::from(x[i]);
                    all += f64::from(x[i].abs());
                    let bound = i as f64 * u * all;
                    assert!((f64::from(y[i]) - sum).abs() <= bound, "{i} of {n} by {geometry:?} on {d}");
                }
            }
        });
    }
}
