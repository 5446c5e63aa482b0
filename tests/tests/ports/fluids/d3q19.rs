//! A D3Q19 lattice Boltzmann method, pull scheme, with bounce-back at walls and a body force.
use omp_tests::twice;

twice! {
    const Q: usize = 19;
    const C: [[i32; 3]; Q] = [
        [0, 0, 0], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1],
        [1, 1, 0], [-1, -1, 0], [1, -1, 0], [-1, 1, 0], [1, 0, 1], [-1, 0, -1], [1, 0, -1], [-1, 0, 1],
        [0, 1, 1], [0, -1, -1], [0, 1, -1], [0, -1, 1],
    ];
    const OPPOSITE: [usize; Q] = [0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15, 18, 17];

    #[omp::declare_target]
    const fn weight(q: usize) -> f64 {
        match q { 0 => 1.0 / 3.0, 1..=6 => 1.0 / 18.0, _ => 1.0 / 36.0 }
    }

    #[derive(Clone, Copy, PartialEq, Eq, Debug, omp::Device)]
    pub enum Cell { Fluid, Wall }

    #[derive(omp::Mapper)]
    pub struct Lbm {
        dims: [usize; 3],
        omega: f64,
        force: [f64; 3],
        f: Vec<[f64; Q]>,
        next: Vec<[f64; Q]>,
        cells: Vec<Cell>,
    }

    impl Lbm {
        pub fn new(dims: [usize; 3], omega: f64) -> Self {
            let n = dims[0] * dims[1] * dims[2];
            let f = vec![std::array::from_fn(weight); n];
            let cells = (0..n).map(|i| {
                let y = i / dims[0] % dims[1];
                if y == 0 || y == dims[1] - 1 { Cell::Wall } else { Cell::Fluid }
            }).collect();
            Self { dims, omega, force: [1e-3, 0.0, 2e-4], next: f.clone(), f, cells }
        }

        fn index(&self, x: usize, y: usize, z: usize) -> usize {
            x + self.dims[0] * (y + self.dims[1] * z)
        }

        fn wrap(x: usize, d: i32, n: usize) -> usize {
            (x as i32 + d + n as i32) as usize % n
        }

        pub fn step(&mut self) {
            let [nx, ny, nz] = self.dims;
            #[omp::target(collapse(3))]
            for z in 0..nz {
                for y in 0..ny {
                    for x in 0..nx {
                        let here = self.index(x, y, z);
                        if self.cells[here] == Cell::Wall {
                            continue;
                        }
                        let mut f = [0.0; Q];
                        for q in 0..Q {
                            let [cx, cy, cz] = C[q];
                            let from = self.index(Self::wrap(x, -cx, nx), Self::wrap(y, -cy, ny), Self::wrap(z, -cz, nz));
                            f[q] = match self.cells[from] {
                                Cell::Fluid => self.f[from][q],
                                Cell::Wall => self.f[here][OPPOSITE[q]],
                            };
                        }
                        let rho: f64 = f.iter().sum();
                        let mut u = [0.0; 3];
                        for (fq, c) in f.iter().zip(&C) {
                            for d in 0..3 {
                                u[d] += fq * c[d] as f64;
                            }
                        }
                        for d in 0..3 {
                            u[d] = u[d] / rho + self.force[d] / (2.0 * rho);
                        }
                        let u2: f64 = u.iter().map(|v| v * v).sum();
                        for q in 0..Q {
                            let cu = (0..3).map(|d| C[q][d] as f64 * u[d]).sum::<f64>();
                            let cf = (0..3).map(|d| C[q][d] as f64 * self.force[d]).sum::<f64>();
                            let feq = weight(q) * rho * (1.0 + 3.0 * cu + 4.5 * cu * cu - 1.5 * u2);
                            self.next[here][q] = f[q] + self.omega * (feq - f[q]) + 3.0 * weight(q) * cf;
                        }
                    }
                }
            }
            std::mem::swap(&mut self.f, &mut self.next);
        }

        pub fn mass_and_momentum(&self) -> (f64, [f64; 3]) {
            let mut mass = 0.0;
            let mut momentum = [0.0; 3];
            #[omp::target(reduction(+: mass, momentum))]
            for f in &self.f {
                for (q, v) in f.iter().enumerate() {
                    mass += v;
                    for d in 0..3 {
                        momentum[d] += C[q][d] as f64 * v;
                    }
                }
            }
            (mass, momentum)
        }
    }

    pub fn run() -> (Vec<[f64; Q]>, f64, [f64; 3]) {
        let mut lbm = Lbm::new([5, 6, 4], 1.2);
        for _ in 0..4 {
            lbm.step();
        }
        let (mass, momentum) = lbm.mass_and_momentum();
        (lbm.f, mass, momentum)
    }
}
port!(d3q19: run());
