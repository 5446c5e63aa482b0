//! Planar geometry: points in polygons, areas of clipped polygons, distances to segments, winding.
use omp_tests::{Values, twice};
twice! {
    use std::ops::{Add, Mul, Neg, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Point { x: f64, y: f64 }

    #[omp::declare_target]
    impl Add for Point { type Output = Point; fn add(self, o: Point) -> Point { Point::new(self.x + o.x, self.y + o.y) } }
    #[omp::declare_target]
    impl Sub for Point { type Output = Point; fn sub(self, o: Point) -> Point { Point::new(self.x - o.x, self.y - o.y) } }
    #[omp::declare_target]
    impl Mul<Point> for f64 { type Output = Point; fn mul(self, p: Point) -> Point { Point::new(self * p.x, self * p.y) } }
    #[omp::declare_target]
    impl Neg for Point { type Output = Point; fn neg(self) -> Point { Point::new(-self.x, -self.y) } }

    #[omp::declare_target]
    impl Point {
        pub const fn new(x: f64, y: f64) -> Self { Self { x, y } }
        pub fn dot(self, o: Self) -> f64 { self.x * o.x + self.y * o.y }
        pub fn cross(self, o: Self) -> f64 { self.x * o.y - self.y * o.x }
        pub fn length(self) -> f64 { self.x.hypot(self.y) }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(i8)]
    pub enum Side { Inside = 1, Border = 0, Outside = -1 }

    #[omp::declare_target]
    fn edges_crossed(p: Point, a: Point, b: Point) -> bool {
        (a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x
    }

    #[omp::declare_target]
    fn segment_distance(p: Point, (a, b): (Point, Point)) -> f64 {
        let ab = b - a;
        let t = ((p - a).dot(ab) / ab.dot(ab)).clamp(0.0, 1.0);
        (p - (a + t * ab)).length()
    }

    #[omp::declare_target]
    fn classify(p: Point, polygon: &[Point]) -> (Side, f64) {
        let n = polygon.len();
        let mut inside = false;
        let mut nearest = f64::MAX;
        for (i, &a) in polygon.iter().enumerate() {
            let b = polygon[(i + 1) % n];
            inside ^= edges_crossed(p, a, b);
            nearest = nearest.min(segment_distance(p, (a, b)));
        }
        let side = match nearest {
            d if d < 1e-9 => Side::Border,
            _ if inside => Side::Inside,
            _ => Side::Outside,
        };
        (side, nearest)
    }

    pub struct Polygons { points: Vec<Point>, starts: Vec<usize> }

    impl Polygons {
        pub fn areas(&self) -> Vec<f64> {
            let mut areas = vec![0.0; self.starts.len() - 1];
            #[omp::target]
            for (k, area) in areas.iter_mut().enumerate() {
                let ring = &self.points[self.starts[k]..self.starts[k + 1]];
                let doubled: f64 = ring
                    .iter()
                    .zip(ring.iter().cycle().skip(1))
                    .map(|(a, b)| a.cross(*b))
                    .sum();
                *area = doubled.abs() / 2.0;
            }
            areas
        }

        /// The signed distance of each point to the nearest polygon, and which one that is.
        pub fn locate(&self, queries: &[Point]) -> Vec<(f64, u32)> {
            let mut out = vec![(f64::INFINITY, u32::MAX); queries.len()];
            #[omp::target]
            for (q, best) in queries.iter().zip(out.iter_mut()) {
                for (k, w) in self.starts.windows(2).enumerate() {
                    let (side, d) = classify(*q, &self.points[w[0]..w[1]]);
                    let signed = -d * f64::from(side as i8);
                    if signed < best.0 {
                        *best = (signed, k as u32);
                    }
                }
            }
            out
        }

        pub fn bounds(&self) -> (Point, Point) {
            let (mut x0, mut y0, mut x1, mut y1) = (f64::MAX, f64::MAX, f64::MIN, f64::MIN);
            #[omp::target(reduction(min: x0, y0), reduction(max: x1, y1))]
            for &Point { x, y } in &self.points {
                x0 = x0.min(x);
                y0 = y0.min(y);
                x1 = x1.max(x);
                y1 = y1.max(y);
            }
            (Point::new(x0, y0), Point::new(x1, y1))
        }
    }

    pub fn run() -> (Vec<f64>, Vec<f64>, Vec<u32>, [f64; 4]) {
        let mut v = Values(6);
        let (mut points, mut starts) = (vec![], vec![0]);
        for k in 0..5 {
            let n = 3 + k * 2;
            for i in 0..n {
                let a = i as f64 * std::f64::consts::TAU / n as f64;
                let r = 2.0 + (v.bits() % 10) as f64 / 10.0;
                points.push(Point::new(k as f64 * 5.0 + r * a.cos(), r * a.sin()));
            }
            starts.push(points.len());
        }
        let p = Polygons { points, starts };
        let q: Vec<Point> = (0..60).map(|_| Point::new((v.bits() % 300) as f64 / 11.0 - 3.0, (v.bits() % 70) as f64 / 11.0 - 3.0)).collect();
        let l = p.locate(&q);
        let (a, b) = p.bounds();
        (p.areas(), l.iter().map(|l| l.0).collect(), l.iter().map(|l| l.1).collect(), [a.x, a.y, b.x, b.y])
    }
}
port!(polygons: run());
