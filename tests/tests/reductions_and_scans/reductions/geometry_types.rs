//! Reductions and scans of every type by every operator that it takes, in any geometry: each type goes through a part of the
//! geometries with each length, all of them together through all.
#![allow(clippy::assign_op_pattern, clippy::manual_is_multiple_of, reason = "every spelling of an update")]
#![allow(clippy::cast_lossless, reason = "one text for types of all widths")]
use omp_tests::{Values, on_every_device};

/// Teams and threads: the least, the most, odd ones.
const GEOMETRIES: [(usize, usize); 12] = [
    (1, 1),
    (1, 1024),
    (2, 31),
    (3, 1),
    (7, 100),
    (30, 128),
    (64, 33),
    (65, 65),
    (133, 1000),
    (1023, 3),
    (4095, 2),
    (4096, 1),
];
const LENGTHS: [usize; 4] = [0, 1, 65, 5003];

/// The geometries of the `k`th type.
fn of_type(k: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..3).map(move |j| GEOMETRIES[(5 * k + 4 * j) % GEOMETRIES.len()])
}

macro_rules! integers {
    ($($T:ident $k:literal)*) => { $(
        mod $T {
            use super::*;

            type All = ($T, $T, $T, $T, $T, $T, $T, $T);

            #[omp::offload]
            fn reduced(d: usize, (teams, threads): (usize, usize), x: &[$T], all: All) -> All {
                let (mut sum, mut rest, mut product, mut least, mut most, mut and, mut or, mut odd) = all;
                #[omp::target(device(d), num_teams(teams), thread_limit(threads), reduction(+: sum), reduction(-: rest),
                    reduction(*: product), reduction(min: least), reduction(max: most), reduction(&: and), reduction(|: or),
                    reduction(^: odd))]
                for i in 0..x.len() {
                    sum = x[i].wrapping_add(sum);
                    rest = rest.wrapping_sub(x[i]);
                    product = product.wrapping_mul(x[i] | 1);
                    if least > x[i] {
                        least = x[i];
                    }
                    most = x[i].max(most);
                    and = and & (x[i] | 5);
                    or = x[i] & 9 | or;
                    odd ^= x[i];
                }
                (sum, rest, product, least, most, and, or, odd)
            }

            #[omp::offload]
            fn scanned(d: usize, (teams, threads): (usize, usize), x: &[$T], y: &mut [[$T; 7]]) {
                let (mut a, mut b, mut c, mut e, mut f, mut g, mut h) = (1, 1, x.first().copied().unwrap_or(0), 9, !0, 0, 7);
                #[omp::target(device(d), num_teams(teams), thread_limit(threads), scan(+: a), scan(*: b), scan(min: c),
                    scan(max: e), scan(&: f), scan(|: g), scan(^: h))]
                for i in 0..x.len() {
                    a = a.wrapping_add(x[i]);
                    b = b.wrapping_mul(x[i] | 1);
                    c = c.min(x[i]);
                    e = e.max(x[i]);
                    f = f & (x[i] | 5);
                    g |= x[i] & 9;
                    h ^= x[i];
                    y[i] = [a, b, c, e, f, g, h];
                }
            }

            #[test]
            fn all_operators() {
                for n in LENGTHS {
                    let mut r = Values(n as u64 + $k);
                    let x: Vec<$T> = (0..n).map(|_| r.wide() as $T).collect();
                    let start: All = (3, 5, 7, 100, 9, !0, 2, 77);
                    let mut want = start;
                    let mut s = (1 as $T, 1 as $T, x.first().copied().unwrap_or(0), 9 as $T, !0 as $T, 0 as $T, 7 as $T);
                    let mut scans = Vec::new();
                    for &v in &x {
                        want.0 = want.0.wrapping_add(v);
                        want.1 = want.1.wrapping_sub(v);
                        want.2 = want.2.wrapping_mul(v | 1);
                        want.3 = want.3.min(v);
                        want.4 = want.4.max(v);
                        want.5 &= v | 5;
                        want.6 |= v & 9;
                        want.7 ^= v;
                        s = (s.0.wrapping_add(v), s.1.wrapping_mul(v | 1), s.2.min(v), s.3.max(v), s.4 & (v | 5), s.5 | v & 9, s.6 ^ v);
                        scans.push([s.0, s.1, s.2, s.3, s.4, s.5, s.6]);
                    }
                    on_every_device(|d| {
                        for geometry in of_type($k) {
                            assert_eq!(reduced(d, geometry, &x, start), want, "{n} by {geometry:?} on {d}");
                            let mut y = vec![[0; 7]; n];
                            scanned(d, geometry, &x, &mut y);
                            assert!(y == scans, "{n} by {geometry:?} on {d}");
                        }
                    });
                }
            }
        }
    )* };
}
integers! { i8 0 u16 1 u32 2 i64 3 isize 4 usize 5 }

