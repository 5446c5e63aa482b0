//! Scans around the borders of tiles, groups and lines, in every way that a schedule lays them out, against the loop one
//! after the other: wherever the loop begins, whatever the elements' types and the constants beside the loop variable,
//! reversed, with other elements touched besides, along rows and columns, and with items of 1 to 256 bytes.
#![allow(
    clippy::cast_lossless,
    clippy::modulo_one,
    clippy::needless_range_loop,
    reason = "one text for types of all widths"
)]
use omp_tests::{Values, on_every_device};

/// Around the ends of warps, blocks and tiles of 128 threads with 1 to 44 iterations, and of 32 such tiles.
const LENGTHS: [usize; 15] = [0, 1, 2, 31, 127, 129, 640, 1407, 1409, 2560, 2561, 5631, 5632, 5633, 82_049];
/// Where loops begin: inside of groups of 16 bytes and of lines.
const STARTS: [usize; 6] = [0, 1, 3, 31, 32, 127];
/// Threads of a block, none for the schedule's choice; with 32 there are more than 32 × 32 tiles in the longest.
const THREADS: [usize; 3] = [1024, 32, 96];

macro_rules! of_numbers {
    ($($m:ident $X:ident $Y:ident)*) => { $(
        mod $m {
            use super::*;

            /// Elements at the loop variable and beside it, before and behind, inclusive and exclusive.
            #[omp::offload]
            fn beside(d: usize, threads: usize, lo: usize, x: &[$X], a: &mut [$Y], b: &mut [$Y], c: &mut [$Y]) {
                let n = x.len();
                #[omp::target(device(d), thread_limit(threads), scan(+: a))]
                for i in lo + 1..n {
                    a[i] = a[i - 1].wrapping_add(x[i - 1] as $Y);
                }
                #[omp::target(device(d), thread_limit(threads), scan(+: b))]
                for i in lo..n {
                    b[i + 1] = b[i].wrapping_add(x[i] as $Y);
                }
                #[omp::target(device(d), thread_limit(threads), scan(max: c))]
                for i in lo + 1..n {
                    c[i] = c[i - 1].max(c[i]);
                }
            }

            /// Carried values, stored before and behind what moves them on.
            #[omp::offload]
            fn carried(d: usize, threads: usize, lo: usize, x: &[$X], y: &mut [$Y], z: &mut [$Y]) -> $Y {
                let mut s = 3;
                #[omp::target(device(d), thread_limit(threads), scan(+: s))]
                for i in lo..x.len() {
                    y[i + 5] = s;
                    s = s.wrapping_add(x[i] as $Y);
                    z[i] = s;
                }
                s
            }

            #[omp::offload]
            fn reversed(d: usize, threads: usize, lo: usize, x: &[$X], y: &mut [$Y]) -> $Y {
                let mut s = 1;
                #[omp::target(device(d), thread_limit(threads), scan(+: s))]
                for i in (lo..x.len()).rev() {
                    s = s.wrapping_add(x[i] as $Y);
                    y[i] = s;
                }
                s
            }

            #[omp::offload]
            fn kept(d: usize, threads: usize, lo: usize, x: &[$X], kept: &mut [$X]) -> usize {
                let mut count = 0usize;
                #[omp::target(device(d), thread_limit(threads), map(to: x), scan(+: count), disjoint(kept))]
                for i in lo..x.len() {
                    if x[i] as u8 & 1 == 1 {
                        kept[count] = x[i];
                    }
                    count += usize::from(x[i] as u8 & 1 == 1);
                }
                count
            }

            fn check(d: usize, threads: usize, lo: usize, n: usize) {
                let mut r = Values((n + lo) as u64);
                let n = n + lo;
                let x: Vec<$X> = (0..n).map(|_| r.wide() as $X).collect();
                let given: Vec<$Y> = (0..n + 5).map(|_| r.wide() as $Y).collect();
                let place = format!("{n} from {lo} by {threads} on {d}");
                let (mut a, mut b, mut c) = (given.clone(), given.clone(), given.clone());
                let (mut p, mut q, mut t) = (given.clone(), given.clone(), given.clone());
                for i in lo..n {
                    if i > lo {
                        p[i] = p[i - 1].wrapping_add(x[i - 1] as $Y);
                        t[i] = t[i - 1].max(t[i]);
                    }
                    q[i + 1] = q[i].wrapping_add(x[i] as $Y);
                }
                beside(d, threads, lo, &x, &mut a, &mut b, &mut c);
                assert!(a == p, "behind: {place}");
                assert!(b == q, "before: {place}");
                assert!(c == t, "in place: {place}");

                let (mut y, mut z) = (given.clone(), given.clone());
                let (mut p, mut q, mut s) = (given.clone(), given.clone(), 3);
                for i in lo..n {
                    p[i + 5] = s;
                    s = s.wrapping_add(x[i] as $Y);
                    q[i] = s;
                }
                assert!(carried(d, threads, lo, &x, &mut y, &mut z) == s, "sum: {place}");
                assert!(y == p && z == q, "carried: {place}");

                let (mut y, mut p, mut s): (_, _, $Y) = (given.clone(), given, 1);
                for i in (lo..n).rev() {
                    s = s.wrapping_add(x[i] as $Y);
                    p[i] = s;
                }
                assert!(reversed(d, threads, lo, &x, &mut y) == s && y == p, "reversed: {place}");

                let want: Vec<$X> = x[lo..].iter().copied().filter(|v| *v as u8 & 1 == 1).collect();
                let mut y = vec![7; n];
                let count = kept(d, threads, lo, &x, &mut y);
                assert!(count == want.len() && y[..count] == want, "kept: {place}");
                assert!(y[count..].iter().all(|v| *v == 7), "not kept: {place}");
            }

            #[test]
            fn around_tiles() {
                on_every_device(|d| {
                    for (k, n) in LENGTHS.into_iter().enumerate() {
                        check(d, THREADS[k % 3], STARTS[(k + k / 6) % 6], n);
                    }
                    for lo in (2..STARTS[5]).step_by(7) {
                        check(d, 1024, lo, 97);
                    }
                });
            }
        }
    )* };
}
of_numbers! { bytes u8 u8  words i32 i32  widened u8 u64  narrowed i64 i16 }

