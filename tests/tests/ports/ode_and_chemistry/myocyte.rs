//! Rodinia myocyte in style: an ensemble of stiff cell models, integrated by an adaptive Runge-Kutta-Fehlberg method.
use omp_tests::twice;

twice! {
    const EQUATIONS: usize = 4;
    type State = [f64; EQUATIONS];

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct CellParams { g_na: f64, g_k: f64, g_l: f64, stimulus: f64 }

    #[omp::declare_target]
    impl CellParams {
        fn rhs(&self, t: f64, y: &State) -> State {
            let [v, m, h, n] = *y;
            let alpha_m = if (v + 40.0).abs() < 1e-9 { 1.0 } else { 0.1 * (v + 40.0) / (1.0 - (-(v + 40.0) / 10.0).exp()) };
            let beta_m = 4.0 * (-(v + 65.0) / 18.0).exp();
            let alpha_h = 0.07 * (-(v + 65.0) / 20.0).exp();
            let beta_h = 1.0 / (1.0 + (-(v + 35.0) / 10.0).exp());
            let alpha_n = 0.01 * (v + 55.0) / (1.0 - (-(v + 55.0) / 10.0).exp());
            let beta_n = 0.125 * (-(v + 65.0) / 80.0).exp();
            let i_stim = if t < 2.0 { self.stimulus } else { 0.0 };
            let i_ion = self.g_na * m.powi(3) * h * (v - 50.0) + self.g_k * n.powi(4) * (v + 77.0) + self.g_l * (v + 54.4);
            [i_stim - i_ion, alpha_m * (1.0 - m) - beta_m * m, alpha_h * (1.0 - h) - beta_h * h, alpha_n * (1.0 - n) - beta_n * n]
        }
    }

    #[omp::declare_target]
    fn axpy(y: &State, terms: &[(f64, State)], h: f64) -> State {
        let mut out = *y;
        for (c, k) in terms {
            for e in 0..EQUATIONS {
                out[e] += h * c * k[e];
            }
        }
        out
    }

    #[omp::declare_target]
    fn embedded_fehlberg_7_8(p: &CellParams, t: f64, y: &State, h: f64) -> (State, f64) {
        let k1 = p.rhs(t, y);
        let k2 = p.rhs(t + h / 4.0, &axpy(y, &[(0.25, k1)], h));
        let k3 = p.rhs(t + 3.0 * h / 8.0, &axpy(y, &[(3.0 / 32.0, k1), (9.0 / 32.0, k2)], h));
        let k4 = p.rhs(t + 12.0 * h / 13.0, &axpy(y, &[(1932.0 / 2197.0, k1), (-7200.0 / 2197.0, k2), (7296.0 / 2197.0, k3)], h));
        let k5 = p.rhs(t + h, &axpy(y, &[(439.0 / 216.0, k1), (-8.0, k2), (3680.0 / 513.0, k3), (-845.0 / 4104.0, k4)], h));
        let fourth = axpy(y, &[(25.0 / 216.0, k1), (1408.0 / 2565.0, k3), (2197.0 / 4104.0, k4), (-0.2, k5)], h);
        let mut err: f64 = 0.0;
        for e in 0..EQUATIONS {
            let d = h * (k1[e] / 360.0 - 128.0 / 4275.0 * k3[e] - 2197.0 / 75240.0 * k4[e] + k5[e] / 50.0);
            err = err.max(d.abs() / (1e-3 + fourth[e].abs()));
        }
        (fourth, err)
    }

    pub fn solver(cells: &[CellParams], states: &mut [State], t_end: f64) -> Vec<u32> {
        let mut steps = vec![0u32; cells.len()];
        #[omp::target]
        for (cell, p) in cells.iter().enumerate() {
            let mut y = states[cell];
            let mut t = 0.0;
            let mut h = 0.01f64;
            let mut rejected = 0;
            while t < t_end {
                h = h.min(t_end - t);
                let (next, err) = embedded_fehlberg_7_8(p, t, &y, h);
                if err > 1e-3 && rejected < 12 {
                    rejected += 1;
                    h *= 0.5;
                    continue;
                }
                rejected = 0;
                t += h;
                y = next;
                steps[cell] += 1;
                if err < 1e-5 {
                    h *= 2.0;
                }
            }
            states[cell] = y;
        }
        steps
    }

    pub fn run() -> (Vec<State>, Vec<u32>) {
        let cells: Vec<_> = (0..12)
            .map(|i| CellParams { g_na: 120.0, g_k: 36.0 - i as f64, g_l: 0.3, stimulus: i as f64 })
            .collect();
        let mut states = vec![[-65.0, 0.053, 0.596, 0.318]; cells.len()];
        let steps = solver(&cells, &mut states, 6.0);
        (states, steps)
    }
}
port!(myocyte: run());
