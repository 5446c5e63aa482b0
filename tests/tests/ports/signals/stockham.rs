//! A Stockham transform of radix two, and a spectral derivative with it.
use omp_tests::twice;

twice! {
    use std::f64::consts::TAU;
    use std::ops::{Add, Mul, Sub};

    #[derive(Clone, Copy, Debug, PartialEq, Default, omp::Device)]
    pub struct C64 { re: f64, im: f64 }
    #[omp::declare_target]
    impl C64 {
        fn cis(t: f64) -> Self { let (im, re) = t.sin_cos(); C64 { re, im } }
        fn conj(self) -> Self { C64 { im: -self.im, ..self } }
    }
    #[omp::declare_target]
    impl Add for C64 { type Output = C64; fn add(self, o: C64) -> C64 { C64 { re: self.re + o.re, im: self.im + o.im } } }
    #[omp::declare_target]
    impl Sub for C64 { type Output = C64; fn sub(self, o: C64) -> C64 { C64 { re: self.re - o.re, im: self.im - o.im } } }
    #[omp::declare_target]
    impl Mul for C64 { type Output = C64; fn mul(self, o: C64) -> C64 { C64 { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re } } }

    #[derive(Clone, Copy, PartialEq)]
    pub enum Direction { Forward, Inverse }
    impl Direction {
        const fn sign(self) -> f64 { match self { Direction::Forward => -1.0, Direction::Inverse => 1.0 } }
    }

    pub fn fft(x: &mut Vec<C64>, dir: Direction) {
        let n = x.len();
        assert!(n.is_power_of_two());
        let mut y = vec![C64::default(); n];
        let mut half = n / 2;
        let mut stride = 1;
        while half >= 1 {
            let theta = dir.sign() * TAU / (2 * half) as f64;
            #[omp::target(collapse(2))]
            for p in 0..half {
                for q in 0..stride {
                    let w = C64::cis(p as f64 * theta);
                    let a = x[q + stride * p];
                    let b = x[q + stride * (p + half)];
                    y[q + stride * 2 * p] = a + b;
                    y[q + stride * (2 * p + 1)] = (a - b) * w;
                }
            }
            std::mem::swap(x, &mut y);
            half /= 2;
            stride *= 2;
        }
        if let Direction::Inverse = dir {
            let scale = 1.0 / n as f64;
            #[omp::target]
            for v in x.iter_mut() {
                v.re *= scale;
                v.im *= scale;
            }
        }
    }

    pub fn derivative(u: &[f64]) -> Vec<f64> {
        let n = u.len();
        let mut hat: Vec<C64> = u.iter().map(|&re| C64 { re, im: 0.0 }).collect();
        fft(&mut hat, Direction::Forward);
        #[omp::target]
        for (k, h) in hat.iter_mut().enumerate() {
            let k = if k < n / 2 { k as f64 } else if k == n / 2 { 0.0 } else { k as f64 - n as f64 };
            *h = *h * C64 { re: 0.0, im: k };
        }
        fft(&mut hat, Direction::Inverse);
        hat.iter().map(|c| c.conj().re).collect()
    }
    pub fn run() -> Vec<f64> {
        let n = 32;
        derivative(&(0..n).map(|i| (TAU * i as f64 / n as f64).sin() + 0.3 * (3.0 * TAU * i as f64 / n as f64).cos()).collect::<Vec<_>>())
    }
}
port!(stockham: run());
