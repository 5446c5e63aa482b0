//! Linear algebra: one-sided Jacobi over a round-robin of column pairs, pairs of a round in parallel.
use omp_tests::twice;

twice! {
    /// Pairs of a round of the circle method.
    fn round_robin(n: usize, round: usize) -> Vec<(usize, usize)> {
        let m = n - 1;
        (0..n / 2)
            .map(|i| {
                let p = if i == 0 { m } else { (round + i) % m };
                let q = (round + m - i) % m;
                (p.min(q), p.max(q))
            })
            .collect()
    }

    #[omp::declare_target]
    fn rotation(alpha: f64, beta: f64, gamma: f64) -> Option<(f64, f64)> {
        if gamma.abs() <= 1e-15 * (alpha * beta).sqrt() {
            return None;
        }
        let zeta = (beta - alpha) / (2.0 * gamma);
        let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
        let c = 1.0 / (1.0 + t * t).sqrt();
        Some((c, c * t))
    }

    pub fn sweep(a: &mut [f64], rows: usize) -> usize {
        let n = a.len() / rows;
        let mut rotations = 0;
        for round in 0..n - 1 {
            let pairs = round_robin(n, round);
            #[omp::target(disjoint(a), reduction(+: rotations))]
            for &(p, q) in &pairs {
                let (mut alpha, mut beta, mut gamma) = (0.0, 0.0, 0.0);
                for i in 0..rows {
                    let (x, y) = (a[p * rows + i], a[q * rows + i]);
                    alpha += x * x;
                    beta += y * y;
                    gamma += x * y;
                }
                let Some((c, s)) = rotation(alpha, beta, gamma) else {
                    continue;
                };
                rotations += 1;
                for i in 0..rows {
                    let (x, y) = (a[p * rows + i], a[q * rows + i]);
                    a[p * rows + i] = c * x - s * y;
                    a[q * rows + i] = s * x + c * y;
                }
            }
        }
        rotations
    }

    pub fn norms(a: &[f64], rows: usize) -> Vec<f64> {
        let mut s = vec![0.0; a.len() / rows];
        #[omp::target]
        for (s, col) in s.iter_mut().zip(a.chunks_exact(rows)) {
            *s = col.iter().fold(0.0, |acc, x| acc + x * x).sqrt();
        }
        s
    }

    pub fn run() -> (Vec<f64>, usize) {
        let (rows, cols) = (9, 8);
        let mut a: Vec<f64> = (0..rows * cols).map(|i| (i as f64 * 1.7).cos()).collect();
        let mut sweeps = 0;
        while sweeps < 15 && sweep(&mut a, rows) > 0 {
            sweeps += 1;
        }
        let mut s = norms(&a, rows);
        s.sort_by(|x, y| y.total_cmp(x));
        (s, 0)
    }
}
port!(one_sided_svd: run());
