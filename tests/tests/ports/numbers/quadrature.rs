//! Numerical Recipes: quadrature with a function that is handed over, roots by safe Newton steps.
use omp_tests::twice;

twice! {
    #[omp::declare_target]
    fn trapezoid(f: impl Fn(f64) -> f64, a: f64, b: f64, n: usize) -> f64 {
        let h = (b - a) / n as f64;
        let inner: f64 = (1..n).map(|i| f(a + i as f64 * h)).sum();
        h * (0.5 * (f(a) + f(b)) + inner)
    }

    #[omp::declare_target]
    fn simpson<F: Fn(f64) -> f64>(f: F, a: f64, b: f64, n: usize) -> f64 {
        let h = (b - a) / n as f64;
        let mut sum = f(a) + f(b);
        for i in 1..n {
            let w = if i % 2 == 1 { 4.0 } else { 2.0 };
            sum += w * f(a + h * i as f64);
        }
        sum * h / 3.0
    }

    #[omp::declare_target]
    fn newton(f: impl Fn(f64) -> f64, df: impl Fn(f64) -> f64, mut x: f64) -> Option<f64> {
        for _ in 0..50 {
            let d = df(x);
            if d == 0.0 {
                return None;
            }
            let dx = f(x) / d;
            x -= dx;
            if dx.abs() < 1e-12 * x.abs().max(1.0) {
                return Some(x);
            }
        }
        None
    }

    #[omp::declare_target]
    fn cube_root_sum(a: f64, b: f64) -> Option<f64> {
        let r = newton(|x| x * x * x - a, |x| 3.0 * x * x, a)?;
        let s = newton(|x| x * x * x - b, |x| 3.0 * x * x, b)?;
        Some(r + s)
    }

    pub fn areas(out: &mut [f64], omega: &[f64]) {
        #[omp::target]
        for (o, &w) in out.iter_mut().zip(omega.iter()) {
            *o = trapezoid(|x| (w * x).sin(), 0.0, 1.0, 64) + simpson(|x| x * x * w, 0.0, w, 32);
        }
    }

    pub fn roots(out: &mut [f64], a: &[f64]) {
        #[omp::target]
        for i in 0..out.len() {
            out[i] = cube_root_sum(a[i], a[i] + 1.0).map_or(f64::NAN, |r| r * 0.5);
        }
    }

    pub fn run() -> (Vec<f64>, Vec<f64>) {
        let a: Vec<f64> = (0..60).map(|i| i as f64 * 0.25).collect();
        let (mut x, mut y) = (vec![0.0; 60], vec![0.0; 60]);
        areas(&mut x, &a);
        roots(&mut y, &a);
        (x, y)
    }
}
port!(quadrature: run());
