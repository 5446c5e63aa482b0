//! Affinities of t-SNE: bandwidths by bisection on the perplexity of each row.
use ndarray::{Array1, Array2};
use omp_tests::{compare, twice};

twice! {
    pub fn affinities(d: usize, points: &Array2<f64>, perplexity: f64) -> (Array2<f64>, Array1<f64>) {
        let n = points.nrows();
        let target = perplexity.ln();
        let mut p = Array2::<f64>::zeros((n, n));
        let mut beta = Array1::<f64>::ones(n);
        let mut dist = Array2::<f64>::zeros((n, n));
        #[omp::target(device(d), collapse(2))]
        for i in 0..n {
            for j in 0..n {
                dist[[i, j]] = points.row(i).iter().zip(points.row(j)).map(|(a, b)| (a - b).powi(2)).sum();
            }
        }
        #[omp::target(device(d))]
        for (i, (mut row, b)) in p.rows_mut().into_iter().zip(beta.iter_mut()).enumerate() {
            let (mut lo, mut hi) = (f64::NEG_INFINITY, f64::INFINITY);
            for _ in 0..50 {
                for (j, v) in row.iter_mut().enumerate() {
                    *v = if j == i { 0.0 } else { (-*b * dist[[i, j]]).exp() };
                }
                let sum = row.sum();
                let weighted = row.iter().zip(dist.row(i)).map(|(p, d)| p * d).sum::<f64>();
                let entropy = sum.ln() + *b * weighted / sum;
                let difference = entropy - target;
                if difference.abs() < 1e-5 { break; }
                if difference > 0.0 {
                    lo = *b;
                    *b = if hi.is_infinite() { *b * 2.0 } else { 0.5 * (*b + hi) };
                } else {
                    hi = *b;
                    *b = if lo.is_infinite() { *b / 2.0 } else { 0.5 * (*b + lo) };
                }
            }
            let total = row.sum();
            for v in row.iter_mut() { *v /= total; }
        }
        (p, beta)
    }
}

#[test]
fn perplexity() {
    let x = Array2::from_shape_fn((12, 3), |(i, j)| ((i * 7 + j * 5) % 11) as f64 * 0.3);
    compare!(m, d => { let (p, b) = m::affinities(d, &x, 4.0); (p.mapv(|v| format!("{v:.6}")), b.mapv(|v| format!("{v:.6}"))) });
}
