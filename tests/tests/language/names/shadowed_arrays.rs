//! Variables that hide an array, or an array of `ndarray`, which other loops and bodies of the function use.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

use ndarray::{Array1, Array2};
use std::ops::Index;
twice! {
    #[derive(omp::Mapper)]
    pub struct Grid { pub cells: Vec<i32>, pub cols: usize }
    #[omp::declare_target]
    impl Index<(usize, usize)> for Grid {
        type Output = i32;
        fn index(&self, (i, j): (usize, usize)) -> &i32 { &self.cells[i * self.cols + j] }
    }
    /// A block with another array under the name, a host's loop, closures and conditions.
    pub fn blocks(a: &Array2<i32>, b: &Array1<i32>, out: &mut [i32]) {
        {
            let a = b.view();
            #[omp::target]
            for i in 0..a.len() {
                out[i] += a[i];
            }
        }
        for a in 0..1 {
            #[omp::target]
            for i in 0..b.len() {
                out[i] += a + b[i];
            }
        }
        #[omp::target]
        for i in 0..a.nrows() {
            let sum: i32 = (0..a.ncols()).map(|a| a as i32).sum();
            while let Some(a) = Some(a[[i, 0]]).filter(|a| *a > 100) {
                out[i] += a;
            }
            out[i] += sum + { let a = a[[i, 1]]; a } + a[[i, 2]];
            assert!(out[i] > -1, "{i}");
        }
    }
    pub fn own_index(a: &Grid, rows: usize, out: &mut [i32]) {
        #[omp::target]
        for i in 0..rows {
            let a = a[(i, 1)] + a[(i, 0)];
            for a in 0..a {
                out[i] += a;
            }
        }
    }
    pub fn loop_var(a: &Array1<f64>, s: usize) -> Vec<f64> {
        let mut out = vec![0.0; a.len()];
        let n = a.len();
        #[omp::target]
        for i in 0..n {
            let t = a[i] * 2.0;
            let a = t + s as f64;
            out[i] = a;
        }
        out
    }
    pub fn shadow_head(a: &Array1<f64>, k: usize) -> Vec<f64> {
        let mut out = vec![0.0; k];
        let mut sum = 0.0;
        #[omp::target(reduction(+: sum))]
        for i in 0..a.len() {
            sum += a[i];
        }
        #[omp::target]
        for a in 0..k {
            out[a] = a as f64 + sum;
        }
        out
    }
    pub fn inner_var(a: &Array2<i32>) -> Vec<i32> {
        let mut out = vec![0; a.nrows()];
        #[omp::target]
        for i in 0..a.nrows() {
            let mut sum = 0;
            for j in 0..a.ncols() {
                sum += a[[i, j]];
            }
            for a in 0..3 {
                sum += a;
            }
            out[i] = sum;
        }
        out
    }
    pub fn items(a: &Array1<i32>) -> Vec<i32> {
        let mut out = vec![0; a.len()];
        #[omp::target]
        for (o, a) in out.iter_mut().zip(a.iter()) {
            *o = a * 3;
        }
        out
    }
    pub fn vec_var(a: &[i32], k: usize) -> Vec<i32> {
        let mut out = vec![0; k];
        #[omp::target]
        for i in 0..k {
            let v = a[i % a.len()];
            for a in 0..v {
                out[i] += a;
            }
            let a = [v, 4];
            out[i] += a[1] + a.len() as i32;
        }
        #[omp::target]
        for a in 0..k {
            out[a] += a as i32;
        }
        out
    }
    pub fn vec_mut(mut a: Vec<i32>) -> Vec<i32> {
        #[omp::target]
        for i in 0..a.len() {
            a[i] += 1;
            let a = a[i];
            let b = a + 1;
            if let Some(a) = b.checked_sub(4) { assert!(a > -100); }
        }
        #[omp::target]
        for a in a.iter_mut() {
            *a += 1;
        }
        #[omp::target]
        for (i, a) in a.iter_mut().enumerate() {
            *a += i as i32;
        }
        a
    }
    pub fn vec_head_index(a: &[i32], out: &mut [i32]) {
        #[omp::target]
        for a in 0..a.len() {
            out[a] = a as i32;
        }
        #[omp::target]
        for i in 0..a.len() {
            match a[i] {
                0 => {}
                a if a > 3 => out[i] += a,
                a => out[i] -= a,
            }
            let f = |a: i32| a + 1;
            out[i] += f(a[i]);
        }
    }
    pub fn nd_more(a: &Array2<i32>, out: &mut [i32]) {
        #[omp::target]
        for a in 0..a.nrows() {
            out[a] = a as i32;
        }
        #[omp::target]
        for i in 0..a.nrows() {
            match a[[i, 0]] {
                0 => {}
                a if a > 3 => out[i] += a,
                a => out[i] -= a,
            }
            let f = |a: i32| a + 1;
            out[i] += f(a[[i, 1]]);
            if let Some(a) = Some(a[[i, 1]]) { out[i] += a; }
        }
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            let row = a.row(i);
            let a = row[0];
            *o += a;
        }
    }
}
#[test]
fn shadowed() {
    for n in [0usize, 1, 5] {
        let a1 = Array1::from_iter((0..n).map(|v| v as f64));
        let ai = Array1::from_iter((0..n).map(|v| v as i32));
        let a2 = Array2::from_shape_fn((n, 3), |(i, j)| (i * 3 + j) as i32);
        let v: Vec<i32> = (0..n as i32).collect();
        compare!(m, d => { omp::set_default_device(d); m::loop_var(&a1, 3) });
        compare!(m, d => { omp::set_default_device(d); let mut out = vec![0; n]; m::blocks(&a2, &ai, &mut out); out });
        compare!(m, d => { omp::set_default_device(d); let mut out = vec![0; n];
            m::own_index(&m::Grid { cells: (0..n as i32 * 2).collect(), cols: 2 }, n, &mut out); out });
        compare!(m, d => { omp::set_default_device(d); m::shadow_head(&a1, n) });
        compare!(m, d => { omp::set_default_device(d); m::inner_var(&a2) });
        compare!(m, d => { omp::set_default_device(d); m::items(&ai) });
        compare!(m, d => { omp::set_default_device(d); m::vec_var(&v, n) });
        compare!(m, d => { omp::set_default_device(d); m::vec_mut(v.clone()) });
        compare!(m, d => { omp::set_default_device(d); let mut out = vec![0; n]; m::vec_head_index(&v, &mut out); out });
        compare!(m, d => { omp::set_default_device(d); let mut out = vec![0; n]; m::nd_more(&a2, &mut out); out });
    }
}
