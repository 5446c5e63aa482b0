//! Finite volumes in one dimension: MUSCL with a Riemann solver behind a trait.
use omp_tests::twice;

twice! {
    use std::ops::{Add, Mul, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Cons { rho: f64, mom: f64, ene: f64 }
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Prim { rho: f64, vel: f64, pre: f64 }

    #[omp::declare_target]
    impl Add for Cons { type Output = Self; fn add(self, o: Self) -> Self { Self { rho: self.rho + o.rho, mom: self.mom + o.mom, ene: self.ene + o.ene } } }
    #[omp::declare_target]
    impl Sub for Cons { type Output = Self; fn sub(self, o: Self) -> Self { Self { rho: self.rho - o.rho, mom: self.mom - o.mom, ene: self.ene - o.ene } } }
    #[omp::declare_target]
    impl Mul<f64> for Cons { type Output = Self; fn mul(self, s: f64) -> Self { Self { rho: self.rho * s, mom: self.mom * s, ene: self.ene * s } } }

    const GAMMA: f64 = 1.4;

    #[omp::declare_target]
    impl From<Cons> for Prim {
        fn from(c: Cons) -> Self {
            let vel = c.mom / c.rho;
            Prim { rho: c.rho, vel, pre: (GAMMA - 1.0) * (c.ene - 0.5 * c.rho * vel * vel) }
        }
    }

    #[omp::declare_target]
    impl Prim {
        fn sound(&self) -> f64 { (GAMMA * self.pre / self.rho).sqrt() }
        fn flux(&self) -> Cons {
            let ene = self.pre / (GAMMA - 1.0) + 0.5 * self.rho * self.vel.powi(2);
            Cons { rho: self.rho * self.vel, mom: self.rho * self.vel.powi(2) + self.pre, ene: (ene + self.pre) * self.vel }
        }
    }

    #[omp::declare_target]
    pub trait Riemann {
        fn flux(l: Cons, r: Cons) -> Cons;
    }
    pub struct Rusanov;
    pub struct Hll;
    #[omp::declare_target]
    impl Riemann for Rusanov {
        fn flux(l: Cons, r: Cons) -> Cons {
            let (pl, pr) = (Prim::from(l), Prim::from(r));
            let s = (pl.vel.abs() + pl.sound()).max(pr.vel.abs() + pr.sound());
            (pl.flux() + pr.flux()) * 0.5 - (r - l) * (0.5 * s)
        }
    }
    #[omp::declare_target]
    impl Riemann for Hll {
        fn flux(l: Cons, r: Cons) -> Cons {
            let pl: Prim = l.into();
            let pr: Prim = r.into();
            let sl = (pl.vel - pl.sound()).min(pr.vel - pr.sound());
            let sr = (pl.vel + pl.sound()).max(pr.vel + pr.sound());
            match (sl, sr) {
                (sl, _) if sl >= 0.0 => pl.flux(),
                (_, sr) if sr <= 0.0 => pr.flux(),
                (sl, sr) => (pl.flux() * sr - pr.flux() * sl + (r - l) * (sl * sr)) * (sr - sl).recip(),
            }
        }
    }

    pub fn step<R: Riemann>(u: &[Cons], next: &mut [Cons], dtdx: f64) {
        let n = u.len();
        #[omp::target]
        for i in 0..n {
            next[i] = match i {
                0 => u[0],
                i if i == n - 1 => u[n - 1],
                _ => u[i] - (R::flux(u[i], u[i + 1]) - R::flux(u[i - 1], u[i])) * dtdx,
            };
        }
    }

    fn max_speed(u: &[Cons]) -> f64 {
        let mut s = 0.0f64;
        #[omp::target(reduction(max: s))]
        for &c in u {
            let p = Prim::from(c);
            s = s.max(p.vel.abs() + p.sound());
        }
        s
    }

    fn sod<R: Riemann>(n: usize, steps: usize) -> Vec<f64> {
        let mut u: Vec<Cons> = (0..n).map(|i| if i < n / 2 { Cons { rho: 1.0, mom: 0.0, ene: 2.5 } } else { Cons { rho: 0.125, mom: 0.0, ene: 0.25 } }).collect();
        let mut next = u.clone();
        for _ in 0..steps {
            let dt = 0.4 / max_speed(&u);
            step::<R>(&u, &mut next, dt);
            std::mem::swap(&mut u, &mut next);
        }
        u.iter().map(|c| c.rho).collect()
    }
    pub fn run() -> (Vec<f64>, Vec<f64>) { (sod::<Rusanov>(40, 6), sod::<Hll>(40, 6)) }
}
port!(cellular_fv: run());
