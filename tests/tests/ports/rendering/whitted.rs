//! Raytracing: spheres and planes as an enum behind a trait, shadows, mirror reflections by a loop.
use omp_tests::twice;

twice! {
    use std::ops::{Add, Mul, Neg, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Vec3 { x: f32, y: f32, z: f32 }

    #[omp::declare_target]
    const fn v(x: f32, y: f32, z: f32) -> Vec3 { Vec3 { x, y, z } }
    #[omp::declare_target]
    impl Add for Vec3 { type Output = Self; fn add(self, o: Self) -> Self { v(self.x + o.x, self.y + o.y, self.z + o.z) } }
    #[omp::declare_target]
    impl Sub for Vec3 { type Output = Self; fn sub(self, o: Self) -> Self { v(self.x - o.x, self.y - o.y, self.z - o.z) } }
    #[omp::declare_target]
    impl Mul<f32> for Vec3 { type Output = Self; fn mul(self, k: f32) -> Self { v(self.x * k, self.y * k, self.z * k) } }
    #[omp::declare_target]
    impl Mul for Vec3 { type Output = Self; fn mul(self, o: Self) -> Self { v(self.x * o.x, self.y * o.y, self.z * o.z) } }
    #[omp::declare_target]
    impl Neg for Vec3 { type Output = Self; fn neg(self) -> Self { v(-self.x, -self.y, -self.z) } }
    #[omp::declare_target]
    impl Vec3 {
        fn dot(self, o: Self) -> f32 { self.x * o.x + self.y * o.y + self.z * o.z }
        fn normalize(self) -> Self { self * self.dot(self).sqrt().recip() }
        fn reflect(self, n: Self) -> Self { self - n * (2.0 * self.dot(n)) }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Ray { origin: Vec3, dir: Vec3 }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Hit { t: f32, normal: Vec3 }

    #[omp::declare_target]
    pub trait Intersect {
        fn intersect(&self, ray: &Ray) -> Option<Hit>;
    }

    #[derive(Clone, Copy, omp::Device)]
    #[repr(u8)]
    pub enum Shape {
        Sphere { centre: Vec3, radius: f32 },
        Plane { normal: Vec3, offset: f32 },
    }

    #[omp::declare_target]
    impl Intersect for Shape {
        fn intersect(&self, ray: &Ray) -> Option<Hit> {
            const EPS: f32 = 1e-3;
            match *self {
                Shape::Sphere { centre, radius } => {
                    let oc = ray.origin - centre;
                    let b = oc.dot(ray.dir);
                    let disc = b * b - oc.dot(oc) + radius * radius;
                    if disc < 0.0 {
                        return None;
                    }
                    let root = disc.sqrt();
                    let t = [-b - root, -b + root].into_iter().find(|&t| t > EPS)?;
                    let normal = (oc + ray.dir * t).normalize();
                    Some(Hit { t, normal })
                }
                Shape::Plane { normal, offset } => {
                    let d = normal.dot(ray.dir);
                    if d.abs() < 1e-6 {
                        return None;
                    }
                    let t = (offset - normal.dot(ray.origin)) / d;
                    (t > EPS).then(|| Hit { t, normal })
                }
            }
        }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Object { shape: Shape, colour: Vec3, mirror: f32 }

    pub struct Scene { objects: Vec<Object>, light: Vec3 }

    impl Scene {
        fn closest(&self, ray: &Ray) -> Option<(usize, Hit)> {
            let mut best: Option<(usize, Hit)> = None;
            for (i, o) in self.objects.iter().enumerate() {
                if let Some(hit) = o.shape.intersect(ray) {
                    if best.map_or(true, |(_, b)| hit.t < b.t) {
                        best = Some((i, hit));
                    }
                }
            }
            best
        }

        fn shade(&self, mut ray: Ray) -> Vec3 {
            let mut colour = Vec3::default();
            let mut weight = 1.0;
            for _bounce in 0..4 {
                let Some((object, hit)) = self.closest(&ray) else {
                    colour = colour + v(0.5, 0.7, 1.0) * (weight * (0.5 + 0.5 * ray.dir.y));
                    break;
                };
                let object = &self.objects[object];
                let point = ray.origin + ray.dir * hit.t;
                let to_light = (self.light - point).normalize();
                let shadow = self.objects.iter().any(|o| o.shape.intersect(&Ray { origin: point, dir: to_light }).is_some());
                let diffuse = if shadow { 0.1 } else { hit.normal.dot(to_light).max(0.1) };
                colour = colour + object.colour * (diffuse * weight * (1.0 - object.mirror));
                weight *= object.mirror;
                if weight < 0.01 {
                    break;
                }
                ray = Ray { origin: point, dir: ray.dir.reflect(hit.normal) };
            }
            colour
        }

        pub fn render(&self, width: usize, height: usize) -> Vec<[u8; 3]> {
            let mut image = vec![[0u8; 3]; width * height];
            #[omp::target]
            for (i, px) in image.iter_mut().enumerate() {
                let (x, y) = (i % width, i / width);
                let dir = v(x as f32 / width as f32 - 0.5, 0.5 - y as f32 / height as f32, 1.0).normalize();
                let c = self.shade(Ray { origin: v(0.0, 0.5, -3.0), dir });
                *px = [c.x, c.y, c.z].map(|c| (c.clamp(0.0, 1.0) * 15.0) as u8);
            }
            image
        }
    }

    pub fn run() -> Vec<f32> {
        let sphere = |x: f32, z: f32, mirror: f32| Object { shape: Shape::Sphere { centre: v(x, 0.0, z), radius: 0.7 }, colour: v(0.9, 0.3 + 0.1 * x, 0.2), mirror };
        let floor = Object { shape: Shape::Plane { normal: v(0.0, 1.0, 0.0), offset: -0.7 }, colour: v(0.6, 0.6, 0.6), mirror: 0.2 };
        let s = Scene { objects: vec![sphere(-1.0, 0.5, 0.5), sphere(0.8, 0.0, 0.0), sphere(0.1, 2.0, 0.9), floor], light: v(3.0, 5.0, -2.0) };
        let img = s.render(24, 16);
        let rows = img.chunks(24).map(|r| r.iter().flatten().map(|&c| c as f32).sum::<f32>() / 100.0);
        rows.map(|r| r.round()).collect()
    }
}
port!(whitted: run());
