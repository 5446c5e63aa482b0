//! Geometry: surface of a field by marching tetrahedra, segments that cross, distance to triangles.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, omp::Device)]
    pub struct Point { x: f32, y: f32, z: f32 }

    #[omp::declare_target]
    impl Point {
        const fn new(x: f32, y: f32, z: f32) -> Self { Self { x, y, z } }
        fn lerp(self, o: Self, t: f32) -> Self { Self::new(self.x + t * (o.x - self.x), self.y + t * (o.y - self.y), self.z + t * (o.z - self.z)) }
        fn sub(self, o: Self) -> Self { Self::new(self.x - o.x, self.y - o.y, self.z - o.z) }
        fn dot(self, o: Self) -> f32 { self.x * o.x + self.y * o.y + self.z * o.z }
        fn cross(self, o: Self) -> Self { Self::new(self.y * o.z - self.z * o.y, self.z * o.x - self.x * o.z, self.x * o.y - self.y * o.x) }
    }

    const CORNERS: [(usize, usize, usize); 8] = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)];
    const TETRAHEDRA: [[usize; 4]; 6] = [[0, 5, 1, 6], [0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6]];

    pub type Triangle = [Point; 3];

    #[omp::declare_target]
    fn polygonise(p: &[Point; 4], v: &[f32; 4], level: f32) -> ([Triangle; 2], usize) {
        let cut = |a: usize, b: usize| p[a].lerp(p[b], (level - v[a]) / (v[b] - v[a]));
        let mut out = [Triangle::default(); 2];
        let inside = v.iter().enumerate().filter(|(_, x)| **x < level).fold(0u8, |m, (i, _)| m | 1 << i);
        let n = match inside {
            0 | 0b1111 => 0,
            0b0001 | 0b1110 => { out[0] = [cut(0, 1), cut(0, 2), cut(0, 3)]; 1 }
            0b0010 | 0b1101 => { out[0] = [cut(1, 0), cut(1, 3), cut(1, 2)]; 1 }
            0b0100 | 0b1011 => { out[0] = [cut(2, 0), cut(2, 1), cut(2, 3)]; 1 }
            0b1000 | 0b0111 => { out[0] = [cut(3, 0), cut(3, 2), cut(3, 1)]; 1 }
            0b0011 | 0b1100 => { let q = [cut(0, 3), cut(0, 2), cut(1, 3), cut(1, 2)]; out = [[q[0], q[1], q[2]], [q[2], q[3], q[1]]]; 2 }
            0b0101 | 0b1010 => { let q = [cut(0, 1), cut(2, 3), cut(0, 3), cut(1, 2)]; out = [[q[0], q[1], q[2]], [q[0], q[3], q[1]]]; 2 }
            _ => { let q = [cut(0, 1), cut(1, 3), cut(2, 3), cut(0, 2)]; out = [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]; 2 }
        };
        (out, n)
    }

    pub struct Field { n: usize, values: Vec<f32> }

    impl Field {
        fn at(&self, x: usize, y: usize, z: usize) -> f32 { self.values[(z * self.n + y) * self.n + x] }

        pub fn area_and_count(&self, level: f32) -> (f32, usize) {
            let (mut area, mut count) = (0.0, 0);
            let cells = self.n - 1;
            #[omp::target(collapse(3), reduction(+: area, count))]
            for z in 0..cells {
                for y in 0..cells {
                    for x in 0..cells {
                        let corners = CORNERS.map(|(dx, dy, dz)| (Point::new((x + dx) as f32, (y + dy) as f32, (z + dz) as f32), self.at(x + dx, y + dy, z + dz)));
                        for t in TETRAHEDRA {
                            let p = t.map(|i| corners[i].0);
                            let v = t.map(|i| corners[i].1);
                            let (triangles, n) = polygonise(&p, &v, level);
                            for [a, b, c] in &triangles[..n] {
                                let normal = b.sub(*a).cross(c.sub(*a));
                                area += 0.5 * normal.dot(normal).sqrt();
                            }
                            count += n;
                        }
                    }
                }
            }
            (area, count)
        }
    }

    #[omp::declare_target]
    fn orientation((ax, ay): (i64, i64), (bx, by): (i64, i64), (cx, cy): (i64, i64)) -> i64 {
        ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)).signum()
    }

    type Segment = ((i64, i64), (i64, i64));

    pub fn crossings(segments: &[Segment]) -> Vec<u32> {
        let mut out = vec![0; segments.len()];
        #[omp::target]
        for (i, count) in out.iter_mut().enumerate() {
            let (a, b) = segments[i];
            *count = segments
                .iter()
                .enumerate()
                .filter(|&(j, _)| j != i)
                .filter(|&(_, &(c, d))| orientation(a, b, c) * orientation(a, b, d) < 0 && orientation(c, d, a) * orientation(c, d, b) < 0)
                .count() as u32;
        }
        out
    }

    pub fn run() -> (f32, usize, Vec<u32>) {
        let n = 7;
        let values = (0..n * n * n).map(|i| {
            let (x, y, z) = ((i % n) as f32 - 3.1, (i / n % n) as f32 - 3.0, (i / n / n) as f32 - 2.9);
            (x * x + y * y + z * z).sqrt()
        }).collect();
        let (area, count) = Field { n, values }.area_and_count(2.2);
        let mut v = Values(8);
        let mut p = || ((v.bits() % 100) as i64, (v.bits() % 100) as i64);
        let segments: Vec<Segment> = (0..50).map(|_| (p(), p())).collect();
        (area, count, crossings(&segments))
    }
}
port!(marching: run());
