//! ODE ensembles: Dormand-Prince with adaptive steps over a trait of systems.
use omp_tests::twice;

twice! {
    #[omp::declare_target]
    pub trait System<const N: usize> {
        fn rhs(&self, t: f64, y: &[f64; N]) -> [f64; N];
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Lorenz {
        sigma: f64,
        rho: f64,
        beta: f64,
    }

    #[omp::declare_target]
    impl System<3> for Lorenz {
        fn rhs(&self, _t: f64, &[x, y, z]: &[f64; 3]) -> [f64; 3] {
            [self.sigma * (y - x), x * (self.rho - z) - y, x * y - self.beta * z]
        }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct VanDerPol(f64);

    #[omp::declare_target]
    impl System<2> for VanDerPol {
        fn rhs(&self, t: f64, y: &[f64; 2]) -> [f64; 2] {
            let mu = self.0;
            [y[1], mu * (1.0 - y[0] * y[0]) * y[1] - y[0] + 0.1 * t.cos()]
        }
    }

    const A: [[f64; 4]; 4] = [
        [1.0 / 5.0, 0.0, 0.0, 0.0],
        [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0],
        [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0],
        [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    ];
    const C: [f64; 5] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0];

    #[omp::declare_target]
    fn stages<const N: usize, S: System<N> + omp::Device>(s: &S, t: f64, y: &[f64; N], h: f64) -> [[f64; N]; 5] {
        let mut k = [[0.0; N]; 5];
        k[0] = s.rhs(t, y);
        for i in 1..5 {
            let mut yi = *y;
            for j in 0..i {
                for (v, kj) in yi.iter_mut().zip(&k[j]) {
                    *v += h * A[i - 1][j] * kj;
                }
            }
            k[i] = s.rhs(t + C[i] * h, &yi);
        }
        k
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Outcome<const N: usize> {
        y: [f64; N],
        steps: u32,
        rejected: u32,
    }

    #[omp::offload]
    pub fn integrate<const N: usize, S: System<N> + omp::Device>(systems: &[S], y0: &[[f64; N]], t_end: f64, tol: f64) -> Vec<Outcome<N>> {
        let mut out: Vec<Outcome<N>> = y0.iter().map(|&y| Outcome { y, steps: 0, rejected: 0 }).collect();
        #[omp::target]
        for (o, s) in out.iter_mut().zip(systems) {
            let mut t = 0.0;
            let mut h: f64 = 0.01;
            let mut y = o.y;
            while t < t_end && o.steps < 2000 {
                h = h.min(t_end - t);
                let k = stages(s, t, &y, h);
                let mut err: f64 = 0.0;
                let mut next = y;
                for d in 0..N {
                    let high = 35.0 / 384.0 * k[0][d] + 500.0 / 1113.0 * k[2][d] + 125.0 / 192.0 * k[3][d] - 2187.0 / 6784.0 * k[4][d];
                    let low = k[0][d] * 0.1 + k[2][d] * 0.4 + k[3][d] * 0.6 - k[4][d] * 0.1;
                    next[d] += h * high;
                    let scale = tol * (1.0 + y[d].abs().max(next[d].abs()));
                    err = err.max((h * h * (high - low) / scale).abs());
                }
                if err <= 1.0 {
                    t += h;
                    y = next;
                    o.steps += 1;
                } else {
                    o.rejected += 1;
                }
                h *= (0.9 * err.max(1e-10).powf(-0.2)).clamp(0.2, 5.0);
            }
            o.y = y;
        }
        out
    }

    pub fn run(n: usize) -> Vec<f64> {
        let l: Vec<Lorenz> = (0..n).map(|i| Lorenz { sigma: 10.0, rho: 5.0 + (i % 5) as f64, beta: 8.0 / 3.0 }).collect();
        let v: Vec<VanDerPol> = (0..n).map(|i| VanDerPol(0.5 + 0.1 * (i % 9) as f64)).collect();
        let a = integrate(&l, &vec![[1.0, 1.0, 1.0]; n], 0.3, 1e-3);
        let b = integrate(&v, &vec![[0.5, 0.0]; n], 0.5, 1e-3);
        a.iter().flat_map(|o| o.y).chain(b.iter().flat_map(|o| [o.y[0], o.y[1], o.steps as f64, o.rejected as f64])).collect()
    }
}
port!(dopri_ensemble: (run(0), run(1), run(33)));
