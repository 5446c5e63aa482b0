//! ISPC's and QuantLib's option pricing: Black-Scholes, a binomial tree, a Monte-Carlo estimate.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, PartialEq, Eq, omp::Device)]
    pub enum Kind { Call, Put }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Contract { pub kind: Kind, pub s: f64, pub k: f64, pub t: f64, pub r: f64, pub v: f64 }

    #[omp::declare_target]
    fn cnd(x: f64) -> f64 {
        const A: [f64; 5] = [0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
        let l = x.abs();
        let k = 1.0 / (1.0 + 0.2316419 * l);
        let poly = A.iter().rev().fold(0.0, |acc, a| (acc + a) * k);
        let w = 1.0 - (-l * l / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * poly;
        if x < 0.0 { 1.0 - w } else { w }
    }

    #[omp::declare_target]
    impl Contract {
        fn payoff(&self, s: f64) -> f64 {
            match self.kind {
                Kind::Call => (s - self.k).max(0.0),
                Kind::Put => (self.k - s).max(0.0),
            }
        }
        pub fn black_scholes(&self) -> f64 {
            let Self { kind, s, k, t, r, v } = *self;
            let d1 = ((s / k).ln() + (r + v * v / 2.0) * t) / (v * t.sqrt());
            let d2 = d1 - v * t.sqrt();
            let discount = (-r * t).exp();
            match kind {
                Kind::Call => s * cnd(d1) - k * discount * cnd(d2),
                Kind::Put => k * discount * cnd(-d2) - s * cnd(-d1),
            }
        }
        pub fn binomial<const STEPS: usize>(&self) -> f64 {
            let mut values = [0.0; STEPS];
            let dt = self.t / STEPS as f64;
            let u = (self.v * dt.sqrt()).exp();
            let d = 1.0 / u;
            let disc = (self.r * dt).exp();
            let pu = (disc - d) / (u - d);
            for (j, v) in values.iter_mut().enumerate() {
                *v = self.payoff(self.s * u.powi(2 * j as i32 - STEPS as i32));
            }
            for j in (0..STEPS - 1).rev() {
                for k in 0..=j {
                    values[k] = ((1.0 - pu) * values[k] + pu * values[k + 1]) / disc;
                }
            }
            values[0]
        }
    }

    #[omp::declare_target]
    fn xorshift(state: &mut u32) -> f64 {
        *state ^= *state << 13;
        *state ^= *state >> 17;
        *state ^= *state << 5;
        f64::from(*state) / f64::from(u32::MAX)
    }

    pub fn monte_carlo(c: &Contract, paths: usize) -> f64 {
        let mut sum = 0.0;
        #[omp::target(reduction(+: sum))]
        for path in 0..paths {
            let mut seed = (path as u32).wrapping_mul(2654435761) | 1;
            let (u1, u2) = (xorshift(&mut seed), xorshift(&mut seed));
            let z = (-2.0 * u1.max(f64::EPSILON).ln()).sqrt() * (std::f64::consts::TAU * u2).cos();
            let end = c.s * ((c.r - 0.5 * c.v.powi(2)) * c.t + c.v * c.t.sqrt() * z).exp();
            sum += c.payoff(end);
        }
        (-c.r * c.t).exp() * sum / paths as f64
    }

    pub fn prices(contracts: &[Contract]) -> Vec<(f64, f64)> {
        let mut out = vec![(0.0, 0.0); contracts.len()];
        #[omp::target]
        for (price, c) in out.iter_mut().zip(contracts) {
            *price = (c.black_scholes(), c.binomial::<48>());
        }
        out
    }

    pub fn run() -> (Vec<(f64, f64)>, f64) {
        let contracts: Vec<Contract> = (0..40)
            .map(|i| Contract {
                kind: if i % 3 == 0 { Kind::Put } else { Kind::Call },
                s: 80.0 + i as f64, k: 100.0, t: 0.5 + 0.1 * i as f64, r: 0.02, v: 0.3,
            })
            .collect();
        (prices(&contracts), monte_carlo(&contracts[7], 5000))
    }
}
port!(options: run());
