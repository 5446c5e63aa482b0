//! Newton's fractal of a polynomial given by its roots: complex numbers generic over a scalar trait, Horner by `rev` and `fold`.
use omp_tests::twice;
twice! {
    use std::ops::{Add, Div, Mul, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Complex<T: omp::Device> { re: T, im: T }

    #[omp::declare_target]
    impl<T: omp::Device + Add<Output = T>> Add for Complex<T> {
        type Output = Self;
        fn add(self, o: Self) -> Self { Complex { re: self.re + o.re, im: self.im + o.im } }
    }
    #[omp::declare_target]
    impl<T: omp::Device + Sub<Output = T>> Sub for Complex<T> {
        type Output = Self;
        fn sub(self, o: Self) -> Self { Complex { re: self.re - o.re, im: self.im - o.im } }
    }
    #[omp::declare_target]
    impl<T: omp::Device + Add<Output = T> + Sub<Output = T> + Mul<Output = T>> Mul for Complex<T> {
        type Output = Self;
        fn mul(self, o: Self) -> Self { Complex { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re } }
    }
    #[omp::declare_target]
    impl<T> Div for Complex<T>
    where
        T: omp::Device + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T>,
    {
        type Output = Self;
        fn div(self, o: Self) -> Self {
            let d = o.re * o.re + o.im * o.im;
            Complex { re: (self.re * o.re + self.im * o.im) / d, im: (self.im * o.re - self.re * o.im) / d }
        }
    }
    #[omp::declare_target]
    impl Complex<f64> {
        const fn new(re: f64, im: f64) -> Self { Complex { re, im } }
        fn norm_sqr(&self) -> f64 { self.re.powi(2) + self.im.powi(2) }
    }

    type C64 = Complex<f64>;
    const DEGREE: usize = 4;

    #[derive(Clone, Copy, omp::Device)]
    pub struct Polynomial { coeffs: [C64; DEGREE + 1] }

    #[omp::declare_target]
    impl Polynomial {
        fn from_roots(roots: &[C64; DEGREE]) -> Self {
            let mut coeffs = [C64::new(0.0, 0.0); DEGREE + 1];
            coeffs[0] = C64::new(1.0, 0.0);
            for (n, &r) in roots.iter().enumerate() {
                for k in (0..=n + 1).rev() {
                    let shifted = if k > 0 { coeffs[k - 1] } else { C64::default() };
                    coeffs[k] = shifted - r * coeffs[k];
                }
            }
            Polynomial { coeffs }
        }
        /// The value and the derivative.
        fn eval(&self, z: C64) -> (C64, C64) {
            self.coeffs.iter().rev().fold(Default::default(), |(p, d): (C64, C64), &c| (p * z + c, d * z + p))
        }
    }

    pub fn fractal(roots: [C64; DEGREE], size: u32) -> Vec<(u8, u16)> {
        let p = Polynomial::from_roots(&roots);
        let mut out = vec![(0u8, 0u16); (size * size) as usize];
        let scale = |k: u32| (f64::from(k) + 0.37) / f64::from(size) * 3.0 - 1.5;
        #[omp::target(collapse(2))]
        for y in 0..size {
            for x in 0..size {
                let mut z = Complex::new(scale(x), scale(y));
                let mut steps = 0u16;
                let settled = loop {
                    let (v, d) = p.eval(z);
                    if v.norm_sqr() < 1e-20 {
                        break true;
                    }
                    if steps == 60 || d.norm_sqr() == 0.0 {
                        break false;
                    }
                    z = z - v / d;
                    steps += 1;
                };
                let nearest = roots
                    .iter()
                    .map(|&r| (z - r).norm_sqr())
                    .enumerate()
                    .min_by(|a, b| a.1.total_cmp(&b.1))
                    .map(|(k, _)| k as u8 + 1);
                out[(y * size + x) as usize] = (nearest.filter(|_| settled).unwrap_or(0), steps.min(3));
            }
        }
        out
    }

    pub fn run() -> Vec<u8> {
        fractal([C64::new(1.0, 0.1), C64::new(-0.5, 0.8), C64::new(-0.4, -0.9), C64::new(0.2, 0.1)], 24).into_iter().map(|(k, _)| k).collect()
    }
}
port!(newton_fractal: run());
