//! NAS FT: evolution in frequency space, 1-D FFTs along each dimension, checksum.
use omp_tests::twice;

twice! {
    use std::f64::consts::PI;

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct C64 { pub re: f64, pub im: f64 }

    #[omp::declare_target]
    impl std::ops::Add for C64 { type Output = C64; fn add(self, o: C64) -> C64 { C64 { re: self.re + o.re, im: self.im + o.im } } }
    #[omp::declare_target]
    impl std::ops::Sub for C64 { type Output = C64; fn sub(self, o: C64) -> C64 { C64 { re: self.re - o.re, im: self.im - o.im } } }
    #[omp::declare_target]
    impl std::ops::Mul for C64 { type Output = C64; fn mul(self, o: C64) -> C64 { C64 { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re } } }
    #[omp::declare_target]
    impl std::ops::Mul<f64> for C64 { type Output = C64; fn mul(self, k: f64) -> C64 { C64 { re: self.re * k, im: self.im * k } } }

    const N: usize = 8;
    const LOG: u32 = N.ilog2();
    const ALPHA: f64 = 1e-6;

    pub struct Ft { u: Vec<C64>, twiddle: Vec<f64>, roots: [C64; N] }

    #[omp::declare_target]
    const fn idx(x: usize, y: usize, z: usize) -> usize { (z * N + y) * N + x }

    #[omp::declare_target]
    fn fft(line: &mut [C64; N], roots: &[C64; N], inverse: bool) {
        for i in 0..N {
            let j = i.reverse_bits() >> (usize::BITS - LOG);
            if j > i {
                line.swap(i, j);
            }
        }
        let mut half = 1;
        while half < N {
            for start in (0..N).step_by(2 * half) {
                for k in 0..half {
                    let mut w = roots[k * (N / (2 * half))];
                    if inverse {
                        w.im = -w.im;
                    }
                    let a = line[start + k];
                    let b = line[start + k + half] * w;
                    line[start + k] = a + b;
                    line[start + k + half] = a - b;
                }
            }
            half *= 2;
        }
    }

    impl Ft {
        pub fn new() -> Self {
            let mut u = vec![C64::default(); N * N * N];
            let mut seed = 314159265u64;
            for v in &mut u {
                let mut next = || { seed = (seed as u128 * 1220703125 % (1 << 46)) as u64; seed as f64 / (1u64 << 46) as f64 };
                v.re = next();
                v.im = next();
            }
            let mut twiddle = vec![0.0; N * N * N];
            let fold = |k: usize| ((k + N / 2) % N) as i32 - N as i32 / 2;
            #[omp::target(collapse(3))]
            for z in 0..N {
                for y in 0..N {
                    for x in 0..N {
                        let k2 = fold(x).pow(2) + fold(y).pow(2) + fold(z).pow(2);
                        twiddle[idx(x, y, z)] = (-4.0 * ALPHA * PI * PI * k2 as f64).exp();
                    }
                }
            }
            let roots = std::array::from_fn(|k| {
                let t = -2.0 * PI * k as f64 / N as f64;
                C64 { re: t.cos(), im: t.sin() }
            });
            Self { u, twiddle, roots }
        }

        pub fn evolve(&mut self) {
            #[omp::target]
            for (u, &t) in self.u.iter_mut().zip(&self.twiddle) {
                *u = *u * t;
            }
        }

        pub fn fft3(&mut self, inverse: bool) {
            let roots = self.roots;
            let u = &mut self.u;
            #[omp::target]
            for row in u.chunks_exact_mut(N) {
                let mut line = [C64::default(); N];
                line.copy_from_slice(row);
                fft(&mut line, &roots, inverse);
                row.copy_from_slice(&line);
            }
            #[omp::target(collapse(2))]
            for z in 0..N {
                for x in 0..N {
                    let mut line: [C64; N] = std::array::from_fn(|y| u[idx(x, y, z)]);
                    fft(&mut line, &roots, inverse);
                    for (y, &v) in line.iter().enumerate() {
                        u[idx(x, y, z)] = v;
                    }
                }
            }
            #[omp::target(collapse(2))]
            for y in 0..N {
                for x in 0..N {
                    let mut line = [C64::default(); N];
                    for z in 0..N { line[z] = u[idx(x, y, z)]; }
                    fft(&mut line, &roots, inverse);
                    for z in 0..N { u[idx(x, y, z)] = line[z]; }
                }
            }
        }

        pub fn checksum(&self) -> (f64, f64) {
            let (mut re, mut im) = (0.0, 0.0);
            #[omp::target(reduction(+: re, im))]
            for j in 1..=1024usize {
                let C64 { re: r, im: i } = self.u[idx(j % N, 3 * j % N, 5 * j % N)];
                re += r;
                im += i;
            }
            let n = (N * N * N) as f64;
            (re / n, im / n)
        }
    }

    pub fn run() -> Vec<(f64, f64)> {
        let mut ft = Ft::new();
        ft.fft3(false);
        (0..3)
            .map(|_| {
                ft.evolve();
                let mut back = Ft { u: ft.u.clone(), twiddle: vec![], roots: ft.roots };
                back.fft3(true);
                back.checksum()
            })
            .collect()
    }
}
port!(nas_ft: run());
