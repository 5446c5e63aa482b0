//! A barrier option by Monte Carlo: PCG behind a trait of generators, passed as `impl Rng`, with antithetic paths.
use omp_tests::twice;
twice! {
    #[omp::declare_target]
    pub trait Rng {
        fn next_u32(&mut self) -> u32;
        fn gen_f64(&mut self) -> f64 { (self.next_u32() as f64 + 0.5) * (1.0 / 4294967296.0) }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Pcg32 { state: u64, inc: u64 }

    #[omp::declare_target]
    impl Pcg32 {
        const MULTIPLIER: u64 = 6364136223846793005;
        pub fn new(seed: u64, stream: u64) -> Self {
            let mut rng = Pcg32 { state: 0, inc: (stream << 1) | 1 };
            rng.next_u32();
            rng.state = rng.state.wrapping_add(seed);
            rng.next_u32();
            rng
        }
    }

    #[omp::declare_target]
    impl Rng for Pcg32 {
        fn next_u32(&mut self) -> u32 {
            let old = self.state;
            self.state = old.wrapping_mul(Self::MULTIPLIER).wrapping_add(self.inc);
            let xorshifted = (((old >> 18) ^ old) >> 27) as u32;
            xorshifted.rotate_right((old >> 59) as u32)
        }
    }

    /// A standard normal by Box and Muller.
    #[omp::declare_target]
    fn normal(rng: &mut impl Rng) -> f64 {
        let u1 = rng.gen_f64();
        let u2 = rng.gen_f64();
        (-2.0 * u1.ln()).sqrt() * (std::f64::consts::TAU * u2).cos()
    }

    #[derive(Clone, Copy, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Barrier { UpAndOut(f64), DownAndOut(f64), None }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Market { spot: f64, rate: f64, vol: f64 }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Contract { strike: f64, expiry: f64, barrier: Barrier, steps: u32 }

    #[omp::declare_target]
    impl Contract {
        fn knocked(&self, s: f64) -> bool {
            match self.barrier {
                Barrier::UpAndOut(b) if s >= b => true,
                Barrier::DownAndOut(b) => s <= b,
                _ => false,
            }
        }
        fn payoff(&self, s: f64) -> f64 { (s - self.strike).max(0.0) }
    }

    #[omp::declare_target]
    fn simulate<R: Rng>(rng: &mut R, m: &Market, c: &Contract) -> (f64, f64) {
        let dt = c.expiry / f64::from(c.steps);
        let drift = (m.rate - 0.5 * m.vol.powi(2)) * dt;
        let diffusion = m.vol * dt.sqrt();
        let mut paths = [(m.spot, true); 2];
        for _ in 0..c.steps {
            let z = normal(rng);
            for ((s, alive), sign) in paths.iter_mut().zip([1.0, -1.0]) {
                *s *= (drift + sign * diffusion * z).exp();
                *alive &= !c.knocked(*s);
            }
        }
        let [a, b] = paths.map(|(s, alive)| if alive { c.payoff(s) } else { 0.0 });
        (a, b)
    }

    pub fn price(m: Market, c: &Contract, paths: u64) -> (f64, f64) {
        let (mut sum, mut sq) = (0.0, 0.0);
        #[omp::target(reduction(+: sum, sq))]
        for p in 0..paths {
            let mut rng = Pcg32::new(42, p);
            let (a, b) = simulate(&mut rng, &m, c);
            let x = 0.5 * (a + b);
            sum += x;
            sq += x * x;
        }
        let n = paths as f64;
        let mean = sum / n;
        let discount = (-m.rate * c.expiry).exp();
        (discount * mean, discount * ((sq / n - mean * mean) / n).sqrt())
    }

    pub fn run() -> Vec<(f64, f64)> {
        let m = Market { spot: 100.0, rate: 0.03, vol: 0.2 };
        [Barrier::UpAndOut(130.0), Barrier::DownAndOut(90.0), Barrier::None]
            .map(|barrier| price(m, &Contract { strike: 100.0, expiry: 1.0, barrier, steps: 12 }, 500))
            .to_vec()
    }
}
port!(barrier_mc: run());
