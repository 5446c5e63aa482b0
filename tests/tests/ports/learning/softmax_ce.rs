//! Softmax, label-smoothed cross entropy with its gradient, accuracy, temperature sampling by top-k.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy)]
    pub struct Loss {
        classes: usize,
        smoothing: f32,
    }

    impl Loss {
        #[omp::offload]
        fn forward_backward(&self, logits: &[f32], labels: &[u16], grad: &mut [f32]) -> (f32, usize) {
            let c = self.classes;
            let eps = self.smoothing / c as f32;
            let (mut loss, mut correct) = (0.0, 0);
            let scale = 1.0 / labels.len() as f32;
            #[omp::target(reduction(+: loss, correct))]
            for ((row, g), &label) in logits.chunks_exact(c).zip(grad.chunks_exact_mut(c)).zip(labels) {
                let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let sum: f32 = row.iter().map(|&z| (z - max).exp()).sum();
                let log_sum = sum.ln() + max;
                let mut row_loss = 0.0;
                for (k, (g, &z)) in g.iter_mut().zip(row).enumerate() {
                    let target = if k == usize::from(label) { 1.0 - self.smoothing + eps } else { eps };
                    row_loss -= target * (z - log_sum);
                    *g = ((z - log_sum).exp() - target) * scale;
                }
                loss += row_loss * scale;
                let argmax = row
                    .iter()
                    .enumerate()
                    .max_by(|(_, a), (_, b)| a.total_cmp(b))
                    .map(|(k, _)| k);
                if argmax == Some(label as usize) {
                    correct += 1;
                }
            }
            (loss, correct)
        }
    }

    #[omp::offload]
    fn sample_top_k<const K: usize>(logits: &[f32], classes: usize, uniforms: &[f32], temperature: f32) -> Vec<usize> {
        let mut picks = vec![usize::MAX; uniforms.len()];
        #[omp::target]
        for (i, pick) in picks.iter_mut().enumerate() {
            let row = &logits[i * classes..][..classes];
            let mut top = [(f32::MIN, 0usize); K];
            for (k, &z) in row.iter().enumerate() {
                if z > top[K - 1].0 {
                    let mut j = K - 1;
                    while j > 0 && top[j - 1].0 < z {
                        top[j] = top[j - 1];
                        j -= 1;
                    }
                    top[j] = (z, k);
                }
            }
            let best = top[0].0;
            let weights = top.map(|(z, _)| ((z - best) / temperature).exp());
            let total: f32 = weights.iter().sum();
            let mut u = uniforms[i] * total;
            *pick = top[K - 1].1;
            for (w, (_, k)) in weights.into_iter().zip(top) {
                if u < w {
                    *pick = k;
                    break;
                }
                u -= w;
            }
        }
        picks
    }

    pub fn run(n: usize) -> (Vec<f32>, f32, usize, Vec<usize>) {
        let c = 23;
        let logits: Vec<f32> = (0..n * c).map(|i| ((i * 7919) % 613) as f32 / 61.0 - 5.0).collect();
        let labels: Vec<u16> = (0..n).map(|i| (i * 5 % c) as u16).collect();
        let mut grad = vec![0.0; n * c];
        let (loss, correct) = Loss { classes: c, smoothing: 0.1 }.forward_backward(&logits, &labels, &mut grad);
        let uniforms: Vec<f32> = (0..n).map(|i| ((i * 37) % 101) as f32 / 101.0).collect();
        (grad, loss, correct, sample_top_k::<5>(&logits, c, &uniforms, 0.8))
    }
}
port!(softmax_ce: [0, 1, 19, 150].map(|n| crate::Shown::of(run(n))));
