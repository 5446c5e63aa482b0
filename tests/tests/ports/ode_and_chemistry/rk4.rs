//! ODE suites: Runge-Kutta with the right-hand side handed over, an event found by bisection.
use omp_tests::twice;

twice! {
    #[omp::declare_target]
    fn rk4<F>(f: F, y: [f64; 2], t: f64, h: f64) -> [f64; 2]
    where
        F: Fn(f64, [f64; 2]) -> [f64; 2],
    {
        let axpy = |a: f64, k: [f64; 2]| [y[0] + a * k[0], y[1] + a * k[1]];
        let k1 = f(t, y);
        let k2 = f(t + 0.5 * h, axpy(0.5 * h, k1));
        let k3 = f(t + 0.5 * h, axpy(0.5 * h, k2));
        let k4 = f(t + h, axpy(h, k3));
        let mut out = y;
        for i in 0..2 {
            out[i] += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
        out
    }

    #[omp::declare_target]
    fn bisect(f: impl Fn(f64) -> f64, mut lo: f64, mut hi: f64) -> f64 {
        while hi - lo > 1e-9 {
            let mid = 0.5 * (lo + hi);
            if f(lo) * f(mid) <= 0.0 { hi = mid } else { lo = mid }
        }
        lo
    }

    #[omp::declare_target]
    fn cubic(x: f64) -> f64 { x * x * x - 2.0 }

    pub fn oscillators(state: &mut [[f64; 2]], omega: &[f64], damping: f64, steps: usize) {
        let h = 0.01;
        #[omp::target]
        for (y, &w) in state.iter_mut().zip(omega) {
            for s in 0..steps {
                let t = s as f64 * h;
                *y = rk4(|t, y| [y[1], -w * w * y[0] - damping * y[1] + 0.1 * t.sin()], *y, t, h);
            }
        }
    }

    pub fn roots(out: &mut [f64], targets: &[f64]) {
        #[omp::target]
        for i in 0..out.len() {
            let target = targets[i];
            let f = |x: f64| x.exp() - target;
            out[i] = bisect(f, 0.0, 5.0) + bisect(&f, 0.0, 6.0) + bisect(cubic, 0.0, 2.0);
        }
    }

    pub fn run() -> (Vec<[f64; 2]>, Vec<f64>) {
        let mut s: Vec<[f64; 2]> = (0..40).map(|i| [i as f64 * 0.1, 1.0]).collect();
        let w: Vec<f64> = (0..40).map(|i| 1.0 + i as f64 * 0.05).collect();
        oscillators(&mut s, &w, 0.2, 50);
        let t: Vec<f64> = (0..40).map(|i| 1.5 + i as f64).collect();
        let mut r = vec![0.0; 40];
        roots(&mut r, &t);
        (s, r)
    }
}
port!(rk4: run());
