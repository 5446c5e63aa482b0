//! A finite volume method for the Euler equations in two dimensions: limited slopes, HLLC fluxes, boundary conditions by an enum.
use omp_tests::twice;

twice! {
    const NV: usize = 4;
    const NG: usize = 2;
    type Cons = [f64; NV];

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Prim { rho: f64, u: f64, v: f64, p: f64 }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub enum Bc { Reflect, Outflow, Periodic }

    #[omp::declare_target]
    impl Prim {
        const GAMMA: f64 = 1.4;

        fn from_cons(c: &Cons) -> Self {
            let [rho, mu, mv, e] = *c;
            let (u, v) = (mu / rho, mv / rho);
            let p = (Self::GAMMA - 1.0) * (e - 0.5 * rho * (u * u + v * v));
            Self { rho, u, v, p: p.max(1e-10) }
        }

        fn energy(&self) -> f64 {
            self.p / (Self::GAMMA - 1.0) + 0.5 * self.rho * (self.u.powi(2) + self.v.powi(2))
        }

        fn sound_speed(&self) -> f64 { (Self::GAMMA * self.p / self.rho).sqrt() }

        fn flux(&self) -> Cons {
            [self.rho * self.u, self.rho * self.u * self.u + self.p, self.rho * self.u * self.v, self.u * (self.energy() + self.p)]
        }

        fn swapped(self) -> Self { Self { u: self.v, v: self.u, ..self } }
    }

    #[omp::declare_target]
    fn hllc(l: Prim, r: Prim) -> Cons {
        let (cl, cr) = (l.sound_speed(), r.sound_speed());
        let sl = (l.u - cl).min(r.u - cr);
        let sr = (l.u + cl).max(r.u + cr);
        if sl >= 0.0 {
            return l.flux();
        }
        if sr <= 0.0 {
            return r.flux();
        }
        let sm = (r.p - l.p + l.rho * l.u * (sl - l.u) - r.rho * r.u * (sr - r.u)) / (l.rho * (sl - l.u) - r.rho * (sr - r.u));
        let (w, s) = if sm >= 0.0 { (l, sl) } else { (r, sr) };
        let factor = w.rho * (s - w.u) / (s - sm);
        let e = w.energy() / w.rho + (sm - w.u) * (sm + w.p / (w.rho * (s - w.u)));
        let star = [factor, factor * sm, factor * w.v, factor * e];
        let cons = [w.rho, w.rho * w.u, w.rho * w.v, w.energy()];
        let mut f = w.flux();
        for n in 0..NV {
            f[n] += s * (star[n] - cons[n]);
        }
        f
    }

    #[omp::declare_target]
    fn minmod(a: f64, b: f64) -> f64 {
        match (a > 0.0, b > 0.0) {
            (true, true) => a.min(b),
            (false, false) => a.max(b),
            _ => 0.0,
        }
    }

    #[derive(omp::Mapper)]
    pub struct Solver { nx: usize, ny: usize, dx: f64, bc: [Bc; 2], u: Vec<Cons> }

    impl Solver {
        fn stride(&self) -> usize { self.nx + 2 * NG }
        fn id(&self, i: usize, j: usize) -> usize { j * self.stride() + i }
        fn prim(&self, i: usize, j: usize) -> Prim { Prim::from_cons(&self.u[self.id(i, j)]) }

        fn fill_ghosts(&mut self) {
            let (nx, ny) = (self.nx, self.ny);
            let [bx, by] = self.bc;
            #[omp::target(disjoint(self.u))]
            for j in NG..ny + NG {
                for g in 0..NG {
                    let (from_lo, from_hi) = match bx {
                        Bc::Reflect => (2 * NG - 1 - g, nx + NG - 1 - g),
                        Bc::Outflow => (NG, nx + NG - 1),
                        Bc::Periodic => (nx + g, NG + g),
                    };
                    let (lo, hi) = (self.id(g, j), self.id(nx + NG + g, j));
                    let mut a = self.u[self.id(from_lo, j)];
                    let mut b = self.u[self.id(from_hi, j)];
                    if bx == Bc::Reflect {
                        a[1] = -a[1];
                        b[1] = -b[1];
                    }
                    self.u[lo] = a;
                    self.u[hi] = b;
                }
            }
            let stride = self.stride();
            #[omp::target]
            for i in 0..stride {
                for g in 0..NG {
                    let src = match by { Bc::Reflect => 2 * NG - 1 - g, Bc::Outflow => NG, Bc::Periodic => ny + g };
                    let mut a = self.u[src * stride + i];
                    if matches!(by, Bc::Reflect) { a[2] *= -1.0; }
                    self.u[g * stride + i] = a;
                    let src = match by { Bc::Reflect => ny + NG - 1 - g, Bc::Outflow => ny + NG - 1, Bc::Periodic => NG + g };
                    let mut b = self.u[src * stride + i];
                    if matches!(by, Bc::Reflect) { b[2] *= -1.0; }
                    self.u[(ny + NG + g) * stride + i] = b;
                }
            }
        }

        fn dt(&self, cfl: f64) -> f64 {
            let mut fastest = 0.0f64;
            #[omp::target(collapse(2), reduction(max: fastest))]
            for j in NG..self.ny + NG {
                for i in NG..self.nx + NG {
                    let w = self.prim(i, j);
                    fastest = fastest.max(w.u.abs().max(w.v.abs()) + w.sound_speed());
                }
            }
            cfl * self.dx / fastest
        }

        fn sweep(&mut self, dt: f64, axis: usize) {
            self.fill_ghosts();
            let (di, dj) = if axis == 0 { (1, 0) } else { (0, 1) };
            let mut next = self.u.clone();
            #[omp::target(collapse(2))]
            for j in NG..self.ny + NG {
                for i in NG..self.nx + NG {
                    let cell = |k: usize| {
                        let w = self.prim(i + k * di - 2 * di, j + k * dj - 2 * dj);
                        if axis == 0 { w } else { w.swapped() }
                    };
                    let face = |k: usize, side: f64| {
                        let (a, b, c) = (cell(k - 1), cell(k), cell(k + 1));
                        let slope = |a: f64, b: f64, c: f64| b + 0.5 * side * minmod(b - a, c - b);
                        Prim { rho: slope(a.rho, b.rho, c.rho), u: slope(a.u, b.u, c.u), v: slope(a.v, b.v, c.v), p: slope(a.p, b.p, c.p) }
                    };
                    let left = hllc(face(1, 1.0), face(2, -1.0));
                    let right = hllc(face(2, 1.0), face(3, -1.0));
                    let c = self.id(i, j);
                    let turn = |n: usize| if axis == 1 && (n == 1 || n == 2) { 3 - n } else { n };
                    for n in 0..NV {
                        next[c][turn(n)] -= dt / self.dx * (right[n] - left[n]);
                    }
                }
            }
            self.u = next;
        }
    }

    pub fn run() -> Vec<Cons> {
        let (nx, ny) = (10, 8);
        let mut s = Solver { nx, ny, dx: 0.1, bc: [Bc::Reflect, Bc::Periodic], u: vec![[1.0, 0.0, 0.0, 2.5]; (nx + 4) * (ny + 4)] };
        for j in 4..8 { for i in 3..7 { let c = s.id(i, j); s.u[c] = [2.0, 0.3, -0.1, 5.0]; } }
        for _ in 0..3 {
            let dt = s.dt(0.4);
            s.sweep(dt, 0);
            s.sweep(dt, 1);
        }
        s.u
    }
}
port!(hllc_euler: run());
