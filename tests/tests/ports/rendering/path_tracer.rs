//! A small path tracer: materials and surfaces are enums with data.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    struct Vec3 { x: f32, y: f32, z: f32 }
    #[omp::declare_target]
    impl Vec3 {
        const ZERO: Vec3 = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
        fn new(x: f32, y: f32, z: f32) -> Self { Vec3 { x, y, z } }
        fn dot(self, o: Vec3) -> f32 { self.x * o.x + self.y * o.y + self.z * o.z }
        fn scale(self, s: f32) -> Vec3 { Vec3::new(self.x * s, self.y * s, self.z * s) }
        fn plus(self, o: Vec3) -> Vec3 { Vec3::new(self.x + o.x, self.y + o.y, self.z + o.z) }
        fn minus(self, o: Vec3) -> Vec3 { self.plus(o.scale(-1.0)) }
        fn norm(self) -> Vec3 { self.scale(1.0 / self.dot(self).sqrt()) }
        fn reflect(self, n: Vec3) -> Vec3 { self.minus(n.scale(2.0 * self.dot(n))) }
        fn times(self, o: Vec3) -> Vec3 { Vec3::new(self.x * o.x, self.y * o.y, self.z * o.z) }
    }
    #[derive(Clone, Copy, Debug, omp::Device)]
    #[repr(C)]
    struct Ray { origin: Vec3, dir: Vec3 }
    #[derive(Clone, Copy, Debug, omp::Device)]
    #[repr(u8)]
    enum Material {
        Lambertian { albedo: Vec3 },
        Metal { albedo: Vec3, fuzz: f32 },
        Dielectric { index: f32 },
        Light(Vec3),
    }
    #[derive(Clone, Copy, Debug, omp::Device)]
    #[repr(u8)]
    enum Surface { Sphere { center: Vec3, radius: f32 }, Plane { y: f32 } }
    #[derive(Clone, Copy, Debug, omp::Device)]
    struct Object { surface: Surface, material: Material }
    #[derive(Clone, Copy, omp::Device)]
    struct Hit { t: f32, point: Vec3, normal: Vec3, material: Material }
    #[omp::declare_target]
    impl Object {
        fn hit(&self, ray: &Ray, t_min: f32, t_max: f32) -> Option<Hit> {
            let (t, normal) = match self.surface {
                Surface::Sphere { center, radius } => {
                    let oc = ray.origin.minus(center);
                    let b = oc.dot(ray.dir);
                    let c = oc.dot(oc) - radius * radius;
                    let d = b * b - c;
                    if d < 0.0 { return None; }
                    let t = -b - d.sqrt();
                    (t, ray.origin.plus(ray.dir.scale(t)).minus(center).scale(1.0 / radius))
                }
                Surface::Plane { y } => {
                    let t = (y - ray.origin.y) / ray.dir.y;
                    (t, Vec3::new(0.0, 1.0, 0.0))
                }
            };
            if !(t > t_min && t < t_max) { return None; }
            Some(Hit { t, point: ray.origin.plus(ray.dir.scale(t)), normal, material: self.material })
        }
    }
    #[omp::declare_target]
    impl Material {
        fn scatter(&self, ray: &Ray, hit: &Hit) -> Option<(Vec3, Ray)> {
            match self {
                Material::Lambertian { albedo } => {
                    let dir = hit.normal.plus(Vec3::new(0.1, 0.2, 0.05)).norm();
                    Some((*albedo, Ray { origin: hit.point, dir }))
                }
                &Material::Metal { albedo, fuzz } => {
                    let dir = ray.dir.reflect(hit.normal).plus(Vec3::new(fuzz, 0.0, fuzz)).norm();
                    if dir.dot(hit.normal) > 0.0 { Some((albedo, Ray { origin: hit.point, dir })) } else { None }
                }
                Material::Dielectric { index } => Some((Vec3::new(1.0, 1.0, 1.0), Ray { origin: hit.point, dir: ray.dir.scale(1.0).plus(hit.normal.scale(-0.1 * index)).norm() })),
                Material::Light(_) => None,
            }
        }
        fn emitted(&self) -> Vec3 {
            if let Material::Light(color) = self { *color } else { Vec3::ZERO }
        }
    }
    #[omp::declare_target]
    fn trace(world: &[Object], mut ray: Ray) -> Vec3 {
        let mut color = Vec3::ZERO;
        let mut weight = Vec3::new(1.0, 1.0, 1.0);
        for _ in 0..6 {
            let mut closest = f32::INFINITY;
            let mut found = None;
            for object in world {
                if let Some(hit) = object.hit(&ray, 1e-3, closest) {
                    closest = hit.t;
                    found = Some(hit);
                }
            }
            let Some(hit) = found else {
                let sky = weight.scale(0.5 + 0.5 * ray.dir.y);
                return color.plus(sky);
            };
            let light = weight.times(hit.material.emitted());
            color = color.plus(light);
            match hit.material.scatter(&ray, &hit) {
                Some((attenuation, next)) => { weight = weight.times(attenuation); ray = next; }
                None => return color,
            }
        }
        color
    }
    #[omp::offload]
    fn render(world: &[Object], image: &mut [[f32; 3]], w: usize, h: usize) {
        #[omp::target]
        for (p, pixel) in image.iter_mut().enumerate() {
            let (i, j) = (p % w, p / w);
            let dir = Vec3::new(i as f32 / w as f32 - 0.5, 0.5 - j as f32 / h as f32, -1.0).norm();
            let c = trace(world, Ray { origin: Vec3::ZERO, dir });
            *pixel = [c.x, c.y, c.z];
        }
    }

    pub fn run() -> Vec<[f32; 3]> {
        let world = vec![
            Object { surface: Surface::Sphere { center: Vec3::new(0.0, 0.0, -2.0), radius: 0.5 }, material: Material::Lambertian { albedo: Vec3::new(0.8, 0.3, 0.3) } },
            Object { surface: Surface::Sphere { center: Vec3::new(1.0, 0.0, -2.0), radius: 0.5 }, material: Material::Metal { albedo: Vec3::new(0.8, 0.6, 0.2), fuzz: 0.1 } },
            Object { surface: Surface::Sphere { center: Vec3::new(-1.0, 0.0, -2.0), radius: 0.4 }, material: Material::Dielectric { index: 1.5 } },
            Object { surface: Surface::Sphere { center: Vec3::new(0.0, 2.0, -2.0), radius: 0.7 }, material: Material::Light(Vec3::new(4.0, 4.0, 4.0)) },
            Object { surface: Surface::Plane { y: -0.5 }, material: Material::Lambertian { albedo: Vec3::new(0.4, 0.8, 0.4) } },
        ];
        let mut image = vec![[0.0; 3]; 40 * 30];
        render(&world, &mut image, 40, 30);
        image
    }
}
port!(path_tracer: run());
