//! Discrete ordinates on a slab of cells: diagonals of cells in order, angles and cells of a diagonal in parallel.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Angle { mu: f64, eta: f64, w: f64 }

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Octant { PlusPlus, MinusPlus, PlusMinus, MinusMinus }

    impl Octant {
        pub const ALL: [Octant; 4] = [Octant::PlusPlus, Octant::MinusPlus, Octant::PlusMinus, Octant::MinusMinus];
        fn signs(self) -> (bool, bool) {
            match self {
                Octant::PlusPlus => (true, true),
                Octant::MinusPlus => (false, true),
                Octant::PlusMinus => (true, false),
                Octant::MinusMinus => (false, false),
            }
        }
    }

    pub struct Problem { nx: usize, ny: usize, sigt: Vec<f64>, sigs: Vec<f64>, q: Vec<f64>, angles: Vec<Angle> }

    pub struct Flux { phi: Vec<f64>, leakage: f64 }

    impl Problem {
        fn sweep(&self, octant: Octant, source: &[f64], phi: &mut [f64]) -> f64 {
            let Self { nx, ny, sigt, angles, .. } = self;
            let (nx, ny) = (*nx, *ny);
            let (right, up) = octant.signs();
            let na = angles.len();
            let mut psi_x = vec![0.0; ny * na];
            let mut psi_y = vec![0.0; nx * na];
            let mut leakage = 0.0;
            for diagonal in 0..nx + ny - 1 {
                let first = if diagonal < ny { 0 } else { diagonal - ny + 1 };
                let last = diagonal.min(nx - 1);
                #[omp::target(reduction(+: leakage), disjoint(phi))]
                for ix in first..=last {
                    let iy = diagonal - ix;
                    let i = if right { ix } else { nx - 1 - ix };
                    let j = if up { iy } else { ny - 1 - iy };
                    let c = j * nx + i;
                    let mut sum = 0.0;
                    for (a, &Angle { mu, eta, w }) in angles.iter().enumerate() {
                        let (inx, iny) = (psi_x[iy * na + a], psi_y[ix * na + a]);
                        let mut center = (source[c] + 2.0 * mu * inx + 2.0 * eta * iny) / (sigt[c] + 2.0 * mu + 2.0 * eta);
                        let mut outx = 2.0 * center - inx;
                        let mut outy = 2.0 * center - iny;
                        if outx < 0.0 || outy < 0.0 {
                            outx = outx.max(0.0);
                            outy = outy.max(0.0);
                            center = 0.25 * (inx + iny + outx + outy);
                        }
                        psi_x[iy * na + a] = outx;
                        psi_y[ix * na + a] = outy;
                        sum += w * center;
                        if ix == nx - 1 { leakage += w * mu * outx; }
                        if iy == ny - 1 { leakage += w * eta * outy; }
                    }
                    phi[c] += sum;
                }
            }
            leakage
        }

        pub fn solve(&self, iterations: usize) -> Flux {
            let cells = self.nx * self.ny;
            let mut phi = vec![0.0; cells];
            let mut leakage = 0.0;
            for _ in 0..iterations {
                let source: Vec<f64> = phi.iter().zip(&self.sigs).zip(&self.q).map(|((p, s), q)| p * s + q).collect();
                phi.fill(0.0);
                leakage = Octant::ALL.iter().map(|&o| self.sweep(o, &source, &mut phi)).sum();
            }
            Flux { phi, leakage }
        }
    }

    pub fn run() -> (Vec<f64>, f64) {
        let (nx, ny) = (7, 5);
        let angles = vec![Angle { mu: 0.3, eta: 0.9, w: 0.1 }, Angle { mu: 0.6, eta: 0.6, w: 0.05 }, Angle { mu: 0.9, eta: 0.3, w: 0.1 }];
        let p = Problem {
            nx, ny, angles,
            sigt: (0..nx * ny).map(|c| 1.0 + (c % 3) as f64).collect(),
            sigs: (0..nx * ny).map(|c| 0.4 + 0.1 * (c % 2) as f64).collect(),
            q: (0..nx * ny).map(|c| if c == 8 { 4.0 } else { 0.1 }).collect(),
        };
        let flux = p.solve(4);
        (flux.phi, flux.leakage)
    }
}
port!(sweep3d: run());
