//! Shallow water equations with flux limiters.
use omp_tests::twice;
twice! {
    use std::ops::{Add, Mul, Sub};
    const G: f64 = 9.81;

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct State { h: f64, hu: f64, hv: f64 }

    #[omp::declare_target]
    impl Add for State { type Output = Self; fn add(self, o: Self) -> Self { Self { h: self.h + o.h, hu: self.hu + o.hu, hv: self.hv + o.hv } } }
    #[omp::declare_target]
    impl Sub for State { type Output = Self; fn sub(self, o: Self) -> Self { Self { h: self.h - o.h, hu: self.hu - o.hu, hv: self.hv - o.hv } } }
    #[omp::declare_target]
    impl Mul<State> for f64 { type Output = State; fn mul(self, s: State) -> State { State { h: self * s.h, hu: self * s.hu, hv: self * s.hv } } }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Limiter { MinMod, VanLeer, Superbee }

    #[omp::declare_target]
    impl Limiter {
        fn phi(&self, r: f64) -> f64 {
            match self {
                Limiter::MinMod => r.min(1.0).max(0.0),
                Limiter::VanLeer => (r + r.abs()) / (1.0 + r.abs()),
                Limiter::Superbee => (2.0 * r).min(1.0).max(r.min(2.0)).max(0.0),
            }
        }
    }

    #[omp::declare_target]
    impl State {
        fn u(&self) -> f64 { if self.h > 1e-6 { self.hu / self.h } else { 0.0 } }
        fn flux(&self) -> State {
            let u = self.u();
            State { h: self.hu, hu: self.hu * u + 0.5 * G * self.h.powi(2), hv: self.hv * u }
        }
        fn speed(&self) -> f64 { self.u().abs() + (G * self.h).sqrt() }
        fn mirrored(self) -> State { State { hu: -self.hu, ..self } }
        fn flipped(self) -> Self { let Self { h, hu, hv } = self; Self { h, hu: hv, hv: hu } }
    }

    #[omp::declare_target]
    fn rusanov(l: State, r: State) -> State {
        let a = l.speed().max(r.speed());
        0.5 * (l.flux() + r.flux()) - 0.5 * a * (r - l)
    }

    #[omp::declare_target]
    fn reconstruct(a: State, b: State, c: State, limiter: Limiter) -> State {
        let slope = |x: f64, y: f64, z: f64| {
            let (d0, d1) = (y - x, z - y);
            if d1 == 0.0 { 0.0 } else { 0.5 * limiter.phi(d0 / d1) * d1 }
        };
        State { h: b.h + slope(a.h, b.h, c.h), hu: b.hu + slope(a.hu, b.hu, c.hu), hv: b.hv + slope(a.hv, b.hv, c.hv) }
    }

    #[derive(omp::Mapper)]
    pub struct Basin { nx: usize, ny: usize, dx: f64, cells: Vec<State>, next: Vec<State> }

    impl Basin {
        fn cell(&self, x: isize, y: isize) -> State {
            let (nx, ny) = (self.nx as isize, self.ny as isize);
            let inside = self.cells[y.clamp(0, ny - 1) as usize * self.nx + x.clamp(0, nx - 1) as usize];
            if x < 0 || x >= nx { inside.mirrored() } else if y < 0 || y >= ny { inside.flipped().mirrored().flipped() } else { inside }
        }
        fn max_speed(&self) -> f64 {
            let mut top = 0.0f64;
            #[omp::target(reduction(max: top))]
            for s in self.cells.iter() {
                top = top.max(s.speed()).max(s.flipped().speed());
            }
            top
        }
        pub fn step(&mut self, limiter: Limiter) -> f64 {
            let dt = 0.4 * self.dx / self.max_speed();
            let k = dt / self.dx;
            #[omp::target(collapse(2))]
            for y in 0..self.ny {
                for x in 0..self.nx {
                    let (i, j) = (x as isize, y as isize);
                    let c = self.cell(i, j);
                    let (w, e) = (self.cell(i - 1, j), self.cell(i + 1, j));
                    let (s, n) = (self.cell(i, j - 1).flipped(), self.cell(i, j + 1).flipped());
                    let f = c.flipped();
                    let fx = rusanov(reconstruct(w, c, e, limiter), e) - rusanov(w, c);
                    let fy = (rusanov(f, n) - rusanov(s, f)).flipped();
                    self.next[y * self.nx + x] = c - k * (fx + fy);
                }
            }
            std::mem::swap(&mut self.cells, &mut self.next);
            dt
        }
    }

    pub fn run() -> (Vec<f64>, f64) {
        let (nx, ny) = (14, 9);
        let cells: Vec<State> = (0..nx * ny).map(|i| State { h: if (i % nx) < 5 { 2.0 } else { 1.0 }, ..Default::default() }).collect();
        let mut b = Basin { nx, ny, dx: 0.1, next: cells.clone(), cells };
        let mut t = 0.0;
        for limiter in [Limiter::MinMod, Limiter::VanLeer, Limiter::Superbee] { t += b.step(limiter); }
        (b.cells.iter().flat_map(|s| [s.h, s.hu, s.hv]).collect(), t)
    }
}
port!(shallow_water: run());
