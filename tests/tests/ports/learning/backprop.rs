//! Rodinia backprop: two layers with momentum.
use omp_tests::twice;

twice! {
    #[omp::declare_target]
    pub trait Activation {
        const NAME: &'static str;
        fn f(x: f32) -> f32;
        fn df(y: f32) -> f32;
    }
    pub struct Sigmoid;
    pub struct Tanh;
    #[omp::declare_target]
    impl Activation for Sigmoid {
        const NAME: &'static str = "sigmoid";
        fn f(x: f32) -> f32 { 1.0 / (1.0 + (-x).exp()) }
        fn df(y: f32) -> f32 { y * (1.0 - y) }
    }
    #[omp::declare_target]
    impl Activation for Tanh {
        const NAME: &'static str = "tanh";
        fn f(x: f32) -> f32 { x.tanh() }
        fn df(y: f32) -> f32 { 1.0 - y * y }
    }

    pub struct Layer { inputs: usize, outputs: usize, weights: Vec<f32>, previous: Vec<f32> }

    impl Layer {
        fn new(inputs: usize, outputs: usize) -> Self {
            let weights = (0..outputs * (inputs + 1)).map(|i| ((i * 31 % 17) as f32 - 8.0) / 20.0).collect();
            Layer { inputs, outputs, weights, previous: vec![0.0; outputs * (inputs + 1)] }
        }
        fn forward<A: Activation>(&self, x: &[f32]) -> Vec<f32> {
            assert_eq!(x.len(), self.inputs);
            let mut y = vec![0.0; self.outputs];
            let stride = self.inputs + 1;
            #[omp::target]
            for (o, w) in y.iter_mut().zip(self.weights.chunks_exact(stride)) {
                let (bias, w) = w.split_first().unwrap();
                *o = A::f(bias + w.iter().zip(x).map(|(w, x)| w * x).sum::<f32>());
            }
            y
        }
        fn adjust(&mut self, delta: &[f32], x: &[f32]) {
            const ETA: f32 = 0.3;
            const MOMENTUM: f32 = 0.3;
            let stride = self.inputs + 1;
            #[omp::target]
            for ((ws, olds), d) in self.weights.chunks_exact_mut(stride).zip(self.previous.chunks_exact_mut(stride)).zip(delta) {
                for (k, (w, old)) in ws.iter_mut().zip(olds.iter_mut()).enumerate() {
                    let input = if k == 0 { 1.0 } else { x[k - 1] };
                    let change = ETA * d * input + MOMENTUM * *old;
                    *w += change;
                    *old = change;
                }
            }
        }
        fn hidden_delta<A: Activation>(&self, delta: &[f32], hidden: &[f32]) -> Vec<f32> {
            let mut out = vec![0.0f32; hidden.len()];
            #[omp::target]
            for j in 0..self.inputs {
                let mut sum = 0.0;
                for (k, d) in delta.iter().enumerate() {
                    sum += d * self.weights[k * (self.inputs + 1) + j + 1];
                }
                out[j] = A::df(hidden[j]) * sum;
            }
            out
        }
    }

    fn train<A: Activation>(x: &[f32], target: &[f32]) -> (Vec<f32>, f32) {
        let (mut l1, mut l2) = (Layer::new(x.len(), 9), Layer::new(9, target.len()));
        let mut err = 0.0;
        for _ in 0..5 {
            let hidden = l1.forward::<A>(x);
            let out = l2.forward::<A>(&hidden);
            let delta: Vec<f32> = out.iter().zip(target).map(|(o, t)| A::df(*o) * (t - o)).collect();
            err = delta.iter().map(|d| d.abs()).sum();
            let hd = l2.hidden_delta::<A>(&delta, &hidden);
            l2.adjust(&delta, &hidden);
            l1.adjust(&hd, x);
        }
        (l1.weights, err)
    }
    pub fn run() -> ((Vec<f32>, f32), (Vec<f32>, f32)) {
        let x: Vec<f32> = (0..16).map(|i| (i % 5) as f32 / 5.0).collect();
        (train::<Sigmoid>(&x, &[0.1, 0.9, 0.4]), train::<Tanh>(&x, &[0.1, 0.9, 0.4]))
    }
}
port!(backprop: run());
