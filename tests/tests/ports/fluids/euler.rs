//! Euler's equations in two dimensions: MUSCL states, HLLC fluxes, Heun steps; a time step by a minimum.
use omp_tests::twice;
twice! {
    use std::ops::{Add, Index, IndexMut, Mul, Sub};

    pub const GAMMA: f64 = 1.4;

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct State { pub rho: f64, pub mx: f64, pub my: f64, pub e: f64 }

    #[omp::declare_target]
    impl Add for State { type Output = State; fn add(self, o: State) -> State { State { rho: self.rho + o.rho, mx: self.mx + o.mx, my: self.my + o.my, e: self.e + o.e } } }
    #[omp::declare_target]
    impl Sub for State { type Output = State; fn sub(self, o: State) -> State { State { rho: self.rho - o.rho, mx: self.mx - o.mx, my: self.my - o.my, e: self.e - o.e } } }
    #[omp::declare_target]
    impl Mul<State> for f64 { type Output = State; fn mul(self, o: State) -> State { State { rho: self * o.rho, mx: self * o.mx, my: self * o.my, e: self * o.e } } }

    #[derive(Clone, Copy, PartialEq, Eq, omp::Device)]
    pub enum Axis { X, Y }

    #[derive(Clone, Copy, omp::Device)]
    struct Primitive { rho: f64, u: f64, v: f64, p: f64 }

    #[omp::declare_target]
    impl From<State> for Primitive {
        fn from(s: State) -> Primitive {
            let (u, v) = (s.mx / s.rho, s.my / s.rho);
            Primitive { rho: s.rho, u, v, p: (GAMMA - 1.0) * (s.e - 0.5 * s.rho * (u * u + v * v)) }
        }
    }

    #[omp::declare_target]
    impl Primitive {
        fn sound_speed(&self) -> f64 { (GAMMA * self.p / self.rho).sqrt() }
    }

    #[omp::declare_target]
    impl State {
        pub fn swapped(self) -> State { State { mx: self.my, my: self.mx, ..self } }
        fn map2(self, o: State, f: impl Fn(f64, f64) -> f64) -> State {
            State { rho: f(self.rho, o.rho), mx: f(self.mx, o.mx), my: f(self.my, o.my), e: f(self.e, o.e) }
        }
    }

    #[omp::declare_target]
    fn flux(s: State) -> State {
        let w: Primitive = s.into();
        State { rho: s.mx, mx: s.mx * w.u + w.p, my: s.my * w.u, e: (s.e + w.p) * w.u }
    }

    #[omp::declare_target]
    fn minmod(a: f64, b: f64) -> f64 {
        if a * b <= 0.0 { 0.0 } else if a.abs() < b.abs() { a } else { b }
    }

    #[omp::declare_target]
    fn hllc(l: State, r: State) -> State {
        let (wl, wr) = (Primitive::from(l), Primitive::from(r));
        let (cl, cr) = (wl.sound_speed(), wr.sound_speed());
        let sl = (wl.u - cl).min(wr.u - cr);
        let sr = (wl.u + cl).max(wr.u + cr);
        let sm = (wr.p - wl.p + l.mx * (sl - wl.u) - r.mx * (sr - wr.u)) / (wl.rho * (sl - wl.u) - wr.rho * (sr - wr.u));
        let star = |s: State, w: Primitive, sk: f64| {
            let factor = w.rho * (sk - w.u) / (sk - sm);
            State { rho: factor, mx: factor * sm, my: factor * w.v, e: factor * (s.e / w.rho + (sm - w.u) * (sm + w.p / (w.rho * (sk - w.u)))) }
        };
        match () {
            _ if sl >= 0.0 => flux(l),
            _ if sm >= 0.0 => flux(l) + sl * (star(l, wl, sl) - l),
            _ if sr > 0.0 => flux(r) + sr * (star(r, wr, sr) - r),
            _ => flux(r),
        }
    }

    #[derive(Clone, omp::Mapper)]
    pub struct Grid { nx: usize, ny: usize, cells: Vec<State> }

    #[omp::declare_target]
    impl Index<(isize, isize)> for Grid {
        type Output = State;
        fn index(&self, (i, j): (isize, isize)) -> &State {
            let i = i.clamp(0, self.nx as isize - 1) as usize;
            let j = j.rem_euclid(self.ny as isize) as usize;
            &self.cells[j * self.nx + i]
        }
    }

    #[omp::declare_target]
    fn interface(g: &Grid, i: isize, j: isize, axis: Axis) -> State {
        let (di, dj) = match axis { Axis::X => (1, 0), Axis::Y => (0, 1) };
        let at = |k: isize| {
            let s = g[(i + k * di, j + k * dj)];
            if axis == Axis::Y { s.swapped() } else { s }
        };
        let [a, b, c, d] = [at(-1), at(0), at(1), at(2)];
        let left = b + 0.5 * (b - a).map2(c - b, minmod);
        let right = c - 0.5 * (c - b).map2(d - c, minmod);
        let f = hllc(left, right);
        if let Axis::Y = axis { f.swapped() } else { f }
    }

    impl Grid {
        fn rate(&self, h: f64, out: &mut [State]) {
            let nx = self.nx;
            #[omp::target]
            for (k, o) in out.iter_mut().enumerate() {
                let (i, j) = ((k % nx) as isize, (k / nx) as isize);
                let dx = interface(self, i, j, Axis::X) - interface(self, i - 1, j, Axis::X);
                let dy = interface(self, i, j, Axis::Y) - interface(self, i, j - 1, Axis::Y);
                *o = (-1.0 / h) * (dx + dy);
            }
        }

        pub fn time_step(&self, h: f64, cfl: f64) -> f64 {
            let mut dt = f64::INFINITY;
            #[omp::target(reduction(min: dt))]
            for s in &self.cells {
                let w = Primitive::from(*s);
                let c = w.sound_speed();
                dt = dt.min(cfl * h / (w.u.abs() + c).max(w.v.abs() + c));
            }
            dt
        }

        pub fn step(&mut self, h: f64, dt: f64) {
            let mut k1 = vec![State::default(); self.cells.len()];
            let mut k2 = k1.clone();
            self.rate(h, &mut k1);
            let mut predicted = self.clone();
            #[omp::target]
            for (p, &k) in predicted.cells.iter_mut().zip(&k1) {
                *p = *p + dt * k;
            }
            predicted.rate(h, &mut k2);
            #[omp::target]
            for (i, cell) in self.cells.iter_mut().enumerate() {
                *cell = *cell + 0.5 * dt * (k1[i] + k2[i]);
            }
        }
    }

    pub fn run() -> Vec<[f64; 4]> {
        let (nx, ny) = (16, 6);
        let cells = (0..nx * ny).map(|k| if k % nx < 8 { State { rho: 1.0, mx: 0.1, my: 0.02 * (k / nx) as f64, e: 2.5 } } else { State { rho: 0.125, mx: 0.0, my: 0.0, e: 0.25 } }).collect();
        let mut g = Grid { nx, ny, cells };
        for _ in 0..3 {
            let dt = g.time_step(0.1, 0.4);
            g.step(0.1, dt);
        }
        g.cells.iter().map(|s| [s.rho, s.mx, s.my, s.e]).collect()
    }
}
port!(euler: run());
