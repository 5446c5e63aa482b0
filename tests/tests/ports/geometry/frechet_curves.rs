//! HeCBench frechet: discrete Fréchet distances between curves, and the Hausdorff distance of point sets.
use omp_tests::twice;

twice! {
    const MAX: usize = 24;

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Point(f64, f64);

    #[omp::declare_target]
    impl Point {
        fn dist(&self, other: &Point) -> f64 {
            let Point(dx, dy) = *self - *other;
            dx.hypot(dy)
        }
    }

    #[omp::declare_target]
    impl std::ops::Sub for Point {
        type Output = Point;
        fn sub(self, rhs: Point) -> Point {
            Point(self.0 - rhs.0, self.1 - rhs.1)
        }
    }

    pub struct Curves {
        points: Vec<Point>,
        len: usize,
    }

    impl Curves {
        fn curve(&self, c: usize) -> &[Point] {
            &self.points[c * self.len..(c + 1) * self.len]
        }
        fn count(&self) -> usize {
            self.points.len() / self.len
        }
    }

    #[omp::declare_target]
    fn frechet(p: &[Point], q: &[Point]) -> f64 {
        let mut row = [f64::INFINITY; MAX];
        for (i, a) in p.iter().enumerate() {
            let mut diag = f64::INFINITY;
            for (j, b) in q.iter().enumerate() {
                let d = a.dist(b);
                let reach = match (i, j) {
                    (0, 0) => d,
                    (0, _) => row[j - 1].max(d),
                    (_, 0) => row[0].max(d),
                    _ => row[j].min(row[j - 1]).min(diag).max(d),
                };
                diag = std::mem::replace(&mut row[j], reach);
            }
        }
        row[q.len() - 1]
    }

    pub fn distances(curves: &Curves) -> Vec<Vec<f64>> {
        let n = curves.count();
        let mut out = vec![0.0; n * n];
        #[omp::target]
        for (k, o) in out.iter_mut().enumerate() {
            let (i, j) = (k / n, k % n);
            if i == j {
                continue;
            }
            *o = frechet(curves.curve(i), curves.curve(j));
        }
        out.chunks(n).map(|row| row.to_vec()).collect()
    }

    pub fn hausdorff(a: &[Point], b: &[Point]) -> f64 {
        let mut h = 0.0f64;
        #[omp::target(reduction(max: h))]
        for p in a {
            let nearest = b.iter().map(|q| p.dist(q)).fold(f64::MAX, f64::min);
            h = h.max(nearest);
        }
        h
    }

    pub fn run() -> (Vec<Vec<f64>>, f64) {
        let len = 20;
        let points: Vec<Point> = (0..8 * len)
            .map(|i| {
                let t = (i % len) as f64 * 0.3;
                let k = (i / len) as f64;
                Point(t, (t + k * 0.4).sin() * (1.0 + 0.1 * k))
            })
            .collect();
        let curves = Curves { points, len };
        let h = hausdorff(curves.curve(0), curves.curve(5));
        (distances(&curves), h)
    }
}
port!(frechet_curves: run());
