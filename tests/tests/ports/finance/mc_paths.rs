//! Monte Carlo: barrier and Asian options, payoffs chosen by an enum with data.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    #[repr(u8)]
    pub enum Payoff { Call { strike: f64 }, Put { strike: f64 }, UpAndOut { strike: f64, barrier: f64 }, Asian(f64) }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Market { spot: f64, rate: f64, vol: f64, maturity: f64 }

    #[derive(Clone, Copy, omp::Device)]
    struct XorShift(u32, u32);

    #[omp::declare_target]
    impl XorShift {
        fn seeded(i: usize) -> Self { XorShift(0x9E37_79B9 ^ (i as u32).wrapping_mul(747_796_405), 362_436_069) }
        fn uniform(&mut self) -> f64 {
            let mut x = self.0;
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
            self.0 = x;
            self.1 = self.1.wrapping_add(362_437);
            (f64::from(x.wrapping_add(self.1)) + 0.5) / 4_294_967_296.0
        }
        fn normal(&mut self) -> f64 {
            let (u, v) = (self.uniform(), self.uniform());
            (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
        }
    }

    #[omp::declare_target]
    impl Payoff {
        fn knocked_out(&self, s: f64) -> bool { if let Payoff::UpAndOut { barrier, .. } = self { s >= *barrier } else { false } }
        fn value(&self, last: f64, average: f64) -> f64 {
            match *self {
                Payoff::Call { strike } | Payoff::UpAndOut { strike, .. } => (last - strike).max(0.0),
                Payoff::Put { strike } => (strike - last).max(0.0),
                Payoff::Asian(strike) => (average - strike).max(0.0),
            }
        }
    }

    pub fn price(market: &Market, payoff: Payoff, paths: usize, steps: usize) -> (f64, f64) {
        let Market { spot, rate, vol, maturity } = *market;
        let dt = maturity / steps as f64;
        let drift = (rate - 0.5 * vol * vol) * dt;
        let diffusion = vol * dt.sqrt();
        let (mut sum, mut sum2) = (0.0, 0.0);
        #[omp::target(reduction(+: sum, sum2))]
        for path in 0..paths {
            let mut rng = XorShift::seeded(path);
            let mut s = spot;
            let mut average = 0.0;
            let mut alive = true;
            'path: for k in 0..steps {
                s *= (drift + diffusion * rng.normal()).exp();
                average += (s - average) / (k + 1) as f64;
                if payoff.knocked_out(s) { alive = false; break 'path; }
            }
            if !alive { continue; }
            let v = payoff.value(s, average);
            sum += v;
            sum2 += v * v;
        }
        let n = paths as f64;
        let mean = sum / n;
        let discount = (-rate * maturity).exp();
        (discount * mean, discount * ((sum2 / n - mean * mean) / n).sqrt())
    }
    pub fn run() -> Vec<(f64, f64)> {
        let m = Market { spot: 100.0, rate: 0.03, vol: 0.2, maturity: 1.0 };
        [Payoff::Call { strike: 100.0 }, Payoff::Put { strike: 95.0 }, Payoff::UpAndOut { strike: 100.0, barrier: 130.0 }, Payoff::Asian(98.0)]
            .into_iter().map(|p| price(&m, p, 300, 12)).collect()
    }
}
port!(mc_paths: run());
