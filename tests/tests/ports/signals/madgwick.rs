//! Madgwick's orientation filter for many sensors: quaternions with operators, `Option` where a norm is zero.
use omp_tests::{Values, twice};
twice! {
    use std::ops::{Add, Div, Mul, MulAssign, Sub};

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Quaternion { w: f64, x: f64, y: f64, z: f64 }

    #[omp::declare_target]
    impl Default for Quaternion { fn default() -> Self { Quaternion { w: 1.0, x: 0.0, y: 0.0, z: 0.0 } } }

    #[omp::declare_target]
    impl Mul for Quaternion {
        type Output = Quaternion;
        fn mul(self, r: Quaternion) -> Self::Output {
            let Quaternion { w, x, y, z } = self;
            Quaternion {
                w: w * r.w - x * r.x - y * r.y - z * r.z,
                x: w * r.x + x * r.w + y * r.z - z * r.y,
                y: w * r.y - x * r.z + y * r.w + z * r.x,
                z: w * r.z + x * r.y - y * r.x + z * r.w,
            }
        }
    }
    #[omp::declare_target]
    impl Mul<f64> for Quaternion { type Output = Self; fn mul(self, s: f64) -> Self { Self { w: self.w * s, x: self.x * s, y: self.y * s, z: self.z * s } } }
    #[omp::declare_target]
    impl Div<f64> for Quaternion { type Output = Self; fn div(self, s: f64) -> Self { self * (1.0 / s) } }
    #[omp::declare_target]
    impl Add for Quaternion { type Output = Self; fn add(self, o: Self) -> Self { Self { w: self.w + o.w, x: self.x + o.x, y: self.y + o.y, z: self.z + o.z } } }
    #[omp::declare_target]
    impl Sub for Quaternion { type Output = Self; fn sub(self, o: Self) -> Self { self + o * -1.0 } }
    #[omp::declare_target]
    impl MulAssign<f64> for Quaternion { fn mul_assign(&mut self, s: f64) { *self = *self * s; } }

    #[omp::declare_target]
    impl Quaternion {
        fn from_vector([x, y, z]: [f64; 3]) -> Self { Self { w: 0.0, x, y, z } }
        fn conj(self) -> Self { Self { x: -self.x, y: -self.y, z: -self.z, ..self } }
        fn norm(self) -> f64 { [self.w, self.x, self.y, self.z].iter().map(|c| c * c).sum::<f64>().sqrt() }
        fn try_normalize(self) -> Option<Self> {
            match self.norm() {
                n if n > 1e-12 => Some(self / n),
                _ => None,
            }
        }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Sample { gyro: [f64; 3], accel: [f64; 3] }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Filter { q: Quaternion, beta: f64, dt: f64 }

    #[omp::declare_target]
    impl Filter {
        fn step(&self, gyro: [f64; 3], accel: [f64; 3]) -> Option<Quaternion> {
            let a = Quaternion::from_vector(accel).try_normalize()?;
            let Quaternion { w: q0, x: q1, y: q2, z: q3 } = self.q;
            let f = [2.0 * (q1 * q3 - q0 * q2) - a.x, 2.0 * (q0 * q1 + q2 * q3) - a.y, 2.0 * (0.5 - q1 * q1 - q2 * q2) - a.z];
            let j = [[-2.0 * q2, 2.0 * q3, -2.0 * q0, 2.0 * q1], [2.0 * q1, 2.0 * q0, 2.0 * q3, 2.0 * q2], [0.0, -4.0 * q1, -4.0 * q2, 0.0]];
            let grad: [f64; 4] = std::array::from_fn(|c| j.iter().zip(&f).map(|(row, f)| row[c] * f).sum());
            let [w, x, y, z] = grad;
            let step = Quaternion { w, x, y, z }.try_normalize().unwrap_or(Quaternion { w: 0.0, x: 0.0, y: 0.0, z: 0.0 });
            let rate = self.q * Quaternion::from_vector(gyro) * 0.5 - step * self.beta;
            (self.q + rate * self.dt).try_normalize()
        }
        fn update(&mut self, s: &Sample) -> bool {
            if let Some(q) = self.step(s.gyro, s.accel) {
                self.q = q;
                true
            } else {
                false
            }
        }
        fn gravity(&self) -> [f64; 3] {
            let g = self.q.conj() * Quaternion::from_vector([0.0, 0.0, 1.0]) * self.q;
            [g.x, g.y, g.z]
        }
    }

    pub fn track(filters: &mut [Filter], samples: &[Sample], per: usize) -> (Vec<[f64; 3]>, usize) {
        let mut down = vec![[0.0; 3]; filters.len()];
        let mut skipped = 0usize;
        #[omp::target(reduction(+: skipped))]
        for ((f, own), g) in filters.iter_mut().zip(samples.chunks_exact(per)).zip(down.iter_mut()) {
            for s in own {
                skipped += !f.update(s) as usize;
            }
            *g = f.gravity();
        }
        (down, skipped)
    }

    pub fn run() -> (Vec<[f64; 3]>, usize) {
        let mut v = Values(13);
        let mut u = move || v.unit() - 0.5;
        let samples: Vec<Sample> = (0..9 * 20).map(|i| Sample {
            gyro: [u(), u(), u()],
            accel: if i % 31 == 7 { [0.0; 3] } else { [0.3 * u(), 0.3 * u(), 1.0 + 0.1 * u()] },
        }).collect();
        let mut filters = vec![Filter { q: Quaternion::default(), beta: 0.1, dt: 0.02 }; 9];
        track(&mut filters, &samples, 20)
    }
}
port!(madgwick: run());
