//! Audio: FIR filters, biquads a channel, Goertzel's tone detector, soft clipping, peaks.
use omp_tests::{Values, twice};

twice! {
    pub fn fir(out: &mut [f32], x: &[f32], taps: &[f32]) {
        #[omp::target]
        for (o, window) in out.iter_mut().zip(x.windows(taps.len())) {
            *o = window.iter().zip(taps.iter().rev()).map(|(x, t)| x * t).sum();
        }
    }

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct Biquad { b: [f32; 3], a: [f32; 2], z: [f32; 2] }

    #[omp::declare_target]
    impl Biquad {
        fn low_pass(cutoff: f32, rate: f32, q: f32) -> Self {
            let w = 2.0 * std::f32::consts::PI * cutoff / rate;
            let (sin, cos) = w.sin_cos();
            let alpha = sin / (2.0 * q);
            let a0 = 1.0 + alpha;
            let b1 = (1.0 - cos) / a0;
            Self { b: [b1 / 2.0, b1, b1 / 2.0], a: [-2.0 * cos / a0, (1.0 - alpha) / a0], ..Default::default() }
        }
        fn process(&mut self, x: f32) -> f32 {
            let y = self.b[0] * x + self.z[0];
            self.z[0] = self.b[1] * x - self.a[0] * y + self.z[1];
            self.z[1] = self.b[2] * x - self.a[1] * y;
            y
        }
    }

    pub fn filter_channels(samples: &mut [f32], per_channel: usize, rate: f32) {
        #[omp::target]
        for (channel, samples) in samples.chunks_exact_mut(per_channel).enumerate() {
            let mut filter = Biquad::low_pass(200.0 * (channel + 1) as f32, rate, 0.707);
            for s in samples {
                *s = filter.process(*s);
            }
        }
    }

    pub fn goertzel(power: &mut [f32], x: &[f32], frequencies: &[f32], rate: f32) {
        #[omp::target]
        for (p, f) in power.iter_mut().zip(frequencies) {
            let c = 2.0 * (2.0 * std::f32::consts::PI * f / rate).cos();
            let (s1, s2) = x.iter().fold((0.0, 0.0), |(s1, s2), x| (x + c * s1 - s2, s1));
            *p = s1 * s1 + s2 * s2 - c * s1 * s2;
        }
    }

    pub fn peaks(at: &mut [usize], x: &[f32], threshold: f32) -> usize {
        let mut n = 0;
        #[omp::target]
        for i in 1..x.len() - 1 {
            if x[i] > threshold {
                if x[i] > x[i - 1] && x[i] >= x[i + 1] {
                    at[n] = i;
                    n += 1;
                }
            }
        }
        at[n..].fill(usize::MAX);
        n
    }

    pub fn clip(x: &mut [f32]) {
        #[omp::target]
        for s in x {
            *s = match *s {
                v if v >= 1.0 => 2.0 / 3.0,
                v if v <= -1.0 => -2.0 / 3.0,
                v => v - v.powi(3) / 3.0,
            };
        }
    }

    pub fn run() -> (Vec<Vec<f32>>, Vec<usize>) {
        let mut v = Values(18);
        let mut x: Vec<f32> = (0..256).map(|i| (i as f32 * 0.2).sin() + v.bits() as f32 / 1e10).collect();
        let taps = [0.1, 0.2, 0.4, 0.2, 0.1];
        let mut f = vec![0.0; 252];
        fir(&mut f, &x, &taps);
        let mut p = vec![0.0; 8];
        goertzel(&mut p, &x[..64], &[100.0, 200.0, 300.0, 400.0, 500.0, 600.0, 700.0, 800.0], 8000.0);
        let mut at = vec![0; 64];
        let n = peaks(&mut at, &x, 0.5);
        at.push(n);
        filter_channels(&mut x, 64, 8000.0);
        clip(&mut x);
        (vec![f, p, x], at)
    }
}
port!(audio: run());
