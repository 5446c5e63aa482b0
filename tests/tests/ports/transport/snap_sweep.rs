//! SNAP: the dimension sweep of one octant, angles as a const generic.
use omp_tests::twice;

twice! {
    use std::array;

    pub struct Quadrature<const A: usize> { mu: [f64; A], eta: [f64; A], xi: [f64; A], w: [f64; A] }

    impl<const A: usize> Quadrature<A> {
        pub fn new() -> Self {
            let dm = 1.0 / A as f64;
            let mu: [f64; A] = array::from_fn(|a| (a as f64 + 0.5) * dm);
            let eta = mu.map(|m| 1.0 - 0.5 * m);
            let xi = array::from_fn(|a| (mu[a] * eta[a]).sqrt());
            Self { mu, eta, xi, w: [0.125 / A as f64; A] }
        }
    }

    pub struct Sweep<const A: usize> { nx: usize, ny: usize, nz: usize, quad: Quadrature<A>, total: Vec<f64>, source: Vec<f64> }

    impl<const A: usize> Sweep<A> {
        /// One group a thread; planes of cells inside of a group in order.
        pub fn groups(&self, ng: usize) -> Vec<f64> {
            let cells = self.nx * self.ny * self.nz;
            let mut flux = vec![0.0; ng * cells];
            let Quadrature { mu, eta, xi, w } = &self.quad;
            let (nx, ny, nz) = (self.nx, self.ny, self.nz);
            #[omp::target]
            for (g, phi) in flux.chunks_exact_mut(cells).enumerate() {
                let scale = 1.0 + g as f64;
                for a in 0..A {
                    let (hi, hj, hk) = (2.0 * mu[a], 2.0 * eta[a], 2.0 * xi[a]);
                    for k in 0..nz {
                        for j in 0..ny {
                            let mut psii = 0.1;
                            for i in 0..nx {
                                let c = (k * ny + j) * nx + i;
                                let mut pc = self.source[c] / scale + psii * hi + 0.05 * hj + 0.02 * hk;
                                pc /= self.total[c] * scale + hi + hj + hk;
                                psii = (2.0 * pc - psii).max(0.0);
                                phi[c] += w[a] * pc;
                            }
                        }
                    }
                }
            }
            flux
        }
    }
    pub fn run() -> Vec<f64> {
        let s = Sweep { nx: 4, ny: 3, nz: 3, quad: Quadrature::<6>::new(), total: (0..36).map(|c| 1.0 + (c % 4) as f64).collect(), source: (0..36).map(|c| (c % 5) as f64).collect() };
        s.groups(5)
    }
}
port!(snap_sweep: run());
