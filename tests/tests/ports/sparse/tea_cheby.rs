//! TeaLeaf: Chebyshev iteration; the interior of a grid as a range.
use omp_tests::twice;

twice! {
    use std::ops::Range;

    #[omp::declare_target]
    fn interior(n: usize) -> Range<usize> { 1..n - 1 }

    #[derive(Clone, Copy)]
    struct Eigen { min: f64, max: f64 }

    impl Eigen {
        fn theta(self) -> f64 { (self.min + self.max) / 2.0 }
        fn delta(self) -> f64 { (self.max - self.min) / 2.0 }
        fn coefficients(self, n: usize) -> Vec<(f64, f64)> {
            let sigma = self.theta() / self.delta();
            let mut rho_old = 1.0 / sigma;
            (0..n)
                .map(|_| {
                    let rho = 1.0 / (2.0 * sigma - rho_old);
                    let c = (rho * rho_old, 2.0 * rho / self.delta());
                    rho_old = rho;
                    c
                })
                .collect()
        }
    }

    fn apply(u: &[f64], kx: &[f64], ky: &[f64], w: &mut [f64], (nx, ny): (usize, usize)) {
        #[omp::target]
        for y in interior(ny) {
            for x in interior(nx) {
                let i = y * nx + x;
                w[i] = (1.0 + kx[i] + kx[i + 1] + ky[i] + ky[i + nx]) * u[i]
                    - (kx[i + 1] * u[i + 1] + kx[i] * u[i - 1])
                    - (ky[i + nx] * u[i + nx] + ky[i] * u[i - nx]);
            }
        }
    }

    fn cheby(u: &mut [f64], u0: &[f64], kx: &[f64], ky: &[f64], dims: (usize, usize), eigen: Eigen, steps: usize) -> f64 {
        let (nx, ny) = dims;
        let mut w = vec![0.0; u.len()];
        let mut p = vec![0.0; u.len()];
        let mut norm = 0.0;
        for (k, &(alpha, beta)) in eigen.coefficients(steps).iter().enumerate() {
            apply(u, kx, ky, &mut w, dims);
            #[omp::target(collapse(2))]
            for y in interior(ny) {
                for x in interior(nx) {
                    let i = y * nx + x;
                    let r = u0[i] - w[i];
                    p[i] = if k == 0 { r / eigen.theta() } else { alpha * p[i] + beta * r };
                }
            }
            #[omp::target(collapse(2), reduction(+: norm))]
            for y in interior(ny) {
                for x in interior(nx) {
                    u[y * nx + x] += p[y * nx + x];
                    norm += p[y * nx + x].powi(2);
                }
            }
        }
        norm
    }
    pub fn run() -> (Vec<f64>, f64) {
        let dims = (12, 9);
        let n = 108;
        let u0: Vec<f64> = (0..n).map(|i| (i % 10) as f64).collect();
        let k: Vec<f64> = (0..n + 12).map(|i| 0.1 + 0.01 * (i % 3) as f64).collect();
        let mut u = u0.clone();
        let norm = cheby(&mut u, &u0, &k, &k, dims, Eigen { min: 1.0, max: 2.0 }, 4);
        (u, norm)
    }
}
port!(tea_cheby: run());
