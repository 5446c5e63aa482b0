//! A GRU cell over a batch, with slices of one weight buffer.
use omp_tests::{Values, twice};

twice! {
    #[omp::declare_target]
    fn sigmoid(x: f32) -> f32 { 1.0 / (1.0 + (-x).exp()) }

    pub fn gru(h: &mut [f32], x: &[f32], w: &[f32], u: &[f32], b: &[f32], batch: usize) {
        let n = h.len() / batch;
        let (wz, rest) = w.split_at(n * n);
        let (wr, wh) = rest.split_at(n * n);
        let (uz, ur, uh) = (&u[..n * n], &u[n * n..2 * n * n], &u[2 * n * n..]);
        let mut next = vec![0.0; h.len()];
        let old: &[f32] = h;
        let mv = |m: &[f32], i: usize, v: &[f32]| m[i * n..(i + 1) * n].iter().zip(v).map(|(a, b)| a * b).sum::<f32>();
        #[omp::target(collapse(2))]
        for s in 0..batch {
            for i in 0..n {
                let x = &x[s * n..(s + 1) * n];
                let hs = &old[s * n..(s + 1) * n];
                let z = sigmoid(mv(wz, i, x) + mv(uz, i, hs) + b[i]);
                let candidate = {
                    let mut sum = b[2 * n + i] + mv(wh, i, x);
                    for j in 0..n {
                        let r = sigmoid(mv(wr, j, x) + mv(ur, j, hs) + b[n + j]);
                        sum += uh[i * n + j] * r * hs[j];
                    }
                    sum.tanh()
                };
                next[s * n + i] = (1.0 - z) * hs[i] + z * candidate;
            }
        }
        h.copy_from_slice(&next);
    }

    pub fn run() -> Vec<f32> {
        let (n, batch) = (6, 5);
        let mut v = Values(16);
        let mut values = |n: usize| (0..n).map(|_| v.bits() as f32 / 4e9 - 0.5).collect::<Vec<f32>>();
        let (mut h, x, w, u, b) = (values(n * batch), values(n * batch), values(3 * n * n), values(3 * n * n), values(3 * n));
        gru(&mut h, &x, &w, &u, &b, batch);
        h
    }
}
port!(gru: run());
