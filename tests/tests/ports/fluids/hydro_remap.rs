//! pHydro-like Lagrange and remap in one dimension, with states in a struct of arrays and closures for limiters.
use omp_tests::twice;

twice! {
    #[derive(Clone, Debug, PartialEq, omp::Mapper)]
    pub struct Fields { rho: Vec<f64>, ein: Vec<f64>, pre: Vec<f64>, q: Vec<f64>, vol: Vec<f64>, u: Vec<f64>, x: Vec<f64> }

    #[derive(Debug, Clone, Copy, omp::Device)]
    pub struct Eos { gamma: f64, pmin: f64 }

    #[omp::declare_target]
    impl Eos {
        fn pressure(&self, rho: f64, ein: f64) -> f64 { ((self.gamma - 1.0) * rho * ein).max(self.pmin) }
        fn sound(&self, rho: f64, p: f64) -> f64 { (self.gamma * p / rho).sqrt() }
    }

    pub trait Limiter { const NAME: &'static str; fn limit(r: f64) -> f64; }
    pub struct Minmod;
    pub struct VanLeer;
    #[omp::declare_target]
    fn van_leer(r: f64) -> f64 { (r + r.abs()) / (1.0 + r.abs()) }

    impl Fields {
        pub fn sod(n: usize) -> Self {
            let left = |i: usize| i < n / 2;
            Fields {
                rho: (0..n).map(|i| if left(i) { 1.0 } else { 0.125 }).collect(),
                ein: (0..n).map(|i| if left(i) { 2.5 } else { 2.0 }).collect(),
                pre: vec![0.0; n],
                q: vec![0.0; n],
                vol: vec![1.0 / n as f64; n],
                u: vec![0.0; n + 1],
                x: (0..=n).map(|i| i as f64 / n as f64).collect(),
            }
        }

        pub fn eos(&mut self, eos: Eos) {
            #[omp::target]
            for ((p, &rho), &ein) in self.pre.iter_mut().zip(&self.rho).zip(&self.ein) {
                *p = eos.pressure(rho, ein);
            }
        }

        pub fn viscosity(&mut self, eos: &Eos, (c1, c2): (f64, f64)) {
            let n = self.rho.len();
            #[omp::target]
            for i in 0..n {
                let du = self.u[i + 1] - self.u[i];
                self.q[i] = if du >= 0.0 {
                    0.0
                } else {
                    let cs = eos.sound(self.rho[i], self.pre[i]);
                    self.rho[i] * (c2 * du * du + c1 * cs * du.abs())
                };
            }
        }

        pub fn timestep(&self, eos: &Eos, cfl: f64) -> (f64, usize) {
            let mut best = f64::INFINITY;
            #[omp::target(reduction(min: best))]
            for i in 0..self.rho.len() {
                let cs = eos.sound(self.rho[i], self.pre[i] + self.q[i]);
                let dt = (self.x[i + 1] - self.x[i]) / (cs + (self.u[i + 1] - self.u[i]).abs());
                if dt < best {
                    best = dt;
                }
            }
            let mut at = usize::MAX;
            #[omp::target(reduction(min: at))]
            for i in 0..self.rho.len() {
                let cs = eos.sound(self.rho[i], self.pre[i] + self.q[i]);
                let dt = (self.x[i + 1] - self.x[i]) / (cs + (self.u[i + 1] - self.u[i]).abs());
                if dt <= best * (1.0 + 1e-12) {
                    at = at.min(i);
                }
            }
            (cfl * best, at)
        }

        pub fn accelerate(&mut self, dt: f64) {
            let n = self.rho.len();
            let Fields { rho, pre, q, vol, u, .. } = self;
            #[omp::target]
            for i in 1..n {
                let mass = 0.5 * (rho[i - 1] * vol[i - 1] + rho[i] * vol[i]);
                u[i] -= dt * ((pre[i] + q[i]) - (pre[i - 1] + q[i - 1])) / mass;
            }
            (u[0], u[n]) = (0.0, 0.0);
        }

        pub fn lagrange(&mut self, dt: f64) {
            #[omp::target]
            for (x, u) in self.x.iter_mut().zip(self.u.iter()) {
                *x += dt * u;
            }
            let n = self.rho.len();
            #[omp::target]
            for i in 0..n {
                let vol = self.x[i + 1] - self.x[i];
                let mass = self.rho[i] * self.vol[i];
                let work = (self.pre[i] + self.q[i]) * (vol - self.vol[i]);
                self.ein[i] -= work / mass;
                self.rho[i] = mass / vol;
                self.vol[i] = vol;
            }
        }

        pub fn remap(&mut self) {
            let n = self.rho.len();
            let dx = 1.0 / n as f64;
            let old = self.clone();
            let gradient = |a: &[f64], i: usize| -> f64 {
                if i == 0 || i + 1 >= n { return 0.0; }
                let (l, r) = (a[i] - a[i - 1], a[i + 1] - a[i]);
                if l * r <= 0.0 { 0.0 } else { 0.5 * van_leer(l / r) * r }
            };
            let flux = |a: &[f64], f: usize| {
                let shift = old.x[f] - f as f64 * dx;
                if f == 0 || f == n { 0.0 } else if shift > 0.0 { shift * (a[f - 1] + gradient(a, f - 1)) } else { shift * (a[f] - gradient(a, f)) }
            };
            #[omp::target]
            for i in 0..n {
                let mass = old.rho[i] * old.vol[i] - flux(&old.rho, i + 1) + flux(&old.rho, i);
                self.rho[i] = mass / dx;
                self.vol[i] = dx;
            }
            #[omp::target]
            for i in 0..=n {
                self.x[i] = i as f64 * dx;
            }
        }
    }

    pub fn run() -> (Vec<f64>, Vec<f64>, Vec<f64>, (f64, usize)) {
        let mut f = Fields::sod(20);
        let eos = Eos { gamma: 1.4, pmin: 1e-8 };
        let mut last = (0.0, 0);
        for _ in 0..5 {
            f.eos(eos);
            f.viscosity(&eos, (0.5, 1.3));
            last = f.timestep(&eos, 0.4);
            f.accelerate(last.0);
            f.lagrange(last.0);
            f.remap();
        }
        (f.rho, f.u, f.ein, last)
    }
}
port!(hydro_remap: run());
