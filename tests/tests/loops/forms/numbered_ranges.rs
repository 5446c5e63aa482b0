//! Loops inside of regions over ranges that are numbered or beside others, `(a..b).enumerate()`, `(a..b).zip(c..d)`: what their
//! values and numbers are subscripts of is proved or decided at the launch, as for a plain range.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{compare, twice};

twice! {
    pub fn numbered(d: usize, y: &mut [i64], (n, m, a): (usize, usize, usize)) {
        let (lo, hi) = (-100i8, 101i8 - 50);
        let w = y.len() / n;
        #[omp::target(device(d))]
        for i in 0..n {
            for (k, j) in (a..m).enumerate() {
                y[i * w + j] += k as i64 + 1;
            }
            for (k, j) in (i..m - 1).enumerate() {
                y[i * w + j] += k as i64 + 1;
            }
            for (k, j) in (a..a + m).rev().enumerate() {
                y[i * w + k] += j as i64 * 3;
            }
            for (k, (q, j)) in (a..m).rev().enumerate().enumerate().rev() {
                y[i * w + j] = y[i * w + j] * 3 % 10_007 + (k + q) as i64;
            }
            for (k, a) in (a..m).step_by(3).enumerate() {
                y[i * w + a] += k as i64;
            }
            for (k, j) in (lo..hi).enumerate() {
                y[i * w + k % w] += j as i64;
            }
        }
    }

    pub fn beside(d: usize, y: &mut [i64], (n, m, a): (usize, usize, usize)) {
        let x: Vec<i64> = (0..9).collect();
        let (w, b) = (y.len() / n, m + 2);
        #[omp::target(device(d))]
        for i in 0..n {
            for (k, j) in (a..m).zip(3..b) {
                y[i * w + k] += j as i64 + 1;
            }
            for (k, j) in (a..m).zip(3..9usize) {
                y[i * w + j] += k as i64 + 1;
            }
            for (j, v) in (a..m).zip(x.iter()) {
                y[i * w + j] += v;
            }
            for (j, k) in (a..m).zip(2..) {
                y[i * w + j] += x[k - 2];
            }
        }
    }

    pub fn collapsed(d: usize, y: &mut [i64], (n, m, a): (usize, usize, usize)) {
        let mut s = 0;
        let w = y.len() / n;
        #[omp::target(device(d), collapse(2))]
        for i in 0..n {
            for (k, j) in (0..m).rev().enumerate() {
                y[i * w + j] += k as i64 + 1;
            }
        }
        #[omp::target(device(d), collapse(2))]
        for (i, v) in (1..n + 1).enumerate() {
            for (k, j) in (a..m).enumerate() {
                y[i * w + k] += (v * j) as i64;
            }
        }
        #[omp::target(device(d), collapse(2), reduction(+: s))]
        for i in 0..n {
            for (k, j) in (i..m).enumerate() {
                s += (i * 100 + k * 10 + j) as i64;
            }
        }
        #[omp::target(device(d))]
        {
            #[omp::parallel_for(collapse(2))]
            for i in 0..n {
                for (k, j) in (a..=m).rev().enumerate() {
                    y[i * w + j] += k as i64;
                }
            }
            for (k, j) in (a..m).rev().enumerate() {
                y[j] += k as i64;
            }
        }
        y[0] += s;
    }
}

#[test]
fn numbered_ranges_are_ranges() {
    for run in 0..3 {
        for (n, m, a) in [(5, 7, 2), (3, 1, 4), (4, 6, 0)] {
            compare!(mode, d => {
                let mut y = vec![1; n * (m + a + 4)];
                [mode::numbered, mode::beside, mode::collapsed][run](d, &mut y, (n, m, a));
                y
            });
        }
    }
}
