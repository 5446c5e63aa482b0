//! k-means: assignment by the nearest centre, sums of the clusters.
use omp_tests::{Values, twice};

twice! {
    const D: usize = 3;

    #[omp::declare_target]
    fn distance2(a: &[f64; D], b: &[f64; D]) -> f64 {
        a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum()
    }

    pub fn assign(labels: &mut [usize], points: &[[f64; D]], centres: &[[f64; D]]) -> usize {
        let mut changed = 0;
        #[omp::target(reduction(+: changed))]
        for (label, p) in labels.iter_mut().zip(points) {
            let (nearest, _) = centres
                .iter()
                .map(|c| distance2(p, c))
                .enumerate()
                .min_by(|a, b| a.1.partial_cmp(&b.1).unwrap())
                .expect("there are centres");
            if nearest != *label {
                *label = nearest;
                changed += 1;
            }
        }
        changed
    }

    pub fn update(centres: &mut [[f64; D]], points: &[[f64; D]], labels: &[usize]) {
        #[omp::target]
        for (k, centre) in centres.iter_mut().enumerate() {
            let mut sum = [0.0; D];
            let mut n = 0u32;
            for (p, _) in points.iter().zip(labels).filter(|(_, l)| **l == k) {
                for d in 0..D {
                    sum[d] += p[d];
                }
                n += 1;
            }
            if n > 0 {
                *centre = sum.map(|s| s / f64::from(n));
            }
        }
    }

    pub fn run() -> (Vec<usize>, Vec<[f64; D]>) {
        let mut v = Values(15);
        let points: Vec<[f64; D]> = (0..200).map(|_| std::array::from_fn(|_| (v.bits() % 1000) as f64)).collect();
        let mut centres = points[..6].to_vec();
        let mut labels = vec![usize::MAX; 200];
        for _ in 0..8 {
            if assign(&mut labels, &points, &centres) == 0 {
                break;
            }
            update(&mut centres, &points, &labels);
        }
        (labels, centres)
    }
}
port!(kmeans: run());
