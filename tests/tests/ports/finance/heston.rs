//! Monte Carlo of stochastic volatility, and a curve of discount factors with piecewise interpolation.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct XorShift { s: [u64; 2], spare: Option<f64> }

    #[omp::declare_target]
    impl XorShift {
        pub fn new(seed: u64) -> Self {
            let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut next = || {
                z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                z ^ (z >> 27)
            };
            Self { s: [next(), next()], spare: None }
        }
        pub fn next_u64(&mut self) -> u64 {
            let [mut a, b] = self.s;
            let r = a.wrapping_add(b);
            self.s[0] = b;
            a ^= a << 23;
            self.s[1] = a ^ b ^ (a >> 17) ^ (b >> 26);
            r
        }
        pub fn uniform(&mut self) -> f64 { (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64 }
        pub fn normal(&mut self) -> f64 {
            if let Some(z) = self.spare.take() {
                return z;
            }
            let (u, v) = (1.0 - self.uniform(), self.uniform());
            let r = (-2.0 * u.ln()).sqrt();
            let (s, c) = (std::f64::consts::TAU * v).sin_cos();
            self.spare = Some(r * s);
            r * c
        }
    }

    #[derive(Clone, Copy, Debug, Default)]
    pub struct Heston { s0: f64, v0: f64, kappa: f64, theta: f64, sigma: f64, rho: f64, r: f64 }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Payoff { Call(f64), Put(f64), Barrier { strike: f64, up: f64 } }

    impl Heston {
        pub fn price(&self, payoff: Payoff, t: f64, steps: usize, paths: usize) -> f64 {
            let dt = t / steps as f64;
            let Self { kappa, theta, sigma, rho, r, .. } = *self;
            let mut sum = 0.0;
            #[omp::target(reduction(+: sum))]
            for path in 0..paths {
                let mut rng = XorShift::new(path as u64 * 7919);
                let (mut s, mut v) = (self.s0, self.v0);
                let mut top = s;
                for _ in 0..steps {
                    let z1 = rng.normal();
                    let z2 = rho * z1 + (1.0 - rho * rho).sqrt() * rng.normal();
                    let vol = v.max(0.0).sqrt();
                    s *= ((r - 0.5 * vol * vol) * dt + vol * dt.sqrt() * z1).exp();
                    v += kappa * (theta - v.max(0.0)) * dt + sigma * vol * dt.sqrt() * z2;
                    top = f64::max(top, s);
                }
                sum += match payoff {
                    Payoff::Call(k) => (s - k).max(0.0),
                    Payoff::Put(k) => (k - s).max(0.0),
                    Payoff::Barrier { up, .. } if top >= up => 0.0,
                    Payoff::Barrier { strike, .. } => (s - strike).max(0.0),
                };
            }
            (-r * t).exp() * sum / paths as f64
        }
    }

    #[derive(omp::Mapper)]
    pub struct Curve { times: Vec<f64>, logs: Vec<f64> }

    #[omp::declare_target]
    impl Curve {
        pub fn discount(&self, t: f64) -> f64 {
            let i = self.times.partition_point(|&x| x <= t);
            let log = match (i, self.times.len()) {
                (0, _) => self.logs[0] * t / self.times[0],
                (i, n) if i == n => self.logs[n - 1] * t / self.times[n - 1],
                (i, _) => {
                    let w = (t - self.times[i - 1]) / (self.times[i] - self.times[i - 1]);
                    (1.0 - w) * self.logs[i - 1] + w * self.logs[i]
                }
            };
            log.exp()
        }
    }

    pub fn swap_rates(curve: &Curve, maturities: &[u32], frequency: u32) -> Vec<f64> {
        let mut rates = vec![0.0; maturities.len()];
        #[omp::target]
        for (rate, &m) in rates.iter_mut().zip(maturities) {
            let tau = 1.0 / frequency as f64;
            let annuity: f64 = (1..=m * frequency).map(|k| tau * curve.discount(k as f64 * tau)).sum();
            *rate = (1.0 - curve.discount(m as f64)) / annuity;
        }
        rates
    }

    pub fn run() -> Vec<f64> {
        let h = Heston { s0: 100.0, v0: 0.04, kappa: 1.5, theta: 0.05, sigma: 0.3, rho: -0.6, r: 0.02 };
        let mut out: Vec<f64> = [Payoff::Call(95.0), Payoff::Put(102.0)].into_iter().map(|p| h.price(p, 1.0, 8, 300)).collect();
        let curve = Curve { times: vec![0.5, 1.0, 2.0, 5.0, 10.0], logs: vec![-0.01, -0.021, -0.045, -0.13, -0.3] };
        out.extend(swap_rates(&curve, &[1, 2, 3, 7, 10, 12], 2));
        out
    }
}
port!(heston: run());
