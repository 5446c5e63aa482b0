//! Llama-style transformer pieces: RMSNorm, rotary position embedding and the SwiGLU feed-forward.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Config {
        pub dim: usize,
        pub hidden: usize,
        pub n_heads: usize,
        pub rope_theta: f32,
        pub eps: f32,
    }

    #[omp::declare_target]
    fn dot(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }

    #[omp::declare_target]
    fn silu(x: f32) -> f32 {
        x / (1.0 + (-x).exp())
    }

    pub fn rmsnorm(cfg: &Config, x: &[f32], weight: &[f32], out: &mut [f32]) {
        #[omp::target(map(to: x, weight), map(from: out))]
        for (o, xs) in out.chunks_exact_mut(cfg.dim).zip(x.chunks_exact(cfg.dim)) {
            let ms = xs.iter().map(|v| v * v).sum::<f32>() / xs.len() as f32;
            let scale = 1.0 / (ms + cfg.eps).sqrt();
            for ((o, &v), &w) in o.iter_mut().zip(xs).zip(weight) {
                *o = w * (v * scale);
            }
        }
    }

    /// Rotates each consecutive pair of every head in place; `x` is `[token][head][HD]`.
    pub fn rope<const HD: usize>(cfg: &Config, x: &mut [f32], pos: usize) {
        let row = cfg.n_heads * HD;
        #[omp::target(map(tofrom: x))]
        for (t, token) in x.chunks_exact_mut(row).enumerate() {
            let p = (pos + t) as f32;
            for head in token.chunks_exact_mut(HD) {
                for (i, pair) in head.chunks_exact_mut(2).enumerate() {
                    let freq = 1.0 / cfg.rope_theta.powf((2 * i) as f32 / HD as f32);
                    let (sin, cos) = (p * freq).sin_cos();
                    let [a, b] = pair else { continue };
                    (*a, *b) = (*a * cos - *b * sin, *a * sin + *b * cos);
                }
            }
        }
    }

    /// out += w2 · (silu(w1·x) ⊙ w3·x), for every token.
    pub fn feed_forward(cfg: &Config, x: &[f32], w1: &[f32], w2: &[f32], w3: &[f32], h: &mut [f32], out: &mut [f32]) {
        let Config { dim, hidden, .. } = *cfg;
        let tokens = x.len() / dim;

        #[omp::target(collapse(2), map(to: x, w1, w3), map(from: h))]
        for t in 0..tokens {
            for j in 0..hidden {
                let xt = &x[t * dim..(t + 1) * dim];
                let gate = dot(&w1[j * dim..(j + 1) * dim], xt);
                let up = dot(&w3[j * dim..(j + 1) * dim], xt);
                h[t * hidden + j] = silu(gate) * up;
            }
        }

        #[omp::target(map(to: h, w2), map(tofrom: out))]
        for t in 0..tokens {
            let ht = &h[t * hidden..][..hidden];
            #[omp::parallel_for]
            for (i, w) in w2.chunks_exact(hidden).enumerate() {
                out[t * dim + i] += dot(w, ht);
            }
        }
    }
}
port!(llama_block: crate::Shown::of({
    let cfg = Config { dim: 32, hidden: 48, n_heads: 4, rope_theta: 10000.0, eps: 1e-5 };
    let tokens = 7;
    let mut s = 17u32;
    let mut rnd = |n: usize| -> Vec<f32> {
        (0..n).map(|_| {
            s = s.wrapping_mul(1664525).wrapping_add(1013904223);
            (s >> 8) as f32 / 8388608.0 - 1.0
        }).collect()
    };
    let x = rnd(tokens * cfg.dim);
    let weight = rnd(cfg.dim);
    let (w1, w2, w3) = (rnd(cfg.hidden * cfg.dim), rnd(cfg.hidden * cfg.dim), rnd(cfg.hidden * cfg.dim));
    let mut y = vec![0f32; x.len()];
    rmsnorm(&cfg, &x, &weight, &mut y);
    let mut q = y.clone();
    rope::<8>(&cfg, &mut q, 5);
    let mut h = vec![0f32; tokens * cfg.hidden];
    let mut out = x.clone();
    feed_forward(&cfg, &y, &w1, &w2, &w3, &mut h, &mut out);
    let r = |v: &[f32], k: f32| v.iter().map(|v| (v * k).round() as i64).collect::<Vec<_>>();
    (r(&y, 100.0), r(&q, 100.0), r(&out, 4.0))
}));
