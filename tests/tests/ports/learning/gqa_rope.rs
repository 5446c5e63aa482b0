//! Machine learning: grouped-query attention with rotary embeddings, causal, one query head row an iteration.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Config { heads: usize, kv_heads: usize, head_dim: usize, theta: f32 }

    #[omp::declare_target]
    impl Config {
        fn group(&self, head: usize) -> usize { head / (self.heads / self.kv_heads) }
    }

    pub fn rope(x: &mut [f32], heads: usize, cfg: &Config, start: usize) {
        let hd = cfg.head_dim;
        #[omp::target]
        for (t, token) in x.chunks_exact_mut(heads * hd).enumerate() {
            for head in token.chunks_exact_mut(hd) {
                let (lo, hi) = head.split_at_mut(hd / 2);
                for (i, (a, b)) in lo.iter_mut().zip(hi).enumerate() {
                    let freq = cfg.theta.powf(-2.0 * i as f32 / hd as f32);
                    let (sin, cos) = ((start + t) as f32 * freq).sin_cos();
                    (*a, *b) = (*a * cos - *b * sin, *a * sin + *b * cos);
                }
            }
        }
    }

    pub fn attention(out: &mut [f32], q: &[f32], k: &[f32], v: &[f32], cfg: Config) {
        let Config { heads, kv_heads, head_dim: hd, .. } = cfg;
        let scale = (hd as f32).sqrt().recip();
        #[omp::target]
        for (row, o) in out.chunks_exact_mut(hd).enumerate() {
            let (t, h) = (row / heads, row % heads);
            let q = &q[row * hd..(row + 1) * hd];
            let kv = cfg.group(h) * hd;
            let stride = kv_heads * hd;
            let (mut m, mut l) = (f32::NEG_INFINITY, 0.0f32);
            o.fill(0.0);
            for s in 0..=t {
                let key = &k[s * stride + kv..][..hd];
                let score = scale * q.iter().zip(key).map(|(a, b)| a * b).sum::<f32>();
                let next = m.max(score);
                let (keep, p) = ((m - next).exp(), (score - next).exp());
                l = l * keep + p;
                let value = &v[s * stride + kv..s * stride + kv + hd];
                for (o, &v) in o.iter_mut().zip(value) {
                    *o = *o * keep + p * v;
                }
                m = next;
            }
            o.iter_mut().for_each(|o| *o /= l);
        }
    }

    pub fn run() -> Vec<f32> {
        let cfg = Config { heads: 4, kv_heads: 2, head_dim: 8, theta: 10000.0 };
        let tokens = 9;
        let make = |n: usize, k: f32| (0..tokens * n * cfg.head_dim).map(|i| (i as f32 * k).sin()).collect::<Vec<f32>>();
        let (mut q, mut k, v) = (make(cfg.heads, 0.37), make(cfg.kv_heads, 0.21), make(cfg.kv_heads, 0.11));
        rope(&mut q, cfg.heads, &cfg, 3);
        rope(&mut k, cfg.kv_heads, &cfg, 3);
        let mut out = vec![0.0; q.len()];
        attention(&mut out, &q, &k, &v, cfg);
        out
    }
}
port!(gqa_rope: run());
