//! Where reductions are declared and what they reduce: in modules, by path and by import, of enums, `bool` and tuples; items that are
//! fields of fields and of tuples. And recurrences of scans as books write them: seeds that only the host has, mirrored methods,
//! lengths of millions.
#![allow(clippy::cast_lossless, reason = "bodies have `as`")]
use omp_tests::{Values, on_every_device};

mod ops {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub enum Sign {
        Minus,
        Zero,
        Plus,
    }

    #[omp::declare_reduction(times: Sign, identity = Sign::Plus)]
    pub fn times(a: Sign, b: Sign) -> Sign {
        match a {
            Sign::Zero => Sign::Zero,
            Sign::Plus => b,
            Sign::Minus => match b {
                Sign::Minus => Sign::Plus,
                Sign::Zero => Sign::Zero,
                Sign::Plus => Sign::Minus,
            },
        }
    }

    #[omp::declare_target]
    #[omp::declare_reduction(gcd: u64, identity = 0)]
    pub fn gcd(a: u64, b: u64) -> u64 {
        let (mut a, mut b) = (a, b);
        while b != 0 {
            let rest = a % b;
            a = b;
            b = rest;
        }
        a
    }

    #[omp::declare_reduction(differs: bool, identity = false)]
    pub fn differs(a: bool, b: bool) -> bool {
        a != b
    }
}

use ops::{Sign, differs, times};

/// The two largest.
#[omp::declare_reduction(top_two: (u32, u32), identity = (0, 0))]
#[omp::declare_target]
fn top_two(a: (u32, u32), b: (u32, u32)) -> (u32, u32) {
    if a.0 > b.0 { (a.0, a.1.max(b.0)) } else { (b.0, b.1.max(a.0)) }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
struct Inner {
    count: u32,
    sum: i64,
}

#[derive(Clone, Debug, PartialEq)]
struct Stats {
    pair: (u32, i32),
    inner: Inner,
    inners: [Inner; 2],
    bins: Box<[u32]>,
    grid: [[u32; 3]; 2],
}

#[omp::offload]
impl Stats {
    fn add(&mut self, d: usize, x: &[i32]) {
        let m = self.bins.len();
        #[omp::target(device(d), reduction(+: self.pair.0, self.inner.count, self.inner.sum, self.bins[1..m]),
            reduction(max: self.pair.1), reduction(|: self.grid))]
        for i in 0..x.len() {
            self.pair.0 += 1;
            self.pair.1 = self.pair.1.max(x[i]);
            self.inner.count += 2;
            self.inner.sum += x[i] as i64;
            self.bins[1 + i % (m - 1)] += 1;
            self.grid[i % 2][i % 3] |= 1 << (x[i] & 31);
        }
    }
}

#[omp::offload]
fn declared(d: usize, x: &[i32]) -> (Sign, u64, bool, (u32, u32)) {
    let (mut sign, mut divisor, mut odd, mut top) = (Sign::Plus, 0, true, (5, 5));
    #[omp::target(device(d), reduction(times: sign), reduction(ops::gcd: divisor), reduction(differs: odd), reduction(top_two: top))]
    for i in 0..x.len() {
        sign = times(sign, if x[i] < 0 { Sign::Minus } else { Sign::Plus });
        divisor = ops::gcd(divisor, x[i].unsigned_abs() as u64 * 6);
        odd = differs(odd, x[i] % 2 != 0);
        top = top_two(top, (x[i].unsigned_abs(), 0));
    }
    (sign, divisor, odd, top)
}

