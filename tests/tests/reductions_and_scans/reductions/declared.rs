//! Declared reductions over elements of many sizes, which warps read together on CUDA: the order of operands is kept,
//! wherever the loop begins and whatever its length.
#![allow(clippy::cast_lossless)] // One text for types of all widths.
use omp_tests::{Values, on_every_device};

const LENGTHS: [usize; 9] = [0, 1, 31, 127, 1024, 1025, 4095, 20_000, 150_001];
const STARTS: [usize; 4] = [0, 1, 4, 37];

/// A rolling hash of a sequence: what is read in another order has another one.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Hash {
    value: u64,
    power: u64,
}

#[omp::declare_reduction(hash: Hash, identity = Hash { value: 0, power: 1 })]
fn hash(a: Hash, b: Hash) -> Hash {
    Hash { value: a.value.wrapping_mul(b.power).wrapping_add(b.value), power: a.power.wrapping_mul(b.power) }
}

#[omp::declare_target]
fn one(value: u64) -> Hash {
    Hash { value, power: 0x9E37_79B9_7F4A_7C15 }
}

const NONE: Hash = Hash { value: 0, power: 1 };

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Point {
    x: f32,
    y: f32,
    z: f32,
}

/// 200 bytes.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Long {
    parts: [u64; 25],
}

/// 256 bytes, as an item and as an element.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Largest {
    parts: [u32; 64],
}

const FIRST: Largest = {
    let mut parts = [0; 64];
    parts[0] = 1;
    Largest { parts }
};

#[omp::declare_reduction(append: Largest, identity = FIRST)]
fn append(a: Largest, b: Largest) -> Largest {
    let mut r = b;
    for k in 1..64 {
        r.parts[k] = a.parts[k].wrapping_mul(b.parts[0]).wrapping_add(b.parts[k]);
    }
    r.parts[0] = a.parts[0].wrapping_mul(b.parts[0]);
    r
}

macro_rules! elements {
    ($($name:ident: $T:ty;)*) => { $(
        #[omp::offload]
        fn $name(d: usize, x: &[$T], lo: usize, hi: usize) -> Hash {
            let mut all = NONE;
            #[omp::target(device(d), reduction(hash: all))]
            for i in lo..hi {
                all = hash(all, one(x[i] as u64));
            }
            all
        }
    )* };
}

elements! {
    bytes: u8;
    shorts: i16;
    words: u32;
    longs: u64;
}

#[omp::offload]
fn points(d: usize, p: &[Point], lo: usize, hi: usize) -> Hash {
    let mut all = NONE;
    #[omp::target(device(d), reduction(hash: all))]
    for i in lo..hi {
        let v = p[i];
        all = hash(all, one((v.x + 2.0 * v.y + 4.0 * v.z) as u64));
    }
    all
}

#[omp::offload]
fn long(d: usize, p: &[Long], lo: usize, hi: usize) -> Hash {
    let mut all = NONE;
    #[omp::target(device(d), reduction(hash: all))]
    for i in lo..hi {
        all = hash(all, one(p[i].parts[0] ^ p[i].parts[24]));
    }
    all
}

#[omp::offload]
fn largest(d: usize, p: &[Largest], lo: usize, hi: usize) -> Largest {
    let mut all = FIRST;
    #[omp::target(device(d), reduction(append: all))]
    for i in lo..hi {
        all = append(all, p[i]);
    }
    all
}

/// Several arrays, neighbours, a condition, an end in the middle of an iteration, and a sum of floats beside it.
#[omp::offload]
fn together(d: usize, a: &[u8], b: &[f64], c: &[u32], lo: usize, hi: usize) -> (Hash, f64, u32) {
    let (mut all, mut sum, mut odd) = (NONE, 0.0, 0);
    #[omp::target(device(d), reduction(hash: all), reduction(+: sum), reduction(^: odd))]
    for i in lo..hi {
        let (near, far) = (c[i], c[i + 4]);
        odd ^= near.wrapping_mul(far);
        sum += b[i];
        if a[i] == 7 {
            continue;
        }
        all = hash(all, one(u64::from(a[i]) + u64::from(far)));
    }
    (all, sum, odd)
}

fn folded(values: impl Iterator<Item = u64>) -> Hash {
    values.fold(NONE, |all, v| hash(all, one(v)))
}

