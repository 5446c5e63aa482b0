//! Machine learning: layer norm, softmax attention, GELU.
use omp_tests::{Values, twice};

twice! {
    pub fn layer_norm(out: &mut [f32], x: &[f32], gamma: &[f32], beta: &[f32]) {
        let n = gamma.len();
        #[omp::target]
        for (out, row) in out.chunks_exact_mut(n).zip(x.chunks_exact(n)) {
            let mean = row.iter().sum::<f32>() / n as f32;
            let var = row.iter().map(|v| (v - mean).powi(2)).sum::<f32>() / n as f32;
            let scale = 1.0 / (var + 1e-5).sqrt();
            for (((o, &v), g), b) in out.iter_mut().zip(row).zip(gamma).zip(beta) {
                *o = (v - mean) * scale * g + b;
            }
        }
    }

    pub fn softmax(x: &mut [f32], n: usize) {
        #[omp::target]
        for row in x.chunks_exact_mut(n) {
            let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let mut sum = 0.0;
            for v in row.iter_mut() {
                *v = (*v - max).exp();
                sum += *v;
            }
            row.iter_mut().for_each(|v| *v /= sum);
        }
    }

    #[omp::declare_target]
    fn dot(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    pub fn attention<const SEQ: usize>(out: &mut [f32], q: &[f32], k: &[f32], v: &[f32], d: usize) {
        let scale = 1.0 / (d as f32).sqrt();
        #[omp::target]
        for (t, (out, q)) in out.chunks_mut(d).zip(q.chunks(d)).enumerate() {
            let mut scores = [0.0f32; SEQ];
            for (s, k) in scores[..=t].iter_mut().zip(k.chunks(d)) {
                *s = dot(q, k) * scale;
            }
            let max = scores[..=t].iter().cloned().fold(f32::MIN, |a, b| a.max(b));
            let total: f32 = scores[..=t].iter_mut().map(|s| { *s = (*s - max).exp(); *s }).sum();
            out.fill(0.0);
            for (s, v) in scores[..=t].iter().zip(v.chunks(d)) {
                for (o, v) in out.iter_mut().zip(v) {
                    *o += s / total * v;
                }
            }
        }
    }

    pub fn gelu(x: &mut [f32]) {
        let c = (2.0 / std::f32::consts::PI).sqrt();
        #[omp::target]
        for v in x.iter_mut() {
            *v = 0.5 * *v * (1.0 + (c * (*v + 0.044715 * v.powi(3))).tanh());
        }
    }

    pub fn run() -> Vec<Vec<f32>> {
        const SEQ: usize = 12;
        let d = 8;
        let mut v = Values(13);
        let mut values = |n: usize| (0..n).map(|_| v.bits() as f32 / 2e9 - 1.0).collect::<Vec<f32>>();
        let (x, g, b) = (values(SEQ * d), values(d), values(d));
        let mut n = vec![0.0; SEQ * d];
        layer_norm(&mut n, &x, &g, &b);
        let mut s = values(SEQ * d);
        softmax(&mut s, d);
        let mut a = vec![0.0; SEQ * d];
        attention::<SEQ>(&mut a, &x, &n, &s, d);
        let mut y = x.clone();
        gelu(&mut y);
        vec![n, s, a, y]
    }
}
port!(transformers: run());
