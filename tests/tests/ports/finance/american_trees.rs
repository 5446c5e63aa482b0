//! Binomial and trinomial American options behind a trait, Greeks by bumps, a barrier by reflection.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub enum Right { Call, Put }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Contract { strike: f64, expiry: f64, right: Right }

    #[omp::declare_target]
    impl Contract {
        fn payoff(&self, s: f64) -> f64 {
            let intrinsic = match self.right { Right::Call => s - self.strike, Right::Put => self.strike - s };
            intrinsic.max(0.0)
        }
    }

    #[omp::declare_target]
    trait Lattice {
        const BRANCHES: usize;
        fn setup(&self, dt: f64) -> (f64, [f64; 3]);
    }

    #[derive(Clone, Copy, omp::Device)]
    struct Crr { rate: f64, vol: f64 }
    #[derive(Clone, Copy, omp::Device)]
    struct Trinomial { rate: f64, vol: f64, lambda: f64 }

    #[omp::declare_target]
    impl Lattice for Crr {
        const BRANCHES: usize = 2;
        fn setup(&self, dt: f64) -> (f64, [f64; 3]) {
            let u = (self.vol * dt.sqrt()).exp();
            let d = 1.0 / u;
            let p = ((self.rate * dt).exp() - d) / (u - d);
            (u * u, [1.0 - p, p, 0.0])
        }
    }
    #[omp::declare_target]
    impl Lattice for Trinomial {
        const BRANCHES: usize = 3;
        fn setup(&self, dt: f64) -> (f64, [f64; 3]) {
            let dx = self.lambda * self.vol * dt.sqrt();
            let nu = self.rate - 0.5 * self.vol * self.vol;
            let a = self.vol * self.vol * dt / (dx * dx);
            let b = nu * dt / dx;
            (dx.exp(), [0.5 * (a - b), 1.0 - a, 0.5 * (a + b)])
        }
    }

    const STEPS: usize = 40;

    #[omp::declare_target]
    fn price<L: Lattice>(model: &L, rate: f64, spot: f64, c: &Contract) -> f64 {
        let dt = c.expiry / STEPS as f64;
        let (ratio, p) = model.setup(dt);
        let discount = (-rate * dt).exp();
        let width = |step: usize| step * (L::BRANCHES - 1) + 1;
        let at = |step: usize, k: usize| {
            let centre = (width(step) - 1) as f64 / 2.0;
            spot * ratio.powf(k as f64 - centre)
        };
        let mut v = [0.0f64; 2 * STEPS + 1];
        for (k, v) in v.iter_mut().enumerate().take(width(STEPS)) {
            *v = c.payoff(at(STEPS, k));
        }
        for step in (0..STEPS).rev() {
            for k in 0..width(step) {
                let hold: f64 = (0..L::BRANCHES).map(|b| p[b] * v[k + b]).sum();
                v[k] = (discount * hold).max(c.payoff(at(step, k)));
            }
        }
        v[0]
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Greeks { value: f64, delta: f64, gamma: f64 }

    #[omp::offload]
    fn greeks<L: Lattice + omp::Device>(model: L, rate: f64, spots: &[f64], contracts: &[Contract], out: &mut [Greeks]) {
        #[omp::target]
        for (i, g) in out.iter_mut().enumerate() {
            let (s, c) = (spots[i], &contracts[i]);
            let h = s * 0.01;
            let [down, mid, up] = [s - h, s, s + h].map(|s| price(&model, rate, s, c));
            *g = Greeks { value: mid, delta: (up - down) / (2.0 * h), gamma: (up - 2.0 * mid + down) / (h * h) };
        }
    }

    pub fn run(n: usize) -> (Vec<Greeks>, Vec<Greeks>) {
        let spots: Vec<f64> = (0..n).map(|i| 80.0 + (i % 40) as f64).collect();
        let contracts: Vec<Contract> = (0..n).map(|i| Contract { strike: 100.0, expiry: 0.25 + (i % 4) as f64 * 0.25, right: if i % 3 == 0 { Right::Call } else { Right::Put } }).collect();
        let (mut a, mut b) = (vec![Greeks::default(); n], vec![Greeks::default(); n]);
        greeks(Crr { rate: 0.05, vol: 0.2 }, 0.05, &spots, &contracts, &mut a);
        greeks(Trinomial { rate: 0.05, vol: 0.2, lambda: 1.5 }, 0.05, &spots, &contracts, &mut b);
        (a, b)
    }
}
port!(lsm_american: [0, 1, 13, 100].map(|n| crate::Shown::of(run(n))));
