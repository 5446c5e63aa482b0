//! Romberg integration of a family of functions, tableau in a small triangle.
use omp_tests::twice;
twice! {
    #[omp::declare_target]
    fn romberg<const N: usize, F>(f: F, a: f64, b: f64, tol: f64) -> Result<f64, f64>
    where
        F: Fn(f64) -> f64,
    {
        let mut r = [[0.0; N]; N];
        let mut h = b - a;
        r[0][0] = 0.5 * h * (f(a) + f(b));
        for i in 1..N {
            h /= 2.0;
            let sum: f64 = (1..1usize << i).step_by(2).map(|k| f(a + k as f64 * h)).sum();
            r[i][0] = 0.5 * r[i - 1][0] + sum * h;
            let mut pow4 = 1.0;
            for j in 1..=i {
                pow4 *= 4.0;
                r[i][j] = r[i][j - 1] + (r[i][j - 1] - r[i - 1][j - 1]) / (pow4 - 1.0);
            }
            if (r[i][i] - r[i - 1][i - 1]).abs() < tol {
                return Ok(r[i][i]);
            }
        }
        Err(r[N - 1][N - 1])
    }

    #[omp::target]
    pub fn integrate_all(params: &[(f64, f64)], values: &mut [f64], converged: &mut [bool]) {
        for (i, &(alpha, upper)) in params.iter().enumerate() {
            let integrand = move |x: f64| (-alpha * x * x).exp() * (1.0 + x).ln();
            let result = romberg::<12, _>(integrand, 0.0, upper, 1e-11);
            converged[i] = result.is_ok();
            values[i] = match result {
                Ok(v) | Err(v) => v,
            };
        }
    }

    pub fn run() -> (Vec<f64>, Vec<bool>) {
        let params: Vec<_> = (0..50).map(|i| (0.1 * i as f64, 0.5 + (i % 11) as f64)).collect();
        let mut v = vec![0.0; 50];
        let mut c = vec![false; 50];
        integrate_all(&params, &mut v, &mut c);
        (v, c)
    }
}
port!(romberg: run());
