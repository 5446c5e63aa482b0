//! Reduced arrays: all operators on all kinds of integers, few elements and many, in any geometry.
#![allow(clippy::explicit_iter_loop, reason = "heads by a method are what is tested")]
use omp_tests::{Values, on_every_device};

/// Loops, elements, teams and threads.
const SHAPES: [(usize, usize, usize, usize); 9] = [
    (0, 3, 2, 64),
    (1, 1, 1, 1),
    (257, 5, 3, 33),
    (5000, 3, 1, 1),
    (5000, 300, 7, 96),
    (5000, 1, 4096, 31),
    (30_011, 256, 70, 1024),
    (30_011, 1500, 2, 1000),
    (9000, 20_000, 5, 64),
];

macro_rules! kinds {
    ($($T:ident $from:expr;)*) => { $(
        mod $T {
            use super::*;

            #[derive(Clone, Debug, PartialEq)]
            struct Tables {
                sum: Vec<$T>,
                less: Vec<$T>,
                product: Vec<$T>,
                least: Vec<$T>,
                most: Vec<$T>,
                all: Vec<$T>,
                any: Vec<$T>,
                odd: Vec<$T>,
            }

            #[omp::offload]
            impl Tables {
                fn fill(&mut self, d: usize, (teams, threads): (usize, usize), at: &[u32], x: &[$T]) {
                    #[omp::target(device(d), num_teams(teams), thread_limit(threads),
                        reduction(+: self.sum, self.less), reduction(*: self.product), reduction(min: self.least),
                        reduction(max: self.most), reduction(&: self.all), reduction(|: self.any), reduction(^: self.odd))]
                    for i in 0..x.len() {
                        let k = at[i] as usize;
                        self.sum[k] = self.sum[k].wrapping_add(x[i]);
                        if x[i] & 3 == 1 {
                            self.less[k] = self.less[k].wrapping_sub(x[i]);
                        }
                        self.product[k] = self.product[k].wrapping_mul(x[i] | 1);
                        self.least[k] = x[i].min(self.least[k]);
                        if x[i] > self.most[k] {
                            self.most[k] = x[i];
                        }
                        self.all[k] &= x[i] | 5;
                        self.any[k] |= (x[i] & 9);
                        self.odd[k] ^= x[i];
                    }
                }
            }

            #[test]
            fn as_one_after_the_other() {
                let from: fn(u32) -> $T = $from;
                for (n, len, teams, threads) in SHAPES {
                    let mut r = Values(n as u64 + len as u64);
                    let at: Vec<u32> = (0..n).map(|_| r.bits() % len as u32).collect();
                    let x: Vec<$T> = (0..n).map(|_| from(r.bits())).collect();
                    let mut table = || (0..len).map(|_| from(r.bits())).collect::<Vec<_>>();
                    let (sum, less, product, least) = (table(), table(), table(), table());
                    let start = Tables { sum, less, product, least, most: table(), all: table(), any: table(), odd: table() };
                    let mut want = start.clone();
                    for i in 0..n {
                        let (k, v) = (at[i] as usize, x[i]);
                        want.sum[k] = want.sum[k].wrapping_add(v);
                        if v & 3 == 1 {
                            want.less[k] = want.less[k].wrapping_sub(v);
                        }
                        want.product[k] = want.product[k].wrapping_mul(v | 1);
                        want.least[k] = want.least[k].min(v);
                        want.most[k] = want.most[k].max(v);
                        want.all[k] &= v | 5;
                        want.any[k] |= v & 9;
                        want.odd[k] ^= v;
                    }
                    on_every_device(|d| {
                        let mut got = start.clone();
                        got.fill(d, (teams, threads), &at, &x);
                        assert!(got == want, "{n} into {len} by {teams} x {threads} on {d}");
                        let (mut twice, again) = (want.clone(), got.odd.clone());
                        got.fill(d, (teams, threads), &at, &x);
                        for i in 0..n {
                            twice.odd[at[i] as usize] ^= x[i];
                        }
                        assert!(got.odd == twice.odd, "a second time, {again:?}");
                    });
                }
            }
        }
    )* };
}
kinds! {
    i32 |v| v as i32;
    u64 |v| u64::from(v).wrapping_mul(0x1_0000_0001);
    i64 |v| i64::from(v as i32) << 20;
    u8 |v| v as u8;
    i16 |v| v as i16;
}

#[omp::offload]
fn histogram(d: usize, x: &[i32], hist: &mut [u32]) {
    #[omp::target(device(d), reduction(+: hist))]
    for i in 0..x.len() {
        hist[x[i] as usize] += 1;
    }
}

#[omp::offload]
fn part(d: usize, x: &[u32], hist: &mut [u64], lo: usize, hi: usize) {
    #[omp::target(device(d), reduction(+: hist[lo..hi]))]
    for i in 0..x.len() {
        hist[lo + x[i] as usize % (hi - lo)] += 2;
    }
}

