//! A classifier of dense layers, generic over the float: activations by an enum, soft-max, cross entropy, gradients.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Activation { Identity, Relu, LeakyRelu(f32), Tanh, Gelu }

    #[omp::declare_target]
    impl Activation {
        pub fn apply(self, x: f32) -> f32 {
            match self {
                Self::Identity => x,
                Self::Relu => x.max(0.0),
                Self::LeakyRelu(slope) if x < 0.0 => slope * x,
                Self::LeakyRelu(_) => x,
                Self::Tanh => x.tanh(),
                Self::Gelu => 0.5 * x * (1.0 + (0.797_884_6 * (x + 0.044715 * x.powi(3))).tanh()),
            }
        }
        pub fn derivative(self, x: f32) -> f32 {
            const H: f32 = 1e-2;
            match self {
                Self::Identity => 1.0,
                Self::Relu | Self::LeakyRelu(_) if x > 0.0 => 1.0,
                Self::Relu => 0.0,
                Self::LeakyRelu(slope) => slope,
                Self::Tanh => 1.0 - x.tanh().powi(2),
                Self::Gelu => (self.apply(x + H) - self.apply(x - H)) / (2.0 * H),
            }
        }
    }

    #[omp::declare_target]
    fn dot(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }

    pub struct Dense { inputs: usize, outputs: usize, weights: Vec<f32>, bias: Vec<f32>, activation: Activation }

    impl Dense {
        pub fn forward(&self, batch: &[f32]) -> Vec<f32> {
            let rows = batch.len() / self.inputs;
            let mut out = vec![0.0; rows * self.outputs];
            #[omp::target(collapse(2))]
            for r in 0..rows {
                for o in 0..self.outputs {
                    let x = &batch[r * self.inputs..(r + 1) * self.inputs];
                    let w = &self.weights[o * self.inputs..(o + 1) * self.inputs];
                    out[r * self.outputs + o] = self.activation.apply(self.bias[o] + dot(w, x));
                }
            }
            out
        }

        pub fn train(&mut self, batch: &[f32], delta: &[f32], rate: f32) {
            let rows = batch.len() / self.inputs;
            let (inputs, outputs) = (self.inputs, self.outputs);
            let scale = rate / rows as f32;
            #[omp::target]
            for (o, (w, b)) in self.weights.chunks_mut(inputs).zip(self.bias.iter_mut()).enumerate() {
                for (d, x) in delta.iter().skip(o).step_by(outputs).zip(batch.chunks(inputs)) {
                    let g = scale * d;
                    w.iter_mut().zip(x).for_each(|(w, x)| *w -= g * x);
                    *b -= g;
                }
            }
        }
    }

    #[omp::declare_target]
    fn softmax(row: &mut [f32]) {
        let top = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        row.iter_mut().for_each(|v| *v = (*v - top).exp());
        let sum: f32 = row.iter().sum();
        for v in row { *v /= sum; }
    }

    pub fn probabilities(logits: &mut [f32], classes: usize) {
        #[omp::target]
        for row in logits.chunks_exact_mut(classes) {
            softmax(row);
        }
    }

    pub fn loss(p: &[f32], labels: &[u8], classes: usize) -> (f32, usize) {
        let (mut loss, mut right) = (0.0, 0);
        #[omp::target(reduction(+: loss, right))]
        for (row, &label) in p.chunks_exact(classes).zip(labels) {
            loss -= row[label as usize].max(1e-9).ln();
            let best = row.iter().enumerate().max_by(|a, b| a.1.partial_cmp(b.1).unwrap()).map(|(i, _)| i);
            right += usize::from(best == Some(label as usize));
        }
        (loss / labels.len() as f32, right)
    }

    pub fn run() -> (Vec<f32>, Vec<f32>, f32) {
        let mut v = Values(5);
        let mut next = |n: usize| -> Vec<f32> { (0..n).map(|_| (v.bits() % 2001) as f32 / 1000.0 - 1.0).collect() };
        let (x, w1, w2) = (next(20 * 8), next(8 * 6), next(6 * 3));
        let labels: Vec<u8> = (0..20).map(|i| (i * 7 % 3) as u8).collect();
        let hidden = Dense { inputs: 8, outputs: 6, weights: w1, bias: vec![0.1; 6], activation: Activation::LeakyRelu(0.01) };
        let mut last = Dense { inputs: 6, outputs: 3, weights: w2, bias: vec![0.0; 3], activation: Activation::Identity };
        let h = hidden.forward(&x);
        let mut total = 0.0;
        for _ in 0..3 {
            let mut p = last.forward(&h);
            probabilities(&mut p, 3);
            total += loss(&p, &labels, 3).0;
            for (row, &l) in p.chunks_mut(3).zip(&labels) { row[l as usize] -= 1.0; }
            last.train(&h, &p, 0.1);
        }
        (h.iter().map(|&v| hidden.activation.derivative(v - 0.2)).collect(), last.weights, total)
    }
}
port!(mlp: run());
