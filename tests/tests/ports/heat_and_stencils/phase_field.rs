//! A phase field model of dendritic growth (Kobayashi), with closures for differences.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug)]
    pub struct Params {
        dx: f64, dt: f64, tau: f64, epsilonb: f64, mu: f64, kappa: f64, delta: f64, aniso: f64, alpha: f64, gamma: f64, teq: f64,
    }

    impl Default for Params {
        fn default() -> Self {
            Params { dx: 0.03, dt: 1e-4, tau: 0.0003, epsilonb: 0.01, mu: 1.0, kappa: 1.8, delta: 0.02, aniso: 6.0, alpha: 0.9, gamma: 10.0, teq: 1.0 }
        }
    }

    pub struct Sim { nx: usize, ny: usize, phi: Vec<f64>, temp: Vec<f64>, p: Params }

    impl Sim {
        pub fn seeded(nx: usize, ny: usize, p: Params) -> Sim {
            let mut phi = vec![0.0; nx * ny];
            for i in 0..nx {
                for j in 0..ny {
                    let (a, b) = (i as f64 - nx as f64 / 2.0, j as f64 - ny as f64 / 2.0);
                    if a * a + b * b < 6.0 {
                        phi[i * ny + j] = 1.0;
                    }
                }
            }
            Sim { nx, ny, phi, temp: vec![0.0; nx * ny], p }
        }

        pub fn step(&mut self) {
            let (nx, ny) = (self.nx, self.ny);
            let Params { dx, dt, tau, epsilonb, mu: _, kappa, delta, aniso, alpha, gamma, teq } = self.p;
            let n = nx * ny;
            let mut epsilon = vec![0.0; n];
            let mut deriv = vec![0.0; n];
            let mut gx = vec![0.0; n];
            let mut gy = vec![0.0; n];
            let neighbours = |i: usize, j: usize| {
                let ip = (i + 1) % nx;
                let im = (i + nx - 1) % nx;
                let jp = (j + 1) % ny;
                let jm = (j + ny - 1) % ny;
                (ip * ny + j, im * ny + j, i * ny + jp, i * ny + jm)
            };
            let phi = &self.phi;
            #[omp::target(collapse(2))]
            for i in 0..nx {
                for j in 0..ny {
                    let (e, w, nn, s) = neighbours(i, j);
                    let c = i * ny + j;
                    gx[c] = (phi[e] - phi[w]) / (2.0 * dx);
                    gy[c] = (phi[nn] - phi[s]) / (2.0 * dx);
                    let theta = gy[c].atan2(gx[c]);
                    epsilon[c] = epsilonb * (1.0 + delta * (aniso * (theta - 0.2)).cos());
                    deriv[c] = -epsilonb * aniso * delta * (aniso * (theta - 0.2)).sin();
                }
            }
            let mut phi_new = self.phi.clone();
            let mut temp_new = self.temp.clone();
            let temp = &self.temp;
            let laplacian = |a: &[f64], i: usize, j: usize| {
                let (e, w, nn, s) = neighbours(i, j);
                (a[e] + a[w] + a[nn] + a[s] - 4.0 * a[i * ny + j]) / (dx * dx)
            };
            #[omp::target(collapse(2))]
            for i in 0..nx {
                for j in 0..ny {
                    let c = i * ny + j;
                    let (e, w, nn, s) = neighbours(i, j);
                    let term1 = (epsilon[nn] * deriv[nn] * gx[nn] - epsilon[s] * deriv[s] * gx[s]) / (2.0 * dx);
                    let term2 = -(epsilon[e] * deriv[e] * gy[e] - epsilon[w] * deriv[w] * gy[w]) / (2.0 * dx);
                    let m = alpha / std::f64::consts::PI * (gamma * (teq - temp[c])).atan();
                    let old = phi[c];
                    let dphi = dt / tau
                        * (term1 + term2 + epsilon[c].powi(2) * laplacian(phi, i, j) + old * (1.0 - old) * (old - 0.5 + m));
                    phi_new[c] = old + dphi;
                    temp_new[c] = temp[c] + dt * laplacian(temp, i, j) + kappa * dphi;
                }
            }
            self.phi = phi_new;
            self.temp = temp_new;
        }

        pub fn solid_fraction(&self) -> f64 {
            let mut solid = 0usize;
            #[omp::target(reduction(+: solid))]
            for &p in self.phi.iter() {
                if p > 0.5 {
                    solid += 1;
                }
            }
            solid as f64 / self.phi.len() as f64
        }
    }

    pub fn run() -> (Vec<f64>, f64) {
        let mut sim = Sim::seeded(15, 12, Params::default());
        for _ in 0..6 {
            sim.step();
        }
        let fraction = sim.solid_fraction();
        (sim.temp, fraction)
    }
}
port!(phase_field: run());
