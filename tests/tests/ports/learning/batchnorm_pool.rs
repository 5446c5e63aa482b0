//! Batch normalisation backward, and max pooling with indices, forward and backward.
use omp_tests::{Values, twice};

twice! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Nchw { n: usize, c: usize, h: usize, w: usize }

    impl Nchw {
        pub const fn len(&self) -> usize { self.n * self.c * self.h * self.w }
        pub const fn at(&self, n: usize, c: usize, y: usize, x: usize) -> usize { ((n * self.c + c) * self.h + y) * self.w + x }
        fn pooled(self, k: usize) -> Self { Nchw { h: self.h / k, w: self.w / k, ..self } }
    }

    pub fn batchnorm_backward(s: Nchw, x: &[f32], dy: &[f32], gamma: &[f32], mean: &[f32], inv_std: &[f32]) -> (Vec<f32>, Vec<f32>, Vec<f32>) {
        let m = (s.n * s.h * s.w) as f32;
        let mut dx = vec![0.0; s.len()];
        let mut dgamma = vec![0.0; s.c];
        let mut dbeta = vec![0.0; s.c];
        #[omp::target]
        for c in 0..s.c {
            let (mut sum_dy, mut sum_dy_xhat) = (0.0f32, 0.0f32);
            for n in 0..s.n {
                for y in 0..s.h {
                    for xx in 0..s.w {
                        let i = s.at(n, c, y, xx);
                        let xhat = (x[i] - mean[c]) * inv_std[c];
                        sum_dy += dy[i];
                        sum_dy_xhat += dy[i] * xhat;
                    }
                }
            }
            dgamma[c] = sum_dy_xhat;
            dbeta[c] = sum_dy;
            for n in 0..s.n {
                for y in 0..s.h {
                    for xx in 0..s.w {
                        let i = s.at(n, c, y, xx);
                        let xhat = (x[i] - mean[c]) * inv_std[c];
                        dx[i] = gamma[c] * inv_std[c] / m * (m * dy[i] - sum_dy - xhat * sum_dy_xhat);
                    }
                }
            }
        }
        (dx, dgamma, dbeta)
    }

    pub fn maxpool(s: Nchw, k: usize, x: &[f32]) -> (Vec<f32>, Vec<u32>) {
        let p = s.pooled(k);
        let mut y = vec![0.0; p.len()];
        let mut arg = vec![0u32; p.len()];
        #[omp::target(collapse(4))]
        for n in 0..p.n {
            for c in 0..p.c {
                for oy in 0..p.h {
                    for ox in 0..p.w {
                        let (best, value) = (0..k * k)
                            .map(|d| s.at(n, c, oy * k + d / k, ox * k + d % k))
                            .map(|i| (i, x[i]))
                            .fold((usize::MAX, f32::NEG_INFINITY), |a, b| if b.1 > a.1 { b } else { a });
                        let o = p.at(n, c, oy, ox);
                        y[o] = value;
                        arg[o] = best as u32;
                    }
                }
            }
        }
        (y, arg)
    }

    pub fn maxpool_backward(s: Nchw, dy: &[f32], arg: &[u32]) -> Vec<f32> {
        let mut dx = vec![0.0f32; s.len()];
        #[omp::target]
        for (g, &i) in dy.iter().zip(arg) {
            #[omp::atomic]
            dx[i as usize] += g;
        }
        dx
    }

    pub fn run() -> (Vec<f32>, Vec<f32>, Vec<u32>, Vec<f32>) {
        let s = Nchw { n: 2, c: 3, h: 8, w: 6 };
        let mut v = Values(91);
        let mut values = |n: usize| (0..n).map(|_| v.bits() as f32 / 2e9 - 1.0).collect::<Vec<f32>>();
        let (x, dy, gamma) = (values(s.len()), values(s.len()), values(s.c));
        let (dx, dgamma, dbeta) = batchnorm_backward(s, &x, &dy, &gamma, &[0.1, 0.2, -0.3], &[1.1, 0.9, 1.0]);
        let (y, arg) = maxpool(s, 2, &x);
        let back = maxpool_backward(s, &y, &arg);
        (dx, dgamma.into_iter().chain(dbeta).chain(y).collect(), arg, back)
    }
}
port!(batchnorm_pool: run());