#[omp::offload]
fn logical(d: usize, (teams, threads): (usize, usize), x: &[bool], start: [bool; 5]) -> [bool; 5] {
    let [mut all, mut any, mut and, mut or, mut odd] = start;
    #[omp::target(device(d), num_teams(teams), thread_limit(threads), reduction(&&: all), reduction(||: any),
        reduction(&: and), reduction(|: or), reduction(^: odd))]
    for i in 0..x.len() {
        if !x[i] {
            all = false;
        }
        any = any || !x[i];
        and &= x[i];
        or = or | x[i];
        odd ^= x[i];
    }
    [all, any, and, or, odd]
}

#[omp::offload]
fn logical_scans(
    d: usize,
    (teams, threads): (usize, usize),
    x: &[bool],
    y: &mut [bool],
    z: &mut [bool],
) -> bool {
    let mut odd = false;
    #[omp::target(device(d), num_teams(teams), thread_limit(threads), scan(&&: y), scan(||: z), scan(^: odd))]
    for i in 1..x.len() {
        y[i] = y[i - 1] && x[i];
        z[i] = z[i - 1] || !x[i];
        odd ^= x[i];
    }
    odd
}

#[test]
fn all_operators_of_bool() {
    for n in LENGTHS {
        for at in [0, n / 2, n] {
            let x: Vec<bool> = (0..n).map(|i| i != at).collect();
            for start in [[true, false, true, false, false], [false, true, false, true, true]] {
                let all = x.iter().all(|v| *v);
                let any = x.iter().any(|v| *v);
                let odd = x.iter().filter(|v| **v).count() % 2 == 1;
                let want =
                    [start[0] && all, start[1] || !all, start[2] && all, start[3] || any, start[4] != odd];
                on_every_device(|d| {
                    for geometry in of_type(at) {
                        assert_eq!(logical(d, geometry, &x, start), want, "{n} by {geometry:?} on {d}");
                        let (mut y, mut z) = (vec![start[0]; n], vec![start[1]; n]);
                        let odd = logical_scans(d, geometry, &x, &mut y, &mut z);
                        for i in 0..n {
                            let wrong = at > 0 && at <= i;
                            assert_eq!(
                                (y[i], z[i]),
                                (start[0] && !wrong, start[1] || wrong),
                                "{i} of {n} by {geometry:?} on {d}"
                            );
                        }
                        let counted = x.iter().skip(1).filter(|v| **v).count();
                        assert_eq!(odd, counted % 2 == 1, "{n} by {geometry:?} on {d}");
                    }
                });
            }
        }
    }
}

