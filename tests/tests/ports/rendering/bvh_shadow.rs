//! Ray caster: a bounding volume hierarchy is walked with a small stack for primary and shadow rays.
use omp_tests::twice;

twice! {
    use std::ops::{Add, Mul, Sub};

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Vec3 {
        pub x: f32,
        pub y: f32,
        pub z: f32,
    }

    #[omp::declare_target]
    pub const fn vec3(x: f32, y: f32, z: f32) -> Vec3 {
        Vec3 { x, y, z }
    }

    #[omp::declare_target]
    impl Vec3 {
        fn zip(self, o: Vec3, f: impl Fn(f32, f32) -> f32) -> Vec3 { vec3(f(self.x, o.x), f(self.y, o.y), f(self.z, o.z)) }
        fn dot(self, o: Vec3) -> f32 { self.x * o.x + self.y * o.y + self.z * o.z }
        fn cross(self, o: Vec3) -> Vec3 {
            vec3(self.y * o.z - self.z * o.y, self.z * o.x - self.x * o.z, self.x * o.y - self.y * o.x)
        }
        fn min(self, o: Vec3) -> Vec3 { self.zip(o, f32::min) }
        fn max(self, o: Vec3) -> Vec3 { self.zip(o, f32::max) }
    }
    #[omp::declare_target]
    impl Add for Vec3 {
        type Output = Vec3;
        fn add(self, o: Vec3) -> Vec3 { self.zip(o, |a, b| a + b) }
    }
    #[omp::declare_target]
    impl Sub for Vec3 {
        type Output = Vec3;
        fn sub(self, o: Vec3) -> Vec3 { self.zip(o, |a, b| a - b) }
    }
    #[omp::declare_target]
    impl Mul<f32> for Vec3 {
        type Output = Vec3;
        fn mul(self, k: f32) -> Vec3 { vec3(self.x * k, self.y * k, self.z * k) }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Ray {
        pub origin: Vec3,
        pub dir: Vec3,
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Hit {
        pub t: f32,
        pub triangle: u32,
    }

    pub type Triangle = [Vec3; 3];

    #[derive(Clone, Copy, Debug, omp::Device)]
    #[repr(u8)]
    enum Kind {
        Inner { left: u32, right: u32 },
        Leaf { first: u32, count: u32 },
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    struct Node {
        lo: Vec3,
        hi: Vec3,
        kind: Kind,
    }

    #[derive(omp::Mapper)]
    pub struct Scene {
        nodes: Vec<Node>,
        triangles: Vec<Triangle>,
    }

    impl Scene {
        pub fn build(mut triangles: Vec<Triangle>) -> Self {
            let mut nodes = Vec::new();
            let count = triangles.len();
            Self::split(&mut nodes, &mut triangles, 0, count);
            Scene { nodes, triangles }
        }

        fn split(nodes: &mut Vec<Node>, all: &mut [Triangle], first: usize, count: usize) -> u32 {
            let part = &mut all[first..first + count];
            let corner = part[0][0];
            let (lo, hi) = part.iter().flatten().fold((corner, corner), |(lo, hi), &v| (lo.min(v), hi.max(v)));
            let id = nodes.len();
            nodes.push(Node { lo, hi, kind: Kind::Leaf { first: first as u32, count: count as u32 } });
            if count > 3 {
                let size = hi - lo;
                let key = |t: &Triangle| {
                    let sum = t[0] + t[1] + t[2];
                    if size.x >= size.y && size.x >= size.z { sum.x } else if size.y >= size.z { sum.y } else { sum.z }
                };
                part.sort_by(|a, b| key(a).total_cmp(&key(b)));
                let left = Self::split(nodes, all, first, count / 2);
                let right = Self::split(nodes, all, first + count / 2, count - count / 2);
                nodes[id].kind = Kind::Inner { left, right };
            }
            id as u32
        }
    }

    #[omp::declare_target]
    impl Ray {
        fn enters(&self, node: &Node, limit: f32) -> Option<f32> {
            let a = (node.lo - self.origin).zip(self.dir, |p, d| p / d);
            let b = (node.hi - self.origin).zip(self.dir, |p, d| p / d);
            let (near, far) = (a.min(b), a.max(b));
            let enter = near.x.max(near.y).max(near.z).max(0.0);
            let leave = far.x.min(far.y).min(far.z).min(limit);
            (enter <= leave).then_some(enter)
        }

        fn meets(&self, &[a, b, c]: &Triangle) -> Option<f32> {
            let (e1, e2) = (b - a, c - a);
            let p = self.dir.cross(e2);
            let det = e1.dot(p);
            if det.abs() < 1e-8 {
                return None;
            }
            let s = self.origin - a;
            let u = s.dot(p) / det;
            let q = s.cross(e1);
            let v = self.dir.dot(q) / det;
            let t = e2.dot(q) / det;
            (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 1e-3).then_some(t)
        }
    }

    #[omp::declare_target]
    impl Scene {
        /// The nearest hit before `limit`, or with `any` the first one found.
        fn cast(&self, ray: &Ray, limit: f32, any: bool) -> Option<Hit> {
            let mut stack = [0u32; 32];
            let mut depth = 1;
            let mut best: Option<Hit> = None;
            while depth > 0 {
                depth -= 1;
                let node = &self.nodes[stack[depth] as usize];
                let reach = best.map_or(limit, |h| h.t);
                if ray.enters(node, reach).is_none() {
                    continue;
                }
                match node.kind {
                    Kind::Inner { left, right } => {
                        for child in [right, left] {
                            stack[depth] = child;
                            depth += 1;
                        }
                    }
                    Kind::Leaf { first, count } => {
                        for triangle in first..first + count {
                            let Some(t) = ray.meets(&self.triangles[triangle as usize]) else { continue };
                            if best.map_or(t < limit, |h| t < h.t) {
                                best = Some(Hit { t, triangle });
                                if any {
                                    return best;
                                }
                            }
                        }
                    }
                }
            }
            best
        }
    }

    /// Depth in thousandths and whether the point sees the light; `None` is background.
    pub fn render(scene: &Scene, light: Vec3, width: usize, height: usize, image: &mut [Option<(u32, bool)>]) -> u32 {
        let mut lit = 0;
        #[omp::parallel_for(collapse(2), reduction(+: lit), schedule(dynamic))]
        for y in 0..height {
            for x in 0..width {
                let across = (x as f32 + 0.52) / width as f32 - 0.5;
                let down = (y as f32 + 0.53) / height as f32 - 0.5;
                let ray = Ray { origin: vec3(0.013, 0.021, -6.0), dir: vec3(across, -down, 0.7) };
                image[y * width + x] = scene.cast(&ray, f32::MAX, false).map(|hit| {
                    let origin = ray.origin + ray.dir * hit.t;
                    let shadow = Ray { origin, dir: light - origin };
                    let visible = scene.cast(&shadow, 1.0, true).is_none();
                    lit += u32::from(visible);
                    ((hit.t * 1000.0).round() as u32, visible)
                });
            }
        }
        lit
    }
}
port!(bvh_shadow: crate::Shown::of({
    let mut triangles: Vec<Triangle> = (0..90u32)
        .map(|i| {
            let r = |k: u32| (i * 17 + k).wrapping_mul(0x9E37_79B1) as f32 / u32::MAX as f32;
            let at = vec3(r(0) * 4.0 - 2.0, r(1) * 3.0 - 1.4, r(2) * 4.0 - 2.0);
            let corner = |k: u32| vec3(at.x + r(k) * 0.7, at.y + r(k + 1) * 0.7, at.z + r(k + 2) * 0.7);
            [at, corner(3), corner(6)]
        })
        .collect();
    let floor = [vec3(-9.0, -1.6, -9.1), vec3(9.0, -1.62, -9.0), vec3(0.1, -1.61, 15.0)];
    triangles.push(floor);
    let scene = Scene::build(triangles);
    let mut image = vec![None; 48 * 36];
    let lit = render(&scene, vec3(1.5, 6.0, -2.0), 48, 36, &mut image);
    (lit, image)
}));
