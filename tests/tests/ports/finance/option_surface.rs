//! Implied volatilities of a surface of quotes: Newton with a bisection fallback, failures as values.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub enum Kind { Call, Put }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Quote { kind: Kind, strike: f64, expiry: f64, price: f64 }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Failure { Arbitrage, NoConvergence { iterations: u32 } }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Model { spot: f64, rate: f64, dividend: f64 }

    #[omp::declare_target]
    fn cdf(x: f64) -> f64 {
        const A: [f64; 5] = [0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
        let k = 1.0 / (1.0 + 0.2316419 * x.abs());
        let poly = A.iter().rev().fold(0.0, |acc, a| (acc + a) * k);
        let tail = pdf(x) * poly;
        if x >= 0.0 { 1.0 - tail } else { tail }
    }
    #[omp::declare_target]
    fn pdf(x: f64) -> f64 { (-0.5 * x * x).exp() * (std::f64::consts::FRAC_2_SQRT_PI * std::f64::consts::FRAC_1_SQRT_2 * 0.5) }

    #[omp::declare_target]
    impl Model {
        fn price_vega(&self, q: &Quote, vol: f64) -> (f64, f64) {
            let Model { spot, rate, dividend } = *self;
            let sq = vol * q.expiry.sqrt();
            let d1 = ((spot / q.strike).ln() + (rate - dividend + 0.5 * vol * vol) * q.expiry) / sq;
            let d2 = d1 - sq;
            let (df, qf) = ((-rate * q.expiry).exp(), (-dividend * q.expiry).exp());
            let price = match q.kind {
                Kind::Call => spot * qf * cdf(d1) - q.strike * df * cdf(d2),
                Kind::Put => q.strike * df * cdf(-d2) - spot * qf * cdf(-d1),
            };
            (price, spot * qf * pdf(d1) * q.expiry.sqrt())
        }

        fn implied(&self, q: &Quote) -> Result<f64, Failure> {
            let (mut lo, mut hi) = (1e-4, 5.0);
            if q.price <= self.price_vega(q, lo).0 || q.price >= self.price_vega(q, hi).0 { return Err(Failure::Arbitrage); }
            let mut vol = 0.3;
            for _ in 0..60 {
                let (p, vega) = self.price_vega(q, vol);
                let diff = p - q.price;
                if diff.abs() < 1e-10 { return Ok(vol); }
                if diff > 0.0 { hi = vol } else { lo = vol }
                let newton = vol - diff / vega;
                vol = if vega > 1e-8 && newton > lo && newton < hi { newton } else { 0.5 * (lo + hi) };
            }
            if hi - lo < 1e-8 { Ok(vol) } else { Err(Failure::NoConvergence { iterations: 60 }) }
        }
    }

    pub fn surface(model: Model, quotes: &[Quote]) -> (Vec<f64>, u32, u32) {
        let mut vols = vec![f64::NAN; quotes.len()];
        let (mut arbitrage, mut slow) = (0u32, 0u32);
        #[omp::target(reduction(+: arbitrage, slow))]
        for (v, q) in vols.iter_mut().zip(quotes) {
            match model.implied(q) {
                Ok(found) => *v = found,
                Err(Failure::Arbitrage) => arbitrage += 1,
                Err(Failure::NoConvergence { iterations }) if iterations > 50 => slow += 1,
                Err(_) => {}
            }
        }
        (vols, arbitrage, slow)
    }
    pub fn run() -> (Vec<f64>, u32, u32) {
        let m = Model { spot: 100.0, rate: 0.02, dividend: 0.01 };
        let quotes: Vec<Quote> = (0..50).map(|i| {
            let mut q = Quote { kind: if i % 2 == 0 { Kind::Call } else { Kind::Put }, strike: 80.0 + i as f64, expiry: 0.25 + 0.05 * (i % 8) as f64, price: 0.0 };
            q.price = if i % 17 == 5 { -1.0 } else { m.price_vega(&q, 0.15 + 0.01 * (i % 12) as f64).0 };
            q
        }).collect();
        surface(m, &quotes)
    }
}
port!(option_surface: run());
