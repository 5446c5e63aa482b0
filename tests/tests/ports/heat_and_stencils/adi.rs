//! PolyBench adi: alternating direction implicit solver.
use omp_tests::twice;

twice! {
    pub struct Coefficients { a: f64, b: f64, c: f64, d: f64, e: f64, f: f64 }

    impl Coefficients {
        pub fn new(n: usize, tsteps: usize) -> Self {
            let dx = 1.0 / n as f64;
            let dy = 1.0 / n as f64;
            let dt = 1.0 / tsteps as f64;
            let (b1, b2) = (2.0, 1.0);
            let mul1 = b1 * dt / (dx * dx);
            let mul2 = b2 * dt / (dy * dy);
            let a = -mul1 / 2.0;
            let d = -mul2 / 2.0;
            Self { a, b: 1.0 + mul1, c: a, d, e: 1.0 + mul2, f: d }
        }
    }

    pub fn kernel_adi(tsteps: usize, n: usize, u: &mut Vec<f64>, v: &mut Vec<f64>, p: &mut Vec<f64>, q: &mut Vec<f64>) {
        let Coefficients { a, b, c, d, e, f } = Coefficients::new(n, tsteps);
        let at = |i: usize, j: usize| i * n + j;
        for _t in 1..=tsteps {
            // column sweep
            #[omp::target]
            for i in 1..n - 1 {
                v[at(0, i)] = 1.0;
                p[at(i, 0)] = 0.0;
                q[at(i, 0)] = v[at(0, i)];
                for j in 1..n - 1 {
                    p[at(i, j)] = -c / (a * p[at(i, j - 1)] + b);
                    q[at(i, j)] = (-d * u[at(j, i - 1)] + (1.0 + 2.0 * d) * u[at(j, i)] - f * u[at(j, i + 1)]
                        - a * q[at(i, j - 1)]) / (a * p[at(i, j - 1)] + b);
                }
                v[at(n - 1, i)] = 1.0;
                for j in (1..=n - 2).rev() {
                    v[at(j, i)] = p[at(i, j)] * v[at(j + 1, i)] + q[at(i, j)];
                }
            }
            // row sweep
            #[omp::target]
            for i in 1..n - 1 {
                u[at(i, 0)] = 1.0;
                p[at(i, 0)] = 0.0;
                q[at(i, 0)] = u[at(i, 0)];
                for j in 1..n - 1 {
                    p[at(i, j)] = -f / (d * p[at(i, j - 1)] + e);
                    q[at(i, j)] = (-a * v[at(i - 1, j)] + (1.0 + 2.0 * a) * v[at(i, j)] - c * v[at(i + 1, j)]
                        - d * q[at(i, j - 1)]) / (d * p[at(i, j - 1)] + e);
                }
                u[at(i, n - 1)] = 1.0;
                for j in (1..=n - 2).rev() {
                    u[at(i, j)] = p[at(i, j)] * u[at(i, j + 1)] + q[at(i, j)];
                }
            }
        }
    }

    pub fn run() -> (Vec<f64>, Vec<f64>) {
        let n = 14;
        let mut u: Vec<f64> = (0..n * n).map(|k| (k / n + n - k % n) as f64 / n as f64).collect();
        let mut v = vec![0.0; n * n];
        let mut p = vec![0.0; n * n];
        let mut q = vec![0.0; n * n];
        kernel_adi(4, n, &mut u, &mut v, &mut p, &mut q);
        (u, v)
    }
}
port!(adi: run());
