//! Geometric multigrid: levels in a vector, a V-cycle by recursion.
use omp_tests::twice;

twice! {
    pub struct Level { n: usize, u: Vec<f64>, f: Vec<f64>, r: Vec<f64> }

    impl Level {
        fn new(n: usize) -> Self { Level { n, u: vec![0.0; n * n], f: vec![0.0; n * n], r: vec![0.0; n * n] } }
        fn h2(&self) -> f64 { 1.0 / ((self.n - 1) * (self.n - 1)) as f64 }

        fn smooth(&mut self, sweeps: usize) {
            let n = self.n;
            let h2 = self.h2();
            let Level { u, f, .. } = self;
            for s in 0..2 * sweeps {
                let parity = s % 2;
                #[omp::target(disjoint(u))]
                for j in 1..n - 1 {
                    for i in (1 + (j + parity) % 2..n - 1).step_by(2) {
                        let p = j * n + i;
                        u[p] = 0.25 * (u[p - 1] + u[p + 1] + u[p - n] + u[p + n] + h2 * f[p]);
                    }
                }
            }
        }

        fn residual(&mut self) {
            let (n, h2) = (self.n, self.h2());
            let u = |j: usize, i: usize| self.u[j * n + i];
            #[omp::target(collapse(2))]
            for j in 1..n - 1 {
                for i in 1..n - 1 {
                    self.r[j * n + i] = self.f[j * n + i] - (4.0 * u(j, i) - u(j, i - 1) - u(j, i + 1) - u(j - 1, i) - u(j + 1, i)) / h2;
                }
            }
        }
    }

    fn restrict(fine: &Level, coarse: &mut Level) {
        let (nf, nc) = (fine.n, coarse.n);
        coarse.u.fill(0.0);
        let (r, f) = (&fine.r, &mut coarse.f);
        #[omp::target(collapse(2))]
        for j in 1..nc - 1 {
            for i in 1..nc - 1 {
                let c = 2 * j * nf + 2 * i;
                let edges = r[c - 1] + r[c + 1] + r[c - nf] + r[c + nf];
                let corners = r[c - nf - 1] + r[c - nf + 1] + r[c + nf - 1] + r[c + nf + 1];
                f[j * nc + i] = (4.0 * r[c] + 2.0 * edges + corners) / 16.0;
            }
        }
    }

    fn prolong(coarse: &Level, fine: &mut Level) {
        let nc = coarse.n;
        let nf = fine.n;
        let weights = |k: usize| if k % 2 == 0 { [(k / 2, 1.0), (k / 2, 0.0)] } else { [(k / 2, 0.5), (k / 2 + 1, 0.5)] };
        #[omp::target(collapse(2))]
        for j in 1..nf - 1 {
            for i in 1..nf - 1 {
                let mut v = 0.0;
                for (cj, wj) in weights(j) {
                    for (ci, wi) in weights(i) {
                        v += wj * wi * coarse.u[cj * nc + ci];
                    }
                }
                fine.u[j * nf + i] += v;
            }
        }
    }

    pub fn v_cycle(levels: &mut [Level]) {
        match levels {
            [] => {}
            [coarsest] => coarsest.smooth(10),
            [fine, rest @ ..] => {
                fine.smooth(2);
                fine.residual();
                restrict(fine, &mut rest[0]);
                v_cycle(rest);
                prolong(&rest[0], fine);
                fine.smooth(2);
            }
        }
    }
    pub fn run() -> Vec<f64> {
        let mut levels: Vec<Level> = [17, 9, 5].into_iter().map(Level::new).collect();
        for (p, f) in levels[0].f.iter_mut().enumerate() { *f = (p % 6) as f64; }
        for _ in 0..2 { v_cycle(&mut levels); }
        levels.swap_remove(0).u
    }
}
port!(mg_levels: run());
