//! Rays through voxels by DDA, with hits as options; Moller and Trumbore's test over a mesh; orthographic depth.
use omp_tests::{Values, twice};
twice! {
    use std::ops::{Add, Index, Mul, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct V3<T> { pub x: T, pub y: T, pub z: T }

    #[omp::declare_target]
    impl<T: Copy + Add<Output = T>> Add for V3<T> { type Output = Self; fn add(self, o: Self) -> Self { V3 { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z } } }
    #[omp::declare_target]
    impl<T: Copy + Sub<Output = T>> Sub for V3<T> { type Output = Self; fn sub(self, o: Self) -> Self { V3 { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z } } }
    #[omp::declare_target]
    impl<T: Copy + Mul<Output = T>> Mul<T> for V3<T> { type Output = Self; fn mul(self, s: T) -> Self { V3 { x: self.x * s, y: self.y * s, z: self.z * s } } }

    #[omp::declare_target]
    impl V3<f32> {
        pub fn dot(&self, o: &Self) -> f32 { self.x * o.x + self.y * o.y + self.z * o.z }
        pub fn cross(&self, o: &Self) -> Self { V3 { x: self.y * o.z - self.z * o.y, y: self.z * o.x - self.x * o.z, z: self.x * o.y - self.y * o.x } }
        pub fn map(self, f: impl Fn(f32) -> f32) -> Self { V3 { x: f(self.x), y: f(self.y), z: f(self.z) } }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Ray { pub origin: V3<f32>, pub dir: V3<f32> }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Hit { pub t: f32, pub id: u32, pub u: f32, pub v: f32 }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Triangle(pub [V3<f32>; 3]);

    #[omp::declare_target]
    impl Triangle {
        pub fn intersect(&self, ray: &Ray) -> Option<(f32, f32, f32)> {
            let [a, b, c] = self.0;
            let (e1, e2) = (b - a, c - a);
            let p = ray.dir.cross(&e2);
            let det = e1.dot(&p);
            if det.abs() < 1e-7 {
                return None;
            }
            let inv = det.recip();
            let s = ray.origin - a;
            let u = s.dot(&p) * inv;
            if !(0.0..=1.0).contains(&u) {
                return None;
            }
            let q = s.cross(&e1);
            let v = ray.dir.dot(&q) * inv;
            if v < 0.0 || u + v > 1.0 {
                return None;
            }
            let t = e2.dot(&q) * inv;
            (t > 1e-4).then_some((t, u, v))
        }
    }

    pub fn trace(rays: &[Ray], mesh: &[Triangle]) -> Vec<Option<Hit>> {
        let mut hits = vec![None; rays.len()];
        #[omp::target]
        for (hit, ray) in hits.iter_mut().zip(rays) {
            *hit = mesh
                .iter()
                .enumerate()
                .filter_map(|(id, tri)| tri.intersect(ray).map(|(t, u, v)| Hit { t, id: id as u32, u, v }))
                .min_by(|a, b| a.t.total_cmp(&b.t));
        }
        hits
    }

    #[derive(Clone, omp::Mapper)]
    pub struct Voxels { size: V3<i32>, cells: Vec<u8> }

    #[omp::declare_target]
    impl Index<V3<i32>> for Voxels {
        type Output = u8;
        fn index(&self, p: V3<i32>) -> &u8 { &self.cells[((p.z * self.size.y + p.y) * self.size.x + p.x) as usize] }
    }

    #[omp::declare_target]
    impl Voxels {
        fn contains(&self, p: V3<i32>) -> bool {
            p.x >= 0 && p.y >= 0 && p.z >= 0 && p.x < self.size.x && p.y < self.size.y && p.z < self.size.z
        }

        pub fn march(&self, ray: &Ray, max_steps: usize) -> Option<(V3<i32>, u8)> {
            let mut cell = V3 { x: ray.origin.x.floor() as i32, y: ray.origin.y.floor() as i32, z: ray.origin.z.floor() as i32 };
            let axis = |o: f32, d: f32| -> (i32, f32, f32) {
                if d > 0.0 {
                    (1, (o.floor() + 1.0 - o) / d, 1.0 / d)
                } else if d < 0.0 {
                    (-1, (o - o.floor()) / -d, -1.0 / d)
                } else {
                    (0, f32::INFINITY, f32::INFINITY)
                }
            };
            let (sx, mut tx, dx) = axis(ray.origin.x, ray.dir.x);
            let (sy, mut ty, dy) = axis(ray.origin.y, ray.dir.y);
            let (sz, mut tz, dz) = axis(ray.origin.z, ray.dir.z);
            for _ in 0..max_steps {
                if self.contains(cell) && self[cell] != 0 {
                    return Some((cell, self[cell]));
                }
                if tx < ty && tx < tz {
                    cell.x += sx;
                    tx += dx;
                } else if ty < tz {
                    cell.y += sy;
                    ty += dy;
                } else {
                    cell.z += sz;
                    tz += dz;
                }
            }
            None
        }
    }

    pub fn render(world: &Voxels, rays: &[Ray]) -> Vec<[i32; 4]> {
        let mut image = vec![[-1; 4]; rays.len()];
        #[omp::target]
        for i in 0..rays.len() {
            if let Some((V3 { x, y, z }, colour)) = world.march(&rays[i], 60) {
                image[i] = [x, y, z, colour.into()];
            }
        }
        image
    }

    pub fn depth(world: &Voxels) -> Vec<u16> {
        let V3 { x: w, y: h, z: d } = world.size;
        let mut out = vec![u16::MAX; (w * h) as usize];
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            let (x, y) = (i as i32 % w, i as i32 / w);
            *o = (0..d).find(|&z| world[V3 { x, y, z }] > 0).map_or(u16::MAX, |z| z as u16);
        }
        out
    }

    pub fn run() -> (Vec<Vec<f32>>, Vec<[i32; 4]>, Vec<u16>) {
        let mut v = Values(37);
        let mut f = || (v.bits() % 1000) as f32 / 1000.0;
        let mesh: Vec<Triangle> = (0..12).map(|_| Triangle(std::array::from_fn(|_| V3 { x: f() * 8.0, y: f() * 8.0, z: f() * 8.0 }))).collect();
        let rays: Vec<Ray> = (0..40).map(|_| Ray { origin: V3 { x: f() * 8.0, y: f() * 8.0, z: -2.0 }, dir: V3 { x: f() - 0.5, y: f() - 0.5, z: 1.0 } }).collect();
        let cells = (0..512).map(|_| if f() < 0.06 { 1 + (f() * 9.0) as u8 } else { 0 }).collect();
        let world = Voxels { size: V3 { x: 8, y: 8, z: 8 }, cells };
        let hits = trace(&rays, &mesh).iter().map(|h| h.map_or(vec![], |h| vec![h.t, h.id as f32, h.u, h.v])).collect();
        (hits, render(&world, &rays), depth(&world))
    }
}
port!(voxels: run());
