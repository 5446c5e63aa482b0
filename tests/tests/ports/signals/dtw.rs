//! Dynamic time warping over anti-diagonals with a band, lower bounds of windows, matrix profiles.
use omp_tests::{Values, twice};
twice! {
    use std::cmp::{max, min};

    pub struct Dtw<'a> { a: &'a [f32], b: &'a [f32], band: usize }

    impl<'a> Dtw<'a> {
        pub fn new(a: &'a [f32], b: &'a [f32]) -> Self { Dtw { a, b, band: usize::MAX } }
        pub fn band(mut self, band: usize) -> Self { self.band = band; self }

        pub fn distance(&self) -> f32 {
            let (n, m) = (self.a.len(), self.b.len());
            let (a, b, band) = (self.a, self.b, self.band);
            let mut diagonals = [vec![f32::INFINITY; n + 1], vec![f32::INFINITY; n + 1], vec![f32::INFINITY; n + 1]];
            diagonals[0][0] = 0.0;
            for d in 2..=n + m {
                let [before, last, current] = &mut diagonals;
                current.fill(f32::INFINITY);
                let lo = max(1, d.saturating_sub(m));
                let hi = min(n, d - 1);
                #[omp::target]
                for i in lo..=hi {
                    let j = d - i;
                    if i.abs_diff(j) > band {
                        continue;
                    }
                    let cost = (a[i - 1] - b[j - 1]).powi(2);
                    let best = last[i].min(last[i - 1]).min(before[i - 1]);
                    current[i] = cost + best;
                }
                diagonals[0][0] = f32::INFINITY;
                diagonals.rotate_left(1);
            }
            diagonals[1][n].sqrt()
        }
    }

    pub fn envelope(x: &[f32], r: usize) -> (Vec<f32>, Vec<f32>) {
        let n = x.len();
        let (mut lower, mut upper) = (vec![0.0; n], vec![0.0; n]);
        #[omp::target]
        for i in 0..n {
            let window = &x[i.saturating_sub(r)..(i + r + 1).min(n)];
            lower[i] = window.iter().copied().fold(f32::INFINITY, f32::min);
            upper[i] = window.iter().fold(f32::NEG_INFINITY, |m, &v| m.max(v));
        }
        (lower, upper)
    }

    pub fn keogh(queries: &[Vec<f32>], lower: &[f32], upper: &[f32]) -> Vec<f32> {
        let len = lower.len();
        let flat: Vec<f32> = queries.iter().flat_map(|q| q.iter().copied()).collect();
        let mut bounds = vec![0.0f32; queries.len()];
        #[omp::target]
        for (bound, q) in bounds.iter_mut().zip(flat.chunks_exact(len)) {
            *bound = q
                .iter()
                .zip(lower.iter().zip(upper))
                .map(|(&v, (&l, &u))| match v {
                    v if v > u => (v - u) * (v - u),
                    v if v < l => (l - v) * (l - v),
                    _ => 0.0,
                })
                .sum::<f32>()
                .sqrt();
        }
        bounds
    }

    /// Distance of every window to its nearest other window, z-normalised.
    pub fn matrix_profile(x: &[f64], m: usize) -> Vec<(f64, usize)> {
        let n = x.len() - m + 1;
        let mut moments = vec![(0.0, 0.0); n];
        #[omp::target]
        for (mo, w) in moments.iter_mut().zip(x.windows(m)) {
            let mean = w.iter().sum::<f64>() / m as f64;
            let var = w.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / m as f64;
            *mo = (mean, var.sqrt());
        }
        let mut profile = vec![(f64::INFINITY, usize::MAX); n];
        #[omp::target]
        for i in 0..n {
            let (mu_i, sd_i) = moments[i];
            let mut best = (f64::INFINITY, usize::MAX);
            for (j, &(mu_j, sd_j)) in moments.iter().enumerate() {
                if i.abs_diff(j) < m / 2 {
                    continue;
                }
                let dot: f64 = x[i..i + m].iter().zip(&x[j..j + m]).map(|(a, b)| a * b).sum();
                let corr = (dot - m as f64 * mu_i * mu_j) / (m as f64 * sd_i * sd_j);
                let dist = (2.0 * m as f64 * (1.0 - corr)).max(0.0).sqrt();
                if dist < best.0 {
                    best = (dist, j);
                }
            }
            profile[i] = best;
        }
        profile
    }

    pub fn run() -> (Vec<f32>, Vec<f64>) {
        let mut v = Values(33);
        let mut r = |n: usize| -> Vec<f32> { (0..n).map(|i| (i as f32 * 0.3).sin() + (v.bits() % 100) as f32 / 200.0).collect() };
        let (a, b) = (r(30), r(26));
        let mut out = vec![Dtw::new(&a, &b).distance(), Dtw::new(&a, &b).band(6).distance()];
        let (lo, up) = envelope(&a, 3);
        let queries: Vec<Vec<f32>> = (0..5).map(|_| r(30)).collect();
        out.extend(keogh(&queries, &lo, &up));
        let x: Vec<f64> = r(60).iter().map(|&v| v as f64).collect();
        (out, matrix_profile(&x, 8).iter().map(|p| (p.0 * 1e6).round()).collect())
    }
}
port!(dtw: run());
