//! Products of matrices: plain, batched, triangular, by slices, and distances.
offloaded! {
    fn gemm(n: usize, alpha: f32, beta: f32, a: &[f32], b: &[f32], c: &mut [f32]) {
        #[omp::target(collapse(2), map(to: a, b), map(tofrom: c))]
        for i in 0..n {
            for j in 0..n {
                let mut sum = 0.0f32;
                for k in 0..n {
                    sum += a[i * n + k] * b[k * n + j];
                }
                c[i * n + j] = alpha * sum + beta * c[i * n + j];
            }
        }
    }
    fn polybench_gemm(n: usize, alpha: f32, beta: f32, a: &[f32], b: &[f32], c: &mut [f32]) {
        #[omp::target(collapse(2), map(to: a, b), map(tofrom: c))]
        for i in 0..n {
            for j in 0..n {
                c[i * n + j] *= beta;
                for k in 0..n {
                    c[i * n + j] += alpha * a[i * n + k] * b[k * n + j];
                }
            }
        }
    }
    fn dense_relu(n: usize, a: &[f32], b: &[f32], bias: &[f32], c: &mut [f32]) {
        #[omp::target(collapse(2), map(to: a, b, bias), map(from: c))]
        for i in 0..n {
            for j in 0..n {
                let mut sum = bias[j];
                for k in 0..n {
                    sum += a[i * n + k] * b[j * n + k];
                }
                c[i * n + j] = if sum > 0.0 { sum } else { 0.0 };
            }
        }
    }
    fn batched(batch: usize, n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
        #[omp::target(collapse(3), map(to: a, b), map(from: c))]
        for m in 0..batch {
            for i in 0..n {
                for j in 0..n {
                    let mut sum = 0.0f32;
                    for k in 0..n {
                        sum += a[(m * n + i) * n + k] * b[(m * n + k) * n + j];
                    }
                    c[(m * n + i) * n + j] = sum;
                }
            }
        }
    }
    fn scores(heads: usize, n: usize, d: usize, q: &[f32], k: &[f32], s: &mut [f32]) {
        let scale = 1.0 / (d as f32).sqrt();
        #[omp::target(collapse(3), map(to: q, k), map(from: s))]
        for h in 0..heads {
            for i in 0..n {
                for j in 0..n {
                    let mut dot = 0.0f32;
                    for e in 0..d {
                        dot += q[(h * n + i) * d + e] * k[(h * n + j) * d + e];
                    }
                    s[(h * n + i) * n + j] = dot * scale;
                }
            }
        }
    }
    fn contraction(n: usize, outer: usize, inner: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
        #[omp::target(collapse(2), map(to: a, b), map(from: c))]
        for i in 0..n {
            for j in 0..n {
                let mut sum = 0.0f32;
                for k in 0..outer {
                    for l in 0..inner {
                        sum += a[(i * outer + k) * inner + l] * b[(k * inner + l) * n + j];
                    }
                }
                c[i * n + j] = sum;
            }
        }
    }
    fn causal_scores(heads: usize, n: usize, d: usize, q: &[f32], k: &[f32], s: &mut [f32]) {
        let scale = 1.0 / (d as f32).sqrt();
        #[omp::target(collapse(3), map(to: q, k), map(from: s))]
        for h in 0..heads {
            for i in 0..n {
                for j in 0..n {
                    s[(h * n + i) * n + j] = if j <= i {
                        let mut dot = 0.0f32;
                        for e in 0..d {
                            dot += q[(h * n + i) * d + e] * k[(h * n + j) * d + e];
                        }
                        dot * scale
                    } else {
                        f32::NEG_INFINITY
                    };
                }
            }
        }
    }
    fn complex_parts(n: usize, ar: &[f32], ai: &[f32], br: &[f32], bi: &[f32], cr: &mut [f32], ci: &mut [f32]) {
        #[omp::target(collapse(2), map(to: ar, ai, br, bi), map(from: cr, ci))]
        for i in 0..n {
            for j in 0..n {
                let mut re = 0.0f32;
                let mut im = 0.0f32;
                for k in 0..n {
                    re += ar[i * n + k] * br[k * n + j] - ai[i * n + k] * bi[k * n + j];
                    im += ar[i * n + k] * bi[k * n + j] + ai[i * n + k] * br[k * n + j];
                }
                cr[i * n + j] = re;
                ci[i * n + j] = im;
            }
        }
    }
    fn cholesky(batch: usize, n: usize, a: &[f32], l: &mut [f32]) {
        #[omp::target(map(to: a), map(from: l))]
        for m in 0..batch {
            let a = &a[m * n * n..(m + 1) * n * n];
            let l = &mut l[m * n * n..(m + 1) * n * n];
            for i in 0..n {
                for j in 0..=i {
                    let mut sum = a[i * n + j];
                    for k in 0..j {
                        sum -= l[i * n + k] * l[j * n + k];
                    }
                    l[i * n + j] = if i == j { sum.sqrt() } else { sum / l[j * n + j] };
                }
            }
        }
    }
    fn iter_dot(n: usize, a: &[f32], bt: &[f32], c: &mut [f32]) {
        #[omp::target(collapse(2), map(to: a, bt), map(from: c))]
        for i in 0..n {
            for j in 0..n {
                c[i * n + j] = a[i * n..(i + 1) * n].iter().zip(&bt[j * n..(j + 1) * n]).map(|(x, y)| x * y).sum::<f32>();
            }
        }
    }
    fn syrk(n: usize, m: usize, a: &[f32], c: &mut [f32]) {
        #[omp::target(collapse(2), map(to: a), map(tofrom: c))]
        for i in 0..n {
            for j in 0..=i {
                let mut sum = 0.0f32;
                for k in 0..m {
                    sum += a[i * m + k] * a[j * m + k];
                }
                c[i * n + j] = sum;
            }
        }
    }
    fn polybench_syrk(n: usize, m: usize, a: &[f32], c: &mut [f32]) {
        #[omp::target(map(to: a), map(tofrom: c))]
        for i in 0..n {
            for j in 0..=i {
                c[i * n + j] *= 0.5;
            }
            for k in 0..m {
                for j in 0..=i {
                    c[i * n + j] += 1.5 * a[i * m + k] * a[j * m + k];
                }
            }
        }
    }
    fn trmm(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
        #[omp::target(collapse(2), map(to: a, b), map(tofrom: c))]
        for i in 0..n {
            for j in 0..n {
                let mut sum = 0.0f32;
                for k in 0..=i {
                    sum += a[i * n + k] * b[k * n + j];
                }
                c[i * n + j] = sum;
            }
        }
    }
    fn triangle_vector(n: usize, a: &[f32], x: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: a, x), map(from: y))]
        for i in 0..n {
            let mut sum = 0.0f32;
            for k in 0..=i {
                sum += a[i * n + k] * x[k];
            }
            y[i] = sum;
        }
    }
    fn product_by_rows(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
        #[omp::target(map(to: a, b), map(tofrom: c))]
        for i in 0..n {
            for k in 0..n {
                let x = a[i * n + k];
                for j in 0..n {
                    c[i * n + j] += x * b[k * n + j];
                }
            }
        }
    }
    fn product_of_row_slices(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
        #[omp::target(map(to: a, b), map(tofrom: c))]
        for i in 0..n {
            let row = &mut c[i * n..(i + 1) * n];
            for (x, other) in a[i * n..(i + 1) * n].iter().zip(b.chunks_exact(n)) {
                for (out, y) in row.iter_mut().zip(other) {
                    *out += x * y;
                }
            }
        }
    }
    fn covariance(n: usize, m: usize, data: &[f32], cov: &mut [f32]) {
        #[omp::target(collapse(2), map(to: data), map(from: cov))]
        for i in 0..m {
            for j in 0..m {
                let mut sum = 0.0f32;
                for k in 0..n {
                    sum += data[k * m + i] * data[k * m + j];
                }
                cov[i * m + j] = sum / (n as f32 - 1.0);
            }
        }
    }
    fn rbf(n: usize, d: usize, gamma: f32, x: &[f32], y: &[f32], k: &mut [f32]) {
        #[omp::target(collapse(2), map(to: x, y), map(from: k))]
        for i in 0..n {
            for j in 0..n {
                let mut s = 0.0f32;
                for c in 0..d {
                    let t = x[i * d + c] - y[j * d + c];
                    s += t * t;
                }
                k[i * n + j] = (-gamma * s).exp();
            }
        }
    }
    fn kmeans(n: usize, k: usize, d: usize, x: &[f32], centers: &[f32], label: &mut [u32]) {
        #[omp::target(map(to: x, centers), map(from: label))]
        for i in 0..n {
            let mut best = f32::MAX;
            let mut at = 0;
            for c in 0..k {
                let mut s = 0.0f32;
                for e in 0..d {
                    let t = x[i * d + e] - centers[c * d + e];
                    s += t * t;
                }
                if s < best {
                    best = s;
                    at = c as u32;
                }
            }
            label[i] = at;
        }
    }
    fn products_8x8(n: usize, a: &[f32], x: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: a, x), map(from: y))]
        for b in 0..n {
            for i in 0..8 {
                for k in 0..8 {
                    let mut s = 0.0;
                    for j in 0..8 {
                        s += a[b * 64 + i * 8 + j] * x[b * 64 + j * 8 + k];
                    }
                    y[b * 64 + i * 8 + k] = s;
                }
            }
        }
    }
    fn vectors_16x16(n: usize, a: &[f32], x: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: a, x), map(from: y))]
        for b in 0..n {
            for i in 0..16 {
                let mut s = 0.0;
                for j in 0..16 {
                    s += a[b * 256 + i * 16 + j] * x[b * 16 + j];
                }
                y[b * 16 + i] = s;
            }
        }
    }
    fn modular(n: usize, a: &[u32], b: &[u32], c: &mut [u32]) {
        #[omp::target(collapse(2), map(to: a, b), map(from: c))]
        for i in 0..n {
            for j in 0..n {
                let mut s = 0u64;
                for k in 0..n {
                    s = (s + a[i * n + k] as u64 * b[k * n + j] as u64) % 998_244_353;
                }
                c[i * n + j] = s as u32;
            }
        }
    }
}
