//! Optimisers: moments beside the parameters, schedules of rates, clipping by the norm.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug)]
    pub enum Schedule { Constant(f32), Cosine { from: f32, to: f32, steps: u32 }, Warmup { steps: u32, then: f32 } }

    impl Schedule {
        fn rate(&self, t: u32) -> f32 {
            match *self {
                Schedule::Constant(r) => r,
                Schedule::Cosine { from, to, steps } => to + 0.5 * (from - to) * (1.0 + (std::f32::consts::PI * t as f32 / steps as f32).cos()),
                Schedule::Warmup { steps, then } => then * (t as f32 / steps as f32).min(1.0),
            }
        }
    }

    pub struct Adam { beta: (f32, f32), eps: f32, decay: Option<f32>, clip: Option<f32>, schedule: Schedule, t: u32, m: Vec<f32>, v: Vec<f32> }

    impl Adam {
        pub fn new(n: usize, schedule: Schedule) -> Self {
            Self { beta: (0.9, 0.999), eps: 1e-8, decay: Some(0.01), clip: Some(1.0), schedule, t: 0, m: vec![0.0; n], v: vec![0.0; n] }
        }

        fn norm(grads: &[f32]) -> f32 {
            let mut sum = 0.0f64;
            #[omp::target(reduction(+: sum))]
            for &g in grads {
                sum += f64::from(g) * f64::from(g);
            }
            sum.sqrt() as f32
        }

        pub fn step(&mut self, params: &mut [f32], grads: &[f32]) {
            assert_eq!(params.len(), self.m.len());
            self.t += 1;
            let rate = self.schedule.rate(self.t);
            let (b1, b2) = self.beta;
            let (c1, c2) = (1.0 - b1.powi(self.t as i32), 1.0 - b2.powi(self.t as i32));
            let norm = Self::norm(grads);
            let scale = match self.clip {
                Some(limit) if norm > limit => limit / norm,
                _ => 1.0,
            };
            #[omp::target]
            for (((p, &g), m), v) in params.iter_mut().zip(grads).zip(&mut self.m).zip(&mut self.v) {
                let g = g * scale;
                *m = b1 * *m + (1.0 - b1) * g;
                *v = b2 * *v + (1.0 - b2) * g * g;
                if let Some(decay) = self.decay {
                    *p *= 1.0 - rate * decay;
                }
                *p -= rate * (*m / c1) / ((*v / c2).sqrt() + self.eps);
            }
        }
    }

    pub fn run() -> Vec<f32> {
        let mut v = Values(8);
        let mut p: Vec<f32> = (0..100).map(|_| (v.bits() % 100) as f32 / 50.0).collect();
        for s in [Schedule::Constant(0.1), Schedule::Cosine { from: 0.1, to: 0.01, steps: 5 }, Schedule::Warmup { steps: 3, then: 0.2 }] {
            let mut adam = Adam::new(p.len(), s);
            for _ in 0..4 {
                let g: Vec<f32> = p.iter().enumerate().map(|(i, x)| 2.0 * (x - i as f32 / 100.0)).collect();
                adam.step(&mut p, &g);
            }
        }
        p
    }
}
port!(adam: run());
