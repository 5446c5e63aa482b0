//! Machine learning: the LAMB optimiser over layers of one flat buffer, with gradient clipping by global norm.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Hyper { lr: f32, betas: (f32, f32), eps: f32, decay: f32 }

    impl Default for Hyper {
        fn default() -> Self { Self { lr: 1e-2, betas: (0.9, 0.999), eps: 1e-6, decay: 0.01 } }
    }

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    struct Moments { m: f32, v: f32 }

    #[omp::declare_target]
    impl Moments {
        fn update(&mut self, g: f32, (b1, b2): (f32, f32)) -> (f32, f32) {
            self.m = b1 * self.m + (1.0 - b1) * g;
            self.v = b2 * self.v + (1.0 - b2) * g * g;
            (self.m, self.v)
        }
    }

    pub struct Lamb { hyper: Hyper, step: i32, moments: Vec<Moments>, update: Vec<f32> }

    impl Lamb {
        pub fn new(n: usize) -> Self {
            Self { hyper: Hyper::default(), step: 0, moments: vec![Moments::default(); n], update: vec![0.0; n] }
        }

        fn clip(grads: &mut [f32], max_norm: f32) -> f32 {
            let mut sq = 0.0f64;
            #[omp::target(reduction(+: sq))]
            for g in grads.iter() {
                sq += (*g as f64).powi(2);
            }
            let norm = sq.sqrt() as f32;
            if norm > max_norm {
                let k = max_norm / norm;
                #[omp::target]
                for g in grads.iter_mut() {
                    *g *= k;
                }
            }
            norm
        }

        pub fn step(&mut self, params: &mut [f32], grads: &mut [f32], layers: &[std::ops::Range<usize>]) -> f32 {
            self.step += 1;
            let norm = Self::clip(grads, 1.0);
            let h = self.hyper;
            let (c1, c2) = (1.0 - h.betas.0.powi(self.step), 1.0 - h.betas.1.powi(self.step));
            for layer in layers {
                let (mut w2, mut u2) = (0.0f32, 0.0f32);
                #[omp::target(reduction(+: w2, u2))]
                for i in layer.clone() {
                    let (m, v) = self.moments[i].update(grads[i], h.betas);
                    let u = (m / c1) / ((v / c2).sqrt() + h.eps) + h.decay * params[i];
                    self.update[i] = u;
                    w2 += params[i] * params[i];
                    u2 += u * u;
                }
                let trust = match (w2.sqrt(), u2.sqrt()) {
                    (w, u) if w > 0.0 && u > 0.0 => w / u,
                    _ => 1.0,
                };
                #[omp::target]
                for (p, u) in params[layer.clone()].iter_mut().zip(&self.update[layer.clone()]) {
                    *p -= h.lr * trust * u;
                }
            }
            norm
        }
    }

    pub fn run() -> (Vec<f32>, Vec<f32>) {
        let n = 100;
        let mut params: Vec<f32> = (0..n).map(|i| (i as f32 * 0.3).sin()).collect();
        let mut opt = Lamb::new(n);
        let norms = (0..4)
            .map(|_| {
                let mut grads: Vec<f32> = params.iter().enumerate().map(|(i, p)| p * 2.0 + (i % 5) as f32 * 0.1).collect();
                opt.step(&mut params, &mut grads, &[0..30, 30..37, 37..100])
            })
            .collect();
        (params, norms)
    }
}
port!(lamb: run());
