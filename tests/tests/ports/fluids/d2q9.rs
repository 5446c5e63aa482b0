//! Lattice Boltzmann D2Q9: stream and collide with bounce-back walls and a moving lid.
use omp_tests::twice;

twice! {
    const Q: usize = 9;
    const EX: [i32; Q] = [0, 1, 0, -1, 0, 1, -1, -1, 1];
    const EY: [i32; Q] = [0, 0, 1, 0, -1, 1, 1, -1, -1];
    const W: [f64; Q] = [4. / 9., 1. / 9., 1. / 9., 1. / 9., 1. / 9., 1. / 36., 1. / 36., 1. / 36., 1. / 36.];
    const OPP: [usize; Q] = [0, 3, 4, 1, 2, 7, 8, 5, 6];

    #[derive(Clone, Copy, PartialEq, Eq, Debug, omp::Device)]
    #[repr(u8)]
    pub enum Cell { Fluid, Wall, Lid }

    pub struct Lattice { nx: usize, ny: usize, f: Vec<[f64; Q]>, next: Vec<[f64; Q]>, cells: Vec<Cell> }

    #[omp::declare_target]
    fn equilibrium(rho: f64, (ux, uy): (f64, f64)) -> [f64; Q] {
        let usq = ux * ux + uy * uy;
        let mut feq = [0.0; Q];
        for (i, f) in feq.iter_mut().enumerate() {
            let cu = f64::from(EX[i]) * ux + f64::from(EY[i]) * uy;
            *f = W[i] * rho * (1.0 + 3.0 * cu + 4.5 * cu * cu - 1.5 * usq);
        }
        feq
    }

    #[omp::declare_target]
    fn moments(f: &[f64; Q]) -> (f64, (f64, f64)) {
        let rho: f64 = f.iter().sum();
        let ux = f.iter().zip(EX).map(|(f, e)| f * e as f64).sum::<f64>() / rho;
        let uy = f.iter().zip(EY).map(|(f, e)| f * e as f64).sum::<f64>() / rho;
        (rho, (ux, uy))
    }

    impl Lattice {
        pub fn cavity(nx: usize, ny: usize) -> Self {
            let cell = |i: usize| match (i % nx, i / nx) {
                (_, y) if y == ny - 1 => Cell::Lid,
                (0, _) | (_, 0) => Cell::Wall,
                (x, _) if x == nx - 1 => Cell::Wall,
                _ => Cell::Fluid,
            };
            let f = vec![equilibrium(1.0, (0.0, 0.0)); nx * ny];
            Lattice { nx, ny, next: f.clone(), f, cells: (0..nx * ny).map(cell).collect() }
        }

        pub fn step(&mut self, tau: f64, lid: f64) {
            let nx = self.nx as i32;
            let (f, cells) = (&self.f, &self.cells);
            #[omp::target]
            for (c, out) in self.next.iter_mut().enumerate() {
                if cells[c] != Cell::Fluid { continue; }
                let (x, y) = (c as i32 % nx, c as i32 / nx);
                let mut fin = [0.0; Q];
                for i in 0..Q {
                    let from = ((y - EY[i]) * nx + (x - EX[i])) as usize;
                    fin[i] = match cells[from] {
                        Cell::Fluid => f[from][i],
                        Cell::Wall => f[c][OPP[i]],
                        Cell::Lid => f[c][OPP[i]] + 6.0 * W[i] * f64::from(EX[i]) * lid,
                    };
                }
                let (rho, u) = moments(&fin);
                let feq = equilibrium(rho, u);
                *out = std::array::from_fn(|i| fin[i] - (fin[i] - feq[i]) / tau);
            }
            std::mem::swap(&mut self.f, &mut self.next);
        }
    }
    pub fn run() -> Vec<[f64; 9]> {
        let mut l = Lattice::cavity(10, 9);
        for _ in 0..6 { l.step(0.8, 0.1); }
        l.f
    }
}
port!(d2q9: run());
