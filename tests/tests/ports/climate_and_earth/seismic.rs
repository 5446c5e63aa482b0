//! SPEC ACCEL 355.seismic: elastic waves on a staggered grid with damped borders and recorded seismograms.
use omp_tests::twice;
twice! {
    #[derive(Clone, omp::Mapper)]
    pub struct Field { nx: usize, ny: usize, data: Vec<f32> }

    #[omp::declare_target]
    impl std::ops::Index<(usize, usize)> for Field {
        type Output = f32;
        fn index(&self, (i, j): (usize, usize)) -> &f32 { &self.data[j * self.nx + i] }
    }
    #[omp::declare_target]
    impl std::ops::IndexMut<(usize, usize)> for Field {
        fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f32 { &mut self.data[j * self.nx + i] }
    }

    impl Field {
        fn zeros(nx: usize, ny: usize) -> Self { Self { nx, ny, data: vec![0.0; nx * ny] } }
    }

    #[derive(Clone, Copy)]
    pub struct Medium { lambda: f32, mu: f32, rho_inv: f32 }

    pub struct Solver { vx: Field, vy: Field, sxx: Field, syy: Field, sxy: Field, damping: Vec<f32>, medium: Medium, h: f32, dt: f32 }

    impl Solver {
        const BORDER: usize = 4;

        pub fn new(nx: usize, ny: usize) -> Self {
            let z = Field::zeros(nx, ny);
            let damping = (0..nx)
                .map(|i| {
                    let depth = Self::BORDER.saturating_sub(i.min(nx - 1 - i));
                    (-0.03 * (depth * depth) as f32).exp()
                })
                .collect();
            let medium = Medium { lambda: 1.2, mu: 0.8, rho_inv: 0.5 };
            Self { vx: z.clone(), vy: z.clone(), sxx: z.clone(), syy: z.clone(), sxy: z, damping, medium, h: 1.0, dt: 0.4 }
        }

        fn update_velocity(&mut self) {
            let Self { vx, vy, sxx, syy, sxy, damping, medium, h, dt } = self;
            let scale = *dt / *h * medium.rho_inv;
            let (nx, ny) = (vx.nx, vx.ny);
            #[omp::target(collapse(2))]
            for j in 1..ny - 1 {
                for i in 1..nx - 1 {
                    let dsxx_dx = sxx[(i + 1, j)] - sxx[(i, j)];
                    let dsxy_dy = sxy[(i, j)] - sxy[(i, j - 1)];
                    let dsxy_dx = sxy[(i, j)] - sxy[(i - 1, j)];
                    let dsyy_dy = syy[(i, j + 1)] - syy[(i, j)];
                    vx[(i, j)] = (vx[(i, j)] + scale * (dsxx_dx + dsxy_dy)) * damping[i];
                    vy[(i, j)] = (vy[(i, j)] + scale * (dsxy_dx + dsyy_dy)) * damping[i];
                }
            }
        }

        fn update_stress(&mut self) {
            let k = self.dt / self.h;
            let Medium { lambda, mu, .. } = self.medium;
            let l2m = lambda + 2.0 * mu;
            #[omp::target(collapse(2))]
            for j in 1..self.vx.ny - 1 {
                for i in 1..self.vx.nx - 1 {
                    let exx = self.vx[(i, j)] - self.vx[(i - 1, j)];
                    let eyy = self.vy[(i, j)] - self.vy[(i, j - 1)];
                    let exy = self.vx[(i, j + 1)] - self.vx[(i, j)] + self.vy[(i + 1, j)] - self.vy[(i, j)];
                    self.sxx[(i, j)] += k * (l2m * exx + lambda * eyy);
                    self.syy[(i, j)] += k * (lambda * exx + l2m * eyy);
                    self.sxy[(i, j)] += k * mu * exy;
                }
            }
        }

        pub fn run(&mut self, steps: usize, source: (usize, usize), receivers: &[(usize, usize)]) -> Vec<f32> {
            let mut trace = vec![0.0; steps * receivers.len()];
            for (t, samples) in trace.chunks_mut(receivers.len()).enumerate() {
                let a = (t as f32 - 5.0) * 0.5;
                self.sxx[source] += (1.0 - 2.0 * a * a) * (-a * a).exp();
                self.update_velocity();
                self.update_stress();
                let vy = &self.vy;
                #[omp::target]
                for (s, &r) in samples.iter_mut().zip(receivers) {
                    *s = vy[r];
                }
            }
            trace
        }
    }

    pub fn energy(s: &Solver) -> f32 {
        let mut e = 0.0;
        #[omp::target(reduction(+: e))]
        for (a, b) in s.vx.data.iter().zip(&s.vy.data) {
            e += 0.5 * (a * a + b * b);
        }
        e
    }

    pub fn run() -> (Vec<f32>, f32) {
        let mut s = Solver::new(30, 20);
        let trace = s.run(15, (12, 10), &[(8, 4), (14, 5), (20, 6)]);
        (trace, energy(&s))
    }
}
port!(seismic: run());
