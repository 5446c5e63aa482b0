//! Nearest neighbours, k-d boxes, bounding boxes with methods of their own.
use omp_tests::{Values, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Aabb { min: [f32; 3], max: [f32; 3] }

    #[omp::declare_target]
    impl Aabb {
        fn contains(&self, p: &[f32; 3]) -> bool {
            (0..3).all(|k| self.min[k] <= p[k] && p[k] <= self.max[k])
        }
        fn distance2(&self, p: &[f32; 3]) -> f32 {
            p.iter().zip(&self.min).zip(&self.max).map(|((p, lo), hi)| {
                let d = p.clamp(*lo, *hi) - p;
                d * d
            }).sum()
        }
        fn fill(&self) -> f32 {
            self.max.iter().zip(self.min.iter()).map(|(a, b)| a - b).product()
        }
    }

    #[omp::declare_target]
    fn distance2(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum()
    }

    #[omp::declare_target]
    fn point(points: &[f32], i: usize, dim: usize) -> &[f32] {
        &points[i * dim..][..dim]
    }

    pub fn nearest(best: &mut [u32], queries: &[f32], points: &[f32], dim: usize) {
        let n = points.len() / dim;
        #[omp::target]
        for (best, q) in best.iter_mut().zip(queries.chunks_exact(dim)) {
            let (at, _) = (0..n)
                .map(|i| (i, distance2(q, point(points, i, dim))))
                .min_by(|a, b| a.1.total_cmp(&b.1))
                .unwrap();
            *best = at as u32;
        }
    }

    pub fn boxes_of(out: &mut [u32], points: &[[f32; 3]], boxes: &[Aabb]) -> f32 {
        let mut volume = 0.0;
        #[omp::target(reduction(+: volume))]
        for (o, p) in out.iter_mut().zip(points) {
            *o = 0;
            for b in boxes {
                if b.contains(p) {
                    *o += 1;
                    volume += b.fill();
                }
            }
            let near = boxes.iter().map(|b| b.distance2(p)).fold(f32::INFINITY, f32::min);
            *o += (near * 16.0) as u32 * 100;
        }
        volume
    }

    pub fn run() -> (Vec<u32>, Vec<u32>, f32) {
        let mut v = Values(5);
        let mut unit = || (v.bits() >> 8) as f32 / 16777216.0;
        let points: Vec<f32> = (0..300).map(|_| unit()).collect();
        let queries: Vec<f32> = (0..60).map(|_| unit()).collect();
        let mut best = vec![0; 20];
        nearest(&mut best, &queries, &points, 3);
        let boxes: Vec<Aabb> = (0..12).map(|_| {
            let a: [f32; 3] = std::array::from_fn(|_| unit());
            Aabb { min: a, max: a.map(|v| v + 0.3) }
        }).collect();
        let ps: Vec<[f32; 3]> = points.chunks(3).map(|c| [c[0], c[1], c[2]]).collect();
        let mut out = vec![0; 100];
        let volume = boxes_of(&mut out, &ps, &boxes);
        (best, out, volume)
    }
}
port!(knn: run());
