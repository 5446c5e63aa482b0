//! Softmax, layer norm, one head of attention with a causal mask, GELU; a convolution layer with ReLU and pooling.
use omp_tests::twice;

twice! {
    pub fn softmax(x: &mut [f32], cols: usize) {
        #[omp::target]
        for row in x.chunks_mut(cols) {
            let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let mut sum = 0.0;
            for v in row.iter_mut() {
                *v = (*v - max).exp();
                sum += *v;
            }
            row.iter_mut().for_each(|v| *v /= sum);
        }
    }

    pub struct LayerNorm { gamma: Vec<f32>, beta: Vec<f32>, eps: f32 }

    impl LayerNorm {
        pub fn forward(&self, x: &[f32], y: &mut [f32]) {
            let d = self.gamma.len();
            #[omp::target]
            for (row, out) in x.chunks_exact(d).zip(y.chunks_exact_mut(d)) {
                let mean = row.iter().sum::<f32>() / d as f32;
                let var = row.iter().map(|v| (v - mean).powi(2)).sum::<f32>() / d as f32;
                let inv = 1.0 / (var + self.eps).sqrt();
                for (((o, v), g), b) in out.iter_mut().zip(row).zip(&self.gamma).zip(&self.beta) {
                    *o = (v - mean) * inv * g + b;
                }
            }
        }
    }

    pub fn attention(q: &[f32], k: &[f32], v: &[f32], out: &mut [f32], dim: usize) {
        let scale = (dim as f32).sqrt().recip();
        #[omp::target]
        for (t, out) in out.chunks_mut(dim).enumerate() {
            let query = &q[t * dim..(t + 1) * dim];
            let mut max = f32::MIN;
            let mut denominator = 0.0f32;
            out.fill(0.0);
            for s in 0..=t {
                let key = &k[s * dim..][..dim];
                let score = query.iter().zip(key).map(|(a, b)| a * b).sum::<f32>() * scale;
                let new_max = max.max(score);
                let (shrink, weight) = ((max - new_max).exp(), (score - new_max).exp());
                for (o, x) in out.iter_mut().zip(&v[s * dim..(s + 1) * dim]) {
                    *o = *o * shrink + weight * x;
                }
                denominator = denominator * shrink + weight;
                max = new_max;
            }
            for o in out.iter_mut() { *o /= denominator; }
        }
    }

    pub fn gelu(x: &mut [f32]) {
        const C: f32 = 0.797_884_6;
        #[omp::target]
        for v in x { *v = 0.5 * *v * (1.0 + (C * (*v + 0.044_715 * v.powi(3))).tanh()); }
    }

    pub fn conv_relu_pool(input: &[[f32; 12]; 12], kernels: &[[[f32; 3]; 3]], out: &mut [[[f32; 5]; 5]]) {
        #[omp::target]
        for (map, kernel) in out.iter_mut().zip(kernels) {
            for (py, row) in map.iter_mut().enumerate() {
                for (px, cell) in row.iter_mut().enumerate() {
                    let mut best = 0.0f32;
                    for (dy, dx) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                        let (y, x) = (2 * py + dy, 2 * px + dx);
                        let mut acc = 0.0;
                        for (ky, weights) in kernel.iter().enumerate() {
                            for (kx, w) in weights.iter().enumerate() {
                                acc += w * input[y + ky][x + kx];
                            }
                        }
                        best = best.max(acc);
                    }
                    *cell = best;
                }
            }
        }
    }

    pub fn run() -> (Vec<f32>, Vec<f32>, Vec<[[f32; 5]; 5]>) {
        let x: Vec<f32> = (0..48).map(|i| ((i * 29) % 17) as f32 * 0.2 - 1.0).collect();
        let mut s = x.clone();
        softmax(&mut s, 8);
        let norm = LayerNorm { gamma: vec![1.5; 8], beta: vec![0.1; 8], eps: 1e-5 };
        let mut y = vec![0.0; 48];
        norm.forward(&x, &mut y);
        gelu(&mut y);
        let mut o = vec![0.0; 48];
        attention(&x, &s, &y, &mut o, 8);
        let input: [[f32; 12]; 12] = std::array::from_fn(|i| std::array::from_fn(|j| ((i * 5 + j * 3) % 7) as f32 - 3.0));
        let kernels = vec![[[0.5, -1.0, 0.25], [1.0, 0.0, -1.0], [0.1, 0.2, 0.3]]; 2];
        let mut maps = vec![[[0.0; 5]; 5]; 2];
        conv_relu_pool(&input, &kernels, &mut maps);
        (s, o, maps)
    }
}
port!(normalise: run());
