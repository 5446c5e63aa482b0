//! Linear algebra: reduction to bidiagonal form by Householder reflections over a column-major matrix.
use omp_tests::twice;

twice! {
    #[derive(Clone, Debug)]
    pub struct Matrix { rows: usize, cols: usize, data: Vec<f64> }

    impl Matrix {
        fn col(&self, j: usize) -> &[f64] { &self.data[j * self.rows..(j + 1) * self.rows] }

        /// Applies I - tau v vᵀ from the left to columns from `from` on; v is zero above `k`.
        pub fn reflect_left(&mut self, v: &[f64], tau: f64, k: usize, from: usize) {
            let rows = self.rows;
            #[omp::target]
            for col in self.data[from * rows..].chunks_exact_mut(rows) {
                let s: f64 = v[k..].iter().zip(&col[k..]).map(|(v, c)| v * c).sum();
                for (c, v) in col[k..].iter_mut().zip(&v[k..]) {
                    *c -= tau * s * v;
                }
            }
        }

        pub fn reflect_right(&mut self, v: &[f64], tau: f64, k: usize, from: usize) {
            let Matrix { rows, cols, data } = self;
            let (rows, cols) = (*rows, *cols);
            #[omp::target]
            for i in from..rows {
                let mut s = 0.0;
                for j in k..cols {
                    s += data[j * rows + i] * v[j];
                }
                for j in k..cols {
                    data[j * rows + i] -= tau * s * v[j];
                }
            }
        }

        pub fn norm(&self) -> f64 {
            let mut sum = 0.0;
            #[omp::target(reduction(+: sum))]
            for j in 0..self.cols {
                sum += self.col(j).iter().map(|v| v * v).sum::<f64>();
            }
            sum.sqrt()
        }
    }

    fn reflector(x: &[f64], k: usize) -> Option<(Vec<f64>, f64)> {
        let norm = x[k..].iter().map(|v| v * v).sum::<f64>().sqrt();
        if norm == 0.0 {
            return None;
        }
        let mut v = vec![0.0; x.len()];
        v[k..].copy_from_slice(&x[k..]);
        v[k] += norm.copysign(x[k]);
        let vv: f64 = v.iter().map(|v| v * v).sum();
        Some((v, 2.0 / vv))
    }

    pub fn bidiagonal(mut a: Matrix) -> (Vec<f64>, Vec<f64>, f64) {
        for k in 0..a.cols {
            if let Some((v, tau)) = reflector(a.col(k), k) {
                a.reflect_left(&v, tau, k, k);
            }
            if k + 2 < a.cols {
                let row: Vec<f64> = (0..a.cols).map(|j| a.data[j * a.rows + k]).collect();
                if let Some((v, tau)) = reflector(&row, k + 1) {
                    a.reflect_right(&v, tau, k + 1, k);
                }
            }
        }
        let diag = (0..a.cols).map(|j| a.data[j * a.rows + j]).collect();
        let upper = (1..a.cols).map(|j| a.data[j * a.rows + j - 1]).collect();
        (diag, upper, a.norm())
    }

    pub fn run() -> (Vec<f64>, Vec<f64>, f64) {
        let (rows, cols) = (13, 8);
        bidiagonal(Matrix { rows, cols, data: (0..rows * cols).map(|i| (i as f64 * 0.73).sin() + (i % cols) as f64 * 0.1).collect() })
    }
}
port!(householder: run());
