//! A Stockham FFT with a plan, mixed radices 2, 3 and 4, batches, and a Poisson solve in Fourier space.
use omp_tests::{Values, twice};
use std::ops::{Add, Mul, Sub};

twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Complex<T> { re: T, im: T }

    #[omp::declare_target]
    impl<T: omp::Device + Add<Output = T>> Add for Complex<T> {
        type Output = Self;
        fn add(self, o: Self) -> Self { Self { re: self.re + o.re, im: self.im + o.im } }
    }
    #[omp::declare_target]
    impl<T: omp::Device + Sub<Output = T>> Sub for Complex<T> {
        type Output = Self;
        fn sub(self, o: Self) -> Self { Self { re: self.re - o.re, im: self.im - o.im } }
    }
    #[omp::declare_target]
    impl<T: omp::Device + Mul<Output = T> + Add<Output = T> + Sub<Output = T>> Mul for Complex<T> {
        type Output = Self;
        fn mul(self, o: Self) -> Self { Self { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re } }
    }
    pub type C = Complex<f64>;

    #[omp::declare_target]
    fn c(re: f64, im: f64) -> C { Complex { re, im } }
    #[omp::declare_target]
    fn cis(angle: f64) -> C { let (s, co) = angle.sin_cos(); c(co, s) }

    pub struct Plan { n: usize, radices: Vec<usize>, twiddles: Vec<C> }

    impl Plan {
        pub fn new(n: usize) -> Option<Self> {
            let mut radices = vec![];
            let mut rest = n;
            while rest > 1 {
                let r = [4, 2, 3].into_iter().find(|r| rest % r == 0)?;
                radices.push(r);
                rest /= r;
            }
            let twiddles = (0..n).map(|k| cis(-std::f64::consts::TAU * k as f64 / n as f64)).collect();
            Some(Plan { n, radices, twiddles })
        }

        pub fn execute(&self, data: &mut Vec<C>, inverse: bool) {
            let n = self.n;
            let batches = data.len() / n;
            let mut scratch = vec![C::default(); data.len()];
            let mut len = n;
            let mut stride = 1;
            for &radix in &self.radices {
                let m = len / radix;
                let twiddles = &self.twiddles[..];
                let (src, dst) = (&data[..], &mut scratch[..]);
                #[omp::target(collapse(3))]
                for b in 0..batches {
                    for p in 0..m {
                        for q in 0..stride {
                            let mut x = [C::default(); 4];
                            for (k, x) in x.iter_mut().enumerate().take(radix) {
                                *x = src[b * n + q + stride * (p + m * k)];
                            }
                            for k in 0..radix {
                                let mut sum = x[0];
                                for j in 1..radix {
                                    let mut w = twiddles[(j * k * (n / radix)) % n];
                                    if inverse { w.im = -w.im; }
                                    sum = sum + w * x[j];
                                }
                                let mut w = twiddles[p * k * stride % n];
                                if inverse { w.im = -w.im; }
                                dst[b * n + q + stride * (radix * p + k)] = sum * w;
                            }
                        }
                    }
                }
                std::mem::swap(data, &mut scratch);
                len = m;
                stride *= radix;
            }
            if inverse {
                let scale = 1.0 / n as f64;
                #[omp::target]
                for z in data.iter_mut() {
                    z.re *= scale;
                    z.im *= scale;
                }
            }
        }
    }

    fn transposed(a: &[C], rows: usize, cols: usize) -> Vec<C> {
        let mut out = vec![C::default(); a.len()];
        #[omp::target(collapse(2))]
        for i in 0..rows {
            for j in 0..cols {
                out[j * rows + i] = a[i * cols + j];
            }
        }
        out
    }

    pub fn poisson(f: &[f64], nx: usize, ny: usize) -> Vec<f64> {
        let (px, py) = (Plan::new(nx).expect("2, 3, 4"), Plan::new(ny).expect("2, 3, 4"));
        let mut z: Vec<C> = f.iter().map(|&v| c(v, 0.0)).collect();
        px.execute(&mut z, false);
        z = transposed(&z, ny, nx);
        py.execute(&mut z, false);
        let wave = |k: usize, n: usize| if 2 * k <= n { k as f64 } else { k as f64 - n as f64 };
        #[omp::target]
        for (at, z) in z.iter_mut().enumerate() {
            let (kx, ky) = (wave(at / ny, nx), wave(at % ny, ny));
            let k2 = kx * kx + ky * ky;
            *z = if k2 == 0.0 { C::default() } else { *z * c(-1.0 / k2, 0.0) };
        }
        py.execute(&mut z, true);
        z = transposed(&z, nx, ny);
        px.execute(&mut z, true);
        z.iter().map(|z| z.re).collect()
    }

    pub fn run() -> (Vec<f64>, Vec<f64>) {
        let mut v = Values(3);
        let (nx, ny) = (12, 8);
        let f: Vec<f64> = (0..nx * ny).map(|_| v.bits() as f64 / 4e9 - 0.5).collect();
        let mut z: Vec<C> = (0..48).map(|k| c((k as f64).sin(), 0.5)).collect();
        Plan::new(24).unwrap().execute(&mut z, false);
        (poisson(&f, nx, ny), z.iter().flat_map(|z| [z.re, z.im]).collect())
    }
}
port!(fft_plan: run());
