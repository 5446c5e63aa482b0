//! ISPC's aobench: ambient occlusion with spheres and a plane.
use omp_tests::twice;

twice! {
    use std::ops::{Add, Mul, Sub};

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct V { x: f64, y: f64, z: f64 }
    #[omp::declare_target]
    impl Add for V { type Output = V; fn add(self, o: V) -> V { V { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z } } }
    #[omp::declare_target]
    impl Sub for V { type Output = V; fn sub(self, o: V) -> V { V { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z } } }
    #[omp::declare_target]
    impl Mul<f64> for V { type Output = V; fn mul(self, s: f64) -> V { V { x: self.x * s, y: self.y * s, z: self.z * s } } }
    #[omp::declare_target]
    impl V {
        fn dot(self, o: V) -> f64 { self.x * o.x + self.y * o.y + self.z * o.z }
        fn cross(self, o: V) -> V {
            V { x: self.y * o.z - self.z * o.y, y: self.z * o.x - self.x * o.z, z: self.x * o.y - self.y * o.x }
        }
        fn normalize(self) -> V { self * (1.0 / self.dot(self).sqrt()) }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Ray { org: V, dir: V }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Hit { t: f64, p: V, n: V }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Sphere { center: V, radius: f64 }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Plane { p: V, n: V }

    #[omp::declare_target]
    pub trait Intersect {
        fn intersect(&self, ray: &Ray) -> Option<Hit>;
    }
    #[omp::declare_target]
    impl Intersect for Sphere {
        fn intersect(&self, ray: &Ray) -> Option<Hit> {
            let rs = ray.org - self.center;
            let b = rs.dot(ray.dir);
            let c = rs.dot(rs) - self.radius * self.radius;
            let d = b * b - c;
            if d <= 0.0 {
                return None;
            }
            let t = -b - d.sqrt();
            (t > 0.0).then(|| {
                let p = ray.org + ray.dir * t;
                Hit { t, p, n: (p - self.center).normalize() }
            })
        }
    }
    #[omp::declare_target]
    impl Intersect for Plane {
        fn intersect(&self, ray: &Ray) -> Option<Hit> {
            let d = -self.p.dot(self.n);
            let v = ray.dir.dot(self.n);
            if v.abs() < 1e-17 {
                return None;
            }
            let t = -(ray.org.dot(self.n) + d) / v;
            if t > 0.0 { Some(Hit { t, p: ray.org + ray.dir * t, n: self.n }) } else { None }
        }
    }

    #[omp::declare_target]
    fn nearest(spheres: &[Sphere], plane: &Plane, ray: &Ray) -> Option<Hit> {
        spheres
            .iter()
            .filter_map(|s| s.intersect(ray))
            .chain(plane.intersect(ray))
            .min_by(|a, b| a.t.partial_cmp(&b.t).unwrap())
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Rng(u64);
    #[omp::declare_target]
    impl Rng {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 40) as f64 / (1u64 << 24) as f64
        }
    }

    #[omp::declare_target]
    fn basis(n: V) -> [V; 3] {
        let side = match (n.x.abs() < 0.6, n.y.abs() < 0.6) {
            (true, _) => V { x: 1.0, ..Default::default() },
            (_, true) => V { y: 1.0, ..Default::default() },
            _ => V { z: 1.0, ..V::default() },
        };
        let s = side.cross(n).normalize();
        [s, n.cross(s).normalize(), n]
    }

    #[omp::declare_target]
    fn occlusion(hit: &Hit, spheres: &[Sphere], plane: &Plane, rng: &mut Rng) -> f64 {
        const SAMPLES: usize = 4;
        let [bx, by, bz] = basis(hit.n);
        let org = hit.p + hit.n * 1e-4;
        let mut blocked = 0;
        for _ in 0..SAMPLES * SAMPLES {
            let theta = rng.next().sqrt();
            let phi = 2.0 * std::f64::consts::PI * rng.next();
            let (sin, cos) = phi.sin_cos();
            let dir = bx * (cos * theta) + by * (sin * theta) + bz * (1.0 - theta * theta).sqrt();
            if nearest(spheres, plane, &Ray { org, dir }).is_some() {
                blocked += 1;
            }
        }
        1.0 - blocked as f64 / (SAMPLES * SAMPLES) as f64
    }

    pub fn render(img: &mut [f32], w: usize, h: usize, spheres: &[Sphere], plane: &Plane) {
        #[omp::target]
        for (i, pixel) in img.iter_mut().enumerate() {
            let (x, y) = (i % w, i / w);
            let mut rng = Rng(i as u64 + 1);
            let dir = V { x: (x as f64 - w as f64 / 2.0) / w as f64, y: (h as f64 / 2.0 - y as f64) / h as f64, z: -1.0 };
            let ray = Ray { org: V::default(), dir: dir.normalize() };
            *pixel = match nearest(spheres, plane, &ray) {
                Some(hit) => occlusion(&hit, spheres, plane, &mut rng) as f32,
                None => 0.0,
            };
        }
    }

    pub fn run() -> f32 {
        let spheres = [(-2.0, -3.5), (-0.5, -3.0), (1.0, -2.2)]
            .map(|(x, z)| Sphere { center: V { x, y: 0.0, z }, radius: 0.5 });
        let plane = Plane { p: V { x: 0.0, y: -0.5, z: 0.0 }, n: V { x: 0.0, y: 1.0, z: 0.0 } };
        let mut img = vec![0.0; 24 * 24];
        render(&mut img, 24, 24, &spheres, &plane);
        // A sample at an edge may fall on either side.
        (img.iter().sum::<f32>() / 576.0 * 50.0).round()
    }
}
port!(aobench: run());
