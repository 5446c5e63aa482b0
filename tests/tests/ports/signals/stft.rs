//! Short-time spectra: windows by an enum, complex numbers, a small transform on the stack, decibels.
use omp_tests::twice;
twice! {
    use std::f64::consts::PI;
    use std::ops::{Add, Mul, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Complex<T> { re: T, im: T }

    #[omp::declare_target]
    impl Add for Complex<f64> { type Output = Self; fn add(self, o: Self) -> Self { Self { re: self.re + o.re, im: self.im + o.im } } }
    #[omp::declare_target]
    impl Sub for Complex<f64> { type Output = Self; fn sub(self, o: Self) -> Self { Self { re: self.re - o.re, im: self.im - o.im } } }
    #[omp::declare_target]
    impl Mul for Complex<f64> {
        type Output = Self;
        fn mul(self, o: Self) -> Self { Self { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re } }
    }
    #[omp::declare_target]
    impl Complex<f64> {
        fn from_polar(r: f64, phi: f64) -> Self {
            let (s, c) = phi.sin_cos();
            Self { re: r * c, im: r * s }
        }
        fn norm_sqr(&self) -> f64 { self.re * self.re + self.im * self.im }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub enum Window { Rectangular, Hann, Hamming, Blackman }

    #[omp::declare_target]
    impl Window {
        fn at(self, i: usize, n: usize) -> f64 {
            let t = 2.0 * PI * i as f64 / (n - 1) as f64;
            match self {
                Window::Rectangular => 1.0,
                Window::Hann => 0.5 - 0.5 * t.cos(),
                Window::Hamming => 0.54 - 0.46 * t.cos(),
                Window::Blackman => 0.42 - 0.5 * t.cos() + 0.08 * (2.0 * t).cos(),
            }
        }
    }

    #[omp::declare_target]
    fn fft<const N: usize>(data: &mut [Complex<f64>; N]) {
        let bits = N.trailing_zeros();
        for i in 0..N {
            let j = i.reverse_bits() >> (usize::BITS - bits);
            if i < j { data.swap(i, j); }
        }
        let mut len = 2;
        while len <= N {
            let w = Complex::from_polar(1.0, -2.0 * PI / len as f64);
            for chunk in data.chunks_exact_mut(len) {
                let (lo, hi) = chunk.split_at_mut(len / 2);
                let mut k = Complex { re: 1.0, im: 0.0 };
                for (a, b) in lo.iter_mut().zip(hi) {
                    let t = *b * k;
                    *b = *a - t;
                    *a = *a + t;
                    k = k * w;
                }
            }
            len <<= 1;
        }
    }

    pub struct Spectrogram<const N: usize> { hop: usize, window: Window, floor: f64 }

    impl<const N: usize> Spectrogram<N> {
        pub fn compute(&self, signal: &[f64]) -> Vec<f64> {
            let frames = (signal.len() - N) / self.hop + 1;
            let bins = N / 2 + 1;
            let mut out = vec![0.0; frames * bins];
            #[omp::target]
            for (row, frame) in out.chunks_mut(bins).zip(signal.windows(N).step_by(self.hop)) {
                let mut buf = [Complex::default(); N];
                for (i, (b, s)) in buf.iter_mut().zip(frame).enumerate() {
                    b.re = s * self.window.at(i, N);
                }
                fft(&mut buf);
                for (o, c) in row.iter_mut().zip(&buf) {
                    *o = (10.0 * c.norm_sqr().log10()).max(self.floor);
                }
            }
            out
        }
    }

    pub fn run() -> Vec<f64> {
        let signal: Vec<f64> = (0..256).map(|i| (i as f64 * 0.3).sin() + 0.5 * (i as f64 * 0.05).cos() + ((i * 37) % 11) as f64 / 40.0).collect();
        [Window::Rectangular, Window::Hann, Window::Hamming, Window::Blackman].into_iter()
            .flat_map(|window| Spectrogram::<32> { hop: 8, window, floor: -40.0 }.compute(&signal)).collect()
    }
}
port!(stft: run());
