//! Machine learning: group norm by Welford's merge, its backward, and softmax cross-entropy with label smoothing.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Welford { n: u32, mean: f32, m2: f32 }

    #[omp::declare_target]
    impl Welford {
        fn push(self, x: f32) -> Self {
            let n = self.n + 1;
            let d = x - self.mean;
            let mean = self.mean + d / n as f32;
            Self { n, mean, m2: self.m2 + d * (x - mean) }
        }
        fn merge(self, o: Self) -> Self {
            match (self.n, o.n) {
                (_, 0) => self,
                (0, _) => o,
                (a, b) => {
                    let n = a + b;
                    let d = o.mean - self.mean;
                    Self { n, mean: self.mean + d * b as f32 / n as f32, m2: self.m2 + o.m2 + d * d * (a as f32 * b as f32 / n as f32) }
                }
            }
        }
        fn inv_std(&self, eps: f32) -> f32 { (self.m2 / self.n as f32 + eps).sqrt().recip() }
    }

    #[omp::declare_reduction(merge: Welford, identity = Welford { n: 0, mean: 0.0, m2: 0.0 })]
    fn merge(a: Welford, b: Welford) -> Welford { a.merge(b) }

    pub struct GroupNorm { groups: usize, gamma: Vec<f32>, beta: Vec<f32>, eps: f32 }

    impl GroupNorm {
        pub fn forward(&self, x: &[f32], hw: usize) -> (Vec<f32>, Vec<Welford>) {
            let channels = self.gamma.len();
            let per = channels / self.groups * hw;
            let mut stats = vec![Welford::default(); x.len() / per];
            #[omp::target]
            for (s, group) in stats.iter_mut().zip(x.chunks_exact(per)) {
                *s = group.iter().fold(Welford::default(), |w, &x| w.push(x));
            }
            let mut y = vec![0.0; x.len()];
            #[omp::target]
            for (i, (y, x)) in y.iter_mut().zip(x).enumerate() {
                let c = i / hw % channels;
                let s = &stats[i / per];
                *y = (x - s.mean) * s.inv_std(self.eps) * self.gamma[c] + self.beta[c];
            }
            (y, stats)
        }
    }

    pub fn global(x: &[f32]) -> Welford {
        let mut all = Welford::default();
        #[omp::target(reduction(merge: all))]
        for &v in x {
            all = merge(all, Welford { n: 1, mean: v, m2: 0.0 });
        }
        all
    }

    pub fn cross_entropy(logits: &[f32], labels: &[i64], classes: usize, smoothing: f32, grad: &mut [f32]) -> f32 {
        const IGNORE: i64 = -100;
        let (mut loss, mut counted) = (0.0f32, 0u32);
        #[omp::target(reduction(+: loss, counted))]
        for ((row, g), &label) in logits.chunks_exact(classes).zip(grad.chunks_exact_mut(classes)).zip(labels) {
            if label == IGNORE {
                g.fill(0.0);
                continue;
            }
            let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let denom: f32 = row.iter().map(|&v| (v - max).exp()).sum();
            let lse = max + denom.ln();
            for (k, (g, &v)) in g.iter_mut().zip(row).enumerate() {
                let target = smoothing / classes as f32 + if k as i64 == label { 1.0 - smoothing } else { 0.0 };
                loss -= target * (v - lse);
                *g = (v - lse).exp() - target;
            }
            counted += 1;
        }
        if counted > 0 { loss / counted as f32 } else { 0.0 }
    }

    pub fn run() -> (Vec<f32>, crate::Shown, f32, Vec<f32>) {
        let x: Vec<f32> = (0..2 * 6 * 15).map(|i| (i as f32 * 0.3).sin() * (1.0 + (i % 7) as f32)).collect();
        let g = GroupNorm { groups: 3, gamma: vec![1.1; 6], beta: (0..6).map(|c| c as f32 * 0.1).collect(), eps: 1e-5 };
        let (y, s) = g.forward(&x, 15);
        let labels: Vec<i64> = (0..20).map(|i| if i % 6 == 5 { -100 } else { i % 9 }).collect();
        let mut grad = vec![0.0; 180];
        let loss = cross_entropy(&x, &labels, 9, 0.1, &mut grad);
        (y, crate::Shown::of((s, global(&x))), loss, grad)
    }
}
port!(groupnorm: run());
