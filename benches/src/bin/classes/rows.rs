//! Matrix by vector, sums of rows and columns, normalisations.
offloaded! {
    fn bicg(n: usize, a: &[f32], p: &[f32], q: &mut [f32]) {
        #[omp::target(map(to: a, p), map(from: q))]
        for i in 0..n {
            q[i] = 0.0;
            for j in 0..n {
                q[i] += a[i * n + j] * p[j];
            }
        }
    }
    fn mvt_columns(n: usize, a: &[f32], y: &[f32], x: &mut [f32]) {
        #[omp::target(map(to: a, y), map(tofrom: x))]
        for i in 0..n {
            for j in 0..n {
                x[i] += a[j * n + i] * y[j];
            }
        }
    }
    fn row_iter(n: usize, a: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: a), map(from: y))]
        for i in 0..n {
            y[i] = a[i * n..(i + 1) * n].iter().sum::<f32>();
        }
    }
    fn row_max(n: usize, a: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: a), map(from: y))]
        for i in 0..n {
            y[i] = a[i * n..(i + 1) * n].iter().copied().fold(f32::NEG_INFINITY, f32::max);
        }
    }
    fn column_mean_std(n: usize, m: usize, a: &[f32], mean: &mut [f32], std: &mut [f32]) {
        #[omp::target(map(to: a), map(from: mean, std))]
        for j in 0..m {
            let mut s = 0.0f32;
            for i in 0..n {
                s += a[i * m + j];
            }
            let mu = s / n as f32;
            let mut v = 0.0f32;
            for i in 0..n {
                let d = a[i * m + j] - mu;
                v += d * d;
            }
            mean[j] = mu;
            std[j] = (v / n as f32).sqrt();
        }
    }
    fn layer_norm(rows: usize, w: usize, x: &[f32], g: &[f32], b: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: x, g, b), map(from: y))]
        for i in 0..rows {
            let row = &x[i * w..(i + 1) * w];
            let mean = row.iter().sum::<f32>() / w as f32;
            let var = row.iter().map(|v| (v - mean) * (v - mean)).sum::<f32>() / w as f32;
            let inv = 1.0 / (var + 1e-5).sqrt();
            for j in 0..w {
                y[i * w + j] = (row[j] - mean) * inv * g[j] + b[j];
            }
        }
    }
    fn softmax_plain(rows: usize, w: usize, x: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: x), map(from: y))]
        for i in 0..rows {
            let mut most = f32::NEG_INFINITY;
            for j in 0..w {
                most = most.max(x[i * w + j]);
            }
            let mut sum = 0.0f32;
            for j in 0..w {
                let e = (x[i * w + j] - most).exp();
                y[i * w + j] = e;
                sum += e;
            }
            for j in 0..w {
                y[i * w + j] /= sum;
            }
        }
    }
    fn softmax_iter(w: usize, x: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: x), map(from: y))]
        for (row, out) in x.chunks_exact(w).zip(y.chunks_exact_mut(w)) {
            let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let mut sum = 0.0f32;
            for (o, v) in out.iter_mut().zip(row) {
                *o = (v - most).exp();
                sum += *o;
            }
            for o in out.iter_mut() {
                *o /= sum;
            }
        }
    }
    fn log_softmax(rows: usize, w: usize, x: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: x), map(from: y))]
        for i in 0..rows {
            let mut most = x[i * w];
            for j in 1..w {
                most = most.max(x[i * w + j]);
            }
            let mut sum = 0.0f32;
            for j in 0..w {
                sum += (x[i * w + j] - most).exp();
            }
            let log = sum.ln();
            for j in 0..w {
                y[i * w + j] = x[i * w + j] - most - log;
            }
        }
    }
    fn rms_norm(w: usize, x: &[f32], g: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: x, g), map(from: y))]
        for (row, out) in x.chunks_exact(w).zip(y.chunks_exact_mut(w)) {
            let square = row.iter().map(|v| v * v).sum::<f32>() / w as f32;
            let scale = 1.0 / (square + 1e-6).sqrt();
            for j in 0..w {
                out[j] = row[j] * scale * g[j];
            }
        }
    }
    fn unit_rows_f64(rows: usize, w: usize, x: &mut [f64]) {
        #[omp::target(map(tofrom: x))]
        for i in 0..rows {
            let mut square = 0.0f64;
            for j in 0..w {
                square += x[i * w + j] * x[i * w + j];
            }
            let length = square.sqrt();
            for j in 0..w {
                x[i * w + j] /= length;
            }
        }
    }
    fn softmax_f64(rows: usize, w: usize, x: &[f64], y: &mut [f64]) {
        #[omp::target(map(to: x), map(from: y))]
        for i in 0..rows {
            let mut most = f64::MIN;
            for j in 0..w {
                most = most.max(x[i * w + j]);
            }
            let mut s = 0.0;
            for j in 0..w {
                s += (x[i * w + j] - most).exp();
            }
            for j in 0..w {
                y[i * w + j] = (x[i * w + j] - most).exp() / s;
            }
        }
    }
    fn gemv_f64(n: usize, a: &[f64], x: &[f64], y: &mut [f64]) {
        #[omp::target(map(to: a, x), map(from: y))]
        for i in 0..n {
            let mut s = 0.0;
            for j in 0..n {
                s += a[i * n + j] * x[j];
            }
            y[i] = s;
        }
    }
    fn channel_means(n: usize, c: usize, w: usize, x: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: x), map(from: y))]
        for k in 0..c {
            let mut s = 0.0;
            for i in 0..n {
                for p in 0..w {
                    s += x[(i * c + k) * w + p];
                }
            }
            y[k] = s / (n * w) as f32;
        }
    }
}
