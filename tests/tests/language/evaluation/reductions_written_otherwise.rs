//! Reductions by `fold` and by operands with loops, and private variables that have no value before the loop.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{compare, twice};

twice! {
    pub fn folded(d: usize, n: usize, x: &[u32], t: &[u32]) -> (u32, bool, bool, f64) {
        let mut largest = 0;
        let mut all = true;
        let mut any = false;
        let mut s = 0.0f64;
        #[omp::target(device(d), reduction(max: largest), reduction(&&: all), reduction(||: any), reduction(+: s))]
        for k in 0..n {
            let row = &x[k * 4..k * 4 + 4];
            largest = row.iter().map(|v| v ^ 5).fold(largest, u32::max);
            all = all && (row[0] > 0 || t.iter().any(|&p| p == row[1]));
            any = any || row.iter().all(|v| t.contains(v));
            s = row.iter().fold(s, |s, v| s + f64::from(*v));
        }
        (largest, all, any, s)
    }

    pub fn unset(d: usize, x: &[f32], y: &mut [f32]) -> f32 {
        let mut worst = 0.0f32;
        let mut direct: f32;
        let mut row;
        #[omp::target(device(d), collapse(2), private(direct, row), reduction(max: worst))]
        for i in 0..4 {
            for k in 0..y.len() / 4 {
                direct = 0.0;
                row = i * (y.len() / 4);
                for j in 0..3 { direct += x[(row + k + j) % x.len()] * j as f32; }
                y[row + k] = direct;
                worst = worst.max(direct);
            }
        }
        worst
    }

    /// A closure reads what the fold begins with.
    pub fn named(d: usize, x: &[f64], y: &mut [f64]) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            let mut s = x[i] + 1.0;
            let g = |a: f64, v: &f64| a + v * s;
            s = x[i..].iter().fold(s, g);
            y[i] = s;
        }
    }
}

#[test]
fn folds_are_updates() {
    compare!(m, d => {
        let x: Vec<u32> = (0..400).map(|i| i * 7 % 101).collect();
        [0, 1, 100].map(|n| m::folded(d as _, n, &x, &[x[1], 7, 14, 21, 28]))
    });
}

#[test]
fn private_variables_have_no_value_before() {
    compare!(m, d => {
        let x: Vec<f32> = (0..50).map(|i| (i * 7 % 11) as f32).collect();
        let mut y = vec![0.0; 40];
        (m::unset(d as _, &x, &mut y), y)
    });
}

#[test]
fn folds_of_named_closures_keep_what_they_read() {
    compare!(m, d => {
        let x: Vec<f64> = (0..20).map(|i| f64::from(i) / 8.0).collect();
        let mut y = vec![0.0; 10];
        m::named(d as _, &x, &mut y);
        y
    });
}
