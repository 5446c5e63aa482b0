//! Signal processing: a polyphase resampler, Goertzel detectors, a bank of NLMS filters, and a Welch periodogram.
use omp_tests::{Values, twice};

twice! {
    pub struct Resampler { up: usize, down: usize, taps: Vec<Vec<f32>> }

    impl Resampler {
        pub fn new(up: usize, down: usize, length: usize) -> Self {
            let taps = (0..up).map(|p| (0..length).map(|k| ((p + k * up) as f32 * 0.1).sin() / length as f32).collect()).collect();
            Self { up, down, taps }
        }

        pub fn process(&self, input: &[f32]) -> Vec<f32> {
            let (up, down) = (self.up, self.down);
            let length = self.taps[0].len();
            let flat = self.taps.concat();
            let mut out = vec![0.0; input.len() * up / down];
            #[omp::target]
            for (m, y) in out.iter_mut().enumerate() {
                let phase = m * down % up;
                let newest = m * down / up;
                let bank = &flat[phase * length..(phase + 1) * length];
                *y = bank.iter().enumerate().map(|(k, h)| if k <= newest { h * input[newest - k] } else { 0.0 }).sum();
            }
            out
        }
    }

    pub fn goertzel(signal: &[f32], freqs: &[f32], rate: f32) -> Vec<f32> {
        let mut power = vec![0.0f32; freqs.len()];
        #[omp::target]
        for (p, &f) in power.iter_mut().zip(freqs.iter()) {
            let omega = 2.0 * std::f32::consts::PI * f / rate;
            let coeff = 2.0 * omega.cos();
            let (mut s1, mut s2) = (0.0f32, 0.0f32);
            for &x in signal.iter() {
                let s0 = x + coeff * s1 - s2;
                s2 = s1;
                s1 = s0;
            }
            *p = s1 * s1 + s2 * s2 - coeff * s1 * s2;
        }
        power
    }

    pub fn nlms<const TAPS: usize>(x: &[f32], d: &[f32], channels: usize, mu: f32) -> (Vec<[f32; TAPS]>, f32) {
        let n = x.len() / channels;
        let mut weights = vec![[0.0f32; TAPS]; channels];
        let mut err2 = 0.0f32;
        #[omp::target(reduction(+: err2))]
        for (ch, w) in weights.iter_mut().enumerate() {
            let x = &x[ch * n..][..n];
            let d = &d[ch * n..][..n];
            for t in TAPS - 1..n {
                let window = &x[t + 1 - TAPS..=t];
                let y: f32 = w.iter().zip(window.iter().rev()).map(|(w, x)| w * x).sum();
                let norm: f32 = window.iter().map(|x| x * x).sum::<f32>() + 1e-6;
                let e = d[t] - y;
                for (w, x) in w.iter_mut().zip(window.iter().rev()) {
                    *w += mu * e * x / norm;
                }
                err2 += e * e;
            }
        }
        (weights, err2)
    }

    pub fn welch(x: &[f32], segment: usize, overlap: usize) -> Vec<f32> {
        let hop = segment - overlap;
        let count = (x.len() - overlap) / hop;
        let window: Vec<f32> = (0..segment).map(|i| 0.5 - 0.5 * (std::f32::consts::TAU * i as f32 / segment as f32).cos()).collect();
        let scale = 1.0 / window.iter().map(|w| w * w).sum::<f32>();
        let mut psd = vec![0.0f32; segment / 2 + 1];
        #[omp::target]
        for k in 0..psd.len() {
            for s in 0..count {
                let (mut re, mut im) = (0.0, 0.0);
                for (i, (v, w)) in x[s * hop..].iter().zip(&window).enumerate() {
                    let (sn, cs) = (-std::f32::consts::TAU * (k * i % segment) as f32 / segment as f32).sin_cos();
                    re += v * w * cs;
                    im += v * w * sn;
                }
                psd[k] += scale * (re * re + im * im) / count as f32;
            }
        }
        psd
    }

    pub fn run() -> (Vec<f32>, Vec<f32>, (Vec<[f32; 5]>, f32), Vec<f32>) {
        let mut v = Values(6);
        let x: Vec<f32> = (0..120).map(|i| (i as f32 * 0.3).sin() + v.bits() as f32 / 4e10).collect();
        let d: Vec<f32> = (0..120).map(|i| if i > 1 { 0.5 * x[i] - 0.2 * x[i - 2] } else { 0.0 }).collect();
        (Resampler::new(3, 2, 8).process(&x), goertzel(&x, &[100.0, 200.0, 381.0], 8000.0), nlms(&x, &d, 3, 0.5), welch(&x, 32, 16))
    }
}
port!(polyphase: run());
