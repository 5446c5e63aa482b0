//! A geometric multigrid V-cycle for the Poisson equation on a square, over a vector of levels.
use omp_tests::twice;

twice! {
    #[derive(omp::Mapper)]
    pub struct Level {
        n: usize,
        h2: f64,
        u: Vec<f64>,
        f: Vec<f64>,
        r: Vec<f64>,
    }

    impl Level {
        fn new(n: usize) -> Self {
            let size = (n + 1) * (n + 1);
            Level { n, h2: 1.0 / (n * n) as f64, u: vec![0.0; size], f: vec![0.0; size], r: vec![0.0; size] }
        }

        #[inline(always)]
        fn id(&self, i: usize, j: usize) -> usize {
            i * (self.n + 1) + j
        }

        fn smooth(&mut self, sweeps: usize) {
            let n = self.n;
            for _ in 0..sweeps {
                for color in 0..2 {
                    #[omp::target]
                    for i in 1..n {
                        for j in 1..n {
                            if (i + j) % 2 != color {
                                continue;
                            }
                            let c = self.id(i, j);
                            let neighbours = self.u[self.id(i - 1, j)] + self.u[self.id(i + 1, j)] + self.u[c - 1] + self.u[c + 1];
                            self.u[c] = 0.25 * (neighbours + self.h2 * self.f[c]);
                        }
                    }
                }
            }
        }

        fn residual(&mut self) -> f64 {
            let n = self.n;
            let mut norm = 0.0f64;
            #[omp::target(collapse(2), reduction(max: norm))]
            for i in 1..n {
                for j in 1..n {
                    let c = self.id(i, j);
                    let lap = 4.0 * self.u[c] - self.u[self.id(i - 1, j)] - self.u[self.id(i + 1, j)] - self.u[c - 1] - self.u[c + 1];
                    self.r[c] = self.f[c] - lap / self.h2;
                    norm = norm.max(self.r[c].abs());
                }
            }
            norm
        }
    }

    fn restrict(fine: &Level, coarse: &mut Level) {
        coarse.u.fill(0.0);
        #[omp::target(collapse(2))]
        for i in 1..coarse.n {
            for j in 1..coarse.n {
                let mut acc = 0.0;
                for (di, wi) in [(-1i32, 0.25), (0, 0.5), (1, 0.25)] {
                    for (dj, wj) in [(-1i32, 0.25), (0, 0.5), (1, 0.25)] {
                        let fi = (2 * i as i32 + di) as usize;
                        let fj = (2 * j as i32 + dj) as usize;
                        acc += wi * wj * fine.r[fine.id(fi, fj)];
                    }
                }
                let c = coarse.id(i, j);
                coarse.f[c] = acc;
            }
        }
    }

    fn prolongate(coarse: &Level, fine: &mut Level) {
        let n = fine.n;
        #[omp::target]
        for i in 1..n {
            for j in 1..n {
                let (ci, cj) = (i / 2, j / 2);
                let v = match (i % 2, j % 2) {
                    (0, 0) => coarse.u[coarse.id(ci, cj)],
                    (1, 0) => 0.5 * (coarse.u[coarse.id(ci, cj)] + coarse.u[coarse.id(ci + 1, cj)]),
                    (0, 1) => 0.5 * (coarse.u[coarse.id(ci, cj)] + coarse.u[coarse.id(ci, cj + 1)]),
                    _ => {
                        0.25 * (coarse.u[coarse.id(ci, cj)]
                            + coarse.u[coarse.id(ci + 1, cj)]
                            + coarse.u[coarse.id(ci, cj + 1)]
                            + coarse.u[coarse.id(ci + 1, cj + 1)])
                    }
                };
                let c = fine.id(i, j);
                fine.u[c] += v;
            }
        }
    }

    fn v_cycle(levels: &mut [Level]) {
        let Some((fine, rest)) = levels.split_first_mut() else { return };
        fine.smooth(2);
        if rest.is_empty() {
            fine.smooth(10);
            return;
        }
        fine.residual();
        restrict(fine, &mut rest[0]);
        v_cycle(rest);
        prolongate(&rest[0], fine);
        fine.smooth(2);
    }

    pub fn run() -> (Vec<f64>, Vec<f64>) {
        let mut levels: Vec<Level> = [16, 8, 4, 2].into_iter().map(Level::new).collect();
        let n = levels[0].n;
        for i in 1..n {
            for j in 1..n {
                let c = levels[0].id(i, j);
                levels[0].f[c] = ((i * j) as f64 / n as f64).sin();
            }
        }
        let mut norms = vec![];
        for _ in 0..3 {
            v_cycle(&mut levels);
            norms.push(levels[0].residual());
        }
        (norms, levels.swap_remove(0).u)
    }
}
port!(multigrid: run());
