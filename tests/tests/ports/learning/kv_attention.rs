//! Grouped-query attention over a cache, with rotary embedding and streaming softmax.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, omp::Device)]
    struct Online { max: f32, sum: f32 }

    #[omp::declare_target]
    impl Online {
        const START: Online = Online { max: f32::NEG_INFINITY, sum: 0.0 };
        fn push(&mut self, score: f32) -> (f32, f32) {
            let max = self.max.max(score);
            let (scale, weight) = ((self.max - max).exp(), (score - max).exp());
            self.sum = self.sum * scale + weight;
            self.max = max;
            (scale, weight)
        }
    }

    const D: usize = 8;

    #[omp::declare_target]
    fn rotate(v: &[f32], position: usize) -> [f32; D] {
        let mut out = [0.0; D];
        for (i, pair) in v.chunks_exact(2).enumerate() {
            let angle = position as f32 / 100f32.powf(2.0 * i as f32 / D as f32);
            let (s, c) = angle.sin_cos();
            out[2 * i] = pair[0] * c - pair[1] * s;
            out[2 * i + 1] = pair[0] * s + pair[1] * c;
        }
        out
    }

    pub fn decode(q: &[f32], keys: &[f32], values: &[f32], heads: usize, kv_heads: usize) -> Vec<f32> {
        let len = keys.len() / (kv_heads * D);
        let group = heads / kv_heads;
        let mut out = vec![0.0; heads * D];
        #[omp::target]
        for (head, out) in out.chunks_exact_mut(D).enumerate() {
            let query = rotate(&q[head * D..(head + 1) * D], len);
            let kv = head / group;
            let mut state = Online::START;
            let mut acc = [0f32; D];
            for t in 0..len {
                let at = (t * kv_heads + kv) * D;
                let key = rotate(&keys[at..at + D], t);
                let score = query.iter().zip(&key).map(|(a, b)| a * b).sum::<f32>() / (D as f32).sqrt();
                let (scale, weight) = state.push(score);
                for (a, v) in acc.iter_mut().zip(&values[at..][..D]) {
                    *a = *a * scale + weight * v;
                }
            }
            for (o, a) in out.iter_mut().zip(acc) {
                *o = a / state.sum;
            }
        }
        out
    }

    pub fn run() -> Vec<f32> {
        let mut r = Values(108);
        let mut m = |n: usize| (0..n).map(|_| r.unit() as f32 - 0.5).collect::<Vec<_>>();
        let (q, k, v) = (m(4 * D), m(10 * 2 * D), m(10 * 2 * D));
        decode(&q, &k, &v, 4, 2)
    }
}
port!(kv_attention: run());
