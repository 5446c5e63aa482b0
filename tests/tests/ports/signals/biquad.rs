//! A mixer with chains of biquad filters.
use omp_tests::twice;
twice! {
    use std::f32::consts::PI;

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Coefficients { b: [f32; 3], a: [f32; 2] }

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct Biquad { c: Coefficients, z1: f32, z2: f32 }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Filter { LowPass { hz: f32, q: f32 }, HighPass { hz: f32, q: f32 }, Gain(f32), Bypass }

    #[omp::declare_target]
    impl Filter {
        fn coefficients(&self, rate: f32) -> Coefficients {
            match *self {
                Filter::LowPass { hz, q } => {
                    let w = 2.0 * PI * hz / rate;
                    let (sin, cos) = w.sin_cos();
                    let alpha = sin / (2.0 * q);
                    let a0 = 1.0 + alpha;
                    Coefficients { b: [(1.0 - cos) / 2.0 / a0, (1.0 - cos) / a0, (1.0 - cos) / 2.0 / a0], a: [-2.0 * cos / a0, (1.0 - alpha) / a0] }
                }
                Filter::HighPass { hz, q } => {
                    let w = 2.0 * PI * hz / rate;
                    let (sin, cos) = w.sin_cos();
                    let alpha = sin / (2.0 * q);
                    let a0 = 1.0 + alpha;
                    Coefficients { b: [(1.0 + cos) / 2.0 / a0, -(1.0 + cos) / a0, (1.0 + cos) / 2.0 / a0], a: [-2.0 * cos / a0, (1.0 - alpha) / a0] }
                }
                Filter::Gain(g) => Coefficients { b: [g, 0.0, 0.0], ..Default::default() },
                Filter::Bypass => Coefficients { b: [1.0, 0.0, 0.0], a: [0.0; 2] },
            }
        }
    }

    #[omp::declare_target]
    impl Biquad {
        pub fn new(c: Coefficients) -> Self { Self { c, ..Default::default() } }
        #[inline]
        pub fn process(&mut self, x: f32) -> f32 {
            let Coefficients { b: [b0, b1, b2], a: [a1, a2] } = self.c;
            let y = b0 * x + self.z1;
            self.z1 = b1 * x - a1 * y + self.z2;
            self.z2 = b2 * x - a2 * y;
            y
        }
    }

    pub struct Mixer { channels: usize, frames: usize, rate: f32, samples: Vec<f32> }

    impl Mixer {
        pub fn apply(&mut self, chain: &[[Filter; 3]]) {
            let rate = self.rate;
            #[omp::target]
            for (channel, filters) in self.samples.chunks_exact_mut(self.frames).zip(chain) {
                let mut stages = filters.map(|f| Biquad::new(f.coefficients(rate)));
                for sample in channel.iter_mut() {
                    let mut v = *sample;
                    for stage in &mut stages {
                        v = stage.process(v);
                    }
                    *sample = v.clamp(-1.0, 1.0);
                }
            }
        }
        pub fn peaks(&self) -> Vec<f32> {
            let mut peaks = vec![0.0f32; self.channels];
            #[omp::target]
            for (peak, channel) in peaks.iter_mut().zip(self.samples.chunks_exact(self.frames)) {
                *peak = channel.iter().fold(0.0, |m, v| v.abs().max(m));
            }
            peaks
        }
    }

    pub fn run() -> (Vec<f32>, Vec<f32>) {
        let mut m = Mixer { channels: 3, frames: 40, rate: 8000.0, samples: (0..120).map(|i| ((i * i) % 17) as f32 / 17.0 - 0.5).collect() };
        m.apply(&[
            [Filter::LowPass { hz: 800.0, q: 0.7 }, Filter::Gain(1.5), Filter::Bypass],
            [Filter::HighPass { hz: 300.0, q: 0.9 }, Filter::LowPass { hz: 2000.0, q: 0.6 }, Filter::Gain(0.75)],
            [Filter::Bypass, Filter::Bypass, Filter::Gain(3.0)],
        ]);
        let p = m.peaks();
        (m.samples, p)
    }
}
port!(biquad: run());
