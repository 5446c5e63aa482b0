//! Slices in tuples that a `let` takes apart.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{compare, twice};

twice! {
    #[derive(Clone, Copy)]
    pub struct Mat<'a, T> { pub data: &'a [T], pub cols: usize, pub step: usize }
    #[omp::declare_target]
    impl<'a, T: Copy> Mat<'a, T> {
        pub fn row(&self, r: usize) -> impl Iterator<Item = T> + 'a {
            let (data, step) = (self.data, self.step);
            data[r * self.cols..].iter().step_by(step).take(self.cols / step).copied()
        }
    }
    pub fn f1(u: Mat<'_, f64>, out: &mut [f64]) {
        #[omp::target]
        for r in 0..out.len() {
            let (data, step) = (u.data, u.step);
            let mut s = 0.0;
            for w in data[r * u.cols..].iter().step_by(step).take(u.cols / step).copied() { s += w; }
            out[r] = s;
        }
    }
    pub fn f2(u: Mat<'_, f64>, out: &mut [f64]) {
        #[omp::target]
        for r in 0..out.len() {
            let mut s = 0.0;
            for w in u.row(r) { s += w; }
            out[r] = s;
        }
    }
    pub fn f3<T: Copy + std::ops::AddAssign + omp::Device>(u: Mat<'_, T>, out: &mut [T]) {
        #[omp::target]
        for r in 0..out.len() {
            let mut s = out[r];
            for (i, w) in u.row(r).enumerate() { if i > 0 { s += w; } }
            out[r] = s;
        }
    }
}

#[test]
fn tuple_lets() {
    compare!(m, d => {
        omp::set_default_device(d);
        let x: Vec<f64> = (0..60).map(f64::from).collect();
        let u = m::Mat { data: &x, cols: 6, step: 2 };
        let mut o = vec![vec![0.0; 10]; 3];
        m::f1(u, &mut o[0]);
        m::f2(u, &mut o[1]);
        m::f3(u, &mut o[2]);
        o
    });
}
