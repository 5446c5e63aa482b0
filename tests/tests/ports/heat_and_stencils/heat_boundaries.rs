//! Explicit heat conduction with a boundary condition on every side, and the residual.
use omp_tests::{Values, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Boundary { Dirichlet(f64), Neumann { flux: f64 }, Periodic }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Sides { west: Boundary, east: Boundary, south: Boundary, north: Boundary }

    #[derive(Clone, omp::Mapper)]
    pub struct Field { nx: usize, ny: usize, data: Vec<f64> }

    #[omp::declare_target]
    impl std::ops::Index<(usize, usize)> for Field {
        type Output = f64;
        fn index(&self, (i, j): (usize, usize)) -> &f64 { &self.data[j * self.nx + i] }
    }

    #[omp::declare_target]
    impl std::ops::IndexMut<(usize, usize)> for Field {
        fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 { &mut self.data[j * self.nx + i] }
    }

    #[omp::declare_target]
    fn ghost(side: Boundary, inner: f64, opposite: f64, dx: f64) -> f64 {
        match side {
            Boundary::Dirichlet(value) => 2.0 * value - inner,
            Boundary::Neumann { flux } => inner + flux * dx,
            Boundary::Periodic => opposite,
        }
    }

    #[omp::declare_target]
    impl Field {
        fn stencil(&self, i: usize, j: usize, s: &Sides, dx: f64) -> f64 {
            let c = self[(i, j)];
            let w = if i > 0 { self[(i - 1, j)] } else { ghost(s.west, c, self[(self.nx - 1, j)], dx) };
            let e = if i + 1 < self.nx { self[(i + 1, j)] } else { ghost(s.east, c, self[(0, j)], dx) };
            let b = match j.checked_sub(1) {
                Some(below) => self[(i, below)],
                None => ghost(s.south, c, self[(i, self.ny - 1)], dx),
            };
            let t = if j == self.ny - 1 { ghost(s.north, c, self[(i, 0)], dx) } else { self[(i, j + 1)] };
            (w + e + b + t - 4.0 * c) / (dx * dx)
        }
    }

    pub fn step(u: &Field, out: &mut Field, sides: &Sides, alpha: f64, dt: f64, dx: f64) -> f64 {
        let mut residual = 0.0f64;
        #[omp::target(collapse(2), reduction(max: residual))]
        for j in 0..u.ny {
            for i in 0..u.nx {
                let change = alpha * dt * u.stencil(i, j, sides, dx);
                out[(i, j)] = u[(i, j)] + change;
                residual = residual.max(change.abs());
            }
        }
        residual
    }

    pub fn run() -> (Vec<f64>, Vec<f64>) {
        let mut v = Values(19);
        let mut u = Field { nx: 24, ny: 18, data: (0..24 * 18).map(|_| (v.bits() % 100) as f64).collect() };
        let mut next = u.clone();
        let sides = Sides { west: Boundary::Dirichlet(20.0), east: Boundary::Neumann { flux: -3.0 }, south: Boundary::Periodic, north: Boundary::Periodic };
        let mut residuals = vec![];
        for _ in 0..5 {
            residuals.push(step(&u, &mut next, &sides, 0.5, 0.1, 0.8));
            std::mem::swap(&mut u, &mut next);
        }
        (u.data, residuals)
    }
}
port!(heat_boundaries: run());
