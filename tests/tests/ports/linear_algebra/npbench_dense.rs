//! Dense pieces as in npbench: Gram-Schmidt, Floyd-Warshall, a triangular update, `where`-like masks, covariance.
use omp_tests::{Values, twice};

twice! {
    pub fn covariance(cov: &mut [f64], data: &[f64], n: usize, m: usize) {
        let mut mean = vec![0.0; m];
        #[omp::target]
        for (j, mean) in mean.iter_mut().enumerate() {
            *mean = data.iter().skip(j).step_by(m).sum::<f64>() / n as f64;
        }
        #[omp::target]
        for i in 0..m {
            for j in i..m {
                let c = (0..n).map(|k| (data[k * m + i] - mean[i]) * (data[k * m + j] - mean[j])).sum::<f64>() / (n as f64 - 1.0);
                cov[i * m + j] = c;
                cov[j * m + i] = c;
            }
        }
    }

    pub fn floyd_warshall(path: &mut [i32], n: usize) {
        for k in 0..n {
            let row_k = path[k * n..(k + 1) * n].to_vec();
            #[omp::target]
            for row in path.chunks_exact_mut(n) {
                let via = row[k];
                for (p, &r) in row.iter_mut().zip(&row_k) {
                    *p = (*p).min(via.saturating_add(r));
                }
            }
        }
    }

    pub fn normalize_columns(q: &mut [f64], n: usize) {
        let idx = |r: usize, c: usize| r * n + c;
        #[omp::target]
        for c in 0..n {
            let norm = (0..n).map(|r| q[idx(r, c)].powi(2)).sum::<f64>().sqrt();
            for r in 0..n {
                q[idx(r, c)] /= norm;
            }
        }
    }

    pub fn azimuthal(data: &[f64], radius: &[f64], bins: usize) -> Vec<f64> {
        let rmax = radius.iter().cloned().fold(0.0, f64::max);
        let mut res = vec![0.0; bins];
        #[omp::target]
        for (i, res) in res.iter_mut().enumerate() {
            let (r1, r2) = (rmax * i as f64 / bins as f64, rmax * (i + 1) as f64 / bins as f64);
            let in_bin = |r: &&f64| r1 <= **r && **r < r2;
            let count = radius.iter().filter(in_bin).count();
            let sum: f64 = data.iter().zip(radius).filter(|(_, r)| r1 <= **r && **r < r2).map(|(d, _)| d).sum();
            *res = if count == 0 { 0.0 } else { sum / count as f64 };
        }
        res
    }

    pub fn run() -> (Vec<f64>, Vec<i32>, Vec<f64>) {
        let mut v = Values(22);
        let data: Vec<f64> = (0..20 * 6).map(|_| v.bits() as f64 / 4e9).collect();
        let mut cov = vec![0.0; 36];
        covariance(&mut cov, &data, 20, 6);
        let mut path: Vec<i32> = (0..12 * 12).map(|i| if i % 13 == 0 { 0 } else { (v.bits() % 90) as i32 + 1 }).collect();
        floyd_warshall(&mut path, 12);
        normalize_columns(&mut cov, 6);
        let res = azimuthal(&data[..60], &data[60..], 7);
        (cov, path, res)
    }
}
port!(linear_algebra: run());
