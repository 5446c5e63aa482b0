//! A sparse matrix whose rows are iterators; Jacobi, power iteration, and transposed products.
use omp_tests::{Values, twice};
twice! {
    #[derive(Debug, Clone, omp::Mapper)]
    pub struct Csr { offsets: Vec<usize>, columns: Vec<u32>, values: Vec<f64> }

    impl Csr {
        pub fn from_triplets(n: usize, mut t: Vec<(usize, u32, f64)>) -> Self {
            t.sort_by_key(|&(r, c, _)| (r, c));
            let mut offsets = vec![0; n + 1];
            for &(r, ..) in &t { offsets[r + 1] += 1; }
            for i in 0..n { offsets[i + 1] += offsets[i]; }
            Self { offsets, columns: t.iter().map(|e| e.1).collect(), values: t.iter().map(|e| e.2).collect() }
        }
        pub fn rows(&self) -> usize { self.offsets.len() - 1 }
        fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
            let range = self.offsets[i]..self.offsets[i + 1];
            self.columns[range.clone()].iter().zip(&self.values[range]).map(|(&c, &v)| (c as usize, v))
        }
        fn diagonal(&self, i: usize) -> Option<f64> {
            self.row(i).find(|&(c, _)| c == i).map(|(_, v)| v)
        }
        pub fn multiply(&self, x: &[f64], y: &mut [f64]) {
            #[omp::target]
            for (i, y) in y.iter_mut().enumerate() {
                *y = self.row(i).map(|(j, v)| v * x[j]).sum();
            }
        }
        pub fn jacobi(&self, b: &[f64], x: &[f64], next: &mut [f64]) -> f64 {
            let mut change = 0.0f64;
            #[omp::target(reduction(max: change))]
            for i in 0..self.rows() {
                let mut sigma = 0.0;
                for (j, v) in self.row(i) {
                    if j != i { sigma += v * x[j]; }
                }
                let d = self.diagonal(i).unwrap_or(1.0);
                next[i] = (b[i] - sigma) / d;
                change = change.max((next[i] - x[i]).abs());
            }
            change
        }
    }

    fn norm(x: &[f64]) -> f64 {
        let mut s = 0.0;
        #[omp::target(reduction(+: s))]
        for v in x { s += v * v; }
        s.sqrt()
    }

    pub fn run() -> (Vec<f64>, Vec<f64>, f64) {
        let mut v = Values(17);
        let n = 60;
        let mut t: Vec<_> = (0..n).map(|i| (i, i as u32, 8.0)).collect();
        for i in 0..n { for _ in 0..4 {
            let j = v.bits() as usize % n;
            if j != i && !t.iter().any(|e| e.0 == i && e.1 == j as u32) { t.push((i, j as u32, -((v.bits() % 10) as f64) / 10.0)); }
        } }
        let a = Csr::from_triplets(n, t);
        let b: Vec<f64> = (0..n).map(|i| (i % 5) as f64).collect();
        let (mut x, mut next, mut change) = (vec![0.0; n], vec![0.0; n], 0.0);
        for _ in 0..10 {
            change = a.jacobi(&b, &x, &mut next);
            std::mem::swap(&mut x, &mut next);
        }
        let mut y = vec![0.0; n];
        a.multiply(&x, &mut y);
        let k = norm(&y);
        y.iter_mut().for_each(|v| *v /= k);
        (x, y, change)
    }
}
port!(csr: run());
