//! Two-phase lattice Boltzmann of Shan and Chen: pseudo-potentials, forces, collision and pull streaming.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, omp::Device)]
    pub struct Direction { dx: isize, dy: isize, w: f64 }

    macro_rules! directions {
        ($($dx:literal $dy:literal $w:expr;)*) => { [$(Direction { dx: $dx, dy: $dy, w: $w }),*] };
    }

    const D2Q9: [Direction; 9] = directions! {
        0 0 4.0 / 9.0;
        1 0 1.0 / 9.0; 0 1 1.0 / 9.0; -1 0 1.0 / 9.0; 0 -1 1.0 / 9.0;
        1 1 1.0 / 36.0; -1 1 1.0 / 36.0; -1 -1 1.0 / 36.0; 1 -1 1.0 / 36.0;
    };

    #[derive(Clone, Copy, PartialEq, Eq, omp::Device)]
    pub struct Grid { pub nx: usize, pub ny: usize }

    #[omp::declare_target]
    impl Grid {
        fn coordinates(&self, i: usize) -> (usize, usize) { (i % self.nx, i / self.nx) }
        fn neighbour(&self, (x, y): (usize, usize), dx: isize, dy: isize) -> usize {
            let x = x.checked_add_signed(dx).map_or(self.nx - 1, |x| if x == self.nx { 0 } else { x });
            let y = (y as isize + dy).rem_euclid(self.ny as isize) as usize;
            y * self.nx + x
        }
        const fn len(&self) -> usize { self.nx * self.ny }
    }

    #[omp::declare_target]
    fn psi(rho: f64) -> f64 { 1.0 - (-rho).exp() }

    pub struct Fluid { pub grid: Grid, pub f: [Vec<f64>; 2], pub rho: Vec<f64>, pub tau: f64, pub g: f64 }

    impl Fluid {
        pub fn densities(&mut self, now: usize) {
            let f = &self.f[now];
            #[omp::target]
            for (rho, f) in self.rho.iter_mut().zip(f.chunks_exact(9)) {
                *rho = f.iter().sum();
            }
        }

        pub fn step(&mut self, now: usize) {
            self.densities(now);
            let Fluid { grid, f: [a, b], rho, tau, g } = self;
            let (old, new) = if now == 0 { (a, b) } else { (b, a) };
            let omega = 1.0 / *tau;
            #[omp::target]
            for (i, out) in new.chunks_exact_mut(9).enumerate() {
                let at = grid.coordinates(i);
                let (mut fx, mut fy) = (0.0, 0.0);
                for d in D2Q9.iter().skip(1) {
                    let p = d.w * psi(rho[grid.neighbour(at, d.dx, d.dy)]);
                    fx += p * d.dx as f64;
                    fy += p * d.dy as f64;
                }
                let scale = -*g * psi(rho[i]);
                let pulled: [f64; 9] = std::array::from_fn(|k| {
                    let Direction { dx, dy, .. } = D2Q9[k];
                    old[grid.neighbour(at, -dx, -dy) * 9 + k]
                });
                let density = pulled.iter().sum::<f64>();
                let momentum = |axis: fn(&Direction) -> isize| -> f64 {
                    pulled.iter().zip(&D2Q9).map(|(p, d)| p * axis(d) as f64).sum()
                };
                let ux = (momentum(|d| d.dx) + *tau * scale * fx) / density;
                let uy = (momentum(|d| d.dy) + *tau * scale * fy) / density;
                let u2 = ux * ux + uy * uy;
                for ((out, p), d) in out.iter_mut().zip(pulled).zip(D2Q9) {
                    let cu = 3.0 * (d.dx as f64 * ux + d.dy as f64 * uy);
                    let eq = d.w * density * (1.0 + cu + cu * cu / 2.0 - 1.5 * u2);
                    *out = p + omega * (eq - p);
                }
            }
        }
    }

    pub fn run() -> (Vec<f64>, f64) {
        let mut v = Values(50);
        let grid = Grid { nx: 12, ny: 10 };
        let rho: Vec<f64> = (0..grid.len()).map(|_| 0.7 + 0.02 * v.unit()).collect();
        let f: Vec<f64> = rho.iter().flat_map(|r| D2Q9.map(|d| d.w * r)).collect();
        let mut fluid = Fluid { grid, f: [f.clone(), f], rho, tau: 1.0, g: -5.0 };
        for step in 0..6 {
            fluid.step(step % 2);
        }
        fluid.densities(0);
        let total = fluid.rho.iter().sum();
        (fluid.rho, total)
    }
}
port!(shan_chen: run());
