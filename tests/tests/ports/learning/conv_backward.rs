//! A depthwise and pointwise convolution block with its gradients, SiLU, group normalisation and Adam, over a tensor type with a builder.
use omp_tests::{Values, twice};

twice! {
    #[derive(Clone, Debug, Default, omp::Mapper)]
    pub struct Tensor4 { n: usize, c: usize, h: usize, w: usize, data: Vec<f32> }

    #[omp::declare_target]
    impl std::ops::Index<(usize, usize, usize, usize)> for Tensor4 {
        type Output = f32;
        fn index(&self, (n, c, y, x): (usize, usize, usize, usize)) -> &f32 {
            &self.data[((n * self.c + c) * self.h + y) * self.w + x]
        }
    }
    #[omp::declare_target]
    impl std::ops::IndexMut<(usize, usize, usize, usize)> for Tensor4 {
        fn index_mut(&mut self, (n, c, y, x): (usize, usize, usize, usize)) -> &mut f32 {
            &mut self.data[((n * self.c + c) * self.h + y) * self.w + x]
        }
    }

    impl Tensor4 {
        pub fn zeros(n: usize, c: usize, h: usize, w: usize) -> Self { Self { n, c, h, w, data: vec![0.0; n * c * h * w] } }
        pub fn like(other: &Self) -> Self { Self::zeros(other.n, other.c, other.h, other.w) }
        pub fn plane(&self, n: usize, c: usize) -> &[f32] {
            let size = self.h * self.w;
            &self.data[(n * self.c + c) * size..][..size]
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub enum Activation { Identity, Relu, Silu }

    #[omp::declare_target]
    impl Activation {
        fn forward(self, x: f32) -> f32 {
            match self {
                Self::Identity => x,
                Self::Relu => x.max(0.0),
                Self::Silu => x / (1.0 + (-x).exp()),
            }
        }
        fn backward(self, x: f32) -> f32 {
            match self {
                Activation::Identity => 1.0,
                Activation::Relu if x > 0.0 => 1.0,
                Activation::Relu => 0.0,
                Activation::Silu => {
                    let s = 1.0 / (1.0 + (-x).exp());
                    s * (1.0 + x * (1.0 - s))
                }
            }
        }
    }

    pub fn depthwise(x: &Tensor4, k: &[[f32; 9]], act: Activation) -> (Tensor4, Tensor4) {
        let (mut pre, mut out) = (Tensor4::like(x), Tensor4::like(x));
        let &Tensor4 { n, c, h, w, .. } = x;
        #[omp::target(collapse(4))]
        for b in 0..n {
            for ch in 0..c {
                for y in 0..h {
                    for xx in 0..w {
                        let mut sum = 0.0;
                        for (t, weight) in k[ch].iter().enumerate() {
                            let (dy, dx) = (t / 3, t % 3);
                            let (sy, sx) = ((y + dy).wrapping_sub(1), (xx + dx).wrapping_sub(1));
                            if sy < h && sx < w {
                                sum += weight * x[(b, ch, sy, sx)];
                            }
                        }
                        pre[(b, ch, y, xx)] = sum;
                        out[(b, ch, y, xx)] = act.forward(sum);
                    }
                }
            }
        }
        (pre, out)
    }

    pub fn depthwise_backward(x: &Tensor4, pre: &Tensor4, dout: &Tensor4, k: &[[f32; 9]], act: Activation) -> (Tensor4, Vec<[f32; 9]>) {
        let mut dx = Tensor4::like(x);
        let mut dk = vec![[0.0f32; 9]; k.len()];
        #[omp::target(reduction(+: dk), collapse(3))]
        for b in 0..x.n {
            for ch in 0..x.c {
                for y in 0..x.h {
                    for xx in 0..x.w {
                        for t in 0..9 {
                            let (sy, sx) = ((y + t / 3).wrapping_sub(1), (xx + t % 3).wrapping_sub(1));
                            if sy >= x.h || sx >= x.w { continue; }
                            dk[ch][t] += dout[(b, ch, y, xx)] * act.backward(pre[(b, ch, y, xx)]) * x[(b, ch, sy, sx)];
                        }
                        let mut g = 0.0;
                        for t in 0..9 {
                            let (sy, sx) = ((y + 2 - t / 3).wrapping_sub(1), (xx + 2 - t % 3).wrapping_sub(1));
                            if sy < x.h && sx < x.w {
                                g += k[ch][t] * dout[(b, ch, sy, sx)] * act.backward(pre[(b, ch, sy, sx)]);
                            }
                        }
                        dx[(b, ch, y, xx)] = g;
                    }
                }
            }
        }
        (dx, dk)
    }

    pub fn group_stats(x: &Tensor4, groups: usize) -> Vec<(f32, f32)> {
        let per = x.c / groups;
        let mut stats = vec![(0.0f32, 0.0f32); x.n * groups];
        #[omp::target]
        for (g, stat) in stats.iter_mut().enumerate() {
            let (b, first) = (g / groups, g % groups * per);
            let (mut mean, mut m2, mut count) = (0.0f32, 0.0f32, 0.0f32);
            for ch in first..first + per {
                for &v in x.plane(b, ch) {
                    count += 1.0;
                    let d = v - mean;
                    mean += d / count;
                    m2 += d * (v - mean);
                }
            }
            *stat = (mean, (m2 / count + 1e-5).sqrt().recip());
        }
        stats
    }

    pub struct Adam { lr: f32, betas: (f32, f32), step: i32, m: Vec<f32>, v: Vec<f32> }

    impl Adam {
        pub fn update(&mut self, params: &mut [f32], grads: &[f32]) {
            self.step += 1;
            let Adam { lr, betas: (b1, b2), step, ref mut m, ref mut v } = *self;
            let (c1, c2) = (1.0 - b1.powi(step), 1.0 - b2.powi(step));
            #[omp::target]
            for (((p, g), m), v) in params.iter_mut().zip(grads).zip(m.iter_mut()).zip(v.iter_mut()) {
                *m = b1 * *m + (1.0 - b1) * g;
                *v = b2 * *v + (1.0 - b2) * g * g;
                *p -= lr * (*m / c1) / ((*v / c2).sqrt() + 1e-8);
            }
        }
    }

    pub fn run() -> (Vec<f32>, Vec<[f32; 9]>, Vec<(f32, f32)>, Vec<f32>) {
        let mut r = Values(13);
        let mut x = Tensor4::zeros(2, 4, 5, 6);
        x.data.iter_mut().for_each(|v| *v = r.bits() as f32 / 2e9 - 1.0);
        let k: Vec<[f32; 9]> = (0..4).map(|_| std::array::from_fn(|_| r.bits() as f32 / 4e9 - 0.5)).collect();
        let (pre, out) = depthwise(&x, &k, Activation::Silu);
        let (dx, dk) = depthwise_backward(&x, &pre, &out, &k, Activation::Silu);
        let mut adam = Adam { lr: 0.01, betas: (0.9, 0.999), step: 0, m: vec![0.0; 240], v: vec![0.0; 240] };
        let mut params = x.data.clone();
        adam.update(&mut params, &dx.data);
        adam.update(&mut params, &dx.data);
        (out.data.clone(), dk, group_stats(&out, 2), params)
    }
}
port!(conv_backward: run());
