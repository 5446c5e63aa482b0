//! Causal attention with an online softmax, grouped heads, tiles of keys.
use omp_tests::{Values, twice};

twice! {
    #[derive(Clone, Copy, Debug)]
    pub struct Config { seq: usize, n_heads: usize, n_kv_heads: usize }

    const HEAD_DIM: usize = 8;
    const TILE: usize = 4;

    #[omp::declare_target]
    fn dot(a: &[f32], b: &[f32]) -> f32 {
        debug_assert_eq!(a.len(), b.len());
        a.iter().zip(b.iter()).map(|(x, y)| x * y).sum()
    }

    pub fn attention(cfg: &Config, q: &[f32], k: &[f32], v: &[f32], out: &mut [f32], lse: &mut [f32]) {
        let &Config { seq, n_heads, n_kv_heads } = cfg;
        let group = n_heads / n_kv_heads;
        let scale = 1.0 / (HEAD_DIM as f32).sqrt();
        let row = |t: usize, head: usize, heads: usize| {
            let start = (t * heads + head) * HEAD_DIM;
            start..start + HEAD_DIM
        };
        #[omp::target(collapse(2))]
        for h in 0..n_heads {
            for t in 0..seq {
                let kvh = h / group;
                let qv = &q[row(t, h, n_heads)];
                let mut m = f32::NEG_INFINITY;
                let mut l = 0.0f32;
                let mut acc = [0.0f32; HEAD_DIM];
                for start in (0..=t).step_by(TILE) {
                    let end = (start + TILE).min(t + 1);
                    let mut scores = [f32::NEG_INFINITY; TILE];
                    for (s, pos) in scores.iter_mut().zip(start..end) {
                        *s = scale * dot(qv, &k[row(pos, kvh, n_kv_heads)]);
                    }
                    let tile_max = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                    let m_new = m.max(tile_max);
                    let correction = (m - m_new).exp();
                    l *= correction;
                    acc.iter_mut().for_each(|a| *a *= correction);
                    for pos in start..end {
                        let p = (scores[pos - start] - m_new).exp();
                        l += p;
                        for (a, x) in acc.iter_mut().zip(&v[row(pos, kvh, n_kv_heads)]) {
                            *a += p * x;
                        }
                    }
                    m = m_new;
                }
                let o = &mut out[row(t, h, n_heads)];
                for d in 0..HEAD_DIM {
                    o[d] = acc[d] / l;
                }
                lse[h * seq + t] = m + l.ln();
            }
        }
    }

    pub fn run() -> (Vec<f32>, Vec<f32>) {
        let cfg = Config { seq: 11, n_heads: 4, n_kv_heads: 2 };
        let mut r = Values(55);
        let mut values = |n: usize| -> Vec<f32> { (0..n).map(|_| r.bits() as f32 / 1e9 - 2.0).collect() };
        let q = values(11 * 4 * HEAD_DIM);
        let k = values(11 * 2 * HEAD_DIM);
        let v = values(11 * 2 * HEAD_DIM);
        let mut out = vec![0.0; q.len()];
        let mut lse = vec![0.0; 44];
        attention(&cfg, &q, &k, &v, &mut out, &mut lse);
        (out, lse)
    }
}
port!(flash_attention: run());
