//! Llama-like blocks: RMSNorm, rotary embedding, grouped attention with a causal mask, SwiGLU, int8 weights.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug)]
    pub struct Config {
        dim: usize,
        heads: usize,
        kv_heads: usize,
        hidden: usize,
    }

    impl Config {
        const EPS: f32 = 1e-5;
        fn head_dim(&self) -> usize {
            self.dim / self.heads
        }
    }

    #[omp::offload]
    fn rms_norm(x: &[f32], weight: &[f32], out: &mut [f32], dim: usize) {
        #[omp::target]
        for (x, o) in x.chunks_exact(dim).zip(out.chunks_exact_mut(dim)) {
            let mean_square = x.iter().map(|v| v * v).sum::<f32>() / dim as f32;
            let scale = 1.0 / (mean_square + Config::EPS).sqrt();
            for ((o, &w), &v) in o.iter_mut().zip(weight).zip(x) {
                *o = w * v * scale;
            }
        }
    }

    struct Quantised {
        rows: usize,
        cols: usize,
        data: Vec<i8>,
        scales: Vec<f32>,
    }

    impl Quantised {
        const GROUP: usize = 8;

        fn from_f32(w: &[f32], rows: usize, cols: usize) -> Self {
            let mut data = Vec::with_capacity(w.len());
            let mut scales = Vec::new();
            for group in w.chunks(Self::GROUP) {
                let max = group.iter().fold(0.0f32, |m, v| m.max(v.abs()));
                let scale = max / 127.0;
                scales.push(scale);
                data.extend(group.iter().map(|v| if scale > 0.0 { (v / scale).round() as i8 } else { 0 }));
            }
            Self { rows, cols, data, scales }
        }

        #[omp::offload]
        fn matmul(&self, x: &[f32], y: &mut [f32]) {
            let tokens = x.len() / self.cols;
            #[omp::target(collapse(2))]
            for t in 0..tokens {
                for r in 0..self.rows {
                    let x = &x[t * self.cols..(t + 1) * self.cols];
                    let w = &self.data[r * self.cols..(r + 1) * self.cols];
                    let mut acc = 0.0;
                    for (g, (wg, xg)) in w.chunks_exact(Self::GROUP).zip(x.chunks_exact(Self::GROUP)).enumerate() {
                        let dot: f32 = wg.iter().zip(xg).map(|(&a, &b)| a as f32 * b).sum();
                        acc += dot * self.scales[r * self.cols / Self::GROUP + g];
                    }
                    y[t * self.rows + r] = acc;
                }
            }
        }
    }

    #[omp::offload]
    fn rotate(x: &mut [f32], cfg: &Config, heads: usize) {
        let hd = cfg.head_dim();
        #[omp::target]
        for (t, token) in x.chunks_exact_mut(heads * hd).enumerate() {
            for head in token.chunks_exact_mut(hd) {
                for (k, pair) in head.chunks_exact_mut(2).enumerate() {
                    let theta = t as f32 * 10000f32.powf(-2.0 * k as f32 / hd as f32);
                    let (sin, cos) = theta.sin_cos();
                    let [a, b] = [pair[0], pair[1]];
                    pair[0] = a * cos - b * sin;
                    pair[1] = a * sin + b * cos;
                }
            }
        }
    }

    #[omp::offload]
    fn attention(q: &[f32], k: &[f32], v: &[f32], out: &mut [f32], cfg: &Config) {
        let hd = cfg.head_dim();
        let group = cfg.heads / cfg.kv_heads;
        let tokens = q.len() / cfg.dim;
        let kv_dim = cfg.kv_heads * hd;
        let scale = (hd as f32).sqrt().recip();
        #[omp::target(collapse(2))]
        for t in 0..tokens {
            for h in 0..cfg.heads {
                let at = |s: usize| s * kv_dim + h / group * hd;
                let query = &q[t * cfg.dim + h * hd..][..hd];
                let mut max = f32::MIN;
                let mut denom = 0.0;
                let mut acc = [0.0f32; 16];
                for s in 0..=t {
                    let dot = query.iter().zip(&k[at(s)..at(s) + hd]).map(|(a, b)| a * b).sum::<f32>() * scale;
                    let new_max = max.max(dot);
                    let (fade, p) = ((max - new_max).exp(), (dot - new_max).exp());
                    denom = denom * fade + p;
                    for (a, &v) in acc[..hd].iter_mut().zip(&v[at(s)..at(s) + hd]) {
                        *a = *a * fade + p * v;
                    }
                    max = new_max;
                }
                for (d, a) in acc.iter().take(hd).enumerate() {
                    out[t * cfg.dim + h * hd + d] = a / denom;
                }
            }
        }
    }

    #[omp::offload]
    fn swiglu(gate: &mut [f32], up: &[f32]) {
        let silu = |x: f32| x / (1.0 + (-x).exp());
        #[omp::target]
        for (g, u) in gate.iter_mut().zip(up) {
            *g = silu(*g) * *u;
        }
    }

    pub fn run(n: usize) -> Vec<f32> {
        let cfg = Config { dim: 32, heads: 4, kv_heads: 2, hidden: 48 };
        let w = |rows: usize, cols: usize, s: usize| -> Quantised {
            let data: Vec<f32> = (0..rows * cols).map(|i| (((i * 31 + s * 17) % 101) as f32 - 50.0) / 200.0).collect();
            Quantised::from_f32(&data, rows, cols)
        };
        let x: Vec<f32> = (0..n * cfg.dim).map(|i| ((i * 13) % 29) as f32 / 29.0 - 0.5).collect();
        let ones = vec![1.1; cfg.dim];
        let mut xn = vec![0.0; x.len()];
        rms_norm(&x, &ones, &mut xn, cfg.dim);
        let kv = cfg.kv_heads * cfg.head_dim();
        let (mut q, mut k, mut v) = (vec![0.0; n * cfg.dim], vec![0.0; n * kv], vec![0.0; n * kv]);
        w(cfg.dim, cfg.dim, 1).matmul(&xn, &mut q);
        w(kv, cfg.dim, 2).matmul(&xn, &mut k);
        w(kv, cfg.dim, 3).matmul(&xn, &mut v);
        rotate(&mut q, &cfg, cfg.heads);
        rotate(&mut k, &cfg, cfg.kv_heads);
        let mut att = vec![0.0; n * cfg.dim];
        attention(&q, &k, &v, &mut att, &cfg);
        let (mut gate, mut up) = (vec![0.0; n * cfg.hidden], vec![0.0; n * cfg.hidden]);
        w(cfg.hidden, cfg.dim, 4).matmul(&att, &mut gate);
        w(cfg.hidden, cfg.dim, 5).matmul(&att, &mut up);
        swiglu(&mut gate, &up);
        gate
    }
}
port!(rope: [0, 1, 7, 20].map(|n| crate::Shown::of(run(n))));
