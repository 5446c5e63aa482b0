//! Yee's scheme in two dimensions, with a lossy border and a source.
use omp_tests::twice;

twice! {
    #[derive(Clone, omp::Mapper)]
    pub struct Grid { nx: usize, ny: usize, ez: Vec<f32>, hx: Vec<f32>, hy: Vec<f32>, sigma: Vec<f32> }

    #[omp::declare_target]
    impl Grid {
        const fn at(&self, i: usize, j: usize) -> usize { i * self.ny + j }
        fn curl_h(&self, i: usize, j: usize) -> f32 {
            (self.hy[self.at(i, j)] - self.hy[self.at(i - 1, j)]) - (self.hx[self.at(i, j)] - self.hx[self.at(i, j - 1)])
        }
    }

    impl Grid {
        pub fn new(nx: usize, ny: usize) -> Self {
            let lossy = |i: usize, j: usize| {
                let d = i.min(j).min(nx - 1 - i).min(ny - 1 - j);
                if d < 6 { ((6 - d) as f32 / 6.0).powi(3) } else { 0.0 }
            };
            Self { nx, ny, ez: vec![0.0; nx * ny], hx: vec![0.0; nx * ny], hy: vec![0.0; nx * ny],
                sigma: (0..nx * ny).map(|k| lossy(k / ny, k % ny)).collect() }
        }

        #[omp::offload]
        pub fn step(&mut self, t: usize, c: f32) {
            #[omp::target(collapse(2))]
            for i in 0..self.nx - 1 {
                for j in 0..self.ny - 1 {
                    let k = self.at(i, j);
                    self.hx[k] -= c * (self.ez[self.at(i, j + 1)] - self.ez[k]);
                    self.hy[k] += c * (self.ez[self.at(i + 1, j)] - self.ez[k]);
                }
            }
            #[omp::target(collapse(2))]
            for i in 1..self.nx {
                for j in 1..self.ny {
                    let k = self.at(i, j);
                    let s = self.sigma[k];
                    let (ca, cb) = ((1.0 - s) / (1.0 + s), c / (1.0 + s));
                    self.ez[k] = ca * self.ez[k] + cb * self.curl_h(i, j);
                }
            }
            let centre = self.at(self.nx / 2, self.ny / 2);
            self.ez[centre] += (-((t as f32 - 15.0) / 5.0).powi(2)).exp();
        }

        #[omp::offload]
        pub fn energy(&self) -> f64 {
            let mut total = 0.0;
            #[omp::target(reduction(+: total))]
            for ((&e, &hx), &hy) in self.ez.iter().zip(&self.hx).zip(&self.hy) {
                total += [e, hx, hy].iter().map(|&f| f as f64 * f as f64).sum::<f64>();
            }
            total
        }
    }

    pub fn run() -> (Vec<f32>, Vec<f64>) {
        let mut g = Grid::new(40, 30);
        let energy = (0..20).map(|t| { g.step(t, 0.5); g.energy() }).collect();
        (g.ez, energy)
    }
}
port!(fdtd: run());