macro_rules! floats {
    ($($T:ident $k:literal)*) => { $(
        mod $T {
            use super::*;

            #[omp::offload]
            fn reduced(d: usize, (teams, threads): (usize, usize), x: &[$T], [a, b, c, e]: [$T; 4]) -> [$T; 4] {
                let (mut sum, mut product, mut least, mut most) = (a, b, c, e);
                #[omp::target(device(d), num_teams(teams), thread_limit(threads), reduction(+: sum), reduction(*: product),
                    reduction(min: least), reduction(max: most))]
                for i in 0..x.len() {
                    sum += x[i];
                    product *= 1.0 + x[i] * 1e-20;
                    least = least.min(x[i]);
                    if x[i] > most {
                        most = x[i];
                    }
                }
                [sum, product, least, most]
            }

            #[omp::offload]
            fn same_bits(d: usize, (teams, threads): (usize, usize), x: &[$T]) -> [$T; 4] {
                let (mut sum, mut product, mut least, mut most) = (-0.0, 1.0, $T::INFINITY, -0.0);
                #[omp::target(device(d), num_teams(teams), thread_limit(threads), reduction(reproducible, +: sum),
                    reduction(*: product), reduction(min: least), reduction(max: most))]
                for i in 0..x.len() {
                    sum += x[i] * 1.5;
                    product *= 1.0 + x[i] * 1e-12;
                    least = least.min(x[i]);
                    most = most.max(x[i]);
                }
                [sum, product, least, most]
            }

            #[omp::offload]
            fn scanned(d: usize, (teams, threads): (usize, usize), x: &[$T], y: &mut [$T], z: &mut [$T]) -> $T {
                let mut least = $T::NAN;
                #[omp::target(device(d), num_teams(teams), thread_limit(threads), scan(+: y), scan(max: z), scan(min: least))]
                for i in 1..x.len() {
                    y[i] = y[i - 1] + x[i];
                    z[i] = z[i - 1].max(x[i]);
                    least = least.min(x[i]);
                }
                least
            }

            /// What is left is far below what was added.
            fn ill_conditioned(n: usize) -> Vec<$T> {
                let mut r = Values(n as u64);
                let mut x: Vec<$T> = (0..n).map(|_| (r.bits() as $T - 2e9) * (r.bits() % 13) as $T).collect();
                for i in 0..n / 2 {
                    x[n - 1 - i] = -x[i];
                }
                x
            }

            /// The sum without rounding: of halves of terms that take each other away, whatever the order.
            fn exact(x: &[$T]) -> $T {
                if x.len() % 2 == 1 { x[x.len() / 2] } else { 0.0 }
            }

            #[test]
            fn within_the_bounds() {
                for n in LENGTHS {
                    let x = ill_conditioned(n);
                    let magnitude: $T = x.iter().map(|v| v.abs()).sum();
                    let u = $T::EPSILON / 2.0;
                    let bound = (64.0 + (n.max(1) as $T).log2()) * u * magnitude;
                    let product: f64 = x.iter().map(|v| 1.0 + f64::from(*v) * 1e-20).product();
                    let (least, most) = (x.iter().copied().fold(5.0, $T::min), x.iter().copied().fold(5.0, $T::max));
                    let mut first = None;
                    on_every_device(|d| {
                        for geometry in of_type($k).chain(of_type($k + 1)) {
                            let place = format!("{n} by {geometry:?} on {d}");
                            let got = reduced(d, geometry, &x, [0.0, 1.0, 5.0, 5.0]);
                            assert!((got[0] - exact(&x)).abs() <= bound, "{} for {}: {place}", got[0], exact(&x));
                            let off = (f64::from(got[1]) / product - 1.0).abs();
                            assert!(off <= 2.0 * (n + 1) as f64 * f64::from(u), "{} for {product}: {place}", got[1]);
                            assert_eq!((got[2], got[3]), (least, most), "{place}");
                            assert_eq!(got, reduced(d, geometry, &x, [0.0, 1.0, 5.0, 5.0]), "again, {place}");
                            let bits = same_bits(d, geometry, &x).map($T::to_bits);
                            assert_eq!(*first.get_or_insert(bits), bits, "{place}");

                            let (mut y, mut z) = (vec![1.0; n], vec![$T::NAN; n]);
                            let low = scanned(d, geometry, &x, &mut y, &mut z);
                            let (mut all, mut high, mut seen) = (1.0, $T::NAN, $T::NAN);
                            let (mut sum, mut lost) = (1.0, 0.0);
                            for i in 1..n {
                                // With what rounding has taken beside it.
                                let next: $T = sum + x[i];
                                lost += if sum.abs() > x[i].abs() { sum - next + x[i] } else { x[i] - next + sum };
                                sum = next;
                                all += x[i].abs();
                                high = high.max(x[i]);
                                seen = seen.min(x[i]);
                                let bound = i as $T * u * all * 1.01;
                                assert!((y[i] - (sum + lost)).abs() <= bound, "{i} of {place}");
                                assert_eq!(z[i], high, "{i} of {place}");
                            }
                            assert!(low == seen || (n < 2 && low.is_nan()), "{place}");
                        }
                    });
                }
            }
        }
    )* };
}
floats! { f32 6 f64 8 }

