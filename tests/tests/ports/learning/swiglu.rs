//! Machine learning: RMS norm, a matmul trait over weight formats (f32, bf16), and the SwiGLU gate.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    #[repr(transparent)]
    pub struct Bf16(u16);

    #[omp::declare_target]
    pub trait Weight: omp::Device {
        fn load(self) -> f32;
        fn store(v: f32) -> Self;
    }
    #[omp::declare_target]
    impl Weight for f32 {
        fn load(self) -> f32 { self }
        fn store(v: f32) -> Self { v }
    }
    #[omp::declare_target]
    impl Weight for Bf16 {
        fn load(self) -> f32 { f32::from_bits((self.0 as u32) << 16) }
        fn store(v: f32) -> Self {
            let bits = v.to_bits();
            Bf16(((bits + 0x7fff + (bits >> 16 & 1)) >> 16) as u16)
        }
    }

    pub struct Linear<W> { weight: Vec<W>, inputs: usize }

    impl<W: Weight> Linear<W> {
        fn new(inputs: usize, outputs: usize, k: f32) -> Self {
            let weight = (0..inputs * outputs).map(|i| W::store((i as f32 * k).cos() * 0.3)).collect();
            Self { weight, inputs }
        }
        fn outputs(&self) -> usize { self.weight.len() / self.inputs }

        pub fn forward(&self, x: &[f32], y: &mut [f32]) {
            let (n_in, n_out) = (self.inputs, self.outputs());
            #[omp::target]
            for (i, y) in y.iter_mut().enumerate() {
                let (token, o) = (i / n_out, i % n_out);
                let x = &x[token * n_in..][..n_in];
                let w = &self.weight[o * n_in..][..n_in];
                *y = x.iter().zip(w).fold(0.0, |acc, (&x, &w)| x.mul_add(w.load(), acc));
            }
        }
    }

    #[omp::declare_target]
    fn silu(x: f32) -> f32 { x / (1.0 + (-x).exp()) }

    pub fn rms_norm(x: &[f32], gain: &[f32], out: &mut [f32], eps: f32) {
        let dim = gain.len();
        #[omp::target]
        for (x, out) in x.chunks_exact(dim).zip(out.chunks_exact_mut(dim)) {
            let ms = x.iter().map(|v| v * v).sum::<f32>() / dim as f32;
            let inv = 1.0 / (ms + eps).sqrt();
            for ((o, &v), &g) in out.iter_mut().zip(x).zip(gain) {
                *o = v * inv * g;
            }
        }
    }

    pub fn gate(a: &mut [f32], b: &[f32]) {
        #[omp::target]
        for (a, b) in a.iter_mut().zip(b) {
            *a = silu(*a) * b;
        }
    }

    fn mlp<W: Weight>(x: &[f32], dim: usize, hidden: usize) -> Vec<f32> {
        let tokens = x.len() / dim;
        let (up, gate_proj, down) = (Linear::<W>::new(dim, hidden, 0.3), Linear::<W>::new(dim, hidden, 0.7), Linear::<W>::new(hidden, dim, 0.5));
        let gain: Vec<f32> = (0..dim).map(|i| 1.0 + i as f32 * 0.01).collect();
        let mut normed = vec![0.0; x.len()];
        rms_norm(x, &gain, &mut normed, 1e-5);
        let (mut a, mut b) = (vec![0.0; tokens * hidden], vec![0.0; tokens * hidden]);
        gate_proj.forward(&normed, &mut a);
        up.forward(&normed, &mut b);
        gate(&mut a, &b);
        let mut y = vec![0.0; x.len()];
        down.forward(&a, &mut y);
        y
    }

    pub fn run() -> (Vec<f32>, Vec<f32>) {
        let x: Vec<f32> = (0..5 * 16).map(|i| (i as f32 * 0.7).sin()).collect();
        (mlp::<f32>(&x, 16, 24), mlp::<Bf16>(&x, 16, 24))
    }
}
port!(swiglu: run());
