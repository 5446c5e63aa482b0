//! Particle-mesh gravity: cloud-in-cell deposit, differences of the potential, interpolation back, leapfrog.
use omp_tests::{Values, twice};

twice! {
    const DIM: usize = 3;

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Particle { pos: [f32; DIM], mom: [f32; DIM], mass: f32 }

    #[derive(Debug)]
    pub struct PmGrid { n: usize, rho: Vec<f32>, phi: Vec<f32> }

    /// The lower corner's cell and the weights along an axis.
    #[omp::declare_target]
    fn cloud(x: f32, n: usize) -> ([usize; 2], [f32; 2]) {
        let f = x.floor();
        let d = x - f;
        let lo = (f as i64).rem_euclid(n as i64) as usize;
        ([lo, (lo + 1) % n], [1.0 - d, d])
    }

    impl PmGrid {
        #[inline]
        fn cell(&self, [i, j, k]: [usize; DIM]) -> usize { (i * self.n + j) * self.n + k }

        pub fn deposit(&mut self, particles: &[Particle]) {
            let n = self.n;
            self.rho.iter_mut().for_each(|r| *r = 0.0);
            let rho = &mut self.rho;
            #[omp::target]
            for p in particles {
                let (ix, wx) = cloud(p.pos[0], n);
                let (iy, wy) = cloud(p.pos[1], n);
                let (iz, wz) = cloud(p.pos[2], n);
                for a in 0..2 {
                    for b in 0..2 {
                        for c in 0..2 {
                            let at = (ix[a] * n + iy[b]) * n + iz[c];
                            let m = p.mass * wx[a] * wy[b] * wz[c];
                            #[omp::atomic]
                            rho[at] += m;
                        }
                    }
                }
            }
        }

        pub fn relax(&mut self, sweeps: usize) -> f32 {
            let n = self.n;
            let mean = self.rho.iter().sum::<f32>() / self.rho.len() as f32;
            let mut residual = 0.0f32;
            for sweep in 0..2 * sweeps {
                let parity = sweep % 2;
                residual = 0.0;
                #[omp::target(collapse(2), reduction(max: residual))]
                for i in 0..n {
                    for j in 0..n {
                        for k in ((i + j + parity) % 2..n).step_by(2) {
                            let up = |x: usize| if x + 1 == n { 0 } else { x + 1 };
                            let down = |x: usize| if x == 0 { n - 1 } else { x - 1 };
                            let sum = self.phi[self.cell([up(i), j, k])]
                                + self.phi[self.cell([down(i), j, k])]
                                + self.phi[self.cell([i, up(j), k])]
                                + self.phi[self.cell([i, down(j), k])]
                                + self.phi[self.cell([i, j, up(k)])]
                                + self.phi[self.cell([i, j, down(k)])];
                            let at = self.cell([i, j, k]);
                            let new = (sum - (self.rho[at] - mean)) / 6.0;
                            residual = residual.max((new - self.phi[at]).abs());
                            self.phi[at] = new;
                        }
                    }
                }
            }
            residual
        }

        fn acceleration(&self, i: usize, j: usize, k: usize) -> [f32; DIM] {
            let n = self.n;
            let (p, m) = (|x: usize| (x + 1) % n, |x: usize| (x + n - 1) % n);
            [
                0.5 * (self.phi[self.cell([m(i), j, k])] - self.phi[self.cell([p(i), j, k])]),
                0.5 * (self.phi[self.cell([i, m(j), k])] - self.phi[self.cell([i, p(j), k])]),
                0.5 * (self.phi[self.cell([i, j, m(k)])] - self.phi[self.cell([i, j, p(k)])]),
            ]
        }

        pub fn push(&self, particles: &mut [Particle], dt: f32) -> (f32, [f32; DIM]) {
            let mut kinetic = 0.0f32;
            let mut total = [0.0f32; DIM];
            let n = self.n;
            #[omp::target(reduction(+: kinetic, total))]
            for p in particles.iter_mut() {
                let clouds = [cloud(p.pos[0], n), cloud(p.pos[1], n), cloud(p.pos[2], n)];
                let mut acc = [0.0; DIM];
                for corner in 0..8 {
                    let bit = [corner >> 2 & 1, corner >> 1 & 1, corner & 1];
                    let weight: f32 = (0..DIM).map(|d| clouds[d].1[bit[d]]).product();
                    let g = self.acceleration(clouds[0].0[bit[0]], clouds[1].0[bit[1]], clouds[2].0[bit[2]]);
                    acc.iter_mut().zip(g).for_each(|(a, g)| *a += weight * g);
                }
                for d in 0..DIM {
                    p.mom[d] += dt * p.mass * acc[d];
                    p.pos[d] = (p.pos[d] + dt * p.mom[d] / p.mass).rem_euclid(n as f32);
                    total[d] += p.mom[d];
                    kinetic += 0.5 * p.mom[d] * p.mom[d] / p.mass;
                }
            }
            (kinetic, total)
        }
    }

    pub fn run() -> (Vec<f32>, Vec<[f32; DIM]>, f32, [f32; DIM]) {
        let n = 6;
        let mut v = Values(42);
        let mut coordinate = || (v.bits() % 6000) as f32 / 1000.0;
        let mut particles: Vec<Particle> = (0..60).map(|_| Particle { pos: std::array::from_fn(|_| coordinate()), mom: [0.1, 0.0, -0.1], mass: 1.5 }).collect();
        let mut g = PmGrid { n, rho: vec![0.0; n * n * n], phi: vec![0.0; n * n * n] };
        let mut last = (0.0, [0.0; DIM]);
        for _ in 0..2 {
            g.deposit(&particles);
            g.relax(4);
            last = g.push(&mut particles, 0.05);
        }
        (g.phi, particles.iter().map(|p| p.pos).collect(), last.0, last.1)
    }
}
port!(cic_deposit: run());
