//! An LSTM layer over a sequence, with gates in one buffer.
use omp_tests::{Values, twice};

twice! {
    #[derive(omp::Mapper)]
    pub struct LstmWeights { input: usize, hidden: usize, w_ih: Vec<f32>, w_hh: Vec<f32>, bias: Vec<f32> }

    #[derive(Clone, omp::Mapper)]
    pub struct LstmState { h: Vec<f32>, c: Vec<f32> }

    #[derive(Clone, Copy, omp::Device)]
    pub enum Gate { Input = 0, Forget = 1, Cell = 2, Output = 3 }

    #[omp::declare_target]
    #[inline]
    fn sigmoid(x: f32) -> f32 {
        if x >= 0.0 { 1.0 / (1.0 + (-x).exp()) } else { let e = x.exp(); e / (1.0 + e) }
    }

    impl LstmWeights {
        fn gate(&self, g: usize, unit: usize, x: &[f32], h: &[f32]) -> f32 {
            let row = g * self.hidden + unit;
            let mut z = self.bias[row];
            z += self.w_ih[row * self.input..(row + 1) * self.input].iter().zip(x).map(|(w, x)| w * x).sum::<f32>();
            for (w, h) in self.w_hh[row * self.hidden..(row + 1) * self.hidden].iter().zip(h) {
                z += w * h;
            }
            z
        }

        pub fn forward(&self, xs: &[f32], state: &mut LstmState, batch: usize) {
            let hidden = self.hidden;
            let previous = state.h.clone();
            #[omp::target(collapse(2))]
            for b in 0..batch {
                for u in 0..hidden {
                    let x = &xs[b * self.input..(b + 1) * self.input];
                    let h = &previous[b * hidden..(b + 1) * hidden];
                    let i = sigmoid(self.gate(Gate::Input as usize, u, x, h));
                    let f = sigmoid(self.gate(Gate::Forget as usize, u, x, h));
                    let g = self.gate(Gate::Cell as usize, u, x, h).tanh();
                    let o = sigmoid(self.gate(Gate::Output as usize, u, x, h));
                    let c = f * state.c[b * hidden + u] + i * g;
                    state.c[b * hidden + u] = c;
                    state.h[b * hidden + u] = o * c.tanh();
                }
            }
        }
    }

    pub fn run() -> (Vec<f32>, Vec<f32>) {
        let (input, hidden, batch) = (5, 7, 3);
        let mut v = Values(29);
        let mut values = |n: usize| (0..n).map(|_| v.bits() as f32 / 4e9 - 0.5).collect::<Vec<f32>>();
        let weights = LstmWeights { input, hidden, w_ih: values(4 * hidden * input), w_hh: values(4 * hidden * hidden), bias: values(4 * hidden) };
        let mut state = LstmState { h: vec![0.0; batch * hidden], c: vec![0.0; batch * hidden] };
        for _ in 0..4 {
            let xs = values(batch * input);
            weights.forward(&xs, &mut state, batch);
        }
        (state.h, state.c)
    }
}
port!(lstm_cell: run());
