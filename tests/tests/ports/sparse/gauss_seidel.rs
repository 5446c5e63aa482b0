//! Red-black Gauss-Seidel, and a multigrid's restriction and prolongation over levels.
use omp_tests::twice;

twice! {
    pub fn sweep(u: &mut [f64], f: &[f64], n: usize, colour: usize) {
        #[omp::target]
        for y in 1..n - 1 {
            for x in (1 + (y + colour) % 2..n - 1).step_by(2) {
                let i = y * n + x;
                u[i] = 0.25 * (u[i - 1] + u[i + 1] + u[i - n] + u[i + n] + f[i]);
            }
        }
    }

    pub fn residual(r: &mut [f64], u: &[f64], f: &[f64], n: usize) -> f64 {
        let mut worst = 0.0f64;
        #[omp::target(collapse(2), reduction(max: worst))]
        for y in 1..n - 1 {
            for x in 1..n - 1 {
                let i = y * n + x;
                r[i] = f[i] - (4.0 * u[i] - u[i - 1] - u[i + 1] - u[i - n] - u[i + n]);
                worst = worst.max(r[i].abs());
            }
        }
        worst
    }

    pub fn restrict(coarse: &mut [f64], fine: &[f64], n: usize) {
        let m = n / 2 + 1;
        const WEIGHTS: [f64; 3] = [0.25, 0.5, 0.25];
        #[omp::target(collapse(2))]
        for y in 1..m - 1 {
            for x in 1..m - 1 {
                coarse[y * m + x] = WEIGHTS
                    .iter()
                    .enumerate()
                    .map(|(dy, wy)| {
                        let row = &fine[(2 * y + dy - 1) * n + 2 * x - 1..][..3];
                        wy * row.iter().zip(&WEIGHTS).map(|(v, wx)| v * wx).sum::<f64>()
                    })
                    .sum();
            }
        }
    }

    pub fn prolong(fine: &mut [f64], coarse: &[f64], n: usize) {
        let m = n / 2 + 1;
        #[omp::target(collapse(2))]
        for y in 1..n - 1 {
            for x in 1..n - 1 {
                let at = |y: usize, x: usize| coarse[y * m + x];
                let (cy, cx) = (y / 2, x / 2);
                fine[y * n + x] += match (y % 2, x % 2) {
                    (0, 0) => at(cy, cx),
                    (0, _) => 0.5 * (at(cy, cx) + at(cy, cx + 1)),
                    (_, 0) => 0.5 * (at(cy, cx) + at(cy + 1, cx)),
                    _ => 0.25 * (at(cy, cx) + at(cy + 1, cx) + at(cy, cx + 1) + at(cy + 1, cx + 1)),
                };
            }
        }
    }

    pub struct Level { n: usize, u: Vec<f64>, f: Vec<f64>, r: Vec<f64> }

    pub fn v_cycle(levels: &mut [Level]) -> f64 {
        for k in 0..levels.len() {
            let (finer, rest) = levels.split_at_mut(k + 1);
            let level = &mut finer[k];
            for colour in 0..2 {
                sweep(&mut level.u, &level.f, level.n, colour);
            }
            residual(&mut level.r, &level.u, &level.f, level.n);
            if let Some(coarse) = rest.first_mut() {
                restrict(&mut coarse.f, &level.r, level.n);
                coarse.u.fill(0.0);
            }
        }
        for k in (1..levels.len()).rev() {
            let (finer, rest) = levels.split_at_mut(k);
            let (fine, coarse) = (&mut finer[k - 1], &rest[0]);
            prolong(&mut fine.u, &coarse.u, fine.n);
            for colour in 0..2 {
                sweep(&mut fine.u, &fine.f, fine.n, colour);
            }
        }
        let top = &mut levels[0];
        residual(&mut top.r, &top.u, &top.f, top.n)
    }

    /// Scales all levels, in the loop over them.
    pub fn scale_all(levels: &mut [Level], factor: f64) {
        for level in levels {
            #[omp::target]
            for v in level.u.iter_mut() {
                *v *= factor;
            }
        }
    }

    pub fn run() -> (f64, Vec<f64>) {
        let mut levels: Vec<Level> = [17, 9, 5]
            .into_iter()
            .map(|n| Level { n, u: vec![0.0; n * n], f: vec![0.0; n * n], r: vec![0.0; n * n] })
            .collect();
        for (i, f) in levels[0].f.iter_mut().enumerate() {
            *f = (i % 5) as f64 - 2.0;
        }
        let mut worst = 0.0;
        for _ in 0..3 {
            worst = v_cycle(&mut levels);
        }
        scale_all(&mut levels, 0.5);
        (worst, levels.swap_remove(0).u)
    }
}
port!(multigrid: run());
