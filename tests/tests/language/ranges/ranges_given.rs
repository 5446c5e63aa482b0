//! Ranges that closures, methods, functions and conditions give, in heads of loops, chains, slices and by a name.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{compare, twice};
use std::ops::Range;

twice! {
    #[derive(omp::Mapper)]
    pub struct Csr { pub i: Vec<usize>, pub v: Vec<f64> }
    impl Csr { fn row(&self, r: usize) -> Range<usize> { self.i[r]..self.i[r + 1] } }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Grid { pub n: usize }
    #[omp::declare_target]
    impl Grid { fn line(&self, r: usize) -> Range<usize> { let a = r * self.n; a..a + self.n } }
    #[omp::declare_target]
    fn part(r: usize, n: usize) -> std::ops::RangeInclusive<usize> { if r > 1 { r * n..=r * n + n - 1 } else { 0..=n } }
    pub fn a(d: usize, c: &Csr, y: &mut [f64]) {
        #[omp::target(device(d))]
        for r in 0..y.len() {
            y[r] = 0.0;
            for k in c.row(r) { y[r] += c.v[k]; }
            y[r] += c.row(r).map(|k| c.v[k]).sum::<f64>();
            let all = c.row(r);
            y[r] += all.len() as f64 + all.start as f64;
            y[r] += c.v[c.row(r)].iter().sum::<f64>();
            for (k, j) in c.row(r).rev().zip(0..9) { y[r] += c.v[k] * j as f64; }
        }
    }
    pub fn b(d: usize, g: &Grid, c: &[f64], y: &mut [f64]) {
        let half = |r: usize| { let n = g.n / 2; r * n..r * n + n };
        #[omp::target(device(d))]
        for r in 0..y.len() {
            y[r] = 0.0;
            for k in g.line(r) { y[r] += c[k]; }
            for k in half(r) { y[r] += c[k]; }
            let h = half(r);
            for k in h.clone().chain(part(r, g.n)) { y[r] -= c[k] * h.end as f64; }
            let ends = if r % 2 == 0 { 0..r } else { r..r + 2 };
            for k in ends { y[r] -= c[k]; }
            let s = &c[half(r)];
            y[r] += s[0] + s.len() as f64 + c[g.line(r)][0];
        }
    }
    pub fn w(d: usize, g: &Grid, y: &mut [f64], n: usize) {
        let half = |r: usize| { let n = g.n; r * n..(r + 1) * n };
        #[omp::target(device(d))]
        for r in 0..n {
            let mut s = 0.0;
            for v in &mut y[half(r)] { s += 1.0; *v += s; }
            for k in half(r) { y[k] *= 2.0; }
        }
    }

    pub fn run(d: usize) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let c = Csr { i: vec![0, 2, 5, 9], v: (0..9).map(|k| k as f64 * 1.25).collect() };
        let x: Vec<f64> = (0..30).map(|k| k as f64 * 0.25).collect();
        let (mut first, mut second, mut third) = (vec![0.0; 3], vec![0.0; 3], x.clone());
        a(d, &c, &mut first);
        b(d, &Grid { n: 5 }, &x, &mut second);
        w(d, &Grid { n: 5 }, &mut third, 6);
        (first, second, third)
    }
}

#[test]
fn ranges_given() {
    compare!(m, d => m::run(d));
}
