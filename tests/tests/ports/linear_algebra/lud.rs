//! Rodinia lud: blocked LU decomposition.
use omp_tests::twice;

twice! {
    pub struct Matrix<const B: usize> { n: usize, a: Vec<f64> }

    impl<const B: usize> Matrix<B> {
        pub fn diagonal_block(&mut self, k0: usize) {
            let n = self.n;
            for k in k0..k0 + B {
                for i in k + 1..k0 + B {
                    let l = self.a[i * n + k] / self.a[k * n + k];
                    self.a[i * n + k] = l;
                    for j in k + 1..k0 + B {
                        self.a[i * n + j] -= l * self.a[k * n + j];
                    }
                }
            }
        }

        fn perimeter(&mut self, k0: usize) {
            let n = self.n;
            let a = &mut self.a;
            #[omp::target]
            for j in k0 + B..n {
                for i in 1..B {
                    let mut v = a[(k0 + i) * n + j];
                    for k in 0..i { v -= a[(k0 + i) * n + k0 + k] * a[(k0 + k) * n + j]; }
                    a[(k0 + i) * n + j] = v;
                }
            }
            #[omp::target]
            for i in k0 + B..n {
                for j in 0..B {
                    let mut v = a[i * n + k0 + j];
                    for k in 0..j { v -= a[i * n + k0 + k] * a[(k0 + k) * n + k0 + j]; }
                    a[i * n + k0 + j] = v / a[(k0 + j) * n + k0 + j];
                }
            }
        }

        fn interior(&mut self, k0: usize) {
            let n = self.n;
            let a = &mut self.a;
            let start = k0 + B;
            #[omp::target(collapse(2))]
            for i in start..n {
                for j in start..n {
                    let sum: f64 = (0..B).map(|k| a[i * n + k0 + k] * a[(k0 + k) * n + j]).sum();
                    a[i * n + j] -= sum;
                }
            }
        }

        pub fn decompose(&mut self) {
            for k0 in (0..self.n).step_by(B) {
                self.diagonal_block(k0);
                self.perimeter(k0);
                self.interior(k0);
            }
        }
    }
    pub fn run() -> Vec<f64> {
        let n = 16;
        let a = (0..n * n).map(|k| if k / n == k % n { 20.0 } else { 1.0 / (1.0 + (k % 9) as f64) }).collect();
        let mut m = Matrix::<4> { n, a };
        m.decompose();
        m.a
    }
}
port!(lud: run());