/// The last byte that isn't zero, and the whole in order: it does not commute.
macro_rules! items {
    ($($m:ident $T:ident $N:literal)*) => { $(
        mod $m {
            use super::*;

            #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
            struct Item {
                parts: [$T; $N],
            }

            #[omp::declare_reduction(later: Item, identity = Item { parts: [0; $N] })]
            fn later(a: Item, b: Item) -> Item {
                let mut r = b;
                for k in 0..$N {
                    if b.parts[k] == 0 {
                        r.parts[k] = a.parts[k];
                    }
                }
                r
            }

            #[omp::offload]
            fn in_arrays(d: usize, threads: usize, lo: usize, x: &[Item], y: &mut [Item]) {
                #[omp::target(device(d), thread_limit(threads), scan(later: y))]
                for i in lo + 1..x.len() {
                    y[i] = later(y[i - 1], x[i]);
                }
            }

            #[omp::offload]
            fn carried(d: usize, threads: usize, lo: usize, x: &[$T], y: &mut [$T]) -> Item {
                let mut all = Item { parts: [1; $N] };
                #[omp::target(device(d), thread_limit(threads), scan(later: all))]
                for i in lo..x.len() {
                    y[i] = all.parts[i % $N];
                    let mut one = Item { parts: [0; $N] };
                    one.parts[i / 3 % $N] = x[i];
                    all = later(all, one);
                }
                all
            }

            #[test]
            fn in_order() {
                on_every_device(|d| {
                    for (k, n) in [0, 1, 33, 127, 640, 1409, 2561, 4097].into_iter().enumerate() {
                        let (lo, threads) = (STARTS[k % 6], THREADS[k % 3]);
                        let mut r = Values(n as u64);
                        let mut number = || if r.bits() % 4 == 0 { r.wide() as $T } else { 0 };
                        let x: Vec<Item> = (0..n + lo).map(|_| {
                            let mut one = Item { parts: [0; $N] };
                            one.parts.iter_mut().for_each(|p| *p = number());
                            one
                        }).collect();
                        let mut want = x.clone();
                        for i in lo + 1..x.len() {
                            want[i] = later(want[i - 1], x[i]);
                        }
                        let mut y = x.clone();
                        in_arrays(d, threads, lo, &x, &mut y);
                        assert!(y == want, "arrays: {n} from {lo} by {threads} on {d}");

                        let x: Vec<$T> = (0..n + lo).map(|_| number()).collect();
                        let (mut y, mut want, mut all) = (x.clone(), x.clone(), Item { parts: [1; $N] });
                        for i in lo..x.len() {
                            want[i] = all.parts[i % $N];
                            if x[i] != 0 {
                                all.parts[i / 3 % $N] = x[i];
                            }
                        }
                        assert!(carried(d, threads, lo, &x, &mut y) == all, "all: {n} from {lo} by {threads} on {d}");
                        assert!(y == want, "carried: {n} from {lo} by {threads} on {d}");
                    }
                });
            }
        }
    )* };
}
items! { b1 u8 1  b3 u8 3  b12 u32 3  b16 u64 2  b48 u16 24  b61 u8 61  b256 u32 64 }

