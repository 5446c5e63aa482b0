//! A ray marcher: signed distances combined by closures, normals by differences, soft shadows, gamma to bytes.
use omp_tests::twice;

twice! {
    use std::ops::{Add, Mul, Sub};

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct V(f32, f32, f32);
    #[omp::declare_target]
    impl V {
        fn dot(self, o: V) -> f32 { self.0 * o.0 + self.1 * o.1 + self.2 * o.2 }
        fn len(self) -> f32 { self.dot(self).sqrt() }
        fn unit(self) -> V { self * (1.0 / self.len()) }
    }
    #[omp::declare_target]
    impl Add for V { type Output = V; fn add(self, o: V) -> V { V(self.0 + o.0, self.1 + o.1, self.2 + o.2) } }
    #[omp::declare_target]
    impl Sub for V { type Output = V; fn sub(self, o: V) -> V { V(self.0 - o.0, self.1 - o.1, self.2 - o.2) } }
    #[omp::declare_target]
    impl Mul<f32> for V { type Output = V; fn mul(self, k: f32) -> V { V(self.0 * k, self.1 * k, self.2 * k) } }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Shape { Sphere { r: f32 }, Box { half: V3 }, Plane(f32) }
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct V3 { x: f32, y: f32, z: f32 }

    #[omp::declare_target]
    impl Shape {
        fn distance(&self, p: V) -> f32 {
            match *self {
                Shape::Sphere { r } => p.len() - r,
                Shape::Box { half } => {
                    let q = V(p.0.abs() - half.x, p.1.abs() - half.y, p.2.abs() - half.z);
                    V(q.0.max(0.0), q.1.max(0.0), q.2.max(0.0)).len() + q.0.max(q.1).max(q.2).min(0.0)
                }
                Shape::Plane(h) => p.1 + h,
            }
        }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Object { at: V, shape: Shape }

    #[omp::declare_target]
    fn scene(objects: &[Object], p: V) -> f32 {
        objects.iter().map(|o| o.shape.distance(p - o.at)).fold(f32::MAX, f32::min)
    }

    #[omp::declare_target]
    fn march(objects: &[Object], from: V, dir: V) -> Option<V> {
        let mut t = 0.0;
        for _ in 0..64 {
            let p = from + dir * t;
            let d = scene(objects, p);
            if d < 1e-3 { return Some(p); }
            t += d;
            if t > 30.0 { break; }
        }
        None
    }

    pub fn render(objects: &[Object], w: usize, h: usize) -> Vec<[f32; 3]> {
        let mut image = vec![[0.0; 3]; w * h];
        let sun = V(0.6, 0.7, -0.4).unit();
        #[omp::target]
        for (i, pixel) in image.iter_mut().enumerate() {
            let (x, y) = ((i % w) as f32 / w as f32 - 0.5, 0.5 - (i / w) as f32 / h as f32);
            let dir = V(x, y, 1.0).unit();
            *pixel = match march(objects, V(0.0, 0.4, -4.0), dir) {
                Some(p) => {
                    let e = 1e-2;
                    let slope = |d: V| scene(objects, p + d) - scene(objects, p - d);
                    let n = V(slope(V(e, 0.0, 0.0)), slope(V(0.0, e, 0.0)), slope(V(0.0, 0.0, e))).unit();
                    let light = n.dot(sun).max(0.0) * if march(objects, p + n * 0.05, sun).is_some() { 0.2 } else { 1.0 };
                    [0.1 + 0.8 * light, 0.1 + 0.6 * light, 0.2 + 0.4 * light]
                }
                None => [0.4, 0.5, 0.8 - y],
            };
        }
        image
    }

    pub fn run() -> Vec<bool> {
        let objects = [
            Object { at: V(0.0, 0.0, 0.0), shape: Shape::Sphere { r: 0.8 } },
            Object { at: V(1.2, 0.0, 0.5), shape: Shape::Box { half: V3 { x: 0.4, y: 0.4, z: 0.4 } } },
            Object { at: V(0.0, 0.0, 0.0), shape: Shape::Plane(0.8) },
        ];
        render(&objects, 12, 8).iter().map(|p| p[0] > 0.35).collect()
    }
}
port!(ray_marcher: run());
