//! Signed distances: shapes combined by generic operators, marched by rays.
use omp_tests::twice;
twice! {
    use std::ops::{Add, Mul, Neg, Sub};

    #[derive(Debug, Clone, Copy, PartialEq, Default, omp::Device)]
    pub struct Vec3 { pub x: f32, pub y: f32, pub z: f32 }

    pub const fn vec3(x: f32, y: f32, z: f32) -> Vec3 { Vec3 { x, y, z } }

    #[omp::declare_target]
    impl Add for Vec3 { type Output = Self; fn add(self, o: Self) -> Self { Vec3 { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z } } }
    #[omp::declare_target]
    impl Sub for Vec3 { type Output = Self; fn sub(self, o: Self) -> Self { Vec3 { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z } } }
    #[omp::declare_target]
    impl Mul<f32> for Vec3 { type Output = Self; fn mul(self, k: f32) -> Self { Vec3 { x: self.x * k, y: self.y * k, z: self.z * k } } }
    #[omp::declare_target]
    impl Mul<Vec3> for f32 { type Output = Vec3; fn mul(self, v: Vec3) -> Vec3 { v * self } }
    #[omp::declare_target]
    impl Neg for Vec3 { type Output = Self; fn neg(self) -> Self { self * -1.0 } }
    #[omp::declare_target]
    impl Vec3 {
        pub const UP: Self = Vec3 { x: 0.0, y: 1.0, z: 0.0 };
        pub fn dot(self, o: Self) -> f32 { self.x * o.x + self.y * o.y + self.z * o.z }
        pub fn length(self) -> f32 { self.dot(self).sqrt() }
        pub fn normalize(self) -> Self { self * self.length().recip() }
        pub fn map(self, f: impl Fn(f32) -> f32) -> Self { Vec3 { x: f(self.x), y: f(self.y), z: f(self.z) } }
    }

    #[omp::declare_target]
    pub trait Sdf: Copy {
        fn distance(&self, p: Vec3) -> f32;
        fn normal(&self, p: Vec3) -> Vec3 {
            const H: f32 = 1e-3;
            let d = self.distance(p);
            Vec3 {
                x: self.distance(p + Vec3 { x: H, y: 0.0, z: 0.0 }) - d,
                y: self.distance(p + Vec3 { x: 0.0, y: H, z: 0.0 }) - d,
                z: self.distance(p + Vec3 { x: 0.0, y: 0.0, z: H }) - d,
            }.normalize()
        }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Sphere { center: Vec3, radius: f32 }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Ground { height: f32 }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Cuboid { center: Vec3, half: Vec3 }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Union<A: omp::Device, B: omp::Device>(A, B);
    #[derive(Clone, Copy, omp::Device)]
    pub struct Smooth<A: omp::Device, B: omp::Device> { a: A, b: B, k: f32 }

    #[omp::declare_target]
    impl Sdf for Sphere { fn distance(&self, p: Vec3) -> f32 { (p - self.center).length() - self.radius } }
    #[omp::declare_target]
    impl Sdf for Ground { fn distance(&self, p: Vec3) -> f32 { p.y - self.height } }
    #[omp::declare_target]
    impl Sdf for Cuboid {
        fn distance(&self, p: Vec3) -> f32 {
            let q = (p - self.center).map(f32::abs) - self.half;
            let outside = q.map(|c| c.max(0.0)).length();
            outside + q.x.max(q.y).max(q.z).min(0.0)
        }
    }
    #[omp::declare_target]
    impl<A: Sdf + omp::Device, B: Sdf + omp::Device> Sdf for Union<A, B> {
        fn distance(&self, p: Vec3) -> f32 { self.0.distance(p).min(self.1.distance(p)) }
    }
    #[omp::declare_target]
    impl<A: Sdf + omp::Device, B: Sdf + omp::Device> Sdf for Smooth<A, B> {
        fn distance(&self, p: Vec3) -> f32 {
            let (a, b) = (self.a.distance(p), self.b.distance(p));
            let h = (0.5 + 0.5 * (b - a) / self.k).clamp(0.0, 1.0);
            b + (a - b) * h - self.k * h * (1.0 - h)
        }
    }

    #[omp::declare_target]
    fn march<S: Sdf + omp::Device>(scene: &S, origin: Vec3, dir: Vec3) -> Option<Vec3> {
        let mut t = 0.0;
        for _ in 0..96 {
            let p = origin + dir * t;
            let d = scene.distance(p);
            if d < 1e-3 {
                return Some(p);
            }
            t += d;
            if t > 50.0 {
                break;
            }
        }
        None
    }

    pub fn render<S: Sdf + omp::Device>(scene: S, width: usize, height: usize) -> Vec<[u8; 3]> {
        let mut pixels = vec![[0u8; 3]; width * height];
        let eye = vec3(0.0, 1.2, 4.0);
        let sun = vec3(0.6, 0.7, 0.4).normalize();
        #[omp::target]
        for (i, px) in pixels.iter_mut().enumerate() {
            let (x, y) = (i % width, i / width);
            let u = (x as f32 + 0.5) / width as f32 * 2.0 - 1.0;
            let v = 1.0 - (y as f32 + 0.5) / height as f32 * 2.0;
            let dir = Vec3 { x: u, y: v * 0.75 - 0.2, z: -1.5 }.normalize();
            let color = if let Some(p) = march(&scene, eye, dir) {
                let n = scene.normal(p);
                let lit = n.dot(sun).max(0.0);
                let shadow = if march(&scene, p + n * 0.01, sun).is_some() { 0.3 } else { 1.0 };
                0.1 * Vec3 { x: 1.0, y: 1.0, z: 1.0 } + Vec3 { x: 0.9, y: 0.6, z: 0.3 } * (lit * shadow)
            } else {
                Vec3::UP * 0.2
            };
            let to_byte = |c: f32| (c.clamp(0.0, 1.0).powf(1.0 / 2.2) * 16.0).round() as u8;
            *px = [to_byte(color.x), to_byte(color.y), to_byte(color.z)];
        }
        pixels
    }

    pub fn run() -> Vec<f32> {
        let scene = Union(
            Ground { height: -0.5 },
            Smooth { a: Sphere { center: vec3(-0.4, 0.3, 0.0), radius: 0.8 }, b: Cuboid { center: vec3(0.7, 0.0, -0.2), half: vec3(0.5, 0.5, 0.5) }, k: 0.3 },
        );
        // Edges depend on rounding: sums of rows are compared.
        let px = render(scene, 24, 18);
        px.iter().map(|p| (p[0] as f32 / 64.0).round()).collect()
    }
}
port!(sdf_scene: run());
