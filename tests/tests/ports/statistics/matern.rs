//! HeCBench matern: covariance matrices and matrix-free products of Gaussian processes, kernels as a trait.
use omp_tests::twice;

twice! {
    #[omp::declare_target]
    pub trait Kernel: omp::Device {
        const NAME: &'static str;
        fn eval(&self, r: f64) -> f64;
        fn of(&self, a: &[f64], b: &[f64]) -> f64 {
            let r2: f64 = a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum();
            self.eval(r2.sqrt())
        }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Matern32 { length: f64 }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Matern52 { length: f64 }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Scaled<K> { inner: K, variance: f64, nugget: f64 }

    #[omp::declare_target]
    impl Kernel for Matern32 {
        const NAME: &'static str = "3/2";
        fn eval(&self, r: f64) -> f64 {
            let s = 3f64.sqrt() * r / self.length;
            (1.0 + s) * (-s).exp()
        }
    }
    #[omp::declare_target]
    impl Kernel for Matern52 {
        const NAME: &'static str = "5/2";
        fn eval(&self, r: f64) -> f64 {
            let s = 5f64.sqrt() * r / self.length;
            (1.0 + s + s * s / 3.0) * (-s).exp()
        }
    }
    #[omp::declare_target]
    impl<K: Kernel> Kernel for Scaled<K> {
        const NAME: &'static str = K::NAME;
        fn eval(&self, r: f64) -> f64 {
            self.variance * self.inner.eval(r) + if r == 0.0 { self.nugget } else { 0.0 }
        }
    }

    pub fn covariance<K: Kernel>(k: K, points: &[f64], dim: usize) -> Vec<f64> {
        let n = points.len() / dim;
        let mut cov = vec![0.0; n * n];
        let row = |i: usize| &points[i * dim..(i + 1) * dim];
        #[omp::target]
        for i in 0..n {
            for j in 0..=i {
                cov[i * n + j] = k.of(row(i), row(j));
            }
        }
        cov
    }

    pub fn apply<K: Kernel>(k: &K, sources: &[f64], weights: &[f64], targets: &[f64], dim: usize) -> Vec<f64> {
        let mut y = vec![0.0; targets.len() / dim];
        #[omp::target]
        for (y, t) in y.iter_mut().zip(targets.chunks_exact(dim)) {
            *y = sources.chunks_exact(dim).zip(weights).map(|(s, w)| w * k.of(s, t)).sum();
        }
        y
    }

    pub fn run() -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let points: Vec<f64> = (0..30 * 3).map(|i| (i as f64 * 1.3).sin()).collect();
        let w: Vec<f64> = (0..30).map(|i| (i as f64).cos()).collect();
        let s = Scaled { inner: Matern52 { length: 0.7 }, variance: 2.0, nugget: 1e-3 };
        (covariance(Matern32 { length: 0.5 }, &points, 3), covariance(s, &points, 3), apply(&s, &points, &w, &points[..15], 3))
    }
}
port!(matern: run());
