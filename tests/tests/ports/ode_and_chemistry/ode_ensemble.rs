//! Ensembles of ordinary differential equations with adaptive steps.
use omp_tests::twice;

twice! {
    #[omp::declare_target]
    pub trait System<const N: usize>: Copy {
        fn rhs(&self, t: f64, y: &[f64; N]) -> [f64; N];
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Lorenz { sigma: f64, rho: f64, beta: f64 }
    #[omp::declare_target]
    impl System<3> for Lorenz {
        fn rhs(&self, _t: f64, &[x, y, z]: &[f64; 3]) -> [f64; 3] { [self.sigma * (y - x), x * (self.rho - z) - y, x * y - self.beta * z] }
    }
    #[derive(Clone, Copy, omp::Device)]
    pub struct VanDerPol { mu: f64 }
    #[omp::declare_target]
    impl System<2> for VanDerPol {
        fn rhs(&self, _t: f64, y: &[f64; 2]) -> [f64; 2] { [y[1], self.mu * (1.0 - y[0] * y[0]) * y[1] - y[0]] }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Options { t_end: f64, tol: f64, max_steps: u32 }

    #[omp::declare_target]
    fn axpy<const N: usize>(y: &[f64; N], terms: &[(f64, [f64; N])]) -> [f64; N] {
        let mut out = *y;
        for (c, k) in terms {
            for i in 0..N { out[i] += c * k[i]; }
        }
        out
    }

    #[omp::declare_target]
    fn bogacki_shampine<const N: usize, S: System<N>>(s: &S, mut y: [f64; N], o: &Options) -> ([f64; N], u32) {
        let (mut t, mut h, mut steps) = (0.0, 0.01f64, 0);
        let mut k1 = s.rhs(t, &y);
        while t < o.t_end && steps < o.max_steps {
            h = h.min(o.t_end - t);
            let k2 = s.rhs(t + 0.5 * h, &axpy(&y, &[(0.5 * h, k1)]));
            let k3 = s.rhs(t + 0.75 * h, &axpy(&y, &[(0.75 * h, k2)]));
            let next = axpy(&y, &[(2.0 / 9.0 * h, k1), (1.0 / 3.0 * h, k2), (4.0 / 9.0 * h, k3)]);
            let k4 = s.rhs(t + h, &next);
            let mut err = 0.0f64;
            for i in 0..N {
                let low = y[i] + h * (7.0 / 24.0 * k1[i] + 0.25 * k2[i] + k3[i] / 3.0 + k4[i] / 8.0);
                err = err.max((next[i] - low).abs());
            }
            if err <= o.tol {
                t += h;
                y = next;
                k1 = k4;
            }
            h *= (0.9 * (o.tol / err.max(1e-15)).cbrt()).clamp(0.2, 5.0);
            steps += 1;
        }
        (y, steps)
    }

    pub fn ensemble<const N: usize, S: System<N> + omp::Device>(systems: &[S], start: [f64; N], o: Options) -> (Vec<[f64; N]>, Vec<u32>) {
        let mut out = vec![[0.0; N]; systems.len()];
        let mut steps = vec![0; systems.len()];
        #[omp::target]
        for (i, s) in systems.iter().enumerate() {
            (out[i], steps[i]) = bogacki_shampine(s, start, &o);
        }
        (out, steps)
    }
    pub fn run() -> (Vec<[f64; 3]>, Vec<[f64; 2]>) {
        let o = Options { t_end: 0.1, tol: 1e-6, max_steps: 500 };
        let lorenz: Vec<Lorenz> = (0..12).map(|i| Lorenz { sigma: 10.0, rho: 20.0 + i as f64, beta: 8.0 / 3.0 }).collect();
        let vdp: Vec<VanDerPol> = (0..10).map(|i| VanDerPol { mu: 0.5 * i as f64 }).collect();
        (ensemble(&lorenz, [1.0, 1.0, 1.0], o).0, ensemble(&vdp, [2.0, 0.0], o).0)
    }
}
port!(ode_ensemble: run());
