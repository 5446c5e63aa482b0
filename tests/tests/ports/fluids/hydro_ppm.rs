//! Piecewise parabolic reconstruction with monotone limiting, along rows of a field with ghosts.
use omp_tests::twice;

twice! {
    const NG: usize = 3;

    #[derive(Clone, Copy, Default, PartialEq, Debug, omp::Device)]
    pub struct Parabola { left: f64, right: f64, six: f64 }

    #[omp::declare_target]
    fn limited_slope([m, c, p]: [f64; 3]) -> f64 {
        let (dl, dr) = (c - m, p - c);
        if dl * dr <= 0.0 { return 0.0; }
        let dc = 0.5 * (p - m);
        dc.signum() * dc.abs().min(2.0 * dl.abs().min(dr.abs()))
    }

    #[omp::declare_target]
    impl Parabola {
        fn reconstruct(w: &[f64]) -> Self {
            let s = |k: usize| limited_slope([w[k - 1], w[k], w[k + 1]]);
            let mut left = 0.5 * (w[1] + w[2]) - (s(2) - s(1)) / 6.0;
            let mut right = 0.5 * (w[2] + w[3]) - (s(3) - s(2)) / 6.0;
            let c = w[2];
            if (right - c) * (c - left) <= 0.0 {
                (left, right) = (c, c);
            } else {
                let d = right - left;
                let six = 6.0 * (c - 0.5 * (left + right));
                if d * six > d * d { left = 3.0 * c - 2.0 * right; }
                if d * six < -d * d { right = 3.0 * c - 2.0 * left; }
            }
            Self { left, right, six: 6.0 * (c - 0.5 * (left + right)) }
        }
        fn average_right(&self, sigma: f64) -> f64 { self.right - 0.5 * sigma * (self.right - self.left - (1.0 - 2.0 / 3.0 * sigma) * self.six) }
    }

    pub fn advect(rows: &mut [f64], nx: usize, cfl: f64) {
        let pitch = nx + 2 * NG;
        let mut flux = vec![0.0; rows.len()];
        #[omp::target]
        for (row, f) in rows.chunks_exact(pitch).zip(flux.chunks_exact_mut(pitch)) {
            for i in NG - 1..NG + nx {
                let p = Parabola::reconstruct(&row[i - 2..=i + 2]);
                f[i + 1] = p.average_right(cfl);
            }
        }
        #[omp::target]
        for (row, f) in rows.chunks_exact_mut(pitch).zip(flux.chunks_exact(pitch)) {
            for i in NG..NG + nx { row[i] -= cfl * (f[i + 1] - f[i]); }
            for g in 0..NG {
                row[g] = row[nx + g];
                row[NG + nx + g] = row[NG + g];
            }
        }
    }
    pub fn run() -> Vec<f64> {
        let (nx, ny) = (18, 5);
        let p = nx + 2 * NG;
        let mut u: Vec<f64> = (0..ny * p).map(|k| { let i = (k % p + nx - NG) % nx; if (4..9).contains(&i) { 1.0 } else { 0.1 * (i % 3) as f64 } }).collect();
        for _ in 0..4 { advect(&mut u, nx, 0.4); }
        u
    }
}
port!(hydro_ppm: run());
