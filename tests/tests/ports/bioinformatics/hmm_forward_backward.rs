//! Scaled forward-backward of a discrete hidden Markov model, one sequence a thread, and a Baum-Welch step.
use omp_tests::twice;

twice! {
    #[derive(Clone, Debug, omp::Mapper)]
    pub struct Hmm<const S: usize> {
        pub symbols: usize,
        pub initial: [f64; S],
        pub transition: Vec<[f64; S]>,
        /// emission[symbol][state]
        pub emission: Vec<[f64; S]>,
    }

    #[omp::declare_target]
    fn normalize<const S: usize>(v: &mut [f64; S]) -> f64 {
        let sum: f64 = v.iter().sum();
        if sum > 0.0 {
            v.iter_mut().for_each(|x| *x /= sum);
        }
        sum
    }

    #[omp::declare_target]
    impl<const S: usize> Hmm<S> {
        fn forward(&self, obs: &[u8], alpha: &mut [[f64; S]], scale: &mut [f64]) -> f64 {
            let mut loglik = 0.0;
            for t in 0..obs.len() {
                let e = &self.emission[obs[t] as usize];
                let mut next = [0.0; S];
                for j in 0..S {
                    let prior: f64 = match t {
                        0 => self.initial[j],
                        _ => (0..S).map(|i| alpha[t - 1][i] * self.transition[i][j]).sum(),
                    };
                    next[j] = prior * e[j];
                }
                scale[t] = normalize(&mut next);
                loglik += scale[t].ln();
                alpha[t] = next;
            }
            loglik
        }

        /// Turns `alpha` into the posterior in place; the expected transitions are added to `xi`.
        fn backward(&self, obs: &[u8], alpha: &mut [[f64; S]], scale: &[f64], xi: &mut [[f64; S]; S]) {
            let mut beta = [1.0; S];
            for t in (1..obs.len()).rev() {
                let e = &self.emission[obs[t] as usize];
                let mut prev = [0.0; S];
                let mut post = alpha[t];
                for i in 0..S {
                    post[i] *= beta[i];
                    for j in 0..S {
                        let w = self.transition[i][j] * e[j] * beta[j] / scale[t];
                        prev[i] += w;
                        xi[i][j] += alpha[t - 1][i] * w;
                    }
                }
                normalize(&mut post);
                alpha[t] = post;
                beta = prev;
            }
            if let Some(first) = alpha.get_mut(0) {
                for (a, b) in first.iter_mut().zip(beta) {
                    *a *= b;
                }
            }
        }
    }

    /// Sequences are padded to `stride`; `lengths` says how much of each counts.
    pub struct Batch {
        pub stride: usize,
        pub lengths: Vec<usize>,
        pub obs: Vec<u8>,
    }

    impl<const S: usize> Hmm<S> {
        pub fn forward_backward(&self, batch: &Batch, gamma: &mut [[f64; S]], xi: &mut [[[f64; S]; S]], loglik: &mut [f64]) {
            let stride = batch.stride;
            let mut scale = vec![0.0; gamma.len()];
            let lengths = &batch.lengths;
            let obs = &batch.obs;
            #[omp::target(map(to: self, lengths, obs))]
            for (s, (gamma, scale)) in gamma.chunks_exact_mut(stride).zip(scale.chunks_exact_mut(stride)).enumerate() {
                let len = lengths[s];
                let seq = &obs[s * stride..s * stride + len];
                let mut counts = [[0.0; S]; S];
                loglik[s] = self.forward(seq, gamma, scale);
                self.backward(seq, gamma, scale, &mut counts);
                xi[s] = counts;
                for pad in gamma[len..].iter_mut() {
                    *pad = [0.0; S];
                }
            }
        }

        /// Re-estimates the model from the posteriors.
        pub fn reestimate(&mut self, batch: &Batch, gamma: &[[f64; S]], xi: &[[[f64; S]; S]]) {
            let sequences = batch.lengths.len();
            let mut transition = [[0.0; S]; S];
            let mut initial = [0.0; S];
            #[omp::target(reduction(+: transition, initial))]
            for s in 0..sequences {
                for i in 0..S {
                    initial[i] += gamma[s * batch.stride][i];
                    for j in 0..S {
                        transition[i][j] += xi[s][i][j];
                    }
                }
            }
            let obs = &batch.obs;
            let emission = &mut self.emission;
            #[omp::target(map(to: obs, gamma), map(from: emission))]
            for (symbol, e) in emission.iter_mut().enumerate() {
                let mut sum = [1e-6; S];
                for (g, _) in gamma.iter().zip(obs).filter(|&(_, &o)| o as usize == symbol) {
                    for k in 0..S {
                        sum[k] += g[k];
                    }
                }
                *e = sum;
            }
            let mut total = [0.0f64; S];
            for e in &self.emission {
                total.iter_mut().zip(e).for_each(|(t, x)| *t += x);
            }
            for e in &mut self.emission {
                e.iter_mut().zip(&total).for_each(|(x, t)| *x /= t);
            }
            transition.iter_mut().for_each(|row| { normalize(row); });
            normalize(&mut initial);
            self.initial = initial;
            self.transition.copy_from_slice(&transition);
        }
    }
}
port!(hmm_forward_backward: crate::Shown::of({
    const S: usize = 4;
    let symbols = 6;
    let mut hmm = Hmm::<S> {
        symbols,
        initial: [0.4, 0.3, 0.2, 0.1],
        transition: (0..S).map(|i| { let mut r = [0.1; S]; r[i] = 0.7; r }).collect(),
        emission: (0..symbols).map(|o| { let mut e = [0.0; S]; for (k, x) in e.iter_mut().enumerate() { *x = (1 + (o * 3 + k * 5) % 7) as f64 / 28.0; } e }).collect(),
    };
    let (stride, count) = (30usize, 40usize);
    let batch = Batch {
        stride,
        lengths: (0..count).map(|s| 5 + s * 11 % 26).collect(),
        obs: (0..stride * count).map(|k| ((k * k / 7 + k * 3) % symbols) as u8).collect(),
    };
    let mut gamma = vec![[0.0; S]; stride * count];
    let mut xi = vec![[[0.0; S]; S]; count];
    let mut loglik = vec![0.0; count];
    let r9 = |x: f64| (x * 1e9).round();
    let mut trace = Vec::new();
    for _ in 0..3 {
        hmm.forward_backward(&batch, &mut gamma, &mut xi, &mut loglik);
        trace.push(loglik.iter().map(|&x| r9(x)).collect::<Vec<_>>());
        hmm.reestimate(&batch, &gamma, &xi);
    }
    (trace, hmm.emission.iter().map(|e| e.map(r9)).collect::<Vec<_>>(), gamma.iter().map(|g| g.map(r9)).collect::<Vec<_>>())
}));
