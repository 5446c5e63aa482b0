//! Optimisers behind a trait: momentum, RMSprop and Lion with their own states, schedules, clipping by norm.
use omp_tests::twice;
twice! {
    #[omp::declare_target]
    trait Optimiser: Copy {
        type State: Copy;
        fn start(&self) -> Self::State;
        fn step(&self, state: &mut Self::State, w: f32, g: f32, lr: f32) -> f32;
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Momentum { mu: f32, nesterov: bool }
    #[derive(Clone, Copy, omp::Device)]
    pub struct RmsProp { decay: f32, eps: f32 }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Lion { beta: (f32, f32), weight_decay: f32 }
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Moments { mean: f32, square: f32 }

    #[omp::declare_target]
    impl Optimiser for Momentum {
        type State = f32;
        fn start(&self) -> f32 { 0.0 }
        fn step(&self, v: &mut f32, w: f32, g: f32, lr: f32) -> f32 {
            *v = self.mu * *v + g;
            let d = if self.nesterov { g + self.mu * *v } else { *v };
            w - lr * d
        }
    }
    #[omp::declare_target]
    impl Optimiser for RmsProp {
        type State = Moments;
        fn start(&self) -> Moments { Moments { mean: 0.0, square: 0.0 } }
        fn step(&self, s: &mut Moments, w: f32, g: f32, lr: f32) -> f32 {
            let blend = |old: f32, new: f32| self.decay * old + (1.0 - self.decay) * new;
            s.mean = blend(s.mean, g);
            s.square = blend(s.square, g * g);
            w - lr * g / ((s.square - s.mean.powi(2)).max(0.0).sqrt() + self.eps)
        }
    }
    #[omp::declare_target]
    impl Optimiser for Lion {
        type State = f32;
        fn start(&self) -> f32 { 0.0 }
        fn step(&self, m: &mut f32, w: f32, g: f32, lr: f32) -> f32 {
            let (b1, b2) = self.beta;
            let update = (b1 * *m + (1.0 - b1) * g).signum();
            *m = b2 * *m + (1.0 - b2) * g;
            w - lr * (update + self.weight_decay * w)
        }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    #[repr(u8)]
    pub enum Schedule { Constant, Cosine { total: u32 }, Warmup(u32) }
    #[omp::declare_target]
    impl Schedule {
        fn rate(self, base: f32, step: u32) -> f32 {
            base * match self {
                Schedule::Constant => 1.0,
                Schedule::Cosine { total } => 0.5 * (1.0 + (std::f32::consts::PI * step as f32 / total as f32).cos()),
                Schedule::Warmup(n) => ((step + 1) as f32 / n as f32).min(1.0),
            }
        }
    }

    fn train<O: Optimiser + omp::Device>(o: O, schedule: Schedule, n: usize, steps: u32) -> (Vec<f32>, Vec<f32>)
    where
        O::State: omp::Device,
    {
        let mut weights: Vec<f32> = (0..n).map(|i| 1.0 - 0.1 * i as f32).collect();
        let mut states = vec![o.start(); n];
        let mut gradients = vec![0.0f32; n];
        let mut losses = vec![];
        for step in 0..steps {
            let mut loss = 0.0;
            let mut norm = 0.0;
            #[omp::target(reduction(+: loss, norm))]
            for (i, (g, &w)) in gradients.iter_mut().zip(&weights).enumerate() {
                let target = (i as f32).sin();
                let d = w - target;
                loss += 0.5 * d * d + 0.1 * d.powi(4);
                *g = d + 0.4 * d.powi(3);
                norm += *g * *g;
            }
            let clip = (2.0 / norm.sqrt()).min(1.0);
            #[omp::target]
            for ((w, s), g) in weights.iter_mut().zip(states.iter_mut()).zip(gradients.iter().map(|g| g * clip)) {
                *w = o.step(s, *w, g, schedule.rate(0.05, step));
            }
            losses.push(loss);
        }
        (weights, losses)
    }

    pub fn run() -> Vec<(Vec<f32>, Vec<f32>)> {
        vec![
            train(Momentum { mu: 0.9, nesterov: false }, Schedule::Constant, 20, 6),
            train(Momentum { mu: 0.9, nesterov: true }, Schedule::Warmup(3), 20, 6),
            train(RmsProp { decay: 0.95, eps: 1e-3 }, Schedule::Cosine { total: 8 }, 7, 5),
            train(Lion { beta: (0.9, 0.99), weight_decay: 0.01 }, Schedule::Constant, 1, 5),
        ]
    }
}
port!(optimisers: run());
