//! Rodinia gaussian: forward elimination by columns, then back substitution.
use omp_tests::twice;

twice! {
    pub struct LinearSystem { n: usize, a: Vec<f64>, b: Vec<f64>, m: Vec<f64> }

    impl LinearSystem {
        pub fn new(n: usize) -> Self {
            let lambda: f64 = -0.01;
            let coe: Vec<f64> = (0..n).map(|i| 10.0 * (lambda * i as f64).exp()).collect();
            let a = (0..n * n).map(|k| coe[(k / n).abs_diff(k % n)]).collect();
            Self { n, a, b: vec![1.0; n], m: vec![0.0; n * n] }
        }

        fn fan1(&mut self, t: usize) {
            let Self { n, a, m, .. } = self;
            let n = *n;
            let pivot = a[n * t + t];
            #[omp::target]
            for i in t + 1..n {
                m[n * i + t] = a[n * i + t] / pivot;
            }
        }

        fn fan2(&mut self, t: usize) {
            let n = self.n;
            #[omp::target(collapse(2))]
            for i in t + 1..n {
                for j in t..n {
                    self.a[n * i + j] -= self.m[n * i + t] * self.a[n * t + j];
                }
            }
            #[omp::target]
            for i in t + 1..n {
                self.b[i] -= self.m[n * i + t] * self.b[t];
            }
        }

        pub fn solve(mut self) -> Vec<f64> {
            for t in 0..self.n - 1 {
                self.fan1(t);
                self.fan2(t);
            }
            let n = self.n;
            let mut x = vec![0.0; n];
            for i in (0..n).rev() {
                let row = &self.a[i * n..(i + 1) * n];
                let known = &x;
                let mut dot = 0.0;
                #[omp::target(reduction(+: dot))]
                for j in i + 1..n { dot += row[j] * known[j]; }
                x[i] = (self.b[i] - dot) / row[i];
            }
            x
        }
    }
    pub fn run() -> Vec<f64> { LinearSystem::new(24).solve() }
}
port!(gaussian: run());
