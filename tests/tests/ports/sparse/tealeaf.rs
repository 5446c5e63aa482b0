//! TeaLeaf: implicit heat conduction by conjugate gradients, its state in one struct.
use omp_tests::twice;

twice! {
    #[derive(Clone, Debug, omp::Mapper)]
    pub struct Chunk {
        nx: usize,
        ny: usize,
        u: Vec<f64>,
        p: Vec<f64>,
        r: Vec<f64>,
        w: Vec<f64>,
        kx: Vec<f64>,
        ky: Vec<f64>,
    }

    impl Chunk {
        pub fn new(nx: usize, ny: usize) -> Self {
            let cells = (nx + 2) * (ny + 2);
            let u = (0..cells).map(|i| if i % 7 < 3 { 10.0 } else { 0.1 }).collect();
            Self { nx, ny, u, p: vec![0.0; cells], r: vec![0.0; cells], w: vec![0.0; cells], kx: vec![0.0; cells], ky: vec![0.0; cells] }
        }

        const fn at(&self, x: usize, y: usize) -> usize {
            y * (self.nx + 2) + x
        }

        fn coefficients(&mut self, rx: f64, ry: f64) {
            #[omp::target(collapse(2))]
            for y in 1..=self.ny {
                for x in 1..=self.nx {
                    let c = self.at(x, y);
                    let mean = |a: f64, b: f64| (a + b) / (2.0 * a * b);
                    self.kx[c] = if x > 1 { rx * mean(self.u[c - 1], self.u[c]) } else { 0.0 };
                    self.ky[c] = if y > 1 { ry * mean(self.u[self.at(x, y - 1)], self.u[c]) } else { 0.0 };
                }
            }
        }

        fn apply(&mut self) -> f64 {
            let mut pw = 0.0;
            #[omp::target(collapse(2), reduction(+: pw))]
            for y in 1..=self.ny {
                for x in 1..=self.nx {
                    let (c, n, s, e, w) = (self.at(x, y), self.at(x, y + 1), self.at(x, y - 1), self.at(x + 1, y), self.at(x - 1, y));
                    self.w[c] = (1.0 + self.kx[e] + self.kx[c] + self.ky[n] + self.ky[c]) * self.p[c]
                        - (self.kx[e] * self.p[e] + self.kx[c] * self.p[w])
                        - (self.ky[n] * self.p[n] + self.ky[c] * self.p[s]);
                    pw += self.w[c] * self.p[c];
                }
            }
            pw
        }

        fn axpy(&mut self, alpha: f64) -> f64 {
            let mut rr = 0.0;
            #[omp::target(reduction(+: rr))]
            for y in 1..self.ny + 1 {
                for x in 1..self.nx + 1 {
                    let c = self.at(x, y);
                    self.u[c] += alpha * self.p[c];
                    self.r[c] -= alpha * self.w[c];
                    rr += self.r[c].powi(2);
                }
            }
            rr
        }

        fn direction(&mut self, beta: f64) {
            let Self { p, r, .. } = self;
            #[omp::target]
            for (p, r) in p.iter_mut().zip(r.iter()) {
                *p = r + beta * *p;
            }
        }

        pub fn solve(&mut self, steps: usize) -> f64 {
            self.coefficients(0.4, 0.3);
            for (r, u) in self.r.iter_mut().zip(&self.u) { *r = *u * 0.25; }
            self.p.copy_from_slice(&self.r);
            let mut rro: f64 = self.axpy(0.0);
            for _ in 0..steps {
                let pw = self.apply();
                let rrn = self.axpy(rro / pw);
                self.direction(rrn / rro);
                rro = rrn;
            }
            rro
        }
    }

    pub fn run() -> (Vec<f64>, f64) {
        let mut c = Chunk::new(11, 7);
        let residual = c.solve(5);
        (c.u, residual)
    }
}
port!(tealeaf: run());