#[test]
fn histograms() {
    on_every_device(|d| {
        for (n, len) in [(0, 1), (100, 256), (100_003, 256), (100_003, 3), (20_000, 30_000)] {
            let mut r = Values(n as u64);
            let x: Vec<i32> = (0..n).map(|_| (r.bits() % len as u32) as i32).collect();
            let mut got = vec![1u32; len];
            let mut want = got.clone();
            x.iter().for_each(|&v| want[v as usize] += 1);
            histogram(d, &x, &mut got);
            assert!(got == want, "{n} into {len} on {d}");
            let x: Vec<u32> = x.iter().map(|&v| v as u32).collect();
            let (lo, hi) = (len / 3, len / 3 + len / 2 + 1);
            let mut got = vec![5u64; len + 2];
            let mut want = got.clone();
            x.iter().for_each(|&v| want[lo + v as usize % (hi - lo)] += 2);
            part(d, &x, &mut got, lo, hi);
            assert!(got == want, "{n} into {lo}..{hi} of {len} on {d}");
        }
    });
}

mod iterated {
    //! Items that loops go through as a whole.
    pub struct Sums {
        pub all: [f64; 5],
        pub x: Vec<f64>,
    }

    #[omp::offload]
    impl Sums {
        pub fn add(&mut self, d: usize) -> f64 {
            let mut last = 0.0;
            #[omp::target(device(d), reduction(+: self.all), lastprivate(last))]
            for i in 0..self.x.len() {
                last = self.x[i];
                for sum in self.all.iter_mut() {
                    *sum += last;
                }
            }
            last
        }
    }

    #[omp::offload]
    pub fn each(d: usize, x: &[u32], sums: &mut [u32]) {
        #[omp::target(device(d), reduction(+: sums))]
        for i in 0..x.len() {
            for sum in sums.iter_mut() {
                *sum += x[i];
            }
        }
    }

    #[omp::offload]
    pub fn part(d: usize, x: &[u32], sums: &mut [u32]) {
        #[omp::target(device(d), reduction(+: sums[2..8]))]
        for &v in x.iter() {
            for sum in &mut sums[3..5] {
                *sum += v;
            }
        }
    }

    #[omp::offload]
    pub fn outermost(d: usize, x: &[f32], sums: &mut [f32]) {
        #[omp::target(device(d), reduction(+: sums))]
        for (sum, v) in sums.iter_mut().zip(x) {
            *sum += v;
        }
    }

    #[omp::offload]
    pub fn nested(d: usize, x: &[f32], sums: &mut [[f32; 3]]) {
        #[omp::target(device(d), reduction(reproducible, +: sums), collapse(2))]
        for i in (0..x.len()).rev() {
            for row in sums.iter_mut() {
                for sum in row.iter_mut() {
                    *sum += x[i];
                }
            }
        }
    }
}

#[test]
fn loops_go_through_items() {
    on_every_device(|d| {
        let x: Vec<u32> = (0..1000).collect();
        let total: u32 = x.iter().sum();
        let mut sums = vec![1; 10];
        iterated::each(d, &x, &mut sums);
        assert_eq!(sums, [total + 1; 10], "on {d}");
        let mut sums = vec![1; 10];
        iterated::part(d, &x, &mut sums);
        assert_eq!(sums, [1, 1, 1, total + 1, total + 1, 1, 1, 1, 1, 1], "on {d}");
        let mut sums = iterated::Sums { all: [1.0; 5], x: vec![2.0; 1000] };
        assert_eq!(sums.add(d), 2.0, "on {d}");
        assert_eq!(sums.all, [2001.0; 5], "on {d}");
        let mut sums = vec![1.0; 9];
        iterated::outermost(d, &[2.0; 8], &mut sums);
        assert_eq!(sums, [3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 1.0], "on {d}");
        let mut sums = vec![[1.0; 3]; 7];
        iterated::nested(d, &[2.0; 1000], &mut sums);
        assert_eq!(sums, [[2001.0; 3]; 7], "on {d}");
    });
}

#[test]
fn what_is_beside_an_array_fails() {
    on_every_device(|d| {
        let mut x = vec![1; 5000];
        x[4321] = 9;
        let mut hist = vec![0; 9];
        let failed = std::panic::AssertUnwindSafe(|| histogram(d, &x, &mut hist));
        let payload = std::panic::catch_unwind(failed).expect_err("9 is no index");
        let text = payload.downcast_ref::<String>().expect("a text");
        for part in ["the len is 9 but the index is 9", "subscript of `hist`", "i = 4321"] {
            assert!(text.contains(part), "no {part:?} in {text} on {d}");
        }
    });
}
