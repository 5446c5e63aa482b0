//! Reductions into fields, sections and elements of odd types, and scans of many shapes. Each program runs with its directives on
//! every device, and without them.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{Values, compare, twice};
use std::ops::Mul;

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
pub struct M<const N: usize>([[u32; N]; N]);
#[omp::declare_reduction(*: M<2>, identity = M([[1, 0], [0, 1]]))]
impl Mul for M<2> {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        let mut r = M([[0u32; 2]; 2]);
        for i in 0..2 {
            for j in 0..2 {
                for k in 0..2 {
                    r.0[i][j] = r.0[i][j].wrapping_add(self.0[i][k].wrapping_mul(o.0[k][j]));
                }
            }
        }
        r
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
pub struct Acc {
    total: i64,
    hi: i32,
    flags: [bool; 2],
    inner: Inner,
}
#[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
pub struct Inner {
    n: u16,
    of: [u8; 3],
}

/// A text's hash, and 31 to the power of its length.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
pub struct Hash(u64, u64);
#[omp::declare_reduction(concat: Hash, identity = Hash(0, 1))]
pub fn concat(a: Hash, b: Hash) -> Hash {
    Hash(a.0.wrapping_mul(b.1).wrapping_add(b.0), a.1.wrapping_mul(b.1))
}

#[omp::declare_reduction(first: i32, identity = i32::MIN)]
pub fn first(a: i32, b: i32) -> i32 {
    if a != i32::MIN { a } else { b }
}

#[omp::declare_target]
pub fn weight(v: i32) -> i64 {
    if v < 0 { (v as i64) * 3 } else { v as i64 }
}

#[allow(dead_code, reason = "a field beside those that are reduced")]
pub struct Owner {
    pub x: Vec<i32>,
    pub y: Vec<i64>,
    pub acc: Acc,
    pub hist: [[u32; 4]; 4],
}

twice! {
    pub fn fields(d: usize, o: &mut Owner) {
        let n = o.x.len();
        #[omp::target(device(d), reduction(+: o.acc.total, o.acc.inner.n, o.hist), reduction(max: o.acc.hi), reduction(||: o.acc.flags), reduction(|: o.acc.inner.of))]
        for i in 0..n {
            let v = o.x[i];
            o.acc.total += weight(v);
            o.acc.inner.n = o.acc.inner.n.wrapping_add(1);
            o.acc.hi = o.acc.hi.max(v);
            if v > 4990 { o.acc.flags[0] = true; }
            o.acc.flags[1] = o.acc.flags[1] || v == i as i32;
            o.acc.inner.of[i % 3] |= 1 << (v & 7);
            o.hist[(v & 3) as usize][(v >> 2 & 3) as usize] += 1;
        }
    }
    pub fn bounds(d: usize, x: &[i32], y: &mut [i64], lo: i32, hi: i32) -> i64 {
        let mut s = 5i64;
        #[omp::scan(+, device(d))]
        for i in lo..=hi {
            s += x[i as usize] as i64;
            y[i as usize] = s;
        }
        s
    }
    pub fn back(d: usize, x: &[i32], y: &mut [i64]) -> i64 {
        let n = x.len();
        if n == 0 { return 0; }
        y[n - 1] = 4;
        #[omp::target(device(d), scan(+: y))]
        for i in (0..n - 1).rev() {
            y[i] = y[i + 1] + x[i] as i64;
        }
        y[0]
    }
    pub fn conditional(d: usize, x: &[i32], y: &mut [u32], z: &mut [i32]) -> (u32, i32) {
        let (mut k, mut m) = (0u32, -6000);
        #[omp::target(device(d), scan(+: k), scan(max: m))]
        for i in 0..x.len() {
            if x[i] % 2 == 0 {
                k += 2;
            } else if x[i] > 100 {
                k += 1;
            }
            y[i] = k;
            if x[i] > m { m = x[i]; }
            z[i] = m;
        }
        (k, m)
    }
    pub fn order(d: usize, x: &[i32], y: &mut [Hash], few: &mut [Hash; 7]) -> (Hash, Hash, i32) {
        let (mut c, mut f) = (Hash(3, 31), i32::MIN);
        #[omp::target(device(d), reduction(concat: c, few), reduction(first: f))]
        for i in 0..x.len() {
            if x[i] > 0 {
                c = concat(c, Hash(x[i] as u64 + 1, 31));
                few[i % 7] = concat(few[i % 7], Hash(x[i] as u64, 31));
            }
            if x[i] < -4000 { f = first(f, i as i32); }
        }
        let mut s = Hash(1, 31);
        #[omp::target(device(d), scan(concat: s))]
        for i in 0..x.len() {
            y[i] = s;
            s = concat(s, Hash((x[i] & 15) as u64, 31));
        }
        (c, s, f)
    }
    pub fn powers(d: usize, x: &[u32], y: &mut [M<2>]) -> M<2> {
        let mut all = M([[1, 0], [0, 1]]);
        #[omp::target(device(d), reduction(*: all))]
        for &v in x {
            all = all * M([[v, 1], [1, 0]]);
        }
        let n = y.len();
        #[omp::target(device(d), scan(*: y))]
        for i in 1..n {
            y[i] = y[i - 1] * M([[x[i], 1], [1, i as u32]]);
        }
        all
    }
    pub fn along_three(d: usize, (a, b, c): (usize, usize, usize), x: &[i32], y: &mut [i64]) {
        #[omp::target(device(d), scan(+: y))]
        for i in 0..a {
            for j in 1..b {
                for k in 0..c {
                    y[(i * b + j) * c + k] = y[(i * b + j - 1) * c + k] + x[(i * b + j) * c + k] as i64;
                }
            }
        }
    }
    pub fn nested_arrays(d: usize, x: &[[i32; 3]], y: &mut [[i64; 3]]) {
        #[omp::target(device(d), scan(+: y))]
        for r in 0..x.len() {
            for c in 1..3 {
                y[r][c] = y[r][c - 1] + x[r][c] as i64;
            }
        }
    }
    pub fn in_a_block(d: usize, x: &[i32], y: &mut [i64], z: &mut [i64]) -> i64 {
        let n = x.len();
        let mut most = i64::MIN;
        #[omp::target(device(d))]
        {
            #[omp::parallel_for]
            for i in 0..n {
                y[i] = x[i] as i64;
            }
            #[omp::scan(+)]
            for i in 1..n {
                y[i] += y[i - 1];
            }
            #[omp::parallel_for]
            for i in 0..n {
                z[i] = y[n - 1 - i] - y[i];
            }
        }
        #[omp::target(device(d), reduction(max: most))]
        for i in 0..n {
            most = most.max(z[i]);
        }
        most
    }
    pub fn wide_bins(d: usize, x: &[i32], bins: &mut [i64], counts: &mut [u8], n: usize) -> i64 {
        let mut all = 0;
        let m = bins.len();
        #[omp::target(device(d), reduction(+: bins[2..m - 1], counts[..n], all))]
        for i in 0..x.len() {
            let at = (x[i] + 5000) as usize % (m - 3);
            bins[2 + at] -= x[i] as i64;
            counts[at % n] = counts[at % n].wrapping_add(3);
            all += 1;
        }
        all
    }
    pub fn logic(d: usize, x: &[i32]) -> (bool, bool, bool, bool) {
        let (mut a, mut b, mut c, mut e) = (true, false, true, false);
        #[omp::target(device(d), reduction(&&: a), reduction(||: b), reduction(&: c), reduction(|: e))]
        for i in 0..x.len() {
            if x[i] == -5000 { a = false; }
            b = x[i] == 4321 || b;
            c &= x[i] != 17;
            e = e | (x[i] > 4998);
        }
        (a, b, c, e)
    }
    pub fn shadowed(d: usize, x: &[i32]) -> (i32, i32) {
        let mut sum = 0i32;
        let mut most = 0;
        #[omp::target(device(d), reduction(+: sum), reduction(max: most))]
        for i in 0..x.len() {
            let v = { let sum = x[i] / 2; sum + 1 };
            sum += v % 100;
            let k = match v { 0..=9 => 1, 10..=99 => 2, _ => 3 };
            most = if k * v > most { k * v } else { most };
        }
        (sum, most)
    }
    pub fn lockstep(d: usize, x: &[i32], w: &[i32], out: &mut [i32]) -> (i64, u64) {
        let (mut dot, mut n) = (0i64, 0u64);
        #[omp::target(device(d), reduction(+: dot, n))]
        for ((o, &a), b) in out.iter_mut().zip(x.iter()).zip(w) {
            *o = a.wrapping_mul(*b);
            dot += *o as i64;
            n += (a > *b) as u64;
        }
        (dot, n)
    }
    pub fn ends(d: usize, x: &[f32], y: &mut [f32], z: &mut [f64]) -> (f32, f32, f64) {
        let (mut lo, mut hi, mut s) = (f32::INFINITY, f32::NEG_INFINITY, 0.0f64);
        #[omp::target(device(d), reduction(min: lo), reduction(max: hi), reduction(+: s))]
        for i in 0..x.len() {
            lo = lo.min(x[i]);
            hi = x[i].max(hi);
            s += f64::from(x[i]);
        }
        let (mut m, mut t) = (0.0f32, 0.0f64);
        #[omp::target(device(d), scan(max: m), scan(+: t))]
        for i in 0..x.len() {
            m = m.max(x[i]);
            y[i] = m - x[i];
            z[i] = t;
            t += x[i] as f64;
        }
        (lo, hi, s + t)
    }
    pub fn narrow(d: usize, x: &[i8], y: &mut [i8], z: &mut [u16], b: &mut [bool]) -> (i8, u16, bool) {
        let (mut s, mut t, mut any) = (0i8, 1u16, false);
        #[omp::target(device(d), scan(^: s), scan(*: t), scan(||: any))]
        for i in 0..x.len() {
            s ^= x[i];
            y[i] = s;
            t = t.wrapping_mul((x[i] as u16) | 1);
            z[i] = t;
            any = any || x[i] == 77;
            b[i] = any;
        }
        (s, t, any)
    }
    pub fn twofold(d: usize, x: &[u32], y: &mut [u32]) -> u32 {
        // Two updates of an iteration.
        let mut s = 0u32;
        #[omp::target(device(d), scan(+: s))]
        for i in 0..x.len() {
            s += x[i] & 3;
            if i % 2 == 1 { s += 1; }
            y[i] = s;
        }
        s
    }
}

const LENGTHS: [usize; 8] = [0, 1, 2, 33, 255, 1000, 4097, 30_011];
fn numbers(n: usize, seed: u64) -> Vec<i32> {
    let mut v = Values(seed + n as u64);
    (0..n).map(|_| (v.bits() >> 12) as i32 % 10_007 - 5000).collect()
}

#[test]
fn into_fields_and_along_values() {
    for n in LENGTHS {
        let x = numbers(n, 1);
        let u: Vec<u32> = x.iter().map(|v| (v + 5007) as u32).collect();
        compare!(m, d => { let mut o = Owner { x: x.clone(), y: vec![], acc: Acc::default(), hist: [[3; 4]; 4] }; m::fields(d, &mut o); (o.acc, o.hist) });
        if n > 4 {
            compare!(m, d => { let mut y = vec![1; n]; (m::bounds(d, &x, &mut y, 2, n as i32 - 2), y) });
            compare!(m, d => { let mut y = vec![1; n]; (m::bounds(d, &x, &mut y, 4, 2), y) });
        }
        compare!(m, d => { let mut y = vec![1; n]; (m::back(d, &x, &mut y), y) });
        compare!(m, d => { let (mut y, mut z) = (vec![1; n], vec![1; n]); (m::conditional(d, &x, &mut y, &mut z), y, z) });
        compare!(m, d => { let (mut y, mut z) = (vec![Hash(1, 31); n], [Hash(1, 31); 7]); (m::order(d, &x, &mut y, &mut z), y, z) });
        compare!(m, d => { let mut y = vec![M([[1, 2], [3, 4]]); n]; (m::powers(d, &u, &mut y), y) });
    }
}
#[test]
fn along_nests_and_into_sections() {
    for n in LENGTHS {
        let x = numbers(n, 5);
        let w = numbers(n, 6);
        for s in [(1, 2, 3), (3, 40, 2), (17, 5, 31)] {
            if s.0 * s.1 * s.2 <= n {
                compare!(m, d => { let mut y = vec![1; n]; m::along_three(d, s, &x, &mut y); y });
            }
        }
        let c: Vec<[i32; 3]> = x.chunks_exact(3).map(|c| c.try_into().unwrap()).collect();
        compare!(m, d => { let mut y = vec![[1; 3]; n / 3]; m::nested_arrays(d, &c, &mut y); y });
        compare!(m, d => { let (mut y, mut z) = (vec![1; n], vec![1; n]); (m::in_a_block(d, &x, &mut y, &mut z), y, z) });
        for bins in [4, 50, 5000] {
            compare!(m, d => { let (mut y, mut z) = (vec![1; bins], vec![1; bins]); (m::wide_bins(d, &x, &mut y, &mut z, bins / 2 + 1), y, z) });
        }
        compare!(m, d => m::logic(d, &x));
        compare!(m, d => m::shadowed(d, &x));
        compare!(m, d => { let mut y = vec![1; n / 2]; (m::lockstep(d, &x, &w, &mut y), y) });
        let f: Vec<f32> = x.iter().map(|v| (v % 256) as f32).collect();
        compare!(m, d => { let (mut y, mut z) = (vec![1.0; n], vec![1.0; n]); (m::ends(d, &f, &mut y, &mut z), y, z) });
        let by: Vec<i8> = x.iter().map(|v| *v as i8).collect();
        compare!(m, d => { let (mut y, mut z, mut b) = (vec![1; n], vec![1; n], vec![false; n]); (m::narrow(d, &by, &mut y, &mut z, &mut b), y, z, b) });
        let u: Vec<u32> = x.iter().map(|v| (v + 5007) as u32).collect();
        compare!(m, d => { let mut y = vec![1; n]; (m::twofold(d, &u, &mut y), y) });
    }
}
