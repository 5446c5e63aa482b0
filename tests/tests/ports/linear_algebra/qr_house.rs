//! Householder QR of a tall matrix by columns; least squares.
use omp_tests::twice;

twice! {
    #[derive(Clone, omp::Mapper)]
    pub struct ColMajor { m: usize, n: usize, a: Vec<f64> }

    impl ColMajor {
        fn col(&self, j: usize) -> &[f64] { &self.a[j * self.m..(j + 1) * self.m] }
        fn get(&self, i: usize, j: usize) -> f64 { self.a[j * self.m + i] }

        /// Returns the coefficients; reflectors overwrite the matrix.
        pub fn factor(&mut self) -> Vec<f64> {
            let (m, n) = (self.m, self.n);
            let mut tau = vec![0.0; n];
            for k in 0..n {
                let mut norm2 = 0.0;
                let col = &self.a[k * m..(k + 1) * m];
                #[omp::target(reduction(+: norm2))]
                for &v in &col[k..] { norm2 += v * v; }
                let norm = norm2.sqrt();
                if norm == 0.0 { continue; }
                let akk = self.get(k, k);
                let alpha = if akk > 0.0 { -norm } else { norm };
                let v0 = akk - alpha;
                tau[k] = -v0 / alpha;
                let (head, tail) = self.a.split_at_mut((k + 1) * m);
                let pivot = &mut head[k * m..];
                #[omp::target]
                for v in pivot[k + 1..].iter_mut() { *v /= v0; }
                pivot[k] = alpha;
                let reflector = &*pivot;
                let t = tau[k];
                #[omp::target]
                for c in tail.chunks_exact_mut(m) {
                    let mut dot = c[k];
                    for i in k + 1..m { dot += reflector[i] * c[i]; }
                    c[k] -= t * dot;
                    for (c, v) in c[k + 1..].iter_mut().zip(&reflector[k + 1..]) { *c -= t * dot * v; }
                }
            }
            tau
        }

        fn apply_qt(&self, tau: &[f64], b: &mut [f64]) {
            for k in 0..self.n {
                let v = self.col(k);
                let mut dot = b[k];
                #[omp::target(reduction(+: dot))]
                for i in k + 1..self.m { dot += v[i] * b[i]; }
                let s = tau[k] * dot;
                b[k] -= s;
                #[omp::target]
                for i in k + 1..self.m { b[i] -= s * v[i]; }
            }
        }
    }

    pub fn least_squares(mut a: ColMajor, mut b: Vec<f64>) -> Vec<f64> {
        let tau = a.factor();
        a.apply_qt(&tau, &mut b);
        let mut x = vec![0.0; a.n];
        for i in (0..a.n).rev() {
            let sum: f64 = (i + 1..a.n).map(|j| a.get(i, j) * x[j]).sum();
            x[i] = (b[i] - sum) / a.get(i, i);
        }
        x
    }
    pub fn run() -> Vec<f64> {
        let (m, n) = (20, 5);
        let a = ColMajor { m, n, a: (0..m * n).map(|k| { let (i, j) = (k % m, k / m); (1.0 + 0.1 * i as f64).powi(j as i32) * if j % 2 == 0 { 1.0 } else { 0.5 } }).collect() };
        least_squares(a, (0..m).map(|i| (i as f64 * 0.3).sin()).collect())
    }
}
port!(qr_house: run());