#[test]
fn operators_from_anywhere_on_values_of_any_kind() {
    on_every_device(|d| {
        for n in [0, 1, 2, 1000, 30_001] {
            let mut r = Values(n as u64 + 5);
            let x: Vec<i32> = (0..n).map(|_| (r.bits() % 20_001) as i32 - 10_000).collect();
            let negative = x.iter().filter(|v| **v < 0).count() % 2 == 1;
            let sign = if negative { Sign::Minus } else { Sign::Plus };
            let divisor = x.iter().fold(0, |a, v| ops::gcd(a, u64::from(v.unsigned_abs()) * 6));
            let odd = x.iter().filter(|v| **v % 2 != 0).count() % 2 == 0;
            let top = x.iter().fold((5, 5), |t, v| top_two(t, (v.unsigned_abs(), 0)));
            assert_eq!(declared(d, &x), (sign, divisor, odd, top), "on {d}: {n}");

            let none = Inner::default();
            let start = Stats {
                pair: (7, -20_000),
                inner: none,
                inners: [none; 2],
                bins: vec![3; 12].into(),
                grid: [[0; 3]; 2],
            };
            let (mut got, mut want) = (start.clone(), start);
            got.add(d, &x);
            for (i, v) in x.iter().enumerate() {
                want.pair = (want.pair.0 + 1, want.pair.1.max(*v));
                want.inner.count += 2;
                want.inner.sum += i64::from(*v);
                want.bins[1 + i % 11] += 1;
                want.grid[i % 2][i % 3] |= 1 << (v & 31);
            }
            assert_eq!(got, want, "on {d}: {n}");
        }
    });
}

#[omp::offload]
fn recurrences(
    d: usize,
    x: &[i64],
    sums: &mut [i64],
    (tops, lows, bits): (&mut [i64], &mut [i64], &mut [u8]),
) {
    let n = x.len();
    // The seed is on the host alone: nothing is sent of `sums` but what the loop starts from.
    #[omp::target(device(d), scan(+: sums), map(to: x), map(from: sums))]
    for i in 1..n {
        sums[i] = sums[i - 1] + x[i - 1];
    }
    #[omp::scan(max, device(d))]
    for i in 1..n {
        tops[i] = x[i].max(tops[i - 1]);
    }
    #[omp::scan(min, i64, device(d), map(to: x), map(from: lows))]
    for i in (0..n.saturating_sub(1)).rev() {
        lows[i] = lows[i + 1].min(x[i]);
    }
    #[omp::scan(|, device(d))]
    for i in 1..n {
        bits[i] |= bits[i - 1];
    }
}

#[test]
fn recurrences_begin_with_what_the_host_has() {
    on_every_device(|d| {
        for n in [0usize, 1, 2, 33, 4097, 1_000_003] {
            let mut r = Values(n as u64);
            let x: Vec<i64> = (0..n).map(|_| i64::from(r.bits() % 2001) - 1000).collect();
            let b: Vec<u8> = (0..n).map(|i| if i % 100 == 99 { 1 << (i % 8) } else { 0 }).collect();
            let (mut sums, mut tops, mut lows) = (vec![-3; n], vec![-990; n], vec![990; n]);
            let mut bits = b.clone();
            recurrences(d, &x, &mut sums, (&mut tops, &mut lows, &mut bits));
            let (mut sum, mut top, mut bit) = (-3, -990, 0);
            for i in 0..n {
                if i > 0 {
                    (sum, top) = (sum + x[i - 1], top.max(x[i]));
                }
                bit |= b[i];
                assert_eq!((sums[i], tops[i], bits[i]), (sum, top, bit), "on {d}: {i} of {n}");
            }
            let mut low = 990;
            for i in (0..n).rev() {
                low = if i + 1 == n { low } else { low.min(x[i]) };
                assert_eq!(lows[i], low, "on {d}: {i} of {n}");
            }
        }
    });
}

#[omp::offload]
fn in_parts(d: usize, x: &[u32], h: &mut [u32], n: usize) {
    let (low, high) = h.split_at_mut(n);
    let m = high.len();
    #[omp::target(device(d), reduction(+: low), reduction(max: high))]
    for i in 0..x.len() {
        low[x[i] as usize % n] += 1;
        high[x[i] as usize % m] = high[x[i] as usize % m].max(x[i]);
    }
}

#[test]
fn parts_of_an_array_are_arrays_of_their_own() {
    let mut r = Values(3);
    let x: Vec<u32> = (0..5000).map(|_| r.bits()).collect();
    on_every_device(|d| {
        let (mut h, mut want) = (vec![4; 300], vec![4; 300]);
        in_parts(d, &x, &mut h, 100);
        for v in &x {
            want[*v as usize % 100] += 1;
            let top = &mut want[100 + *v as usize % 200];
            *top = (*top).max(*v);
        }
        assert_eq!(h, want, "on {d}");
    });
}
