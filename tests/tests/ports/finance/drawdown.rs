//! Portfolios: running moments, drawdowns and covariances of returns.
use ndarray::{Array2, Axis};
use omp_tests::{compare, twice};

twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Stats { mean: f64, variance: f64, drawdown: f64, longest: u32 }
    #[derive(Clone, Copy, Default, omp::Device)]
    struct Welford { n: u32, mean: f64, m2: f64 }
    #[omp::declare_target]
    impl Welford {
        fn push(mut self, x: f64) -> Self {
            self.n += 1;
            let delta = x - self.mean;
            self.mean += delta / f64::from(self.n);
            self.m2 += delta * (x - self.mean);
            self
        }
        fn variance(&self) -> Option<f64> { (self.n > 1).then(|| self.m2 / f64::from(self.n - 1)) }
    }
    pub fn analyse(d: usize, returns: &Array2<f64>) -> Vec<Stats> {
        let mut out = vec![Stats::default(); returns.nrows()];
        #[omp::target(device(d))]
        for (stats, row) in out.iter_mut().zip(returns.rows()) {
            let w = row.iter().fold(Welford::default(), |w, &x| w.push(x));
            let (mut equity, mut peak, mut worst) = (1.0f64, 1.0f64, 0.0f64);
            let (mut under, mut longest) = (0u32, 0u32);
            for r in row.iter() {
                equity *= 1.0 + r;
                if equity > peak { peak = equity; under = 0; } else { under += 1; longest = longest.max(under); }
                worst = worst.min(equity / peak - 1.0);
            }
            *stats = Stats { mean: w.mean, variance: w.variance().unwrap_or(f64::NAN), drawdown: worst, longest };
        }
        out
    }
    pub fn covariance(d: usize, returns: &Array2<f64>) -> Array2<f64> {
        let (n, t) = returns.dim();
        let means = returns.mean_axis(Axis(1)).unwrap();
        let mut cov = Array2::zeros((n, n));
        #[omp::target(device(d), collapse(2))]
        for i in 0..n {
            for j in 0..n {
                let (a, b) = (returns.row(i), returns.row(j));
                cov[[i, j]] = a.iter().zip(b.iter()).map(|(x, y)| (x - means[i]) * (y - means[j])).sum::<f64>() / (t - 1) as f64;
            }
        }
        cov
    }
}

#[test]
fn drawdown() {
    let r = Array2::from_shape_fn((6, 40), |(i, j)| (((i * 7 + j * 13) % 23) as f64 - 11.0) * 0.004);
    compare!(m, d => m::analyse(d, &r).iter().map(|s| format!("{s:.9?}")).collect::<Vec<_>>());
    compare!(m, d => m::covariance(d, &r).mapv(|x| (x * 1e12).round()));
}
