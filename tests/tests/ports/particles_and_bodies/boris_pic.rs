//! Particle in cell: Boris push with vectors of units, deposit of charge by cloud in cell.
use omp_tests::twice;

twice! {
    use std::ops::{Add, AddAssign, Mul, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Vec3 { x: f64, y: f64, z: f64 }

    #[omp::declare_target]
    impl Vec3 {
        const ZERO: Self = Self { x: 0.0, y: 0.0, z: 0.0 };
        const fn new(x: f64, y: f64, z: f64) -> Self { Self { x, y, z } }
        fn cross(self, o: Self) -> Self { Self::new(self.y * o.z - self.z * o.y, self.z * o.x - self.x * o.z, self.x * o.y - self.y * o.x) }
        fn norm2(self) -> f64 { let Vec3 { x, y, z } = self; x * x + y * y + z * z }
    }
    #[omp::declare_target]
    impl Add for Vec3 { type Output = Self; fn add(self, o: Self) -> Self { Self::new(self.x + o.x, self.y + o.y, self.z + o.z) } }
    #[omp::declare_target]
    impl Sub for Vec3 { type Output = Self; fn sub(self, o: Self) -> Self { Self::new(self.x - o.x, self.y - o.y, self.z - o.z) } }
    #[omp::declare_target]
    impl Mul<Vec3> for f64 { type Output = Vec3; fn mul(self, v: Vec3) -> Vec3 { Vec3::new(self * v.x, self * v.y, self * v.z) } }
    #[omp::declare_target]
    impl AddAssign for Vec3 { fn add_assign(&mut self, o: Self) { *self = *self + o; } }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Particle { pos: Vec3, vel: Vec3 }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Species { charge: f64, mass: f64 }

    pub struct Fields { n: usize, e: Vec<Vec3>, b: Vec3 }

    impl Fields {
        fn cell(&self, x: f64) -> (usize, f64) {
            let i = x.floor();
            ((i as i64).rem_euclid(self.n as i64) as usize, x - i)
        }
        fn gather(&self, p: Vec3) -> Vec3 {
            let (i, f) = self.cell(p.x);
            let next = (i + 1) % self.n;
            (1.0 - f) * self.e[i] + f * self.e[next]
        }

        pub fn push(&self, particles: &mut [Particle], s: &Species, dt: f64) -> f64 {
            let qm = 0.5 * dt * s.charge / s.mass;
            let length = self.n as f64;
            let mut kinetic = 0.0;
            #[omp::target(reduction(+: kinetic))]
            for p in particles {
                let e = self.gather(p.pos);
                let t = qm * self.b;
                let sv = 2.0 / (1.0 + t.norm2()) * t;
                let minus = p.vel + qm * e;
                let prime = minus + minus.cross(t);
                let plus = minus + prime.cross(sv);
                p.vel = plus + qm * e;
                p.pos += dt * p.vel;
                p.pos.x = p.pos.x.rem_euclid(length);
                kinetic += 0.5 * s.mass * p.vel.norm2();
            }
            kinetic
        }

        pub fn deposit(&self, particles: &[Particle], s: &Species) -> Vec<f64> {
            let mut rho = vec![0.0; self.n];
            #[omp::target]
            for p in particles {
                let (i, f) = self.cell(p.pos.x);
                for (k, w) in [(i, 1.0 - f), ((i + 1) % self.n, f)] {
                    #[omp::atomic]
                    rho[k] += s.charge * w;
                }
            }
            rho
        }
    }
    pub fn run() -> (Vec<f64>, f64, Vec<f64>) {
        let fields = Fields { n: 16, e: (0..16).map(|i| Vec3::new(0.1 * (i % 5) as f64 - 0.2, 0.05, 0.0)).collect(), b: Vec3::new(0.0, 0.0, 1.0) };
        let mut ps: Vec<Particle> = (0..64).map(|i| Particle { pos: Vec3::new(0.25 * i as f64, 0.0, 0.0), vel: Vec3::new((i % 7) as f64 - 3.0, (i % 3) as f64, 0.1) }).collect();
        let electron = Species { charge: -1.0, mass: 1.0 };
        let k = (0..5).map(|_| fields.push(&mut ps, &electron, 0.1)).sum();
        (ps.iter().map(|p| p.pos.x + p.vel.y).collect(), k, fields.deposit(&ps, &electron))
    }
}
port!(boris_pic: run());
