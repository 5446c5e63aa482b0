//! Layers of a quantised neural network.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Scale { scale: f32, zero: i8 }

    #[omp::declare_target]
    impl Scale {
        pub fn quantise(&self, x: f32) -> i8 { ((x / self.scale).round() as i32 + self.zero as i32).clamp(i8::MIN.into(), i8::MAX.into()) as i8 }
        pub fn dequantise(&self, q: i8) -> f32 { (q as i32 - i32::from(self.zero)) as f32 * self.scale }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Activation { None, Relu, Relu6 }

    #[omp::declare_target]
    impl Activation {
        pub fn apply(self, x: f32) -> f32 {
            use Activation::*;
            match self {
                None => x,
                Relu => x.max(0.0),
                Relu6 => x.clamp(0.0, 6.0),
            }
        }
    }

    pub struct Tensor<T> { shape: [usize; 2], data: Vec<T>, scale: Scale }

    impl<T: Copy> Tensor<T> {
        pub fn row(&self, r: usize) -> &[T] { let w = self.shape[1]; &self.data[r * w..(r + 1) * w] }
    }

    pub struct Linear { weights: Tensor<i8>, bias: Vec<i32>, activation: Activation }

    impl Linear {
        pub fn forward(&self, input: &Tensor<i8>, output: &mut Tensor<i8>) {
            let [batch, _] = input.shape;
            let [outs, _] = self.weights.shape;
            let in_zero = input.scale.zero as i32;
            let rescale = input.scale.scale * self.weights.scale.scale;
            let out_scale = output.scale;
            #[omp::target(collapse(2))]
            for b in 0..batch {
                for o in 0..outs {
                    let dot: i32 = input.row(b).iter().zip(self.weights.row(o)).map(|(&x, &w)| (x as i32 - in_zero) * w as i32).sum();
                    let y = self.activation.apply((dot + self.bias[o]) as f32 * rescale);
                    output.data[b * outs + o] = out_scale.quantise(y);
                }
            }
        }
    }

    pub fn run() -> (Vec<i8>, Vec<f32>) {
        let mut v = Values(4);
        let mut bytes = |n: usize| (0..n).map(|_| v.bits() as i8).collect::<Vec<_>>();
        let s = |scale, zero| Scale { scale, zero };
        let input = Tensor { shape: [5, 12], data: bytes(60), scale: s(0.0625, 3) };
        let layers = [Activation::Relu6, Activation::Relu, Activation::None].map(|activation| Linear { weights: Tensor { shape: [12, 12], data: bytes(144), scale: s(0.03125, 0) }, bias: (0..12).map(|k| k * 7 - 30).collect(), activation });
        let mut x = input;
        for l in &layers {
            let mut y = Tensor { shape: [5, 12], data: vec![0; 60], scale: s(0.125, -5) };
            l.forward(&x, &mut y);
            x = y;
        }
        let mut real = vec![0.0; 60];
        let scale = x.scale;
        #[omp::target]
        for (r, &q) in real.iter_mut().zip(&x.data) { *r = scale.dequantise(q); }
        (x.data, real)
    }
}
port!(quantised: run());
