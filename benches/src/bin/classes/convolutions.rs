//! Convolutions, pooling and filters.
offloaded! {
    fn conv_nchw(co: usize, ci: usize, n: usize, w: &[f32], x: &[f32], y: &mut [f32]) {
        let p = n + 2;
        #[omp::target(collapse(3), map(to: w, x), map(from: y))]
        for o in 0..co {
            for r in 0..n {
                for c in 0..n {
                    let mut sum = 0.0f32;
                    for i in 0..ci {
                        for u in 0..3 {
                            for v in 0..3 {
                                sum += x[(i * p + r + u) * p + c + v] * w[((o * ci + i) * 3 + u) * 3 + v];
                            }
                        }
                    }
                    y[(o * n + r) * n + c] = sum;
                }
            }
        }
    }
    fn depthwise(ch: usize, n: usize, w: &[f32], x: &[f32], y: &mut [f32]) {
        let p = n + 2;
        #[omp::target(collapse(3), map(to: w, x), map(from: y))]
        for o in 0..ch {
            for r in 0..n {
                for c in 0..n {
                    let mut sum = 0.0f32;
                    for u in 0..3 {
                        for v in 0..3 {
                            sum += x[(o * p + r + u) * p + c + v] * w[(o * 3 + u) * 3 + v];
                        }
                    }
                    y[(o * n + r) * n + c] = sum;
                }
            }
        }
    }
    fn max_pool(ch: usize, n: usize, x: &[f32], y: &mut [f32]) {
        let m = n / 2;
        #[omp::target(collapse(3), map(to: x), map(from: y))]
        for o in 0..ch {
            for r in 0..m {
                for c in 0..m {
                    let mut most = f32::NEG_INFINITY;
                    for u in 0..2 {
                        for v in 0..2 {
                            most = most.max(x[(o * n + 2 * r + u) * n + 2 * c + v]);
                        }
                    }
                    y[(o * m + r) * m + c] = most;
                }
            }
        }
    }
    fn bilateral(n: usize, x: &[f32], y: &mut [f32]) {
        let p = n + 4;
        #[omp::target(collapse(2), map(to: x), map(from: y))]
        for r in 0..n {
            for c in 0..n {
                let mid = x[(r + 2) * p + c + 2];
                let mut sum = 0.0f32;
                let mut weight = 0.0f32;
                for u in 0..5 {
                    for v in 0..5 {
                        let t = x[(r + u) * p + c + v];
                        let w = (-(t - mid) * (t - mid) * 8.0).exp();
                        sum += w * t;
                        weight += w;
                    }
                }
                y[r * n + c] = sum / weight;
            }
        }
    }
}
