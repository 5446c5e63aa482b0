//! Structs that own arrays, whose methods are called in another module of the offloaded one: `use super::Csr;`, `use grid::Grid;`.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    #[derive(omp::Mapper, Clone)]
    pub struct Csr { pub rows: usize, ptr: Vec<usize>, col: Vec<usize>, val: Vec<f64> }
    const SHIFT: f64 = 0.5;
    impl Csr {
        pub fn row(&self, i: usize) -> std::ops::Range<usize> { self.ptr[i]..self.ptr[i + 1] }
        fn diagonal(&self, i: usize) -> Option<&f64> {
            for k in self.row(i) {
                if self.col[k] == i { return Some(&self.val[k]); }
            }
            None
        }
        fn shifted(&self, k: usize) -> f64 { self.val[k] + SHIFT }
    }
    mod spmv {
        use super::{Csr, SHIFT};
        pub fn multiply(a: &Csr, x: &[f64], y: &mut [f64]) {
            #[omp::target]
            for i in 0..a.rows {
                let mut s = 0.0;
                for k in a.row(i) { s += a.shifted(k) * x[a.col[k]]; }
                y[i] = s / a.diagonal(i).map_or(SHIFT, |d| *d);
            }
        }
    }
    mod grid {
        #[derive(omp::Mapper)]
        pub struct Grid { pub width: usize, pub cells: Vec<f64> }
        impl Grid {
            pub fn new(width: usize) -> Self { Self { width, cells: (0..width * width).map(|k| (k % 7) as f64).collect() } }
            pub fn at(&self, x: usize, y: usize) -> f64 { self.cells[self.offset(x, y)] }
            pub fn offset(&self, x: usize, y: usize) -> usize { y * self.width + x }
        }
    }
    use grid::Grid;
    pub fn products() -> Vec<f64> {
        let n = 40;
        let mut a = Csr { rows: n, ptr: vec![0], col: vec![], val: vec![] };
        for i in 0..n {
            for j in i.saturating_sub(1)..(i + 2).min(n) { if i % 5 != 0 || i != j { a.col.push(j); a.val.push(if i == j { 2.0 } else { -1.0 }); } }
            a.ptr.push(a.col.len());
        }
        let x: Vec<f64> = (0..n).map(|i| (i % 7) as f64).collect();
        let mut y = vec![0.0; n];
        spmv::multiply(&a, &x, &mut y);
        y
    }
    pub fn sums() -> Vec<f64> {
        let g = Grid::new(9);
        let mut out = vec![0.0; 81];
        #[omp::target(collapse(2))]
        for y in 1..8 { for x in 1..8 { out[y * 9 + x] = g.at(x - 1, y) + g.at(x + 1, y) - 2.0 * g.at(x, y); } }
        out
    }
}

#[test]
fn methods_of_structs_of_other_modules_are_inlined() {
    compare!(m, d => { omp::set_default_device(d); m::products() });
    compare!(m, d => { omp::set_default_device(d); m::sums() });
}
