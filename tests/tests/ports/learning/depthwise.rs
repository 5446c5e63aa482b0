//! Depthwise and pointwise convolutions in NHWC with fused activations, average pooling, argmax.
use omp_tests::twice;
twice! {
    #[omp::declare_target]
    trait Activation {
        fn apply(x: f32) -> f32;
    }
    struct Relu6;
    struct HardSwish;
    struct Identity;
    #[omp::declare_target]
    impl Activation for Relu6 {
        fn apply(x: f32) -> f32 { x.clamp(0.0, 6.0) }
    }
    #[omp::declare_target]
    impl Activation for HardSwish {
        fn apply(x: f32) -> f32 { x * (x + 3.0).clamp(0.0, 6.0) / 6.0 }
    }
    #[omp::declare_target]
    impl Activation for Identity {
        fn apply(x: f32) -> f32 { x }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Dims {
        h: usize,
        w: usize,
        c: usize,
    }

    #[omp::declare_target]
    impl Dims {
        const fn len(&self) -> usize { self.h * self.w * self.c }
        const fn at(&self, y: usize, x: usize, c: usize) -> usize { (y * self.w + x) * self.c + c }
    }

    #[omp::offload]
    fn depthwise<A: Activation, const K: usize, const S: usize>(x: &[f32], d: Dims, k: &[[f32; 3]], bias: &[f32], y: &mut [f32], out: Dims) {
        let pad = K as isize / 2;
        #[omp::target(collapse(3))]
        for oy in 0..out.h {
            for ox in 0..out.w {
                for c in 0..out.c {
                    let mut acc = bias[c];
                    for ky in 0..K {
                        let iy = (oy * S + ky) as isize - pad;
                        if !(0..d.h as isize).contains(&iy) {
                            continue;
                        }
                        for kx in 0..K {
                            let ix = (ox * S + kx) as isize - pad;
                            if ix < 0 || ix >= d.w as isize {
                                continue;
                            }
                            acc += x[d.at(iy as usize, ix as usize, c)] * k[c * K + ky][kx];
                        }
                    }
                    y[out.at(oy, ox, c)] = A::apply(acc);
                }
            }
        }
    }

    #[omp::offload]
    fn pointwise<A: Activation>(x: &[f32], w: &[f32], bias: &[f32], y: &mut [f32], cin: usize, residual: Option<&[f32]>) {
        let cout = bias.len();
        let skip = residual.unwrap_or(&[]);
        let has_skip = residual.is_some();
        #[omp::target]
        for (p, (pixel, out)) in x.chunks_exact(cin).zip(y.chunks_exact_mut(cout)).enumerate() {
            for (o, (out, b)) in out.iter_mut().zip(bias).enumerate() {
                let row = &w[o * cin..(o + 1) * cin];
                let mut v = *b + row.iter().zip(pixel).map(|(w, x)| w * x).sum::<f32>();
                v = A::apply(v);
                if has_skip {
                    v += skip[p * cout + o];
                }
                *out = v;
            }
        }
    }

    #[omp::offload]
    fn global_pool(x: &[f32], d: &Dims, out: &mut [f32]) {
        #[omp::target]
        for c in 0..d.c {
            let total: f32 = x.iter().skip(c).step_by(d.c).sum();
            out[c] = total / (d.h * d.w) as f32;
        }
    }

    pub fn run(n: usize) -> (Vec<f32>, Vec<f32>) {
        let d = Dims { h: n, w: n + 1, c: 4 };
        let half = Dims { h: n.div_ceil(2), w: (n + 1).div_ceil(2), c: 4 };
        let x: Vec<f32> = (0..d.len()).map(|i| ((i * 17) % 41) as f32 / 10.0 - 2.0).collect();
        let k: Vec<[f32; 3]> = (0..12).map(|i| [i as f32 * 0.1 - 0.5, 0.3, -0.05 * i as f32]).collect();
        let bias = [0.1, -0.2, 0.3, 0.05];
        let mut a = vec![0.0; d.len()];
        depthwise::<Relu6, 3, 1>(&x, d, &k, &bias, &mut a, d);
        let w: Vec<f32> = (0..16).map(|i| ((i * 5) % 7) as f32 * 0.2 - 0.6).collect();
        let mut b = vec![0.0; d.len()];
        pointwise::<HardSwish>(&a, &w, &bias, &mut b, 4, Some(&x));
        let mut c = vec![0.0; half.len()];
        depthwise::<Identity, 3, 2>(&b, d, &k, &bias, &mut c, half);
        let mut e = vec![0.0; half.len()];
        pointwise::<Identity>(&c, &w, &bias, &mut e, 4, None);
        let mut pooled = vec![0.0; 4];
        if half.len() > 0 { global_pool(&e, &half, &mut pooled); }
        (e, pooled)
    }
}
port!(depthwise: [0, 1, 9, 20].map(|n| crate::Shown::of(run(n))));
