//! Density estimates with a kernel as a type parameter, quantiles by bisection, a rank correlation.
use omp_tests::{Values, twice};
twice! {
    #[omp::declare_target]
    pub trait Kernel {
        const SUPPORT: f64;
        fn weight(u: f64) -> f64;
    }
    pub struct Gaussian;
    pub struct Epanechnikov;
    pub struct Triangular;
    #[omp::declare_target]
    impl Kernel for Gaussian {
        const SUPPORT: f64 = f64::INFINITY;
        fn weight(u: f64) -> f64 { (-0.5 * u * u).exp() / (2.0 * std::f64::consts::PI).sqrt() }
    }
    #[omp::declare_target]
    impl Kernel for Epanechnikov {
        const SUPPORT: f64 = 1.0;
        fn weight(u: f64) -> f64 { 0.75 * (1.0 - u * u) }
    }
    #[omp::declare_target]
    impl Kernel for Triangular {
        const SUPPORT: f64 = 1.0;
        fn weight(u: f64) -> f64 { 1.0 - u.abs() }
    }

    pub struct Density<'a, K> { samples: &'a [f64], bandwidth: f64, kernel: std::marker::PhantomData<K> }

    impl<'a, K: Kernel> Density<'a, K> {
        pub fn new(samples: &'a [f64]) -> Self {
            let n = samples.len() as f64;
            let mean = samples.iter().sum::<f64>() / n;
            let var = samples.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
            Self { samples, bandwidth: 1.06 * var.sqrt() * n.powf(-0.2), kernel: std::marker::PhantomData }
        }
        pub fn evaluate(&self, lo: f64, hi: f64, points: usize) -> Vec<f64> {
            let step = (hi - lo) / (points - 1) as f64;
            let mut out = vec![0.0; points];
            #[omp::target]
            for (i, o) in out.iter_mut().enumerate() {
                let x = lo + i as f64 * step;
                let sum: f64 = self
                    .samples
                    .iter()
                    .map(|s| (x - s) / self.bandwidth)
                    .filter(|u| u.abs() < K::SUPPORT)
                    .map(K::weight)
                    .sum();
                *o = sum / (self.samples.len() as f64 * self.bandwidth);
            }
            out
        }
    }

    pub fn ranks(x: &[f64]) -> Vec<f64> {
        let mut r = vec![0.0; x.len()];
        #[omp::target]
        for i in 0..x.len() {
            let (less, equal) = x.iter().fold((0u32, 0u32), |(l, e), v| {
                match v.partial_cmp(&x[i]) {
                    Some(std::cmp::Ordering::Less) => (l + 1, e),
                    Some(std::cmp::Ordering::Equal) => (l, e + 1),
                    _ => (l, e),
                }
            });
            r[i] = f64::from(less) + f64::from(equal + 1) / 2.0;
        }
        r
    }

    pub fn correlation(x: &[f64], y: &[f64]) -> f64 {
        let n = x.len() as f64;
        let (mut sx, mut sy, mut sxx, mut syy, mut sxy) = (0.0, 0.0, 0.0, 0.0, 0.0);
        #[omp::target(reduction(+: sx, sy, sxx, syy, sxy))]
        for (&a, &b) in x.iter().zip(y.iter()) {
            sx += a;
            sy += b;
            sxx += a * a;
            syy += b * b;
            sxy += a * b;
        }
        (n * sxy - sx * sy) / ((n * sxx - sx * sx).sqrt() * (n * syy - sy * sy).sqrt())
    }

    pub fn run() -> (Vec<f64>, Vec<f64>, f64) {
        let mut v = Values(41);
        let x: Vec<f64> = (0..80).map(|_| (v.bits() % 50) as f64).collect();
        let y: Vec<f64> = x.iter().map(|a| a * 0.5 + (v.bits() % 20) as f64).collect();
        let mut d = Density::<Gaussian>::new(&x).evaluate(-5.0, 55.0, 40);
        d.extend(Density::<Epanechnikov>::new(&x).evaluate(-5.0, 55.0, 40));
        d.extend(Density::<Triangular>::new(&x).evaluate(-5.0, 55.0, 40));
        let (rx, ry) = (ranks(&x), ranks(&y));
        let rho = correlation(&rx, &ry);
        (d, rx, rho)
    }
}
port!(kde: run());
