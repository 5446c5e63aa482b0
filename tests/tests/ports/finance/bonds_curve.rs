//! Zero curves by interpolation, bond prices and yields by Newton, a Nelson-Siegel fit's residuals, swap par rates.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, omp::Device)]
    #[repr(u8)]
    enum Interpolation {
        Linear,
        LogLinear,
        Flat,
    }

    struct Curve<'a> {
        times: &'a [f64],
        discounts: &'a [f64],
        kind: Interpolation,
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    struct Bond {
        maturity: f64,
        coupon: f64,
        frequency: u32,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Default, omp::Device)]
    pub struct Quote {
        price: f64,
        yield_: Option<f64>,
        duration: f64,
    }

    #[omp::declare_target]
    fn discount(times: &[f64], discounts: &[f64], kind: Interpolation, t: f64) -> f64 {
        let i = times.partition_point(|&x| x <= t).clamp(1, times.len() - 1);
        let (t0, t1) = (times[i - 1], times[i]);
        let (d0, d1) = (discounts[i - 1], discounts[i]);
        let w = (t - t0) / (t1 - t0);
        match kind {
            Interpolation::Linear => d0 + w * (d1 - d0),
            Interpolation::LogLinear => (d0.ln() * (1.0 - w) + d1.ln() * w).exp(),
            Interpolation::Flat if t < t1 => d0,
            Interpolation::Flat => d1,
        }
    }

    #[omp::declare_target]
    impl Bond {
        fn periods(&self) -> u32 {
            (self.maturity * self.frequency as f64).round() as u32
        }
        fn flow(&self, k: u32) -> (f64, f64) {
            let t = k as f64 / f64::from(self.frequency);
            let c = self.coupon / self.frequency as f64;
            (t, if k == self.periods() { 100.0 + c } else { c })
        }
        fn price_at(&self, y: f64) -> (f64, f64) {
            let f = self.frequency as f64;
            (1..=self.periods()).map(|k| self.flow(k)).fold((0.0, 0.0), |(p, d), (t, cash)| {
                let v = cash * (1.0 + y / f).powf(-t * f);
                (p + v, d - t * v / (1.0 + y / f))
            })
        }
        fn solve(&self, price: f64) -> Option<f64> {
            let mut y = 0.05;
            for _ in 0..50 {
                let (p, slope) = self.price_at(y);
                let step = (p - price) / slope;
                y -= step;
                if !y.is_finite() {
                    return None;
                }
                if step.abs() < 1e-12 {
                    return Some(y);
                }
            }
            None
        }
    }

    impl Curve<'_> {
        #[omp::offload]
        fn quote(&self, bonds: &[Bond], quotes: &mut [Quote]) -> f64 {
            let mut total = 0.0;
            #[omp::target(reduction(+: total))]
            for (bond, quote) in bonds.iter().zip(quotes.iter_mut()) {
                let price = (1..=bond.periods())
                    .map(|k| {
                        let (t, cash) = bond.flow(k);
                        cash * discount(self.times, self.discounts, self.kind, t)
                    })
                    .sum::<f64>();
                let yield_ = bond.solve(price);
                let duration = match yield_ {
                    Some(y) => -bond.price_at(y).1 / price,
                    None => f64::NAN,
                };
                *quote = Quote { price, yield_, duration };
                total += price;
            }
            total
        }

        #[omp::offload]
        fn par_rates(&self, tenors: &[u32]) -> Vec<f64> {
            let mut rates = vec![0.0; tenors.len()];
            #[omp::target]
            for (rate, &n) in rates.iter_mut().zip(tenors) {
                let d = |t: u32| discount(&self.times, &self.discounts, self.kind, t as f64);
                let annuity: f64 = (1..=n).map(d).sum();
                *rate = (1.0 - d(n)) / annuity;
            }
            rates
        }
    }

    #[omp::offload]
    fn nelson_siegel(params: &[[f64; 4]], times: &[f64], yields: &[f64], errors: &mut [f64]) -> (f64, usize) {
        #[omp::target]
        for (&[b0, b1, b2, tau], e) in params.iter().zip(errors.iter_mut()) {
            *e = times
                .iter()
                .zip(yields)
                .map(|(&t, &y)| {
                    let x = t / tau;
                    let load = if x > 0.0 { (1.0 - (-x).exp()) / x } else { 1.0 };
                    let model = b0 + b1 * load + b2 * (load - (-x).exp());
                    (model - y) * (model - y)
                })
                .sum::<f64>()
                .sqrt();
        }
        let mut best = f64::INFINITY;
        #[omp::target(reduction(min: best))]
        for &e in errors.iter() {
            best = best.min(e);
        }
        (best, errors.iter().position(|&e| e == best).unwrap_or(usize::MAX))
    }

    pub fn run(n: usize) -> (Vec<Quote>, f64, Vec<f64>, (f64, usize)) {
        let times: Vec<f64> = (0..12).map(|i| i as f64 * 2.5).collect();
        let discounts: Vec<f64> = times.iter().map(|t| (-0.03 * t - 0.0004 * t * t).exp()).collect();
        let mut quotes = vec![Quote::default(); n];
        let bonds: Vec<Bond> = (0..n).map(|i| Bond { maturity: (i % 20 + 1) as f64 * 0.5, coupon: (i % 9) as f64, frequency: [1, 2, 4][i % 3] }).collect();
        let mut total = 0.0;
        let mut rates = Vec::new();
        for kind in [Interpolation::Linear, Interpolation::LogLinear, Interpolation::Flat] {
            let curve = Curve { times: &times, discounts: &discounts, kind };
            total += curve.quote(&bonds, &mut quotes);
            rates.extend(curve.par_rates(&(1..=n.min(25) as u32).collect::<Vec<_>>()));
        }
        let params: Vec<[f64; 4]> = (0..n).map(|i| [0.03 + 0.0001 * (i % 50) as f64, -0.01, 0.005 * (i % 3) as f64, 1.0 + (i % 11) as f64 * 0.3]).collect();
        let yields: Vec<f64> = times.iter().map(|t| 0.03 + 0.0004 * t).collect();
        let mut errors = vec![0.0; n];
        let best = nelson_siegel(&params, &times, &yields, &mut errors);
        (quotes, total, rates, best)
    }
}
port!(bonds_curve: [0, 1, 41, 120].map(|n| crate::Shown::of(run(n))));