#[test]
fn elements_of_any_size_come_in_order() {
    on_every_device(|d| {
        for n in LENGTHS {
            for lo in STARTS {
                let mut r = Values((n + lo) as u64);
                let len = lo + n + 4;
                let x: Vec<u64> = (0..len).map(|_| r.wide()).collect();
                let hi = lo + n;
                let a: Vec<u8> = x.iter().map(|v| *v as u8).collect();
                let s: Vec<i16> = x.iter().map(|v| *v as i16).collect();
                let w: Vec<u32> = x.iter().map(|v| *v as u32).collect();
                assert_eq!(
                    bytes(d, &a, lo, hi),
                    folded(a[lo..hi].iter().map(|v| u64::from(*v))),
                    "{lo} {n} on {d}"
                );
                assert_eq!(
                    shorts(d, &s, lo, hi),
                    folded(s[lo..hi].iter().map(|v| *v as u64)),
                    "{lo} {n} on {d}"
                );
                assert_eq!(
                    words(d, &w, lo, hi),
                    folded(w[lo..hi].iter().map(|v| u64::from(*v))),
                    "{lo} {n} on {d}"
                );
                assert_eq!(longs(d, &x, lo, hi), folded(x[lo..hi].iter().copied()), "{lo} {n} on {d}");
                // From the middle of memory, where no access of 16 bytes begins.
                let part = &w[1..];
                let want = folded(part[lo..hi].iter().map(|v| u64::from(*v)));
                assert_eq!(words(d, part, lo, hi), want, "{lo} {n} on {d}");
                let b: Vec<f64> = x.iter().map(|v| (v % 8) as f64).collect();
                let mut want = (NONE, 0.0, 0);
                for i in lo..hi {
                    want.2 ^= w[i].wrapping_mul(w[i + 4]);
                    want.1 += b[i];
                    if a[i] != 7 {
                        want.0 = hash(want.0, one(u64::from(a[i]) + u64::from(w[i + 4])));
                    }
                }
                assert_eq!(together(d, &a, &b, &w, lo, hi), want, "{lo} {n} on {d}");
            }
        }
    });
}

#[test]
fn structs_come_in_order() {
    on_every_device(|d| {
        for (n, lo) in [(0, 0), (1, 3), (300, 1), (1024, 0), (5000, 8), (9001, 5)] {
            let mut r = Values((n + lo) as u64);
            let mut small = || (r.wide() % 1000) as f32;
            let p: Vec<Point> = (0..lo + n).map(|_| Point { x: small(), y: small(), z: small() }).collect();
            let want = folded(p[lo..].iter().map(|v| (v.x + 2.0 * v.y + 4.0 * v.z) as u64));
            assert_eq!(points(d, &p, lo, lo + n), want, "{lo} {n} on {d}");
            let q: Vec<Long> =
                (0..lo + n).map(|_| Long { parts: std::array::from_fn(|_| r.wide()) }).collect();
            let want = folded(q[lo..].iter().map(|v| v.parts[0] ^ v.parts[24]));
            assert_eq!(long(d, &q, lo, lo + n), want, "{lo} {n} on {d}");
            let l: Vec<Largest> = (0..lo + n)
                .map(|_| Largest { parts: std::array::from_fn(|_| r.wide() as u32 | 1) })
                .collect();
            let want = l[lo..].iter().fold(FIRST, |all, v| append(all, *v));
            assert_eq!(largest(d, &l, lo, lo + n), want, "{lo} {n} on {d}");
        }
    });
}

/// A matrix whose operator is written with a function of the type and its `Index`.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Mat2([[i64; 2]; 2]);

#[omp::declare_target]
impl Mat2 {
    const ZERO: Self = Self([[0; 2]; 2]);

    fn from_fn(f: impl Fn(usize, usize) -> i64) -> Self {
        let mut m = Self::ZERO;
        for i in 0..2 {
            for j in 0..2 {
                m.0[i][j] = f(i, j);
            }
        }
        m
    }
}

#[omp::declare_target]
impl std::ops::Index<(usize, usize)> for Mat2 {
    type Output = i64;
    fn index(&self, (i, j): (usize, usize)) -> &i64 {
        &self.0[i][j]
    }
}

#[omp::declare_reduction(+: Mat2, identity = Mat2::ZERO)]
impl std::ops::Add for Mat2 {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self::from_fn(|i, j| self[(i, j)] + o[(i, j)])
    }
}

#[omp::offload]
fn matrices(d: usize, n: usize) -> Mat2 {
    let mut sum = Mat2::ZERO;
    #[omp::target(device(d), reduction(+: sum))]
    for k in 0..n {
        let k = k as i64;
        sum = sum + Mat2([[k, 1], [k * k, -k]]);
    }
    sum
}

#[test]
fn operators_may_index_what_they_combine() {
    on_every_device(|d| {
        for n in [0, 1, 1000] {
            let (k, squares) = ((0..n as i64).sum::<i64>(), (0..n as i64).map(|k| k * k).sum());
            assert_eq!(matrices(d, n), Mat2([[k, n as i64], [squares, -k]]), "{n} on {d}");
        }
    });
}
