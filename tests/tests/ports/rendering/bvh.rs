//! Rays through a hierarchy of bounding volumes.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Aabb { min: [f32; 3], max: [f32; 3] }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Ray { origin: [f32; 3], inv_dir: [f32; 3], dir: [f32; 3] }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct BvhNode { bounds: Aabb, start: u32, count: u32 }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Sphere { centre: [f32; 3], radius: f32 }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Hit { t: f32, id: u32 }

    #[omp::declare_target]
    impl Aabb {
        fn hit(&self, ray: &Ray, limit: f32) -> bool {
            let (mut near, mut far) = (0.0f32, limit);
            for axis in 0..3 {
                let t0 = (self.min[axis] - ray.origin[axis]) * ray.inv_dir[axis];
                let t1 = (self.max[axis] - ray.origin[axis]) * ray.inv_dir[axis];
                let (t0, t1) = if t0 > t1 { (t1, t0) } else { (t0, t1) };
                near = near.max(t0);
                far = far.min(t1);
            }
            near <= far
        }
    }

    #[omp::declare_target]
    fn dot(a: [f32; 3], b: [f32; 3]) -> f32 { a.iter().zip(&b).map(|(x, y)| x * y).sum() }
    #[omp::declare_target]
    fn sub(a: [f32; 3], b: [f32; 3]) -> [f32; 3] { [a[0] - b[0], a[1] - b[1], a[2] - b[2]] }

    #[omp::declare_target]
    impl Sphere {
        fn intersect(&self, ray: &Ray) -> Option<f32> {
            let oc = sub(ray.origin, self.centre);
            let (a, b, c) = (dot(ray.dir, ray.dir), dot(oc, ray.dir), dot(oc, oc) - self.radius * self.radius);
            let disc = b * b - a * c;
            if disc < 0.0 { return None; }
            let root = disc.sqrt();
            let t = (-b - root) / a;
            if t > 1e-4 { return Some(t); }
            let t = (-b + root) / a;
            if t > 1e-4 { Some(t) } else { None }
        }
    }

    #[omp::declare_target]
    impl Ray {
        pub fn new(origin: [f32; 3], dir: [f32; 3]) -> Self { Ray { origin, dir, inv_dir: dir.map(f32::recip) } }
    }

    #[derive(omp::Mapper)]
    pub struct Scene { nodes: Vec<BvhNode>, spheres: Vec<Sphere> }

    #[derive(Clone, Copy)]
    struct Stack<T, const N: usize> { items: [T; N], len: usize }

    impl Scene {
        fn trace(&self, ray: &Ray) -> Option<Hit> {
            let mut stack = [0u32; 32];
            let mut top = 1;
            let mut closest: Option<Hit> = None;
            while top > 0 {
                top -= 1;
                let node = &self.nodes[stack[top] as usize];
                let limit = closest.map(|h| h.t).unwrap_or(f32::MAX);
                if !node.bounds.hit(ray, limit) { continue; }
                if node.count == 0 {
                    stack[top] = node.start;
                    stack[top + 1] = node.start + 1;
                    top += 2;
                    continue;
                }
                for id in node.start..node.start + node.count {
                    if let Some(t) = self.spheres[id as usize].intersect(ray) {
                        match closest {
                            Some(h) if h.t <= t => {}
                            _ => closest = Some(Hit { t, id }),
                        }
                    }
                }
            }
            closest
        }

        pub fn render(&self, rays: &[Ray]) -> (Vec<u32>, Vec<f32>) {
            let mut ids = vec![0; rays.len()];
            let mut depth = vec![0.0; rays.len()];
            #[omp::target]
            for (i, ray) in rays.iter().enumerate() {
                (ids[i], depth[i]) = match self.trace(ray) {
                    Some(Hit { t, id }) => (id + 1, t),
                    None => (0, f32::INFINITY),
                };
            }
            (ids, depth)
        }
    }

    fn bounds(s: &[Sphere]) -> Aabb {
        let mut b = Aabb { min: [f32::MAX; 3], max: [f32::MIN; 3] };
        for s in s { for k in 0..3 { b.min[k] = b.min[k].min(s.centre[k] - s.radius); b.max[k] = b.max[k].max(s.centre[k] + s.radius); } }
        b
    }

    fn build(nodes: &mut Vec<BvhNode>, at: usize, spheres: &mut [Sphere], first: u32) {
        nodes[at].bounds = bounds(spheres);
        if spheres.len() <= 3 {
            (nodes[at].start, nodes[at].count) = (first, spheres.len() as u32);
            return;
        }
        spheres.sort_by(|a, b| a.centre[0].total_cmp(&b.centre[0]));
        let kids = nodes.len();
        nodes.extend([nodes[at]; 2]);
        (nodes[at].start, nodes[at].count) = (kids as u32, 0);
        let mid = spheres.len() / 2;
        let (l, r) = spheres.split_at_mut(mid);
        build(nodes, kids, l, first);
        build(nodes, kids + 1, r, first + mid as u32);
    }

    pub fn run() -> (Vec<u32>, Vec<f32>) {
        let mut v = Values(12);
        let mut unit = || (v.bits() % 1024) as f32 / 512.0 - 1.0;
        let mut spheres: Vec<Sphere> = (0..30).map(|_| Sphere { centre: [unit() * 3.0, unit() * 3.0, unit() + 5.0], radius: 0.4 + unit() * 0.2 }).collect();
        let empty = BvhNode { bounds: bounds(&[]), start: 0, count: 0 };
        let mut nodes = vec![empty];
        build(&mut nodes, 0, &mut spheres, 0);
        let rays: Vec<Ray> = (0..100).map(|i| Ray::new([0.013, 0.007, 0.0], [(i % 10) as f32 / 8.0 - 0.57, (i / 10) as f32 / 8.0 - 0.57, 1.0])).collect();
        Scene { nodes, spheres }.render(&rays)
    }
}
port!(bvh: run());
