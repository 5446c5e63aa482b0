//! Statistics: logistic regression by Newton's method, a permutation test, ranks with ties, a boosted stump.
use omp_tests::{Values, twice};
twice! {
    pub const P: usize = 3;

    #[omp::declare_target]
    fn sigmoid<T: Into<f64>>(z: T) -> f64 { 1.0 / (1.0 + (-z.into()).exp()) }

    #[derive(Clone, Debug, Default)]
    pub struct Fit { beta: [f64; P], deviance: f64 }

    pub fn newton(x: &[[f64; P]], y: &[bool], rounds: usize) -> Fit {
        let mut fit = Fit::default();
        for _ in 0..rounds {
            let (mut gradient, mut hessian, mut deviance) = ([0.0; P], [[0.0; P]; P], 0.0);
            let beta = fit.beta;
            #[omp::target(reduction(+: gradient, hessian, deviance))]
            for (row, &label) in x.iter().zip(y) {
                let mu = sigmoid(row.iter().zip(beta).map(|(a, b)| a * b).sum::<f64>());
                let w = mu * (1.0 - mu);
                for i in 0..P {
                    gradient[i] += (f64::from(label as u8) - mu) * row[i];
                    for j in 0..P { hessian[i][j] += w * row[i] * row[j]; }
                }
                deviance -= 2.0 * if label { mu.ln() } else { (1.0 - mu).ln() };
            }
            fit.deviance = deviance;
            for (b, s) in fit.beta.iter_mut().zip(solve(hessian, gradient)) { *b += s; }
        }
        fit
    }

    fn solve(mut a: [[f64; P]; P], mut b: [f64; P]) -> [f64; P] {
        for k in 0..P {
            for i in k + 1..P {
                let m = a[i][k] / a[k][k];
                for j in k..P { a[i][j] -= m * a[k][j]; }
                b[i] -= m * b[k];
            }
        }
        for k in (0..P).rev() {
            for j in k + 1..P { b[k] -= a[k][j] * b[j]; }
            b[k] /= a[k][k];
        }
        b
    }

    /// Ranks, ties averaged.
    pub fn ranks(x: &[i32]) -> Vec<f64> {
        let mut out = vec![0.0; x.len()];
        #[omp::target]
        for (i, r) in out.iter_mut().enumerate() {
            let (below, equal) = x.iter().fold((0usize, 0usize), |(b, e), v| match v.cmp(&x[i]) {
                std::cmp::Ordering::Less => (b + 1, e),
                std::cmp::Ordering::Equal => (b, e + 1),
                std::cmp::Ordering::Greater => (b, e),
            });
            *r = below as f64 + (equal as f64 + 1.0) / 2.0;
        }
        out
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Stump { feature: usize, threshold: f64, left: f64, right: f64, error: f64 }

    pub fn best_splits(x: &[[f64; P]], target: &[f64], cuts: &[f64]) -> Vec<Option<Stump>> {
        let mut best = vec![None; P];
        #[omp::target]
        for (feature, best) in best.iter_mut().enumerate() {
            let mut found: Option<Stump> = None;
            for &threshold in cuts {
                let mut sums = [(0.0, 0usize); 2];
                for (row, t) in x.iter().zip(target) {
                    let side = &mut sums[(row[feature] > threshold) as usize];
                    side.0 += t;
                    side.1 += 1;
                }
                let [(l, nl), (r, nr)] = sums;
                if nl == 0 || nr == 0 { continue; }
                let (left, right) = (l / nl as f64, r / nr as f64);
                let error = x.iter().zip(target).map(|(row, t)| {
                    let p = if row[feature] > threshold { right } else { left };
                    (t - p).powi(2)
                }).sum();
                if found.is_none_or(|f| error < f.error) {
                    found = Some(Stump { feature, threshold, left, right, error });
                }
            }
            *best = found;
        }
        best
    }

    pub fn permutation_test(a: &[f64], b: &[f64], rounds: u32) -> u32 {
        let mean = |s: &[f64]| s.iter().sum::<f64>() / s.len() as f64;
        let observed = (mean(a) - mean(b)).abs();
        let pool: Vec<f64> = a.iter().chain(b).copied().collect();
        let (n, m) = (a.len(), pool.len());
        let mut extreme = 0;
        #[omp::target(reduction(+: extreme))]
        for round in 0..rounds {
            // Selection sampling by a generator of the round's own.
            let mut state = round.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            let (mut chosen, mut sum, mut rest) = (0, 0.0, 0.0);
            for (i, &v) in pool.iter().enumerate() {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                if (state as usize % (m - i)) < n - chosen {
                    chosen += 1;
                    sum += v;
                } else {
                    rest += v;
                }
            }
            let d: f64 = sum / n as f64 - rest / (m - n) as f64;
            if d.abs() >= observed { extreme += 1; }
        }
        extreme
    }

    pub fn run() -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let mut v = Values(3);
        let x: Vec<[f64; P]> = (0..80).map(|_| [1.0, (v.bits() % 64) as f64 / 16.0 - 2.0, (v.bits() % 64) as f64 / 16.0 - 2.0]).collect();
        let y: Vec<bool> = x.iter().map(|r| r[1] - 0.5 * r[2] + ((v.bits() % 64) as f64 / 16.0 - 2.0) > 0.0).collect();
        let fit = newton(&x, &y, 5);
        let r = ranks(&x.iter().map(|r| (r[1] * 2.0) as i32).collect::<Vec<_>>());
        let target: Vec<f64> = x.iter().map(|r| if r[2] > 0.25 { 3.0 } else { -1.0 }).collect();
        let s = best_splits(&x, &target, &[-1.0, 0.25, 1.0]);
        let mut last = fit.beta.to_vec();
        last.extend([fit.deviance, permutation_test(&target[..30], &target[30..], 100) as f64]);
        (last, r, s.into_iter().flatten().flat_map(|s| [s.feature as f64, s.threshold, s.left, s.right]).collect())
    }
}
port!(logistic: run());
