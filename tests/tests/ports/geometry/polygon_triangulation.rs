//! Optimal triangulations of convex polygons (interval dynamic programming), one diagonal of the table after the other.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Point { x: f64, y: f64 }
    #[omp::declare_target]
    impl Point { fn dist(self, other: Point) -> f64 { (self.x - other.x).hypot(self.y - other.y) } }

    #[derive(Clone, omp::Mapper)]
    pub struct Table { n: usize, cost: Vec<f64>, split: Vec<Option<u32>> }
    impl Table {
        fn new(n: usize) -> Self { Self { n, cost: vec![0.0; n * n], split: vec![None; n * n] } }
    }
    #[omp::declare_target]
    impl std::ops::Index<[usize; 2]> for Table { type Output = f64; fn index(&self, [i, j]: [usize; 2]) -> &f64 { &self.cost[i * self.n + j] } }

    #[omp::declare_target]
    fn perimeter(p: &[Point], i: usize, j: usize, k: usize) -> f64 {
        let side = |a: usize, b: usize| p[a].dist(p[b]);
        side(i, j) + side(j, k) + side(k, i)
    }

    pub fn triangulate(points: &[Point]) -> Table {
        let n = points.len();
        let mut table = Table::new(n);
        for gap in 2..n {
            let done = table.clone();
            let Table { cost, split, .. } = &mut table;
            #[omp::target]
            for i in 0..n - gap {
                let j = i + gap;
                let best = (i + 1..j)
                    .map(|k| (done[[i, k]] + done[[k, j]] + perimeter(points, i, k, j), k))
                    .min_by(|a, b| a.0.partial_cmp(&b.0).unwrap());
                if let Some((c, k)) = best {
                    cost[i * n + j] = c;
                    split[i * n + j] = Some(k as u32);
                }
            }
        }
        table
    }
    pub fn run() -> (Vec<f64>, Vec<Option<u32>>) {
        let points: Vec<Point> = (0..12).map(|i| { let t = i as f64 * 0.52; Point { x: (2.0 + (i % 3) as f64) * t.cos(), y: 2.5 * t.sin() } }).collect();
        let t = triangulate(&points);
        (t.cost, t.split)
    }
}
port!(polygon_triangulation: run());
