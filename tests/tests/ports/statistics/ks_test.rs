//! Two-sample tests of Kolmogorov and Smirnov.
use omp_tests::{compare, twice};

twice! {
    #[omp::declare_target]
    fn ecdf(sorted: &[f32], x: f32) -> f32 { sorted.partition_point(|&v| v <= x) as f32 / sorted.len() as f32 }
    #[omp::declare_target]
    fn q_ks(lambda: f32) -> f32 {
        let mut sum = 0.0;
        let mut sign = 1.0;
        let mut last = f32::INFINITY;
        for j in 1..=100 {
            let term = sign * 2.0 * (-2.0 * lambda * lambda * (j * j) as f32).exp();
            sum += term;
            if term.abs() <= 1e-3 * last || term.abs() <= 1e-8 * sum { return sum; }
            sign = -sign;
            last = term.abs();
        }
        1.0
    }
    pub fn ks<const A: usize, const B: usize>(d: usize, pairs: &[([f32; A], [f32; B])]) -> Vec<(f32, bool)> {
        let mut out = vec![(0.0, false); pairs.len()];
        #[omp::target(device(d))]
        for ((a, b), out) in pairs.iter().zip(out.iter_mut()) {
            let mut a: [f32; A] = *a;
            let mut b: [f32; B] = *b;
            a.sort_unstable_by(|x, y| x.partial_cmp(y).unwrap());
            b.sort_unstable_by(|x, y| x.partial_cmp(y).unwrap());
            let statistic = a.iter().chain(b.iter()).map(|&x| (ecdf(&a, x) - ecdf(&b, x)).abs()).fold(0.0, f32::max);
            let n = ((A * B) as f32 / (A + B) as f32).sqrt();
            *out = (statistic, q_ks((n + 0.12 + 0.11 / n) * statistic) < 0.05);
        }
        out
    }
}

#[test]
fn ks_test() {
    let p: Vec<([f32; 12], [f32; 9])> = (0..20)
        .map(|k| {
            (
                std::array::from_fn(|i| ((i * 7 + k) % 12) as f32),
                std::array::from_fn(|i| ((i * 5 + k) % 9) as f32 + 0.7 * k as f32),
            )
        })
        .collect();
    compare!(m, d => m::ks(d, &p));
}
