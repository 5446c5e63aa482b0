//! Historical and Monte Carlo value at risk of portfolios of instruments.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    #[repr(u8)]
    enum Instrument {
        Stock { asset: u16, shares: f64 },
        Call { asset: u16, strike: f64, expiry: f64, contracts: f64 },
        Put { asset: u16, strike: f64, expiry: f64, contracts: f64 },
        Forward { asset: u16, price: f64, notional: f64 },
        Cash(f64),
    }
    use Instrument::*;

    #[derive(Clone, Copy, omp::Device)]
    struct Market {
        rate: f64,
        vol: f64,
    }

    #[omp::declare_target]
    fn normal_cdf(x: f64) -> f64 {
        const A: [f64; 5] = [0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
        let k = 1.0 / (1.0 + 0.2316419 * x.abs());
        let poly = A.iter().rev().fold(0.0, |acc, a| (acc + a) * k);
        let tail = (-0.5 * x * x).exp() * 0.3989422804014327 * poly;
        if x >= 0.0 { 1.0 - tail } else { tail }
    }

    #[omp::declare_target]
    impl Market {
        fn black_scholes(&self, s: f64, k: f64, t: f64) -> (f64, f64) {
            let sd = self.vol * t.sqrt();
            let d1 = ((s / k).ln() + (self.rate + 0.5 * self.vol.powi(2)) * t) / sd;
            let d2 = d1 - sd;
            let df = (-self.rate * t).exp();
            let call = s * normal_cdf(d1) - k * df * normal_cdf(d2);
            (call, call - s + k * df)
        }

        fn value(&self, instrument: Instrument, spots: &[f64]) -> f64 {
            match instrument {
                Stock { asset, shares } => shares * spots[asset as usize],
                Call { asset, strike, expiry, contracts } => contracts * self.black_scholes(spots[usize::from(asset)], strike, expiry).0,
                Put { asset, strike, expiry, contracts } => contracts * self.black_scholes(spots[usize::from(asset)], strike, expiry).1,
                Forward { asset, price, notional } => notional * (spots[asset as usize] - price),
                Cash(x) => x,
            }
        }
    }

    #[derive(Clone, Copy, omp::Device)]
    struct Rng(u64);

    #[omp::declare_target]
    impl Rng {
        fn seeded(seed: u64) -> Self {
            let mut rng = Rng(seed.wrapping_mul(0x9E3779B97F4A7C15) | 1);
            rng.next();
            rng
        }
        fn next(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        }
        fn uniform(&mut self) -> f64 {
            (self.next() >> 11) as f64 / (1u64 << 53) as f64
        }
        fn normal(&mut self) -> f64 {
            let (u, v) = (self.uniform().max(1e-300), self.uniform());
            (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
        }
    }

    const ASSETS: usize = 4;

    #[omp::offload]
    fn scenarios(book: &[Instrument], market: &Market, spots: &[f64; ASSETS], chol: &[[f64; ASSETS]; ASSETS], days: u32, pnl: &mut [f64]) -> f64 {
        let start: f64 = book.iter().map(|&i| market.value(i, spots)).sum();
        let mut mean = 0.0;
        let n = pnl.len() as f64;
        #[omp::target(reduction(+: mean))]
        for (path, p) in pnl.iter_mut().enumerate() {
            let mut rng = Rng::seeded(path as u64 + 1);
            let mut s = *spots;
            for _ in 0..days {
                let z: [f64; ASSETS] = std::array::from_fn(|_| rng.normal());
                for (i, s) in s.iter_mut().enumerate() {
                    let shock: f64 = chol[i][..=i].iter().zip(z).map(|(c, z)| c * z).sum();
                    *s *= (shock * 0.01).exp();
                }
            }
            let end: f64 = book.iter().map(|i| market.value(*i, &s)).sum();
            *p = end - start;
            mean += *p / n;
        }
        mean
    }

    fn value_at_risk(pnl: &[f64], level: f64) -> (f64, f64) {
        let mut sorted = pnl.to_vec();
        sorted.sort_by(|a, b| a.partial_cmp(b).unwrap());
        let k = ((1.0 - level) * sorted.len() as f64) as usize;
        let tail = &sorted[..=k.min(sorted.len() - 1)];
        (-tail[tail.len() - 1], -tail.iter().sum::<f64>() / tail.len() as f64)
    }

    pub fn run(n: usize) -> (Vec<f64>, f64, (f64, f64)) {
        let book = [
            Stock { asset: 0, shares: 10.0 },
            Call { asset: 1, strike: 100.0, expiry: 0.5, contracts: 5.0 },
            Put { asset: 2, strike: 95.0, expiry: 1.0, contracts: -3.0 },
            Forward { asset: 3, price: 101.0, notional: 2.0 },
            Cash(250.0),
        ];
        let market = Market { rate: 0.02, vol: 0.25 };
        let chol = std::array::from_fn(|i| std::array::from_fn(|j| if j < i { 0.3 } else if i == j { 1.0 } else { 0.0 }));
        let mut pnl = vec![0.0; n];
        let mean = scenarios(&book, &market, &[100.0, 98.0, 101.5, 99.0], &chol, 5, &mut pnl);
        let risk = if n == 0 { (0.0, 0.0) } else { value_at_risk(&pnl, 0.95) };
        (pnl, mean, risk)
    }
}
port!(var_hist: [0, 1, 51, 300].map(|n| crate::Shown::of(run(n))));
