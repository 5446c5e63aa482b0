//! Ocean: barotropic mode with masks of an enum with data, and implicit vertical mixing.
use omp_tests::twice;

twice! {
    #[repr(u16)]
    #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
    enum Kind {
        Land,
        Sea { levels: u16 },
    }

    impl Default for Kind {
        fn default() -> Self {
            Kind::Land
        }
    }

    #[omp::declare_target]
    impl Kind {
        fn levels(self) -> usize {
            if let Kind::Sea { levels } = self { levels as usize } else { 0 }
        }
        const fn is_sea(&self) -> bool {
            matches!(self, Kind::Sea { .. })
        }
    }

    const KMAX: usize = 8;

    struct Ocean {
        nx: usize,
        ny: usize,
        kind: Vec<Kind>,
        eta: Vec<f64>,
        u: Vec<f64>,
        v: Vec<f64>,
        temp: Vec<[f64; KMAX]>,
    }

    impl Ocean {
        fn neighbours(&self, i: usize, j: usize) -> [(usize, usize); 4] {
            let (nx, ny) = (self.nx, self.ny);
            [((i + 1) % nx, j), ((i + nx - 1) % nx, j), (i, (j + 1).min(ny - 1)), (i, j.saturating_sub(1))]
        }

        #[omp::offload]
        fn barotropic(&mut self, dt: f64, g: f64) {
            let (nx, ny) = (self.nx, self.ny);
            let eta = self.eta.clone();
            #[omp::target(collapse(2))]
            for j in 0..ny {
                for i in 0..nx {
                    let c = j * nx + i;
                    if !self.kind[c].is_sea() {
                        self.u[c] = 0.0;
                        self.v[c] = 0.0;
                        continue;
                    }
                    let east = j * nx + (i + 1) % nx;
                    let north = (j + 1).min(ny - 1) * nx + i;
                    if self.kind[east].is_sea() {
                        self.u[c] -= dt * g * (eta[east] - eta[c]);
                    }
                    if self.kind[north].is_sea() {
                        self.v[c] -= dt * g * (eta[north] - eta[c]);
                    }
                }
            }
            #[omp::target(collapse(2))]
            for j in 0..ny {
                for i in 0..nx {
                    let c = j * nx + i;
                    let mean = self.neighbours(i, j).iter().map(|&(x, y)| eta[y * nx + x]).sum::<f64>() / 4.0;
                    self.eta[c] = match self.kind[c] {
                        Kind::Land => 0.0,
                        Kind::Sea { levels } => eta[c] - dt * levels as f64 * (self.u[c] + self.v[c]) + 0.01 * (mean - eta[c]),
                    };
                }
            }
        }

        #[omp::offload]
        fn mix(&mut self, kappa: f64) {
            #[omp::target]
            for (t, kind) in self.temp.iter_mut().zip(self.kind.iter()) {
                let n = kind.levels();
                if n < 2 {
                    continue;
                }
                let mut cp = [0.0; KMAX];
                let mut dp = [0.0; KMAX];
                let (a, b) = (-kappa, 1.0 + 2.0 * kappa);
                cp[0] = a / (b - kappa);
                dp[0] = t[0] / (b - kappa);
                for k in 1..n {
                    let diag = if k == n - 1 { b - kappa } else { b };
                    let m = 1.0 / (diag - a * cp[k - 1]);
                    cp[k] = a * m;
                    dp[k] = (t[k] - a * dp[k - 1]) * m;
                }
                t[n - 1] = dp[n - 1];
                for k in (0..n - 1).rev() {
                    t[k] = dp[k] - cp[k] * t[k + 1];
                }
            }
        }
    }

    pub fn run(n: usize) -> Vec<f64> {
        let (nx, ny) = (n.min(50) + 1, 6);
        let len = nx * ny;
        let kind = (0..len).map(|i| if i % 7 == 3 { Kind::default() } else { Kind::Sea { levels: 1 + (i % 8) as u16 } }).collect();
        let mut o = Ocean { nx, ny, kind, eta: (0..len).map(|i| (i % 5) as f64 * 0.1).collect(), u: vec![0.0; len], v: vec![0.0; len], temp: (0..len).map(|i| std::array::from_fn(|k| 20.0 - k as f64 - (i % 3) as f64)).collect() };
        for _ in 0..3 {
            o.barotropic(0.01, 9.8);
            o.mix(0.3);
        }
        o.eta.into_iter().chain(o.u).chain(o.temp.into_iter().flatten()).collect()
    }
}
port!(ocean_columns: (run(0), run(1), run(33)));
