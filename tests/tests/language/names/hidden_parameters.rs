//! Parameters that a `let` of the same name hides.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{compare, twice};

twice! {
    pub fn other_names(x: &[f64], x_1: usize, out: &mut [f64]) {
        let x = &x[1..];
        let t = format!("{x_1}").len();
        #[omp::target]
        for i in 0..out.len() {
            out[i] = x[i] * x_1 as f64 + t as f64;
        }
    }
    pub fn f(x: &Vec<f64>, w: &[f64; 3], out: &mut Vec<f64>) {
        let x = &x[..];
        let out = &mut out[..];
        let n = x.len();
        #[omp::target]
        for i in 1..n - 1 {
            out[i] = x.iter().skip(i - 1).zip(w.iter()).map(|(a, b)| a * b).sum();
        }
        let labels = &*x;
        #[omp::target]
        for (o, l) in out.iter_mut().zip(labels.iter()) { *o += *l; }
    }
}

#[test]
fn shadow() {
    compare!(m, d => {
        omp::set_default_device(d);
        let x: Vec<f64> = (0..40).map(f64::from).collect();
        let mut o = vec![0.0; 40];
        m::other_names(&x, 3, &mut o[..10]);
        m::f(&x, &[0.25, 0.5, 0.25], &mut o);
        o
    });
}
