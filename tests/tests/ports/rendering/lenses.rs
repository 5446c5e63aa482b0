//! Rays through a camera lens: a list of surfaces, refraction and vignetting.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    #[repr(u8)]
    pub enum Surface {
        Sphere { radius: f64, aperture: f64, ior: f64, gap: f64 },
        Plane { aperture: f64, ior: f64, gap: f64 },
        Stop { aperture: f64, gap: f64 },
    }
    use Surface::*;

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Ray { o: [f64; 3], d: [f64; 3] }

    #[omp::declare_target]
    fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 { std::iter::zip(a, b).map(|(a, b)| a * b).sum() }

    #[omp::declare_target]
    impl Ray {
        fn at(&self, t: f64) -> [f64; 3] { std::array::from_fn(|k| self.o[k] + t * self.d[k]) }

        fn hit_sphere(&self, z: f64, radius: f64) -> Option<([f64; 3], [f64; 3])> {
            let centre = [0.0, 0.0, z + radius];
            let oc = [self.o[0] - centre[0], self.o[1] - centre[1], self.o[2] - centre[2]];
            let b = dot(&oc, &self.d);
            let disc = b * b - dot(&oc, &oc) + radius * radius;
            let root = if disc < 0.0 { return None } else { disc.sqrt() };
            let t = if (radius > 0.0) == (self.d[2] > 0.0) { -b - root } else { -b + root };
            let p = self.at(t);
            let mut n = [0.0; 3];
            for ((n, p), c) in n.iter_mut().zip(p).zip(centre) { *n = (p - c) / radius; }
            Some((p, n))
        }

        fn refract(&self, p: [f64; 3], n: [f64; 3], eta: f64) -> Option<Ray> {
            let cos_i = -dot(&n, &self.d);
            let k = 1.0 - eta * eta * (1.0 - cos_i * cos_i);
            (k >= 0.0).then(|| Ray { o: p, d: std::array::from_fn(|a| eta * self.d[a] + (eta * cos_i - k.sqrt()) * n[a]) })
        }
    }

    #[omp::declare_target]
    fn trace(mut ray: Ray, system: &[Surface]) -> Option<Ray> {
        let mut z = 0.0;
        let mut index = 1.0;
        for surface in system {
            let (gap, aperture) = match *surface {
                Sphere { gap, aperture, .. } | Plane { gap, aperture, .. } | Stop { gap, aperture } => (gap, aperture),
            };
            let (p, n) = match surface {
                Sphere { radius, .. } => ray.hit_sphere(z, *radius)?,
                Plane { .. } | Stop { .. } => {
                    let t = (z - ray.o[2]) / ray.d[2];
                    (ray.at(t), [0.0, 0.0, -1.0])
                }
            };
            if p[0].hypot(p[1]) > aperture { return None; }
            ray = match surface {
                Stop { .. } => Ray { o: p, ..ray },
                Sphere { ior, .. } | Plane { ior, .. } => {
                    let eta = index / ior;
                    index = *ior;
                    ray.refract(p, n, eta)?
                }
            };
            z += gap;
        }
        Some(ray)
    }

    pub fn spot(system: &[Surface], angles: &[f64], n: usize) -> (Vec<[f64; 2]>, usize) {
        let mut spots = vec![[f64::NAN; 2]; angles.len() * n * n];
        let mut passed = 0;
        #[omp::target(reduction(+: passed))]
        for (k, s) in spots.iter_mut().enumerate() {
            let grid = |i: usize| (i as f64 + 0.5) / n as f64 * 8.0 - 4.0;
            let (sin, cos) = angles[k / (n * n)].sin_cos();
            let ray = Ray { o: [grid(k % n), grid(k / n % n), -5.0], d: [0.0, sin, cos] };
            let Some(Ray { o, d }) = trace(ray, system) else { continue };
            passed += 1;
            let t = (60.0 - o[2]) / d[2];
            *s = [o[0] + t * d[0], o[1] + t * d[1]];
        }
        (spots, passed)
    }

    pub fn run() -> (Vec<[f64; 2]>, usize) {
        let lens = [
            Sphere { radius: 29.0, aperture: 6.0, ior: 1.69, gap: 4.0 },
            Sphere { radius: -60.0, aperture: 6.0, ior: 1.0, gap: 3.0 },
            Stop { aperture: 3.2, gap: 2.0 },
            Plane { aperture: 5.0, ior: 1.5, gap: 1.0 },
            Plane { aperture: 5.0, ior: 1.0, gap: 0.0 },
        ];
        spot(&lens, &[0.0, 0.05, 0.3], 7)
    }
}
port!(lenses: run());
