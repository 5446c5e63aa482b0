//! Machine learning: max pooling with indices, its gradient, and nearest upsampling, over NCHW tensors.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Shape { n: usize, c: usize, h: usize, w: usize }

    #[omp::declare_target]
    impl Shape {
        const fn len(&self) -> usize { self.n * self.c * self.h * self.w }
        const fn offset(&self, n: usize, c: usize, h: usize, w: usize) -> usize { ((n * self.c + c) * self.h + h) * self.w + w }
    }

    pub struct Tensor { shape: Shape, data: Vec<f32> }

    impl Tensor {
        pub fn zeros(shape: Shape) -> Self { Self { shape, data: vec![0.0; shape.len()] } }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Pool { k: usize, stride: usize, pad: usize }

    impl Pool {
        fn out(&self, s: Shape) -> Shape {
            let f = |x: usize| (x + 2 * self.pad - self.k) / self.stride + 1;
            Shape { h: f(s.h), w: f(s.w), ..s }
        }

        pub fn forward(&self, x: &Tensor) -> (Tensor, Vec<u32>) {
            let mut y = Tensor::zeros(self.out(x.shape));
            let mut arg = vec![u32::MAX; y.data.len()];
            let (xs, ys) = (x.shape, y.shape);
            #[omp::target(collapse(4))]
            for n in 0..ys.n {
                for c in 0..ys.c {
                    for oy in 0..ys.h {
                        for ox in 0..ys.w {
                            let (mut best, mut at) = (f32::NEG_INFINITY, None);
                            for ky in 0..self.k {
                                let Some(iy) = (oy * self.stride + ky).checked_sub(self.pad) else { continue };
                                for kx in 0..self.k {
                                    let Some(ix) = (ox * self.stride + kx).checked_sub(self.pad) else { continue };
                                    if iy >= xs.h || ix >= xs.w {
                                        continue;
                                    }
                                    let i = xs.offset(n, c, iy, ix);
                                    if x.data[i] > best {
                                        (best, at) = (x.data[i], Some(i as u32));
                                    }
                                }
                            }
                            let o = ys.offset(n, c, oy, ox);
                            y.data[o] = best;
                            arg[o] = at.unwrap_or(u32::MAX);
                        }
                    }
                }
            }
            (y, arg)
        }
    }

    pub fn backward(dy: &[f32], arg: &[u32], dx: &mut [f32]) {
        #[omp::target]
        for (&g, &a) in dy.iter().zip(arg) {
            if a != u32::MAX {
                #[omp::atomic]
                dx[a as usize] += g;
            }
        }
    }

    pub fn upsample(x: &Tensor, factor: usize) -> Tensor {
        let s = x.shape;
        let mut y = Tensor::zeros(Shape { h: s.h * factor, w: s.w * factor, ..s });
        let shape = y.shape;
        #[omp::target]
        for (i, v) in y.data.iter_mut().enumerate() {
            let (rest, ox) = (i / shape.w, i % shape.w);
            let (plane, oy) = (rest / shape.h, rest % shape.h);
            *v = x.data[(plane * s.h + oy / factor) * s.w + ox / factor];
        }
        y
    }

    pub fn run() -> (Vec<f32>, Vec<u32>, Vec<f32>, Vec<f32>) {
        let shape = Shape { n: 2, c: 3, h: 9, w: 7 };
        let x = Tensor { shape, data: (0..shape.len()).map(|i| ((i * 7919) % 1013) as f32 / 10.0).collect() };
        let (y, arg) = Pool { k: 3, stride: 2, pad: 1 }.forward(&x);
        let mut dx = vec![0.0; shape.len()];
        backward(&y.data, &arg, &mut dx);
        let up = upsample(&y, 2);
        (y.data, arg, dx, up.data)
    }
}
port!(maxpool_grad: run());
