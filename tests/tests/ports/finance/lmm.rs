//! Monte Carlo of the Libor market model: swaption values by paths of forward rates, with antithetic draws.
use omp_tests::twice;
twice! {
    const N: usize = 12;

    #[derive(Clone, Copy, omp::Device)]
    pub struct Pcg { state: u64, inc: u64 }

    #[omp::declare_target]
    impl Pcg {
        fn new(seed: u64, stream: u64) -> Self {
            let mut rng = Pcg { state: 0, inc: stream << 1 | 1 };
            rng.next();
            rng.state = rng.state.wrapping_add(seed);
            rng.next();
            rng
        }
        fn next(&mut self) -> u32 {
            let old = self.state;
            self.state = old.wrapping_mul(6364136223846793005).wrapping_add(self.inc);
            let xorshifted = (((old >> 18) ^ old) >> 27) as u32;
            xorshifted.rotate_right((old >> 59) as u32)
        }
        fn uniform(&mut self) -> f64 { (self.next() as f64 + 0.5) / 2f64.powi(32) }
        fn gaussian(&mut self) -> f64 {
            let r = (-2.0 * self.uniform().ln()).sqrt();
            r * (std::f64::consts::TAU * self.uniform()).cos()
        }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Market { pub forwards: [f64; N], pub vols: [f64; N], pub tau: f64, pub strike: f64 }

    #[omp::declare_target]
    impl Market {
        fn evolve(&self, maturity: usize, z: &[f64; N], sign: f64) -> [f64; N] {
            let mut l = self.forwards;
            let sqrt_tau = self.tau.sqrt();
            for (step, &z) in z.iter().enumerate().take(maturity) {
                let mut drift = 0.0;
                for i in step + 1..N {
                    let vol = self.vols[i - step - 1];
                    let con = self.tau * vol;
                    drift += con * l[i] / (1.0 + self.tau * l[i]);
                    l[i] *= (con * drift - 0.5 * con * vol + vol * sign * z * sqrt_tau).exp();
                }
            }
            l
        }

        fn payoff(&self, l: &[f64; N], maturity: usize) -> f64 {
            let (mut bond, mut swap) = (1.0, 0.0);
            for rate in &l[maturity..] {
                bond /= 1.0 + self.tau * rate;
                swap += self.tau * bond;
            }
            let value = 1.0 - bond - self.strike * swap;
            if value <= 0.0 {
                return 0.0;
            }
            l[..maturity].iter().rev().fold(value, |v, rate| v / (1.0 + self.tau * rate))
        }
    }

    pub struct Estimate { pub mean: f64, pub error: f64 }

    pub fn price(m: &Market, maturity: usize, paths: usize) -> Estimate {
        let (mut sum, mut squares) = (0.0, 0.0);
        #[omp::target(reduction(+: sum, squares))]
        for path in 0..paths {
            let mut rng = Pcg::new(42, path as u64);
            let mut z = [0.0; N];
            z.fill_with(|| rng.gaussian());
            let v: f64 = [1.0, -1.0].iter().map(|s| m.payoff(&m.evolve(maturity, &z, *s), maturity)).sum::<f64>() / 2.0;
            sum += v;
            squares += v * v;
        }
        let n = paths as f64;
        let mean = sum / n;
        Estimate { mean, error: ((squares / n - mean * mean) / n).sqrt() }
    }

    pub fn run() -> Vec<(f64, f64)> {
        let forwards = std::array::from_fn(|i| 0.04 + 0.001 * i as f64);
        let m = Market { forwards, vols: [0.2; N], tau: 0.25, strike: 0.045 };
        [2, 5, 8].iter().map(|&t| { let Estimate { mean, error } = price(&m, t, 300); (mean, error) }).collect()
    }
}
port!(lmm: run());
