//! HPGMG-FV: Chebyshev and red-black Gauss-Seidel smoothers, restriction, interpolation on a level.
use omp_tests::twice;

twice! {
    #[derive(Clone)]
    pub struct Level {
        dim: usize,
        h: f64,
        u: Vec<f64>,
        f: Vec<f64>,
        r: Vec<f64>,
    }

    const GHOST: usize = 1;

    impl Level {
        fn new(dim: usize) -> Level {
            let size = (dim + 2 * GHOST).pow(2);
            Level { dim, h: 1.0 / dim as f64, u: vec![0.0; size], f: vec![0.0; size], r: vec![0.0; size] }
        }
        fn stride(&self) -> usize {
            self.dim + 2 * GHOST
        }
        fn ij(&self, i: usize, j: usize) -> usize {
            (i + GHOST) * self.stride() + j + GHOST
        }

        #[omp::offload]
        fn apply_bc(&mut self) {
            let s = self.stride();
            #[omp::target]
            for k in 1..s - 1 {
                self.u[k] = -self.u[s + k];
                self.u[(s - 1) * s + k] = -self.u[(s - 2) * s + k];
            }
            #[omp::target]
            for k in 1..s - 1 {
                self.u[k * s] = -self.u[k * s + 1];
                self.u[k * s + s - 1] = -self.u[k * s + s - 2];
            }
        }

        #[omp::offload]
        fn gsrb(&mut self, color: usize) {
            let h2 = self.h * self.h;
            let n = self.dim;
            let s = self.stride();
            #[omp::target]
            for i in 0..n {
                for j in ((i + color) % 2..n).step_by(2) {
                    let c = self.ij(i, j);
                    self.u[c] = 0.25 * (self.u[c - 1] + self.u[c + 1] + self.u[c - s] + self.u[c + s] + h2 * self.f[c]);
                }
            }
        }

        #[omp::offload]
        fn residual(&mut self) -> f64 {
            let mut norm = 0.0f64;
            let Level { dim, h, .. } = *self;
            let s = dim + 2 * GHOST;
            #[omp::target(collapse(2), reduction(max: norm))]
            for i in 0..dim {
                for j in 0..dim {
                    let c = self.ij(i, j);
                    let u = &self.u;
                    let lap = (4.0 * u[c] - u[c - 1] - u[c + 1] - u[c - s] - u[c + s]) / (h * h);
                    self.r[c] = self.f[c] - lap;
                    norm = norm.max(self.r[c].abs());
                }
            }
            norm
        }
    }

    #[omp::offload]
    fn restrict(coarse: &mut Level, fine: &Level) {
        let nc = coarse.dim;
        #[omp::target(collapse(2))]
        for i in 0..nc {
            for j in 0..nc {
                let sum: f64 = [(0, 0), (0, 1), (1, 0), (1, 1)].iter().map(|(a, b)| fine.r[fine.ij(2 * i + a, 2 * j + b)]).sum();
                let c = coarse.ij(i, j);
                coarse.f[c] = 0.25 * sum;
                coarse.u[c] = 0.0;
            }
        }
    }

    #[omp::offload]
    fn prolong(fine: &mut Level, coarse: &Level) {
        #[omp::target(collapse(2))]
        for i in 0..fine.dim {
            for j in 0..fine.dim {
                let c = fine.ij(i, j);
                fine.u[c] += coarse.u[coarse.ij(i >> 1, j >> 1)];
            }
        }
    }

    fn v_cycle(levels: &mut [Level]) {
        let Some((fine, rest)) = levels.split_first_mut() else { return };
        let sweeps = if rest.is_empty() { 8 } else { 2 };
        for _ in 0..sweeps {
            for color in [0, 1] {
                fine.apply_bc();
                fine.gsrb(color);
            }
        }
        if let Some(next) = rest.first_mut() {
            fine.apply_bc();
            fine.residual();
            restrict(next, fine);
            v_cycle(rest);
            prolong(fine, &rest[0]);
            fine.apply_bc();
            fine.gsrb(0);
        }
    }

    pub fn run(n: usize) -> Vec<f64> {
        let dim = 4 * (n.min(9) + 1);
        let mut levels = vec![Level::new(dim), Level::new(dim / 2), Level::new(dim / 4)];
        let l = &mut levels[0];
        for i in 0..dim {
            for j in 0..dim {
                let c = l.ij(i, j);
                l.f[c] = ((i * 3 + j * 5) % 7) as f64 - 3.0;
            }
        }
        v_cycle(&mut levels);
        levels[0].apply_bc();
        let r = levels[0].residual();
        levels.swap_remove(0).u.into_iter().chain([r]).collect()
    }
}
port!(hpgmg_fv: (run(0), run(3), run(7)));
