//! An AMReX-like step: limited slopes, upwind fluxes, conservative update.
use omp_tests::twice;

twice! {
    #[omp::declare_target]
    fn minmod(a: f64, b: f64) -> f64 {
        if a * b <= 0.0 { 0.0 } else if a.abs() < b.abs() { a } else { b }
    }
    #[omp::declare_target]
    fn van_leer(um: f64, u: f64, up: f64) -> f64 {
        let (dl, dr, dc) = (u - um, up - u, 0.5 * (up - um));
        match dl * dr {
            p if p > 0.0 => dc.signum() * dc.abs().min(2.0 * dl.abs()).min(2.0 * dr.abs()),
            _ => 0.0,
        }
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Geometry { nx: usize, ny: usize, ng: usize, dx: f64, dy: f64 }
    impl Geometry {
        fn stride(&self) -> usize { self.nx + 2 * self.ng }
        fn cells(&self) -> usize { self.stride() * (self.ny + 2 * self.ng) }
    }

    pub fn step(u: &[f64], g: Geometry, (vx, vy): (f64, f64), dt: f64) -> Vec<f64> {
        let Geometry { nx, ny, ng, dx, dy } = g;
        let stride = g.stride();
        let id = |i: usize, j: usize| (j + ng) * stride + i + ng;
        let mut fx = vec![0.0; g.cells()];
        let mut fy = vec![0.0; g.cells()];
        let mut out = u.to_vec();
        #[omp::target(collapse(2))]
        for j in 0..ny {
            for i in 0..=nx {
                let face = |c: usize, side: f64| u[c] + side * 0.5 * (1.0 - vx * dt / dx) * van_leer(u[c - 1], u[c], u[c + 1]);
                fx[id(i, j)] = if vx >= 0.0 { vx * face(id(i, j) - 1, 1.0) } else { vx * face(id(i, j), -1.0) };
            }
        }
        #[omp::target(collapse(2))]
        for j in 0..=ny {
            for i in 0..nx {
                let c = id(i, j) - if vy > 0.0 { stride } else { 0 };
                let slope = minmod(u[c + stride] - u[c], u[c] - u[c - stride]);
                fy[id(i, j)] = vy * (u[c] + 0.5 * vy.signum() * slope);
            }
        }
        #[omp::target(collapse(2))]
        for j in 0..ny {
            for i in 0..nx {
                let c = id(i, j);
                out[c] -= dt / dx * (fx[id(i + 1, j)] - fx[c]) + dt / dy * (fy[id(i, j + 1)] - fy[c]);
            }
        }
        out
    }

    pub fn run() -> Vec<f64> {
        let g = Geometry { nx: 20, ny: 14, ng: 2, dx: 0.05, dy: 0.07 };
        let mut u: Vec<f64> = (0..g.cells()).map(|i| ((i * 37) % 101) as f64 / 101.0).collect();
        for _ in 0..3 {
            u = step(&u, g, (1.0, -0.5), 0.01);
        }
        u
    }
}
port!(advection: run());
