//! npbench's and ISPC's Mandelbrot set, with a struct of complex numbers and `find`.
use omp_tests::twice;

twice! {
    use std::ops::{Add, Mul};

    #[derive(Debug, Clone, Copy, PartialEq, Default, omp::Device)]
    pub struct Complex { pub re: f32, pub im: f32 }
    #[omp::declare_target]
    impl Add for Complex {
        type Output = Self;
        fn add(self, rhs: Self) -> Self { Self { re: self.re + rhs.re, im: self.im + rhs.im } }
    }
    #[omp::declare_target]
    impl Mul for Complex {
        type Output = Self;
        fn mul(self, rhs: Self) -> Self {
            Self { re: self.re * rhs.re - self.im * rhs.im, im: self.re * rhs.im + self.im * rhs.re }
        }
    }
    #[omp::declare_target]
    impl Complex {
        pub const fn new(re: f32, im: f32) -> Self { Self { re, im } }
        pub fn norm_sqr(self) -> f32 { self.re * self.re + self.im * self.im }
    }

    const MAX_ITER: u32 = 100;

    #[omp::declare_target]
    fn escape_time(c: Complex, limit: u32) -> Option<u32> {
        let mut z = Complex { re: 0.0, im: 0.0 };
        for i in 0..limit {
            if z.norm_sqr() > 4.0 {
                return Some(i);
            }
            z = z * z + c;
        }
        None
    }

    pub fn mandelbrot(pixels: &mut [u8], (w, h): (usize, usize)) {
        #[omp::target]
        for (row, band) in pixels.chunks_mut(w).enumerate() {
            for (column, pixel) in band.iter_mut().enumerate() {
                let point = Complex::new(column as f32 / w as f32 * 3.0 - 2.0, row as f32 / h as f32 * 2.0 - 1.0);
                *pixel = match escape_time(point, 255) {
                    None => 0,
                    Some(count) => 255 - count as u8,
                };
            }
        }
    }

    pub fn julia(out: &mut [u32], w: usize, c: Complex) {
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            let (x, y) = (i % w, i / w);
            let mut z = Complex::new(x as f32 * 0.05 - 1.5, y as f32 * 0.05 - 1.5);
            *o = (0..MAX_ITER)
                .find(|_| {
                    z = z * z + c;
                    z.norm_sqr() > 4.0
                })
                .unwrap_or(MAX_ITER);
        }
    }

    pub fn run() -> (Vec<u8>, Vec<u32>) {
        let mut a = vec![0; 40 * 30];
        mandelbrot(&mut a, (40, 30));
        let mut b = vec![0; 60 * 60];
        julia(&mut b, 60, Complex::new(-0.75, 0.125));
        // Chaotic points may differ in the last digit.
        (a.into_iter().map(|v| if v > 200 { v } else { 0 }).collect(), b.into_iter().map(|v| v.min(12)).collect())
    }
}
port!(mandelbrot: run());
