//! Whitted-style sphere tracer with shadows, mirror bounces and a checkered floor.
use omp_tests::twice;

twice! {
    use std::ops::{Add, AddAssign, Mul, Neg, Sub};

    const EPS: f64 = 1e-6;
    const MAX_BOUNCES: usize = 5;

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Vec3 {
        pub x: f64,
        pub y: f64,
        pub z: f64,
    }

    #[omp::declare_target]
    pub const fn vec3(x: f64, y: f64, z: f64) -> Vec3 {
        Vec3 { x, y, z }
    }

    #[omp::declare_target]
    impl Vec3 {
        const ONE: Vec3 = vec3(1.0, 1.0, 1.0);

        fn dot(self, o: Vec3) -> f64 {
            self.x * o.x + self.y * o.y + self.z * o.z
        }
        fn length(self) -> f64 {
            self.dot(self).sqrt()
        }
        fn unit(self) -> Vec3 {
            self * (1.0 / self.length())
        }
        fn reflect(self, n: Vec3) -> Vec3 {
            self - n * (2.0 * self.dot(n))
        }
    }

    #[omp::declare_target]
    impl Add for Vec3 {
        type Output = Vec3;
        fn add(self, o: Vec3) -> Vec3 {
            Vec3 { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
        }
    }
    #[omp::declare_target]
    impl AddAssign for Vec3 {
        fn add_assign(&mut self, o: Vec3) {
            *self = *self + o;
        }
    }
    #[omp::declare_target]
    impl Sub for Vec3 {
        type Output = Vec3;
        fn sub(self, o: Vec3) -> Vec3 {
            self + -o
        }
    }
    #[omp::declare_target]
    impl Neg for Vec3 {
        type Output = Vec3;
        fn neg(self) -> Vec3 {
            Vec3 { x: -self.x, y: -self.y, z: -self.z }
        }
    }
    #[omp::declare_target]
    impl Mul<f64> for Vec3 {
        type Output = Vec3;
        fn mul(self, s: f64) -> Vec3 {
            Vec3 { x: self.x * s, y: self.y * s, z: self.z * s }
        }
    }
    #[omp::declare_target]
    impl Mul for Vec3 {
        type Output = Vec3;
        fn mul(self, o: Vec3) -> Vec3 {
            Vec3 { x: self.x * o.x, y: self.y * o.y, z: self.z * o.z }
        }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    #[repr(u8)]
    pub enum Material {
        Matte { albedo: Vec3 },
        Glossy { albedo: Vec3, shininess: i32 },
        Mirror { tint: Vec3, strength: f64 },
        Checker { even: Vec3, odd: Vec3 },
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Sphere {
        pub centre: Vec3,
        pub radius: f64,
        pub material: Material,
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Light {
        pub position: Vec3,
        pub power: f64,
    }

    #[derive(Clone, Copy, omp::Device)]
    struct Ray {
        origin: Vec3,
        dir: Vec3,
    }

    #[derive(Clone, Copy, omp::Device)]
    struct Hit {
        t: f64,
        point: Vec3,
        normal: Vec3,
        material: Material,
    }

    #[omp::declare_target]
    impl Sphere {
        fn intersect(&self, ray: &Ray, t_max: f64) -> Option<f64> {
            let oc = ray.origin - self.centre;
            let b = oc.dot(ray.dir);
            let disc = b * b - (oc.dot(oc) - self.radius * self.radius);
            if disc < 0.0 {
                return None;
            }
            let root = disc.sqrt();
            [-b - root, -b + root].into_iter().find(|&t| t > EPS && t < t_max)
        }
    }

    #[derive(Clone, Debug, omp::Mapper)]
    pub struct Scene {
        pub spheres: Vec<Sphere>,
        pub lights: Vec<Light>,
        pub ambient: f64,
    }

    #[omp::declare_target]
    impl Scene {
        fn closest(&self, ray: &Ray) -> Option<Hit> {
            let mut nearest: Option<(f64, &Sphere)> = None;
            for s in &self.spheres {
                let limit = nearest.map_or(f64::INFINITY, |(t, _)| t);
                if let Some(t) = s.intersect(ray, limit) {
                    nearest = Some((t, s));
                }
            }
            nearest.map(|(t, s)| {
                let point = ray.origin + ray.dir * t;
                Hit { t, point, normal: (point - s.centre) * (1.0 / s.radius), material: s.material }
            })
        }

        fn shadowed(&self, from: Vec3, to_light: Vec3, dist: f64) -> bool {
            let ray = Ray { origin: from, dir: to_light };
            self.spheres.iter().any(|s| s.intersect(&ray, dist).is_some())
        }

        /// Diffuse and specular light that arrives from all unblocked lamps.
        fn direct(&self, hit: &Hit, view: Vec3, shininess: Option<i32>) -> (f64, f64) {
            let origin = hit.point + hit.normal * (EPS * 10.0);
            self.lights.iter().fold((self.ambient, 0.0), |(diffuse, specular), lamp| {
                let path = lamp.position - hit.point;
                let dist = path.length();
                let l = path * (1.0 / dist);
                let cos = hit.normal.dot(l);
                if cos <= 0.0 || self.shadowed(origin, l, dist) {
                    return (diffuse, specular);
                }
                let arriving = lamp.power / (dist * dist);
                let gloss = shininess.map_or(0.0, |s| (-l).reflect(hit.normal).dot(-view).max(0.0).powi(s));
                (diffuse + arriving * cos, specular + arriving * gloss)
            })
        }

        fn sky(&self, dir: Vec3) -> Vec3 {
            let t = 0.5 * (dir.y + 1.0);
            Vec3::ONE * (1.0 - t) + vec3(0.4, 0.6, 1.0) * t
        }

        fn trace(&self, mut ray: Ray) -> Vec3 {
            let mut colour = Vec3::default();
            let mut weight = Vec3::ONE;
            for _ in 0..MAX_BOUNCES {
                let Some(hit) = self.closest(&ray) else {
                    colour += weight * self.sky(ray.dir);
                    break;
                };
                let fog = 1.0 / (1.0 + 0.01 * hit.t);
                match hit.material {
                    Material::Matte { albedo } => {
                        let (diffuse, _) = self.direct(&hit, ray.dir, None);
                        colour += weight * albedo * (diffuse * fog);
                        break;
                    }
                    Material::Glossy { albedo, shininess } => {
                        let (diffuse, specular) = self.direct(&hit, ray.dir, Some(shininess));
                        colour += weight * (albedo * diffuse + Vec3::ONE * specular) * fog;
                        break;
                    }
                    Material::Checker { even, odd } => {
                        let cell = hit.point.x.floor() as i64 + hit.point.z.floor() as i64;
                        let albedo = if cell.rem_euclid(2) == 0 { even } else { odd };
                        colour += weight * albedo * (self.direct(&hit, ray.dir, None).0 * fog);
                        break;
                    }
                    Material::Mirror { tint, strength } => {
                        weight = weight * tint * strength;
                        ray = Ray {
                            origin: hit.point + hit.normal * (EPS * 10.0),
                            dir: ray.dir.reflect(hit.normal).unit(),
                        };
                    }
                }
            }
            colour
        }
    }

    pub fn render(scene: &Scene, eye: Vec3, width: usize, height: usize) -> Vec<[u8; 3]> {
        const SUB: [(f64, f64); 4] = [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)];
        let mut frame = vec![[0u8; 3]; width * height];
        let aspect = width as f64 / height as f64;
        #[omp::target(map(to: scene), map(from: frame), schedule(dynamic))]
        for (i, pixel) in frame.iter_mut().enumerate() {
            let mut sum = Vec3::default();
            for &(sx, sy) in &SUB {
                let u = ((i % width) as f64 + sx) / width as f64 * 2.0 - 1.0;
                let v = 1.0 - ((i / width) as f64 + sy) / height as f64 * 2.0;
                let dir = vec3(u * aspect, v, -1.8).unit();
                sum += scene.trace(Ray { origin: eye, dir });
            }
            let Vec3 { x, y, z } = sum * (1.0 / SUB.len() as f64);
            *pixel = [x, y, z].map(|c| (c.clamp(0.0, 1.0).sqrt() * 255.0 + 0.5) as u8);
        }
        frame
    }
}
port!(sphere_tracer: crate::Shown::of({
    let v = vec3;
    let scene = Scene {
        spheres: vec![
            Sphere { centre: v(0.0, -101.0, -5.0), radius: 100.0, material: Material::Checker { even: v(0.9, 0.9, 0.9), odd: v(0.2, 0.25, 0.3) } },
            Sphere { centre: v(0.1, 0.02, -5.0), radius: 1.0, material: Material::Mirror { tint: v(0.95, 0.9, 0.8), strength: 0.9 } },
            Sphere { centre: v(-1.9, -0.2, -4.3), radius: 0.8, material: Material::Glossy { albedo: v(0.8, 0.2, 0.15), shininess: 40 } },
            Sphere { centre: v(1.8, -0.3, -4.1), radius: 0.7, material: Material::Matte { albedo: v(0.2, 0.7, 0.3) } },
        ],
        lights: vec![
            Light { position: v(-4.0, 6.0, 0.5), power: 40.0 },
            Light { position: v(5.0, 3.5, -1.5), power: 14.0 },
        ],
        ambient: 0.08,
    };
    render(&scene, v(0.0, 0.3, 0.4), 56, 38)
}));
