//! All-pairs gravity with an overloaded vector type; leapfrog with kinetic and potential energy.
use omp_tests::twice;

twice! {
    use std::ops::{Add, AddAssign, Mul, Neg, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Vec3 { x: f64, y: f64, z: f64 }

    #[omp::declare_target]
    impl Vec3 {
        pub const fn new(x: f64, y: f64, z: f64) -> Self { Self { x, y, z } }
        pub fn dot(self, o: Self) -> f64 { self.x * o.x + self.y * o.y + self.z * o.z }
        pub fn norm2(self) -> f64 { self.dot(self) }
    }

    #[omp::declare_target]
    impl Add for Vec3 { type Output = Vec3; fn add(self, o: Vec3) -> Vec3 { Vec3::new(self.x + o.x, self.y + o.y, self.z + o.z) } }
    #[omp::declare_target]
    impl Sub for Vec3 { type Output = Vec3; fn sub(self, o: Vec3) -> Vec3 { self + -o } }
    #[omp::declare_target]
    impl Neg for Vec3 { type Output = Vec3; fn neg(self) -> Vec3 { Vec3::new(-self.x, -self.y, -self.z) } }
    #[omp::declare_target]
    impl Mul<f64> for Vec3 { type Output = Vec3; fn mul(self, k: f64) -> Vec3 { Vec3::new(self.x * k, self.y * k, self.z * k) } }
    #[omp::declare_target]
    impl Mul<Vec3> for f64 { type Output = Vec3; fn mul(self, v: Vec3) -> Vec3 { v * self } }
    #[omp::declare_target]
    impl AddAssign for Vec3 { fn add_assign(&mut self, o: Vec3) { *self = *self + o; } }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Body { p: Vec3, v: Vec3, a: Vec3, m: f64 }

    pub struct Universe { bodies: Vec<Body>, eps2: f64 }

    impl Universe {
        fn accelerations(&self) -> Vec<Vec3> {
            let mut acc = vec![Vec3::default(); self.bodies.len()];
            #[omp::target]
            for (i, a) in acc.iter_mut().enumerate() {
                let me = self.bodies[i];
                for (j, other) in self.bodies.iter().enumerate() {
                    if i == j { continue; }
                    let d = other.p - me.p;
                    let r2 = d.norm2() + self.eps2;
                    *a += other.m / (r2 * r2.sqrt()) * d;
                }
            }
            acc
        }

        fn leapfrog(&mut self, dt: f64) {
            let acc = self.accelerations();
            #[omp::target]
            for (b, &a) in self.bodies.iter_mut().zip(&acc) {
                b.v += 0.5 * dt * (b.a + a);
                b.p += dt * b.v + 0.5 * dt * dt * a;
                b.a = a;
            }
        }

        fn energy(&self) -> f64 {
            let mut e = 0.0;
            #[omp::target(reduction(+: e))]
            for (i, b) in self.bodies.iter().enumerate() {
                e += 0.5 * b.m * b.v.norm2();
                for o in &self.bodies[i + 1..] {
                    e -= b.m * o.m / ((o.p - b.p).norm2() + self.eps2).sqrt();
                }
            }
            e
        }
    }

    pub fn run() -> (Vec<f64>, f64) {
        let bodies = (0..24)
            .map(|i| {
                let t = i as f64 * 0.7;
                Body { p: Vec3::new(t.cos() * (1.0 + t), t.sin() * 2.0, t * 0.1), v: Vec3::new(0.0, 0.1, -0.1), a: Vec3::default(), m: 0.5 + (i % 3) as f64 }
            })
            .collect();
        let mut u = Universe { bodies, eps2: 1e-2 };
        for _ in 0..3 {
            u.leapfrog(0.01);
        }
        (u.bodies.iter().map(|b| b.p.x + b.p.y).collect(), u.energy())
    }
}
port!(vec3: run());
