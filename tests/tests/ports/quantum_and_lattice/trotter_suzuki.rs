//! Trotter-Suzuki evolution of a 2-D wave packet in a harmonic trap (after HeCBench tsa).
use omp_tests::twice;

twice! {
    use std::ops::{Add, Mul};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Complex {
        pub re: f64,
        pub im: f64,
    }
    #[omp::declare_target]
    impl Complex {
        pub fn new(re: f64, im: f64) -> Self {
            Self { re, im }
        }
        pub fn norm_sqr(self) -> f64 {
            self.re * self.re + self.im * self.im
        }
    }
    #[omp::declare_target]
    impl Add for Complex {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            Self::new(self.re + o.re, self.im + o.im)
        }
    }
    #[omp::declare_target]
    impl Mul for Complex {
        type Output = Self;
        fn mul(self, o: Self) -> Self {
            Self::new(self.re * o.re - self.im * o.im, self.re * o.im + self.im * o.re)
        }
    }
    #[omp::declare_target]
    impl Mul<f64> for Complex {
        type Output = Self;
        fn mul(self, s: f64) -> Self {
            Self::new(self.re * s, self.im * s)
        }
    }

    /// exp(i theta sigma_x) on a pair of neighbouring sites.
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Rotation {
        a: f64,
        b: f64,
    }
    #[omp::declare_target]
    impl Rotation {
        fn apply(&self, p: &mut Complex, q: &mut Complex) {
            let ib = Complex::new(0.0, self.b);
            let (old_p, old_q) = (*p, *q);
            *p = old_p * self.a + ib * old_q;
            *q = old_q * self.a + ib * old_p;
        }
    }

    pub struct Evolution {
        pub width: usize,
        rot: Rotation,
        phase: Vec<Complex>,
    }
    impl Evolution {
        pub fn new(width: usize, dt: f64, potential: &[f64]) -> Self {
            let theta = 0.25 * dt;
            Evolution {
                width,
                rot: Rotation { a: theta.cos(), b: theta.sin() },
                phase: potential.iter().map(|v| Complex::new((v * dt).cos(), -(v * dt).sin())).collect(),
            }
        }
        fn vertical(&self, psi: &mut [Complex], start: usize) {
            let (w, rot) = (self.width, self.rot);
            #[omp::target]
            for rows in psi[start * w..].chunks_exact_mut(2 * w) {
                let (upper, lower) = rows.split_at_mut(w);
                for (p, q) in upper.iter_mut().zip(lower.iter_mut()) {
                    rot.apply(p, q);
                }
            }
        }
        fn horizontal(&self, psi: &mut [Complex], start: usize) {
            let rot = self.rot;
            #[omp::target]
            for row in psi.chunks_exact_mut(self.width) {
                for pair in row[start..].chunks_exact_mut(2) {
                    if let [p, q] = pair {
                        rot.apply(p, q);
                    }
                }
            }
        }
        fn potential(&self, psi: &mut [Complex]) {
            #[omp::target]
            for (z, f) in psi.iter_mut().zip(&self.phase) {
                *z = *z * *f;
            }
        }
        /// One second-order step: the four bond groups, the potential, and back.
        pub fn step(&self, psi: &mut [Complex]) {
            self.vertical(psi, 0);
            self.horizontal(psi, 0);
            self.vertical(psi, 1);
            self.horizontal(psi, 1);
            self.potential(psi);
            self.horizontal(psi, 1);
            self.vertical(psi, 1);
            self.horizontal(psi, 0);
            self.vertical(psi, 0);
        }
        /// Norm and centre of mass of the packet.
        pub fn observe(&self, psi: &[Complex]) -> (f64, f64, f64) {
            let w = self.width;
            let (mut norm, mut mx, mut my) = (0.0, 0.0, 0.0);
            #[omp::target(reduction(+: norm, mx, my))]
            for (k, z) in psi.iter().enumerate() {
                let rho = z.norm_sqr();
                norm += rho;
                mx += rho * (k % w) as f64;
                my += rho * (k / w) as f64;
            }
            (norm, mx / norm, my / norm)
        }
    }
}
// Devices have no methods of captured structs that may write them (`horizontal`).
port!(part of trotter_suzuki: crate::Shown::of({
    let (w, h) = (20usize, 17usize);
    let pot: Vec<f64> = (0..w * h)
        .map(|k| {
            let (x, y) = ((k % w) as f64 - 9.5, (k / w) as f64 - 8.0);
            0.01 * (x * x + 1.5 * y * y)
        })
        .collect();
    let mut psi: Vec<Complex> = (0..w * h)
        .map(|k| {
            let (x, y) = ((k % w) as f64 - 6.0, (k / w) as f64 - 9.0);
            let g = (-(x * x + y * y) / 8.0).exp();
            Complex::new(g * (0.4 * x).cos(), g * (0.4 * x).sin())
        })
        .collect();
    let ev = Evolution::new(w, 0.3, &pot);
    let mut track = Vec::new();
    for _ in 0..6 {
        for _ in 0..5 {
            ev.step(&mut psi);
        }
        let (n, x, y) = ev.observe(&psi);
        track.push([(n * 1e7).round() as i64, (x * 1e7).round() as i64, (y * 1e7).round() as i64]);
    }
    let z: Vec<_> = psi.iter().map(|z| ((z.re * 1e8).round() as i64, (z.im * 1e8).round() as i64)).collect();
    (track, z)
}));
