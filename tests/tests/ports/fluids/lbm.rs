//! Lattice Boltzmann, D2Q9, BGK with half-way bounce-back.
use omp_tests::twice;

twice! {
    const Q: usize = 9;
    const E: [(isize, isize); Q] = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)];
    const W: [f64; Q] = [4.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0];
    const OPPOSITE: [usize; Q] = [0, 3, 4, 1, 2, 7, 8, 5, 6];

    #[derive(Clone, Copy, PartialEq, Eq, omp::Device)]
    pub enum Cell { Fluid, Wall }

    #[omp::declare_target]
    fn equilibrium(rho: f64, (ux, uy): (f64, f64)) -> [f64; Q] {
        let mut feq = [0.0; Q];
        let u2 = ux * ux + uy * uy;
        for (f, (&(ex, ey), w)) in feq.iter_mut().zip(E.iter().zip(W)) {
            let eu = ex as f64 * ux + ey as f64 * uy;
            *f = w * rho * (1.0 + 3.0 * eu + 4.5 * eu * eu - 1.5 * u2);
        }
        feq
    }

    pub fn step(new: &mut [[f64; Q]], old: &[[f64; Q]], cells: &[Cell], (nx, ny): (usize, usize), tau: f64) {
        let wrap = |i: usize, d: isize, n: usize| (i as isize + d).rem_euclid(n as isize) as usize;
        #[omp::target(collapse(2))]
        for y in 0..ny {
            for x in 0..nx {
                let i = y * nx + x;
                if cells[i] == Cell::Wall {
                    continue;
                }
                let mut f = [0.0; Q];
                for (q, &(ex, ey)) in E.iter().enumerate() {
                    let from = wrap(y, -ey, ny) * nx + wrap(x, -ex, nx);
                    f[q] = match cells[from] {
                        Cell::Fluid => old[from][q],
                        Cell::Wall => old[i][OPPOSITE[q]],
                    };
                }
                let rho: f64 = f.iter().sum();
                let (ux, uy) = f.iter().zip(E).fold((0.0, 0.0), |(ux, uy), (f, (ex, ey))| {
                    (ux + f * ex as f64 / rho, uy + f * ey as f64 / rho)
                });
                let feq = equilibrium(rho, (ux + 1e-4, uy));
                for q in 0..Q {
                    new[i][q] = f[q] - (f[q] - feq[q]) / tau;
                }
            }
        }
    }

    pub fn run() -> Vec<[f64; Q]> {
        let (nx, ny) = (14, 9);
        let cells: Vec<Cell> = (0..nx * ny)
            .map(|i| if i / nx == 0 || i / nx == ny - 1 || i == 60 { Cell::Wall } else { Cell::Fluid })
            .collect();
        let mut a = vec![W; nx * ny];
        a[40][2] = 0.3;
        let mut b = a.clone();
        for _ in 0..5 {
            step(&mut b, &a, &cells, (nx, ny), 0.8);
            std::mem::swap(&mut a, &mut b);
        }
        a
    }
}
port!(lbm: run());