#[omp::offload]
fn largest(d: usize, x: &[u32], y: &mut [u32]) -> u32 {
    let mut sum = 0u32;
    #[omp::target(device(d), num_teams(4096), thread_limit(1024), reduction(+: sum))]
    for i in 0..x.len() {
        sum = sum.wrapping_add(x[i]);
    }
    #[omp::target(device(d), num_teams(4096), thread_limit(1024), scan(^: y))]
    for i in 1..x.len() {
        y[i] = y[i - 1] ^ x[i];
    }
    sum
}

#[test]
fn the_largest_geometry() {
    let mut r = Values(3);
    let x: Vec<u32> = (0..5003).map(|_| r.bits()).collect();
    on_every_device(|d| {
        let mut y = vec![5; x.len()];
        assert_eq!(largest(d, &x, &mut y), x.iter().fold(0, |s: u32, v| s.wrapping_add(*v)), "on {d}");
        let mut s = 5;
        for i in 1..x.len() {
            s ^= x[i];
            assert_eq!(y[i], s, "{i} on {d}");
        }
    });
}

/// A permutation of eight: their products do not commute. One byte for each place.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Turn {
    to: [u8; 8],
}

#[omp::declare_reduction(turn: Turn, identity = Turn { to: [0, 1, 2, 3, 4, 5, 6, 7] })]
fn turn(a: Turn, b: Turn) -> Turn {
    let mut r = a;
    for k in 0..8 {
        r.to[k] = b.to[a.to[k] as usize];
    }
    r
}

/// A polynomial hash with as many coefficients as fill 256 bytes.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Long {
    power: u32,
    of: [u32; 63],
}

#[omp::declare_reduction(follow: Long, identity = Long { power: 1, of: [0; 63] })]
fn follow(a: Long, b: Long) -> Long {
    let mut r = b;
    for k in 0..63 {
        r.of[k] = a.of[k].wrapping_mul(b.power).wrapping_add(b.of[k]);
    }
    r.power = a.power.wrapping_mul(b.power);
    r
}

/// The mean and what is around it, of as many; `u8` and `f64` in one.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Span {
    some: bool,
    first: i16,
    last: i16,
    sum: f64,
}

const NO_SPAN: Span = Span { some: false, first: 0, last: 0, sum: 0.0 };

#[omp::declare_reduction(span: Span, identity = NO_SPAN)]
fn span(a: Span, b: Span) -> Span {
    if !b.some {
        a
    } else if !a.some {
        b
    } else {
        Span { some: true, first: a.first, last: b.last, sum: a.sum + b.sum }
    }
}

/// The last that is not 0: of a primitive type.
#[omp::declare_reduction(later: u16, identity = 0)]
fn later(a: u16, b: u16) -> u16 {
    if b == 0 { a } else { b }
}

type Declared = (Turn, Long, Span, u16);

#[omp::offload]
fn declared(d: usize, (teams, threads): (usize, usize), x: &[u32], start: Declared) -> Declared {
    let (mut t, mut l, mut s, mut p) = start;
    #[omp::target(device(d), num_teams(teams), thread_limit(threads), reduction(turn: t), reduction(follow: l),
        reduction(span: s), reduction(later: p))]
    for i in 0..x.len() {
        let mut one = Turn { to: [0, 1, 2, 3, 4, 5, 6, 7] };
        one.to.swap((x[i] % 8) as usize, (x[i] / 8 % 8) as usize);
        t = turn(t, one);
        l = follow(l, Long { power: x[i] | 1, of: [x[i]; 63] });
        if x[i] % 3 == 0 {
            s = span(s, Span { some: true, first: i as i16, last: i as i16, sum: 0.5 });
            p = later(p, (x[i] % 5) as u16);
        }
    }
    (t, l, s, p)
}

