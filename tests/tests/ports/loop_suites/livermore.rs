//! Livermore loops: hydro fragment, equation of state, a difference predictor, first minimum.
use omp_tests::{Values, twice};

twice! {
    pub fn hydro(x: &mut [f64], y: &[f64], z: &[f64], (q, r, t): (f64, f64, f64)) {
        #[omp::target]
        for (k, x) in x.iter_mut().enumerate() {
            *x = q + y[k] * (r * z[k + 10] + t * z[k + 11]);
        }
    }

    pub fn state(x: &mut [f64], u: &[f64], z: &[f64], y: &[f64], r: f64, t: f64) {
        #[omp::target]
        for (k, w) in u.windows(7).enumerate() {
            let [u0, u1, u2, u3, u4, u5, u6] = [w[0], w[1], w[2], w[3], w[4], w[5], w[6]];
            x[k] = u0 + r * (z[k] + r * y[k]) + t * (u3 + r * (u2 + r * u1) + t * (u6 + r * (u5 + r * u4)));
        }
    }

    pub fn predictors(px: &mut [[f64; 14]], cx: &[[f64; 14]]) {
        #[omp::target]
        for (p, c) in px.iter_mut().zip(cx) {
            let mut ar = c[4];
            for v in p.iter_mut().skip(4) {
                let br = ar - *v;
                *v = ar;
                ar = br;
            }
        }
    }

    pub fn inner(z: &[f64], x: &[f64]) -> f64 {
        let mut q = 0.0;
        #[omp::target(reduction(+: q))]
        for (z, x) in z.iter().zip(x) {
            q += z * x;
        }
        q
    }

    pub fn run() -> (Vec<f64>, Vec<[f64; 14]>, f64) {
        let mut v = Values(3);
        let mut values = |n: usize| (0..n).map(|_| v.bits() as f64 / 4e9).collect::<Vec<f64>>();
        let (mut x, y, z, u) = (values(100), values(120), values(120), values(120));
        hydro(&mut x, &y, &z, (0.5, 1.25, 0.75));
        let q = inner(&z, &x);
        let mut x2 = values(114);
        state(&mut x2, &u, &z, &y, 0.5, 0.25);
        let cx: Vec<[f64; 14]> = (0..50).map(|_| std::array::from_fn(|k| x[k] + 1.0)).collect();
        let mut px = cx.clone();
        predictors(&mut px, &cx);
        x.extend(x2);
        (x, px, q)
    }
}
port!(livermore: run());
