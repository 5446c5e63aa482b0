//! FFT: radix-2 by stages in place, bit reversal, complex numbers with operators, power spectrum with a window, convolution.
use omp_tests::twice;
use std::ops::{Add, Mul, Sub};

twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Complex { re: f64, im: f64 }

    #[omp::declare_target]
    impl Add for Complex {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            Self { re: self.re + o.re, im: self.im + o.im }
        }
    }

    #[omp::declare_target]
    impl Sub for Complex {
        type Output = Self;
        fn sub(self, o: Self) -> Self {
            Self { re: self.re - o.re, im: self.im - o.im }
        }
    }

    #[omp::declare_target]
    impl Mul for Complex {
        type Output = Self;
        fn mul(self, o: Self) -> Self {
            Self { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
        }
    }

    #[omp::declare_target]
    impl Complex {
        fn polar(angle: f64) -> Self {
            let (im, re) = angle.sin_cos();
            Self { re, im }
        }

        fn norm_sqr(&self) -> f64 {
            self.re * self.re + self.im * self.im
        }

        fn conj(self) -> Self {
            Self { im: -self.im, ..self }
        }
    }

    pub fn fft(x: &[Complex], sign: f64) -> Vec<Complex> {
        let n = x.len();
        let bits = n.trailing_zeros();
        let mut y = vec![Complex::default(); n];
        #[omp::target_data(map(from: y))]
        {
            #[omp::target]
            for (i, out) in y.iter_mut().enumerate() {
                *out = x[i.reverse_bits() >> (usize::BITS - bits)];
            }
            let mut half = 1;
            while half < n {
                #[omp::target]
                for k in 0..n / 2 {
                    let (block, j) = (k / half, k % half);
                    let lo = block * 2 * half + j;
                    let hi = lo + half;
                    let w = Complex::polar(sign * std::f64::consts::PI * j as f64 / half as f64);
                    let (a, b) = (y[lo], w * y[hi]);
                    y[lo] = a + b;
                    y[hi] = a - b;
                }
                half *= 2;
            }
        }
        y
    }

    pub fn spectrum(signal: &[f32], power: &mut [f64]) {
        let n = signal.len();
        let hann = |i: usize| 0.5 - 0.5 * (std::f64::consts::TAU * i as f64 / n as f64).cos();
        let mut x = vec![Complex::default(); n];
        #[omp::target]
        for i in 0..n {
            x[i] = Complex { re: hann(i) * f64::from(signal[i]), im: 0.0 };
        }
        let y = fft(&x, -1.0);
        #[omp::target]
        for (p, y) in power.iter_mut().zip(&y) {
            *p = y.norm_sqr() / n as f64;
        }
    }

    pub fn convolve(a: &[Complex], b: &[Complex]) -> Vec<Complex> {
        let (fa, fb) = (fft(a, -1.0), fft(b, -1.0));
        let mut product = vec![Complex::default(); a.len()];
        #[omp::target]
        for ((p, &a), &b) in product.iter_mut().zip(&fa).zip(&fb) {
            *p = a * b.conj();
        }
        let mut y = fft(&product, 1.0);
        let scale = 1.0 / a.len() as f64;
        #[omp::target]
        for v in &mut y {
            v.re *= scale;
            v.im *= scale;
        }
        y
    }

    pub fn run() -> (Vec<f64>, Vec<f64>) {
        let signal: Vec<f32> = (0..64).map(|i| (i as f32 * 0.7).sin() + 0.5 * (i as f32 * 1.9).cos()).collect();
        let mut power = vec![0.0; 32];
        spectrum(&signal, &mut power);
        let a: Vec<Complex> = signal.iter().map(|&v| Complex { re: v as f64, im: 0.25 }).collect();
        let b: Vec<Complex> = a.iter().rev().copied().collect();
        (power, convolve(&a, &b).iter().flat_map(|c| [c.re, c.im]).collect())
    }
}
port!(fft: run());
