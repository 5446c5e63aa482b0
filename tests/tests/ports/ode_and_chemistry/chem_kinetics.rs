//! Chemical kinetics: Arrhenius rates over cells, an implicit step by Newton's method with a dense Jacobian.
use omp_tests::twice;

twice! {
    pub const NS: usize = 5;

    #[derive(Debug, Clone, Copy, omp::Device)]
    #[repr(u8)]
    pub enum RateLaw {
        Arrhenius { a: f64, b: f64, ea: f64 },
        ThirdBody { a: f64, efficiency: [f64; NS] },
        Constant(f64),
    }

    #[derive(Debug, Clone, Copy, omp::Device)]
    pub struct Reaction { law: RateLaw, reactants: [i8; NS], products: [i8; NS] }

    #[omp::declare_target]
    impl RateLaw {
        fn rate(&self, t: f64, y: &[f64; NS]) -> f64 {
            match *self {
                RateLaw::Arrhenius { a, b, ea } => a * t.powf(b) * (-ea / (8.314 * t)).exp(),
                RateLaw::ThirdBody { a, efficiency } => {
                    let m: f64 = y.iter().zip(efficiency.iter()).map(|(y, e)| y * e).sum();
                    a * m
                }
                RateLaw::Constant(k) => k,
            }
        }
    }

    #[omp::declare_target]
    impl Reaction {
        fn progress(&self, t: f64, y: &[f64; NS]) -> f64 {
            let mut q = self.law.rate(t, y);
            for s in 0..NS {
                if self.reactants[s] != 0 {
                    q *= y[s].max(0.0).powi(self.reactants[s] as i32);
                }
            }
            q
        }
    }

    #[omp::declare_target]
    fn wdot(mechanism: &[Reaction], t: f64, y: &[f64; NS]) -> [f64; NS] {
        let mut w = [0.0; NS];
        for r in mechanism {
            let q = r.progress(t, y);
            for s in 0..NS {
                w[s] += (r.products[s] - r.reactants[s]) as f64 * q;
            }
        }
        w
    }

    #[omp::declare_target]
    fn solve<const N: usize>(mut a: [[f64; N]; N], mut b: [f64; N]) -> Result<[f64; N], usize> {
        for k in 0..N {
            let pivot = (k..N).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap();
            if a[pivot][k].abs() < 1e-300 {
                return Err(k);
            }
            a.swap(k, pivot);
            b.swap(k, pivot);
            for i in k + 1..N {
                let f = a[i][k] / a[k][k];
                for j in k..N {
                    a[i][j] -= f * a[k][j];
                }
                b[i] -= f * b[k];
            }
        }
        let mut x = [0.0; N];
        for i in (0..N).rev() {
            let sum: f64 = (i + 1..N).map(|j| a[i][j] * x[j]).sum();
            x[i] = (b[i] - sum) / a[i][i];
        }
        Ok(x)
    }

    pub fn advance(mechanism: &[Reaction], temperature: &[f64], state: &mut [[f64; NS]], dt: f64) -> (u32, u32) {
        let (mut iterations, mut failures) = (0u32, 0u32);
        #[omp::target(reduction(+: iterations, failures))]
        for (y, &t) in state.iter_mut().zip(temperature) {
            let old = *y;
            let mut converged = false;
            for _ in 0..12 {
                iterations += 1;
                let w = wdot(mechanism, t, y);
                let mut jac = [[0.0; NS]; NS];
                for j in 0..NS {
                    let h = 1e-6 * y[j].abs().max(1e-3);
                    let mut shifted = *y;
                    shifted[j] += h;
                    let wh = wdot(mechanism, t, &shifted);
                    for i in 0..NS {
                        jac[i][j] = f64::from(u8::from(i == j)) - dt * (wh[i] - w[i]) / h;
                    }
                }
                let residual: [f64; NS] = std::array::from_fn(|i| old[i] + dt * w[i] - y[i]);
                let Ok(delta) = solve(jac, residual) else { break };
                let mut norm = 0.0f64;
                for (y, d) in y.iter_mut().zip(delta) {
                    *y += d;
                    norm = norm.max(d.abs());
                }
                if norm < 1e-9 {
                    converged = true;
                    break;
                }
            }
            if !converged {
                failures += 1;
                *y = old;
            }
        }
        (iterations, failures)
    }

    pub fn run() -> (Vec<[f64; NS]>, u32, u32) {
        let mechanism = [
            Reaction { law: RateLaw::Arrhenius { a: 5.0, b: 0.5, ea: 9000.0 }, reactants: [1, 1, 0, 0, 0], products: [0, 0, 2, 0, 0] },
            Reaction { law: RateLaw::ThirdBody { a: 2.0, efficiency: [1.0, 0.5, 2.0, 1.0, 0.0] }, reactants: [0, 0, 1, 0, 0], products: [0, 0, 0, 1, 0] },
            Reaction { law: RateLaw::Constant(0.7), reactants: [0, 1, 0, 1, 0], products: [0, 0, 0, 0, 2] },
        ];
        let cells = 23;
        let temperature: Vec<f64> = (0..cells).map(|i| 800.0 + 40.0 * i as f64).collect();
        let mut state: Vec<[f64; NS]> = (0..cells).map(|i| [1.0, 0.8, 0.02 * i as f64, 0.1, 0.0]).collect();
        let (mut iterations, mut failures) = (0, 0);
        for _ in 0..3 {
            let (i, f) = advance(&mechanism, &temperature, &mut state, 0.05);
            iterations += i;
            failures += f;
        }
        (state, iterations, failures)
    }
}
port!(chem_kinetics: run());
