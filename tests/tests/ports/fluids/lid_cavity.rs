//! Lid-driven cavity: staggered grid, SOR pressure in red and black, enum boundaries.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Boundary {
        NoSlip,
        MovingLid,
    }

    struct Cavity {
        n: usize,
        u: Vec<f64>,
        v: Vec<f64>,
        f: Vec<f64>,
        g: Vec<f64>,
        p: Vec<f64>,
        dt: f64,
        re: f64,
    }

    macro_rules! at {
        ($s:expr, $i:expr, $j:expr) => {
            ($i) * ($s.n + 2) + ($j)
        };
    }

    impl Cavity {
        const OMEGA: f64 = 1.5;

        fn new(n: usize) -> Self {
            let z = vec![0.0; (n + 2) * (n + 2)];
            Cavity { n, u: z.clone(), v: z.clone(), f: z.clone(), g: z.clone(), p: z, dt: 0.005, re: 100.0 }
        }

        #[omp::offload]
        fn boundary(&mut self, top: Boundary) {
            let n = self.n;
            let lid = if top == Boundary::MovingLid { 2.0 } else { 0.0 };
            let w = n + 2;
            let Self { u, v, .. } = self;
            #[omp::target]
            for i in 0..w {
                u[i * w] = -u[i * w + 1];
                u[i * w + n + 1] = lid - u[i * w + n];
                v[i * w] = 0.0;
                v[i * w + n] = 0.0;
            }
        }

        #[omp::offload]
        fn momentum(&mut self) {
            let h = 1.0 / self.n as f64;
            let (dt, re, n) = (self.dt, self.re, self.n);
            let w = n + 2;
            let (u, v) = (&self.u, &self.v);
            let (f, g) = (&mut self.f, &mut self.g);
            #[omp::target(collapse(2))]
            for i in 1..=n {
                for j in 1..=n {
                    let c = i * w + j;
                    let lap = |q: &[f64]| (q[c + 1] + q[c - 1] + q[c + w] + q[c - w] - 4.0 * q[c]) / (h * h);
                    let du2 = ((u[c] + u[c + w]).powi(2) - (u[c - w] + u[c]).powi(2)) / (4.0 * h);
                    let duv = ((u[c] + u[c + 1]) * (v[c] + v[c + w]) - (u[c - 1] + u[c]) * (v[c - 1] + v[c + w - 1])) / (4.0 * h);
                    f[c] = u[c] + dt * (lap(u) / re - du2 - duv);
                    g[c] = v[c] + dt * (lap(v) / re - duv);
                }
            }
        }

        #[omp::offload]
        fn pressure(&mut self, sweeps: usize) -> f64 {
            let n = self.n;
            let h = 1.0 / n as f64;
            let mut residual = 0.0;
            for sweep in 0..sweeps {
                residual = 0.0;
                for color in [0usize, 1] {
                    #[omp::target(reduction(+: residual), disjoint(self.p))]
                    for i in 1..=n {
                        for j in (1..=n).filter(|j| (i + j) % 2 == color) {
                            let c = i * (n + 2) + j;
                            let rhs = (self.f[c] - self.f[c - n - 2] + self.g[c] - self.g[c - 1]) / (h * self.dt);
                            let sum = self.p[c + 1] + self.p[c - 1] + self.p[c + n + 2] + self.p[c - n - 2];
                            let r = sum - 4.0 * self.p[c] - h * h * rhs;
                            self.p[c] += Self::OMEGA * r / 4.0;
                            residual += r * r;
                        }
                    }
                }
                if residual < 1e-14 && sweep > 0 {
                    break;
                }
            }
            residual
        }
    }

    pub fn run(n: usize) -> Vec<f64> {
        let mut c = Cavity::new(n.min(24) + 2);
        let k = at!(c, 1, 1);
        c.u[k] = 0.5;
        let mut out = vec![];
        for _ in 0..2 {
            c.boundary(Boundary::MovingLid);
            c.momentum();
            out.push(c.pressure(4));
        }
        c.boundary(Boundary::NoSlip);
        out.extend(c.p);
        out.extend(c.f);
        out
    }
}
port!(lid_cavity: (run(0), run(1), run(7)));
