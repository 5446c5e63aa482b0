//! PARSEC's swaptions: Monte-Carlo prices.
use omp_tests::twice;
twice! {
    const FACTORS: usize = 3;
    const STEPS: usize = 8;

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Rng { state: u64 }

    #[omp::declare_target]
    impl Rng {
        pub fn seeded(seed: u64) -> Self { Rng { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1 } }
        pub fn next_u64(&mut self) -> u64 {
            self.state ^= self.state << 13;
            self.state ^= self.state >> 7;
            self.state ^= self.state << 17;
            self.state
        }
        pub fn uniform(&mut self) -> f64 { ((self.next_u64() >> 11) as f64 + 0.5) * (1.0 / (1u64 << 53) as f64) }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Swaption { strike: f64, years: f64, tenor: f64, seed: u64 }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Price { mean: f64, error: f64 }

    /// Beasley-Springer-Moro.
    const A: [f64; 4] = [2.50662823884, -18.61500062529, 41.39119773534, -25.44106049637];
    const B: [f64; 4] = [-8.47351093090, 23.08336743743, -21.06224101826, 3.13082909833];
    const C: [f64; 9] = [0.3374754822726147, 0.9761690190917186, 0.1607979714918209, 0.0276438810333863, 0.0038405729373609, 0.0003951896511919, 0.0000321767881768, 0.0000002888167364, 0.0000003960315187];

    #[omp::declare_target]
    fn cum_normal_inv(u: f64) -> f64 {
        let x = u - 0.5;
        if x.abs() < 0.42 {
            let r = x * x;
            let num = A.iter().rev().fold(0.0, |acc, &a| acc * r + a);
            let den = B.iter().rev().fold(0.0, |acc, &b| (acc + b) * r) + 1.0;
            return x * num / den;
        }
        let r = if x > 0.0 { 1.0 - u } else { u };
        let r = (-r.ln()).ln();
        let value = C.iter().rev().copied().reduce(|acc, c| acc * r + c).unwrap();
        if x < 0.0 { -value } else { value }
    }

    pub fn price(swaptions: &[Swaption], factors: &[[f64; STEPS]; FACTORS], trials: u32) -> Vec<Price> {
        let mut prices = vec![Price::default(); swaptions.len()];
        #[omp::target]
        for (price, s) in prices.iter_mut().zip(swaptions.iter()) {
            let mut rng = Rng::seeded(s.seed);
            let dt = s.years / STEPS as f64;
            let (mut sum, mut squares) = (0.0, 0.0);
            for _ in 0..trials {
                let mut rate = 0.05;
                let mut discount = 1.0;
                for step in 0..STEPS {
                    let shock: f64 = factors.iter().map(|f| f[step] * cum_normal_inv(rng.uniform())).sum();
                    discount *= (-rate * dt).exp();
                    rate += shock * dt.sqrt();
                }
                let payoff = (rate - s.strike).max(0.0) * s.tenor * discount;
                sum += payoff;
                squares += payoff * payoff;
            }
            let n = f64::from(trials);
            let mean = sum / n;
            *price = Price { mean, error: ((squares / n - mean * mean).max(0.0) / n).sqrt() };
        }
        prices
    }

    pub fn run() -> Vec<(f64, f64)> {
        let swaptions: Vec<_> = (0..7).map(|i| Swaption { strike: 0.04 + 0.002 * i as f64, years: 1.0 + i as f64, tenor: 3.0, seed: i + 11 }).collect();
        let factors = [[0.01, 0.01, 0.012, 0.011, 0.01, 0.009, 0.01, 0.01], [0.009, 0.007, 0.008, 0.006, 0.005, 0.005, 0.004, 0.004], [0.001; 8]];
        price(&swaptions, &factors, 50).iter().map(|p| (p.mean, p.error)).collect()
    }
}
port!(swaptions: run());
