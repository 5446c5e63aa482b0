//! Batches of tridiagonal systems: one a thread, contiguous and interleaved.
use omp_tests::twice;

twice! {
    pub struct Tridiagonal<'a> { lower: &'a [f64], diag: &'a [f64], upper: &'a [f64] }

    #[omp::declare_target]
    fn solve_in_place(lower: &[f64], diag: &[f64], upper: &[f64], rhs: &mut [f64], scratch: &mut [f64]) {
        let n = rhs.len();
        scratch[0] = upper[0] / diag[0];
        rhs[0] /= diag[0];
        for i in 1..n {
            let m = 1.0 / (diag[i] - lower[i] * scratch[i - 1]);
            scratch[i] = upper[i] * m;
            rhs[i] = (rhs[i] - lower[i] * rhs[i - 1]) * m;
        }
        for i in (0..n - 1).rev() {
            rhs[i] -= scratch[i] * rhs[i + 1];
        }
    }

    impl<'a> Tridiagonal<'a> {
        pub fn solve_rows(&self, rhs: &mut [f64], n: usize) {
            let mut scratch = vec![0.0; rhs.len()];
            #[omp::target]
            for (s, (x, c)) in rhs.chunks_exact_mut(n).zip(scratch.chunks_exact_mut(n)).enumerate() {
                let range = s * n..(s + 1) * n;
                solve_in_place(&self.lower[range.clone()], &self.diag[range.clone()], &self.upper[range], x, c);
            }
        }
        pub fn solve_interleaved(&self, rhs: &mut [f64], batch: usize) {
            let n = rhs.len() / batch;
            let mut c = vec![0.0; rhs.len()];
            #[omp::target]
            for s in 0..batch {
                let at = |i: usize| i * batch + s;
                c[at(0)] = self.upper[at(0)] / self.diag[at(0)];
                rhs[at(0)] /= self.diag[at(0)];
                for i in 1..n {
                    let m = (self.diag[at(i)] - self.lower[at(i)] * c[at(i - 1)]).recip();
                    c[at(i)] = self.upper[at(i)] * m;
                    rhs[at(i)] = (rhs[at(i)] - self.lower[at(i)] * rhs[at(i - 1)]) * m;
                }
                for i in (0..n - 1).rev() {
                    rhs[at(i)] -= c[at(i)] * rhs[at(i + 1)];
                }
            }
        }
    }
    pub fn run() -> (Vec<f64>, Vec<f64>) {
        let (n, b) = (12, 10);
        let lower: Vec<f64> = (0..n * b).map(|i| -1.0 - 0.1 * (i % 3) as f64).collect();
        let diag: Vec<f64> = (0..n * b).map(|i| 4.0 + (i % 5) as f64).collect();
        let upper: Vec<f64> = (0..n * b).map(|i| -0.5 - 0.1 * (i % 4) as f64).collect();
        let t = Tridiagonal { lower: &lower, diag: &diag, upper: &upper };
        let mut x: Vec<f64> = (0..n * b).map(|i| (i % 7) as f64).collect();
        let mut y = x.clone();
        t.solve_rows(&mut x, n);
        t.solve_interleaved(&mut y, b);
        (x, y)
    }
}
port!(thomas_batch: run());
