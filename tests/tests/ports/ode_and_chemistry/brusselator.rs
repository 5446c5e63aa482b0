//! Stiff chemistry: Robertson's problem by a Rosenbrock method with adaptive steps, one cell a thread; reaction and diffusion.
use omp_tests::twice;
twice! {
    #[omp::declare_target]
    pub trait System<const N: usize> {
        fn rhs(&self, y: &[f64; N]) -> [f64; N];
        fn jacobian(&self, y: &[f64; N]) -> [[f64; N]; N];
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Robertson { pub k1: f64, pub k2: f64, pub k3: f64 }

    #[omp::declare_target]
    impl System<3> for Robertson {
        fn rhs(&self, y: &[f64; 3]) -> [f64; 3] {
            let r1 = self.k1 * y[0];
            let r2 = self.k2 * y[1] * y[1];
            let r3 = self.k3 * y[1] * y[2];
            [r3 - r1, r1 - r2 - r3, r2]
        }
        fn jacobian(&self, &[_, b, c]: &[f64; 3]) -> [[f64; 3]; 3] {
            let Robertson { k1, k2, k3 } = *self;
            [[-k1, k3 * c, k3 * b], [k1, -2.0 * k2 * b - k3 * c, -k3 * b], [0.0, 2.0 * k2 * b, 0.0]]
        }
    }

    #[omp::declare_target]
    fn lu_solve<const N: usize>(a: &mut [[f64; N]; N], b: &mut [f64; N]) -> bool {
        for k in 0..N {
            let pivot = (k..N).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap();
            if a[pivot][k] == 0.0 {
                return false;
            }
            a.swap(k, pivot);
            b.swap(k, pivot);
            for i in k + 1..N {
                let m = a[i][k] / a[k][k];
                for j in k..N {
                    a[i][j] -= m * a[k][j];
                }
                b[i] -= m * b[k];
            }
        }
        for i in (0..N).rev() {
            let s: f64 = (i + 1..N).map(|j| a[i][j] * b[j]).sum();
            b[i] = (b[i] - s) / a[i][i];
        }
        true
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Stats { pub accepted: u32, pub rejected: u32 }

    #[derive(Clone, Copy)]
    pub struct Options { pub rtol: f64, pub atol: f64, pub h0: f64, pub max_steps: u32 }

    #[omp::declare_target]
    fn integrate<S: System<N>, const N: usize>(system: &S, y: &mut [f64; N], t_end: f64, rtol: f64, atol: f64, mut h: f64, max_steps: u32) -> Stats {
        let gamma = 1.0 + std::f64::consts::FRAC_1_SQRT_2;
        let mut stats = Stats::default();
        let mut t = 0.0;
        while t < t_end && stats.accepted + stats.rejected < max_steps {
            h = h.min(t_end - t);
            let jac = system.jacobian(y);
            let mut m = [[0.0; N]; N];
            for (i, row) in m.iter_mut().enumerate() {
                for (j, v) in row.iter_mut().enumerate() {
                    *v = if i == j { 1.0 } else { 0.0 } - gamma * h * jac[i][j];
                }
            }
            let mut k1 = system.rhs(y);
            let mut copy = m;
            lu_solve(&mut copy, &mut k1);
            let mut y1 = *y;
            for i in 0..N {
                y1[i] += h * k1[i];
            }
            let mut k2 = system.rhs(&y1);
            k2.iter_mut().zip(&k1).for_each(|(k2, k1)| *k2 -= 2.0 * k1);
            lu_solve(&mut m, &mut k2);
            let mut error = 0.0f64;
            let mut new = *y;
            for i in 0..N {
                new[i] += h * (1.5 * k1[i] + 0.5 * k2[i]);
                let scale = atol + rtol * y[i].abs().max(new[i].abs());
                error = error.max((0.5 * h * (k1[i] + k2[i]) / scale).abs());
            }
            if error <= 1.0 {
                *y = new;
                t += h;
                stats.accepted += 1;
            } else {
                stats.rejected += 1;
            }
            h *= (0.9 / error.sqrt()).clamp(0.2, 5.0);
        }
        stats
    }

    pub fn react(cells: &mut [[f64; 3]], rate: &[f64], dt: f64, options: &Options) -> (Vec<Stats>, u32) {
        let mut stats = vec![Stats::default(); cells.len()];
        let mut worst = 0;
        #[omp::target(reduction(max: worst))]
        for ((y, s), &k) in cells.iter_mut().zip(&mut stats).zip(rate) {
            let system = Robertson { k1: 0.04 * k, k2: 3e7, k3: 1e4 };
            *s = integrate(&system, y, dt, options.rtol, options.atol, options.h0, options.max_steps);
            worst = worst.max(s.accepted + s.rejected);
        }
        (stats, worst)
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Cell { pub u: f64, pub v: f64 }

    #[derive(Clone, Copy)]
    pub struct Brusselator { pub a: f64, pub b: f64, pub d: [f64; 2], pub n: usize }

    impl Brusselator {
        pub fn step(&self, old: &[Vec<Cell>], new: &mut Vec<Vec<Cell>>, dt: f64) {
            let n = self.n;
            let flat: Vec<Cell> = old.concat();
            let mut out = vec![Cell::default(); n * n];
            let Self { a, b, d: [du, dv], .. } = *self;
            let wrap = |i: usize, by: isize| (i as isize + by).rem_euclid(n as isize) as usize;
            #[omp::target]
            for (i, row) in out.chunks_mut(n).enumerate() {
                for (j, cell) in row.iter_mut().enumerate() {
                    let c = flat[i * n + j];
                    let around = [flat[wrap(i, -1) * n + j], flat[wrap(i, 1) * n + j], flat[i * n + wrap(j, -1)], flat[i * n + wrap(j, 1)]];
                    let (lu, lv) = around.iter().fold((-4.0 * c.u, -4.0 * c.v), |(lu, lv), x| (lu + x.u, lv + x.v));
                    let reaction = c.u * c.u * c.v;
                    cell.u = c.u + dt * (du * lu + a - (b + 1.0) * c.u + reaction);
                    cell.v = c.v + dt * (dv * lv + b * c.u - reaction);
                }
            }
            *new = out.chunks(n).map(|r| r.to_vec()).collect();
        }
    }

    pub fn run() -> (Vec<[f64; 3]>, u32, Vec<f64>) {
        let mut cells = vec![[1.0, 0.0, 0.0]; 12];
        let rate: Vec<f64> = (0..12).map(|i| 0.5 + i as f64 * 0.1).collect();
        let (stats, worst) = react(&mut cells, &rate, 40.0, &Options { rtol: 1e-4, atol: 1e-8, h0: 1e-4, max_steps: 2000 });
        let sum = stats.iter().map(|s| s.accepted).sum::<u32>();
        let b = Brusselator { a: 1.0, b: 3.0, d: [0.2, 0.02], n: 9 };
        let mut old: Vec<Vec<Cell>> = (0..9).map(|i| (0..9).map(|j| Cell { u: 1.0 + 0.1 * (i * j % 5) as f64, v: 3.0 }).collect()).collect();
        let mut new = vec![];
        for _ in 0..5 {
            b.step(&old, &mut new, 0.01);
            std::mem::swap(&mut old, &mut new);
        }
        let rounded = cells.iter().map(|c| c.map(|x| (x * 1e6).round())).collect();
        (rounded, worst.max(1) / worst.max(1) + (sum > 0) as u32, old.concat().iter().flat_map(|c| [c.u, c.v]).collect())
    }
}
port!(brusselator: run());