#[omp::offload]
fn segments(
    d: usize,
    (height, width): (usize, usize),
    x: &[i32],
    a: &mut [i32],
    b: &mut [i32],
    c: &mut [i32],
) {
    #[omp::target(device(d), scan(+: a))]
    for r in 0..height {
        for k in 1..width {
            a[r * width + k] = a[r * width + k - 1].wrapping_add(x[r * width + k]);
        }
    }
    #[omp::target(device(d), scan(+: b))]
    for k in 0..width {
        for r in 1..height {
            b[r * width + k] = b[(r - 1) * width + k].wrapping_add(x[(r - 1) * width + k]);
        }
    }
    #[omp::target(device(d), scan(min: c))]
    for r in 0..height {
        for k in (0..width.saturating_sub(1)).rev() {
            c[r * width + k] = c[r * width + k].min(c[r * width + k + 1]);
        }
    }
}

#[test]
fn along_rows_and_columns() {
    on_every_device(|d| {
        for (height, width) in [
            (1, 1),
            (0, 7),
            (7, 0),
            (3, 31),
            (2, 33),
            (33, 129),
            (5, 1023),
            (2, 8193),
            (2561, 3),
            (1, 20_001),
        ] {
            let n = height * width;
            let mut r = Values(n as u64);
            let mut next = || r.bits() as i32;
            let (x, given): (Vec<i32>, Vec<i32>) =
                ((0..n).map(|_| next()).collect(), (0..n).map(|_| next()).collect());
            let (mut a, mut b, mut c) = (given.clone(), given.clone(), given.clone());
            let (mut p, mut q, mut t) = (given.clone(), given.clone(), given);
            for i in 0..n {
                if i % width > 0 {
                    p[i] = p[i - 1].wrapping_add(x[i]);
                }
                if i >= width {
                    q[i] = q[i - width].wrapping_add(x[i - width]);
                }
            }
            for i in (0..n).rev().filter(|i| i % width + 1 < width) {
                t[i] = t[i].min(t[i + 1]);
            }
            segments(d, (height, width), &x, &mut a, &mut b, &mut c);
            assert!(a == p, "rows: {height} x {width} on {d}");
            assert!(b == q, "columns: {height} x {width} on {d}");
            assert!(c == t, "rows backwards: {height} x {width} on {d}");
        }
    });
}
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Two {
    a: u32,
    b: [u32; 2],
}

#[omp::declare_target]
fn set(t: &mut Two, v: u32) {
    t.b[1] = v;
}

#[omp::declare_target]
fn bump(v: &mut u32, by: u32) {
    *v ^= by;
}

/// What is added is put together in parts of local variables, and by a function; one of them is used for the sum, too.
#[omp::offload]
fn parts(d: usize, x: &[u32], y: &mut [u32]) -> u32 {
    let mut s = 5u32;
    #[omp::target(device(d), scan(+: s))]
    for i in 0..x.len() {
        let mut t = Two { a: 1, b: [0; 2] };
        t.b[i % 2] = x[i];
        t.a = x[i] & 3;
        set(&mut t, x[i] & 7);
        let p = &mut t;
        p.b[0] ^= 9;
        let mut v = [0u32; 3];
        for k in 0..3 {
            v[k] = x[i] >> k;
        }
        s = s.wrapping_add(t.a ^ t.b[0] ^ t.b[1] ^ v[1] ^ v[2]);
        let p = &mut t;
        p.b[0] = s;
        let q = &mut y[i];
        *q = t.b[0];
        bump(&mut y[i], v[0]);
    }
    s
}

#[test]
fn parts_of_locals() {
    on_every_device(|d| {
        for n in [0, 1, 33, 3000] {
            let mut r = Values(n as u64);
            let x: Vec<u32> = (0..n).map(|_| r.bits()).collect();
            let (mut y, mut want, mut s) = (vec![0; n], vec![0; n], 5u32);
            for i in 0..n {
                let mut b = [0; 2];
                b[i % 2] = x[i];
                b[1] = x[i] & 7;
                b[0] ^= 9;
                s = s.wrapping_add((x[i] & 3) ^ b[0] ^ b[1] ^ (x[i] >> 1) ^ (x[i] >> 2));
                want[i] = s ^ x[i];
            }
            assert_eq!(parts(d, &x, &mut y), s, "{n} on {d}");
            assert_eq!(y, want, "{n} on {d}");
        }
    });
}
