//! RSBench: multipole cross sections with a Faddeeva approximation.
use omp_tests::twice;

twice! {
    use std::ops::{Add, Div, Mul, Neg, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Complex { re: f64, im: f64 }

    const I: Complex = Complex { re: 0.0, im: 1.0 };

    macro_rules! binary {
        ($($tr:ident $f:ident |$a:ident, $b:ident| $e:expr;)*) => { $(
            #[omp::declare_target]
            impl $tr for Complex {
                type Output = Complex;
                fn $f(self, o: Complex) -> Complex { let ($a, $b) = (self, o); $e }
            }
        )* };
    }
    binary! {
        Add add |a, b| Complex { re: a.re + b.re, im: a.im + b.im };
        Sub sub |a, b| Complex { re: a.re - b.re, im: a.im - b.im };
        Mul mul |a, b| Complex { re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re };
        Div div |a, b| { let d = b.re * b.re + b.im * b.im; Complex { re: (a.re * b.re + a.im * b.im) / d, im: (a.im * b.re - a.re * b.im) / d } };
    }
    #[omp::declare_target]
    impl Neg for Complex { type Output = Complex; fn neg(self) -> Complex { Complex { re: -self.re, im: -self.im } } }
    #[omp::declare_target]
    impl Mul<f64> for Complex { type Output = Complex; fn mul(self, s: f64) -> Complex { Complex { re: self.re * s, im: self.im * s } } }

    #[omp::declare_target]
    impl Complex {
        const ONE: Complex = Complex { re: 1.0, im: 0.0 };
        fn abs(self) -> f64 { self.re.hypot(self.im) }
        fn exp(self) -> Complex { let r = self.re.exp(); Complex { re: r * self.im.cos(), im: r * self.im.sin() } }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Pole { ea: Complex, rt: Complex, ra: Complex, l: u8 }

    #[omp::declare_target]
    fn faddeeva(z: Complex) -> Complex {
        if z.abs() < 6.0 {
            let an = [2.758402e-1, 2.245740e-1, 1.594149e-1, 9.866577e-2];
            let b = z * 12.0;
            let mut w = I * (Complex::ONE - (I * b).exp()) / b;
            for (n, &a) in an.iter().enumerate() {
                let np = (n + 1) as f64;
                w = w + b * I * a * ((I * b).exp() * (-1f64).powi(n as i32 + 1) - Complex::ONE) / (Complex { re: np * np * 9.8696, im: 0.0 } - b * b);
            }
            w
        } else {
            I / (z * 1.7724538)
        }
    }

    pub fn sigmas(poles: &[Pole], windows: &[(u32, u32)], energies: &[f64], doppler: bool) -> Vec<(f64, f64)> {
        let mut out = vec![(0.0, 0.0); energies.len()];
        #[omp::target]
        for (o, &e) in out.iter_mut().zip(energies) {
            let w = ((e * windows.len() as f64) as usize).min(windows.len() - 1);
            let (start, end) = windows[w];
            let sqrt_e = e.sqrt();
            let phase: [Complex; 4] = std::array::from_fn(|l| {
                let phi = 0.3 * l as f64 * sqrt_e;
                Complex { re: phi.cos(), im: -phi.sin() }
            });
            let (mut t, mut a) = (0.0, 0.0);
            for pole in &poles[start as usize..end as usize] {
                let cdum = if doppler {
                    faddeeva((Complex { re: sqrt_e, im: 0.0 } - pole.ea) * 2.0) * (1.0 / e)
                } else {
                    I / (pole.ea - Complex { re: sqrt_e, im: 0.0 }) * (1.0 / e)
                };
                t += (pole.rt * cdum * phase[pole.l as usize]).re;
                a += (pole.ra * cdum).re;
            }
            *o = (t, a);
        }
        out
    }
    pub fn run() -> (Vec<(f64, f64)>, Vec<(f64, f64)>) {
        let c = |k: usize| Complex { re: 0.1 + 0.05 * (k % 17) as f64, im: -0.1 - 0.01 * (k % 5) as f64 };
        let poles: Vec<Pole> = (0..24).map(|k| Pole { ea: c(k), rt: c(k * 3 + 1), ra: -c(k * 5 + 2), l: (k % 4) as u8 }).collect();
        let windows = [(0, 6), (4, 12), (12, 20), (18, 24)];
        let e: Vec<f64> = (1..50).map(|i| i as f64 / 50.0).collect();
        (sigmas(&poles, &windows, &e, true), sigmas(&poles, &windows, &e, false))
    }
}
port!(rs_poles: run());
