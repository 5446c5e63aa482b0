//! Machine learning: im2col, max pooling, an activation chosen by an enum, top-1.
use omp_tests::{Values, twice};

twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub enum Activation { #[default] Identity, Relu, Sigmoid }

    #[derive(Clone, Copy)]
    pub struct Shape { c: usize, h: usize, w: usize }

    #[omp::declare_target]
    fn activate(kind: Activation, x: f32) -> f32 {
        match kind {
            Activation::Identity => x,
            Activation::Relu => x.max(0.0),
            Activation::Sigmoid => 1.0 / (1.0 + (-x).exp()),
        }
    }

    pub fn im2col(col: &mut [f32], img: &[f32], s: Shape, k: usize, pad: usize) {
        let Shape { c: channels, h, w } = s;
        #[omp::target(collapse(3))]
        for c in 0..channels {
            for ky in 0..k {
                for kx in 0..k {
                    let row = (c * k + ky) * k + kx;
                    for y in 0..h {
                        for x in 0..w {
                            let (sy, sx) = ((y + ky).wrapping_sub(pad), (x + kx).wrapping_sub(pad));
                            let inside = sy < h && sx < w;
                            col[(row * h + y) * w + x] = if inside { img[(c * h + sy) * w + sx] } else { 0.0 };
                        }
                    }
                }
            }
        }
    }

    pub fn max_pool(out: &mut [f32], arg: &mut [u32], img: &[f32], s: Shape) {
        let (oh, ow) = (s.h / 2, s.w / 2);
        #[omp::target]
        for (i, (o, arg)) in out.iter_mut().zip(arg.iter_mut()).enumerate() {
            let (c, y, x) = (i / (oh * ow), i / ow % oh, i % ow);
            let (best, v) = (0..2)
                .flat_map(|dy| (0..2).map(move |dx| (c * s.h + 2 * y + dy) * s.w + 2 * x + dx))
                .map(|at| (at, img[at]))
                .max_by(|a, b| a.1.partial_cmp(&b.1).unwrap())
                .unwrap();
            *o = v;
            *arg = best as u32;
        }
    }

    pub fn dense(out: &mut [f32], weights: &[f32], bias: &[f32], x: &[f32], activation: Activation) {
        #[omp::target]
        for ((o, row), b) in out.iter_mut().zip(weights.chunks_exact(x.len())).zip(bias) {
            let sum = row.iter().zip(x).fold(*b, |acc, (w, x)| w.mul_add(*x, acc));
            *o = activate(activation, sum);
        }
    }

    pub fn top1(logits: &[f32], classes: usize) -> Vec<usize> {
        let mut out = vec![0; logits.len() / classes];
        #[omp::target]
        for (best, row) in out.iter_mut().zip(logits.chunks(classes)) {
            *best = row
                .iter()
                .enumerate()
                .max_by(|(_, a), (_, b)| a.total_cmp(b))
                .map(|(index, _)| index)
                .unwrap();
        }
        out
    }

    pub fn run() -> (Vec<Vec<f32>>, Vec<u32>, Vec<usize>) {
        let s = Shape { c: 2, h: 8, w: 6 };
        let mut v = Values(14);
        let mut values = |n: usize| (0..n).map(|_| v.bits() as f32 / 2e9 - 1.0).collect::<Vec<f32>>();
        let img = values(96);
        let mut col = vec![0.0; 2 * 9 * 48];
        im2col(&mut col, &img, s, 3, 1);
        let (mut pooled, mut arg) = (vec![0.0; 24], vec![0; 24]);
        max_pool(&mut pooled, &mut arg, &img, s);
        let (w, b) = (values(10 * 24), values(10));
        let layers = [Activation::Relu, Activation::Sigmoid, Activation::default()].map(|a| {
            let mut out = vec![0.0; 10];
            dense(&mut out, &w, &b, &pooled, a);
            out
        });
        let top = top1(&img, 8);
        (layers.into_iter().chain([col, pooled]).collect(), arg, top)
    }
}
port!(conv_net: run());
