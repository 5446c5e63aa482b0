//! Signal: windows of an STFT with spectral gating, and overlap-add resynthesis by gathering.
use omp_tests::twice;

twice! {
    use std::f32::consts::PI;

    pub struct Stft { size: usize, hop: usize, window: Vec<f32> }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Bin { re: f32, im: f32 }

    #[omp::declare_target]
    impl Bin {
        fn power(&self) -> f32 { self.re * self.re + self.im * self.im }
        fn scaled(self, k: f32) -> Self { Bin { re: self.re * k, im: self.im * k } }
    }

    impl Stft {
        pub fn new(size: usize, hop: usize) -> Self {
            let window = (0..size).map(|i| 0.5 - 0.5 * (2.0 * PI * i as f32 / size as f32).cos()).collect();
            Self { size, hop, window }
        }
        fn bins(&self) -> usize { self.size / 2 + 1 }
        fn frames(&self, len: usize) -> usize { len.saturating_sub(self.size) / self.hop + 1 }

        pub fn forward(&self, x: &[f32]) -> Vec<Bin> {
            let bins = self.bins();
            let mut out = vec![Bin::default(); self.frames(x.len()) * bins];
            #[omp::target]
            for (k, bin) in out.iter_mut().enumerate() {
                let (frame, k) = (k / bins, k % bins);
                let samples = &x[frame * self.hop..][..self.size];
                let (mut re, mut im) = (0.0, 0.0);
                for (n, (x, w)) in samples.iter().zip(&self.window).enumerate() {
                    let angle = -2.0 * PI * (k * n % self.size) as f32 / self.size as f32;
                    re += x * w * angle.cos();
                    im += x * w * angle.sin();
                }
                *bin = Bin { re, im };
            }
            out
        }

        pub fn gate(&self, spectrum: &mut [Bin], floor_db: f32) {
            let mut peak = 0.0f32;
            #[omp::target(reduction(max: peak))]
            for b in spectrum.iter() {
                peak = peak.max(b.power());
            }
            let threshold = peak * 10f32.powf(floor_db / 10.0);
            #[omp::target]
            for b in spectrum {
                *b = if b.power() < threshold { Bin::default() } else { b.scaled(1.0) };
            }
        }

        pub fn inverse(&self, spectrum: &[Bin], len: usize) -> Vec<f32> {
            let (size, hop, bins) = (self.size, self.hop, self.bins());
            let frames = spectrum.len() / bins;
            let mut out = vec![0.0; len];
            #[omp::target]
            for (t, o) in out.iter_mut().enumerate() {
                let last = (t / hop).min(frames - 1);
                let (mut sum, mut weight) = (0.0f32, 0.0f32);
                for f in (0..=last).rev().take_while(|f| f * hop + size > t) {
                    let n = t - f * hop;
                    let spec = &spectrum[f * bins..(f + 1) * bins];
                    let mut x = spec[0].re + if n % 2 == 0 { spec[bins - 1].re } else { -spec[bins - 1].re };
                    for (k, b) in spec.iter().enumerate().skip(1).take(bins - 2) {
                        let angle = 2.0 * PI * (k * n % size) as f32 / size as f32;
                        x += 2.0 * (b.re * angle.cos() - b.im * angle.sin());
                    }
                    sum += x / size as f32 * self.window[n];
                    weight += self.window[n].powi(2);
                }
                *o = if weight > 1e-3 { sum / weight } else { 0.0 };
            }
            out
        }
    }

    pub fn run() -> Vec<f32> {
        let x: Vec<f32> = (0..150).map(|i| (i as f32 * 0.4).sin() + 0.05 * (i as f32 * 2.1).cos()).collect();
        let s = Stft::new(32, 8);
        let mut spec = s.forward(&x);
        s.gate(&mut spec, -60.0);
        s.inverse(&spec, x.len())
    }
}
port!(overlap_add: run());
