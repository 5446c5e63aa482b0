//! Sparse matrices and gathers.
offloaded! {
    fn spmv(row: &[usize], col: &[usize], v: &[f64], x: &[f64], y: &mut [f64]) {
        #[omp::target(map(to: row, col, v, x), map(from: y))]
        for i in 0..y.len() {
            let mut s = 0.0;
            for k in row[i]..row[i + 1] {
                s += v[k] * x[col[k]];
            }
            y[i] = s;
        }
    }
    fn spmv_u32(row: &[u32], col: &[u32], v: &[f32], x: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: row, col, v, x), map(from: y))]
        for i in 0..y.len() {
            let mut s = 0.0;
            for k in row[i] as usize..row[i + 1] as usize {
                s += v[k] * x[col[k] as usize];
            }
            y[i] = s;
        }
    }
    fn spmm(m: usize, row: &[u32], col: &[u32], v: &[f32], x: &[f32], y: &mut [f32]) {
        #[omp::target(collapse(2), map(to: row, col, v, x), map(from: y))]
        for i in 0..row.len() - 1 {
            for j in 0..m {
                let mut sum = 0.0f32;
                for k in row[i] as usize..row[i + 1] as usize {
                    sum += v[k] * x[col[k] as usize * m + j];
                }
                y[i * m + j] = sum;
            }
        }
    }
    fn spmm_rows(m: usize, row: &[u32], col: &[u32], v: &[f32], x: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: row, col, v, x), map(from: y))]
        for i in 0..row.len() - 1 {
            for j in 0..m {
                y[i * m + j] = 0.0;
            }
            for k in row[i] as usize..row[i + 1] as usize {
                let (c, v) = (col[k] as usize, v[k]);
                for j in 0..m {
                    y[i * m + j] += v * x[c * m + j];
                }
            }
        }
    }
    fn ell(n: usize, w: usize, col: &[u32], v: &[f32], x: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: col, v, x), map(from: y))]
        for i in 0..n {
            let mut s = 0.0;
            for k in 0..w {
                s += v[k * n + i] * x[col[k * n + i] as usize];
            }
            y[i] = s;
        }
    }
    fn gather(n: usize, idx: &[u32], x: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: idx, x), map(from: y))]
        for i in 0..n {
            y[i] = x[idx[i] as usize];
        }
    }
}
