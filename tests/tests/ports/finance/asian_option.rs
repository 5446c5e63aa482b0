//! Monte Carlo of an Asian option with antithetic paths; 1-D Riemann solver by HLL.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Market { spot: f64, strike: f64, rate: f64, vol: f64, years: f64 }

    #[derive(Clone, Copy, omp::Device)]
    struct Xorshift(u64);

    #[omp::declare_target]
    impl Xorshift {
        fn seeded(path: usize) -> Self {
            let mut s = Xorshift(0x9e37_79b9_7f4a_7c15 ^ ((path as u64 + 1) << 17));
            for _ in 0..4 { s.next_u64(); }
            s
        }
        fn next_u64(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        }
        fn uniform(&mut self) -> f64 { ((self.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64 }
        fn normal(&mut self) -> f64 {
            let (u, v) = (self.uniform(), self.uniform());
            (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
        }
    }

    pub fn asian(m: &Market, paths: usize, steps: u32) -> (f64, f64) {
        let dt = m.years / f64::from(steps);
        let drift = (m.rate - 0.5 * m.vol * m.vol) * dt;
        let (mut sum, mut squares) = (0.0, 0.0);
        let payoff = |average: f64| (average - m.strike).max(0.0);
        #[omp::target(reduction(+: sum, squares))]
        for path in 0..paths {
            let mut rng = Xorshift::seeded(path);
            let (mut up, mut down) = (m.spot, m.spot);
            let (mut total_up, mut total_down) = (0.0, 0.0);
            for _ in 0..steps {
                let shock = m.vol * dt.sqrt() * rng.normal();
                up *= (drift + shock).exp();
                down *= (drift - shock).exp();
                total_up += up;
                total_down += down;
            }
            let value = 0.5 * (payoff(total_up / steps as f64) + payoff(total_down / steps as f64));
            sum += value;
            squares += value * value;
        }
        let mean = sum / paths as f64;
        let deviation = (squares / paths as f64 - mean * mean).max(0.0).sqrt();
        let discount = (-m.rate * m.years).exp();
        (discount * mean, discount * deviation)
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct State { rho: f64, mom: f64, energy: f64 }

    #[omp::declare_target]
    impl State {
        const GAMMA: f64 = 1.4;
        fn velocity(&self) -> f64 { self.mom / self.rho }
        fn pressure(&self) -> f64 { (Self::GAMMA - 1.0) * (self.energy - 0.5 * self.mom * self.velocity()) }
        fn sound(&self) -> f64 { (Self::GAMMA * self.pressure() / self.rho).sqrt() }
        fn flux(&self) -> State {
            let (u, p) = (self.velocity(), self.pressure());
            State { rho: self.mom, mom: self.mom * u + p, energy: (self.energy + p) * u }
        }
        fn zip(self, o: State, f: impl Fn(f64, f64) -> f64) -> State {
            State { rho: f(self.rho, o.rho), mom: f(self.mom, o.mom), energy: f(self.energy, o.energy) }
        }
    }

    #[omp::declare_target]
    fn hll(l: State, r: State) -> State {
        let sl = (l.velocity() - l.sound()).min(r.velocity() - r.sound());
        let sr = (l.velocity() + l.sound()).max(r.velocity() + r.sound());
        if sl >= 0.0 {
            return l.flux();
        }
        if sr <= 0.0 {
            return r.flux();
        }
        let jump = r.zip(l, |a, b| sl * sr * (a - b));
        let mean = l.flux().zip(r.flux(), |a, b| sr * a - sl * b);
        mean.zip(jump, |a, b| (a + b) / (sr - sl))
    }

    pub fn euler(cells: &mut Vec<State>, dt_dx: f64, steps: usize) {
        for _ in 0..steps {
            let fluxes: Vec<State> = {
                let mut f = vec![State::default(); cells.len() - 1];
                #[omp::target]
                for (f, pair) in f.iter_mut().zip(cells.windows(2)) {
                    *f = hll(pair[0], pair[1]);
                }
                f
            };
            let last = cells.len() - 1;
            #[omp::target]
            for (i, c) in cells.iter_mut().enumerate().skip(1).take(last - 1) {
                let net = fluxes[i].zip(fluxes[i - 1], |a, b| a - b);
                *c = c.zip(net, |c, n| c - dt_dx * n);
            }
        }
    }

    pub fn run() -> (Vec<f64>, Vec<f64>) {
        let m = Market { spot: 100.0, strike: 98.0, rate: 0.03, vol: 0.2, years: 1.0 };
        let (price, deviation) = asian(&m, 200, 12);
        let mut cells: Vec<State> = (0..40).map(|i| if i < 20 { State { rho: 1.0, mom: 0.0, energy: 2.5 } } else { State { rho: 0.125, mom: 0.0, energy: 0.25 } }).collect();
        euler(&mut cells, 0.3, 8);
        (vec![price, deviation], cells.iter().map(|c| c.rho + c.mom).collect())
    }
}
port!(asian_option: run());