#[omp::offload]
fn elements(d: usize, (teams, threads): (usize, usize), x: &[u32], turns: &mut [Turn], last: &mut [u16]) {
    #[omp::target(device(d), num_teams(teams), thread_limit(threads), reduction(turn: turns), reduction(later: last))]
    for i in 0..x.len() {
        let k = (x[i] / 64 % 5) as usize;
        let mut one = Turn { to: [0, 1, 2, 3, 4, 5, 6, 7] };
        one.to.swap((x[i] % 8) as usize, (x[i] / 8 % 8) as usize);
        turns[k] = turn(turns[k], one);
        last[k] = later(last[k], i as u16);
    }
}

#[omp::offload]
fn declared_scans(
    d: usize,
    (teams, threads): (usize, usize),
    x: &[u32],
    y: &mut [Turn],
    z: &mut [Long],
    w: &mut [u16],
) {
    let mut t = Turn { to: [7, 6, 5, 4, 3, 2, 1, 0] };
    let mut l = Long { power: 3, of: [1; 63] };
    #[omp::target(device(d), num_teams(teams), thread_limit(threads), scan(turn: t), scan(follow: l), scan(later: w))]
    for i in 1..x.len() {
        let mut one = Turn { to: [0, 1, 2, 3, 4, 5, 6, 7] };
        one.to.swap((x[i] % 8) as usize, (x[i] / 8 % 8) as usize);
        y[i] = t;
        t = turn(t, one);
        l = follow(l, Long { power: x[i] | 1, of: [x[i]; 63] });
        z[i] = l;
        w[i] = later(w[i - 1], (x[i] % 3) as u16);
    }
}

#[test]
fn types_of_the_users_in_order() {
    for (k, n) in LENGTHS.into_iter().enumerate() {
        let mut r = Values(n as u64);
        let x: Vec<u32> = (0..n).map(|_| r.bits()).collect();
        let one = |v: u32| {
            let mut one = Turn { to: [0, 1, 2, 3, 4, 5, 6, 7] };
            one.to.swap((v % 8) as usize, (v / 8 % 8) as usize);
            one
        };
        let long = |v: u32| Long { power: v | 1, of: [v; 63] };
        let start = (Turn { to: [1, 2, 3, 4, 5, 6, 7, 0] }, Long { power: 5, of: [2; 63] }, NO_SPAN, 9);
        let mut want = start;
        let mut cells = (vec![start.0; 5], vec![4; 5]);
        let (mut t, mut l, mut p) =
            (Turn { to: [7, 6, 5, 4, 3, 2, 1, 0] }, Long { power: 3, of: [1; 63] }, 8);
        let mut scans = (vec![start.0; n], vec![start.1; n], vec![8; n]);
        for (i, &v) in x.iter().enumerate() {
            want.0 = turn(want.0, one(v));
            want.1 = follow(want.1, long(v));
            if v % 3 == 0 {
                want.2 = span(want.2, Span { some: true, first: i as i16, last: i as i16, sum: 0.5 });
                want.3 = later(want.3, (v % 5) as u16);
            }
            let cell = (v / 64 % 5) as usize;
            cells.0[cell] = turn(cells.0[cell], one(v));
            cells.1[cell] = later(cells.1[cell], i as u16);
            if i > 0 {
                scans.0[i] = t;
                (t, l, p) = (turn(t, one(v)), follow(l, long(v)), later(p, (v % 3) as u16));
                (scans.1[i], scans.2[i]) = (l, p);
            }
        }
        on_every_device(|d| {
            for geometry in of_type(k).chain(of_type(k + 2)) {
                assert_eq!(declared(d, geometry, &x, start), want, "{n} by {geometry:?} on {d}");
                let (mut turns, mut last) = (vec![start.0; 5], vec![4; 5]);
                elements(d, geometry, &x, &mut turns, &mut last);
                assert_eq!((&turns, &last), (&cells.0, &cells.1), "{n} by {geometry:?} on {d}");
                let (mut y, mut z, mut w) = (vec![start.0; n], vec![start.1; n], vec![8; n]);
                declared_scans(d, geometry, &x, &mut y, &mut z, &mut w);
                assert!((&y, &z, &w) == (&scans.0, &scans.1, &scans.2), "{n} by {geometry:?} on {d}");
            }
        });
    }
}
