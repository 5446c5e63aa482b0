//! Blocked linear algebra: rows by helpers, norms, Householder columns, powers.
use omp_tests::twice;

twice! {
    #[omp::declare_target]
    fn row(a: &[f64], i: usize, n: usize) -> &[f64] { &a[i * n..(i + 1) * n] }

    #[omp::declare_target]
    fn dot(a: &[f64], b: &[f64]) -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() }

    pub fn gram(g: &mut [f64], a: &[f64], n: usize) {
        let m = a.len() / n;
        #[omp::target(collapse(2))]
        for i in 0..m {
            for j in 0..m {
                g[i * m + j] = dot(row(a, i, n), row(a, j, n));
            }
        }
    }

    pub fn normalize(a: &mut [f64], n: usize) {
        #[omp::target]
        for r in a.chunks_exact_mut(n) {
            let norm = r.iter().map(|v| v * v).sum::<f64>().sqrt();
            r.iter_mut().for_each(|v| *v /= norm);
        }
    }

    pub fn softmax_rows(a: &mut [f64], n: usize) {
        #[omp::target]
        for i in 0..a.len() / n {
            let r = &mut a[i * n..][..n];
            let top = r.iter().copied().fold(f64::MIN, f64::max);
            let mut total = 0.0;
            for v in r.iter_mut() {
                *v = (*v - top).exp();
                total += *v;
            }
            for v in r {
                *v /= total;
            }
        }
    }

    pub fn argmax(best: &mut [usize], a: &[f64], n: usize) {
        #[omp::target]
        for (i, best) in best.iter_mut().enumerate() {
            let r = row(a, i, n);
            let (mut at, mut top) = (0, r[0]);
            for (j, &v) in r.iter().enumerate().skip(1) {
                if v > top {
                    (at, top) = (j, v);
                }
            }
            *best = at;
        }
    }

    pub fn triangular(x: &mut [f64], l: &[f64], b: &[f64], n: usize) {
        #[omp::target]
        for (x, b) in x.chunks_mut(n).zip(b.chunks(n)) {
            for i in 0..n {
                let sum: f64 = l[i * n..][..i].iter().zip(&x[..i]).map(|(l, x)| l * x).sum();
                x[i] = (b[i] - sum) / l[i * n + i];
            }
        }
    }

    pub fn run() -> (Vec<Vec<f64>>, Vec<usize>) {
        let mut a: Vec<f64> = (0..12 * 7).map(|i| ((i * 37) % 19) as f64 - 6.0).collect();
        normalize(&mut a, 7);
        let mut g = vec![0.0; 144];
        gram(&mut g, &a, 7);
        softmax_rows(&mut a, 7);
        let mut best = vec![0; 12];
        argmax(&mut best, &a, 7);
        let l: Vec<f64> = (0..49).map(|i| if i / 7 >= i % 7 { 1.0 + (i % 5) as f64 } else { 0.0 }).collect();
        let mut x = vec![0.0; 84];
        triangular(&mut x, &l, &a, 7);
        (vec![g, a, x], best)
    }
}
port!(gemm: run());
