//! Rodinia nn: the records nearest to a target.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct LatLong { lat: f32, lng: f32 }

    #[omp::declare_target]
    impl LatLong {
        fn distance(self, other: Self) -> f32 {
            let Self { lat, lng } = self;
            ((lat - other.lat).powi(2) + (lng - other.lng).powi(2)).sqrt()
        }
    }

    pub fn knn(records: &[LatLong], target: LatLong, k: usize) -> Vec<usize> {
        let mut distances: Vec<f32> = vec![f32::INFINITY; records.len()];
        #[omp::target]
        for (d, r) in distances.iter_mut().zip(records.iter()) {
            *d = r.distance(target);
        }
        let mut order: Vec<usize> = (0..records.len()).collect();
        order.sort_by(|&a, &b| distances[a].total_cmp(&distances[b]));
        order.truncate(k);
        order
    }

    pub fn nearest_of_each(records: &[LatLong], queries: &[LatLong], radius: f32) -> Vec<Option<u32>> {
        let mut out = vec![-1i64; queries.len()];
        #[omp::target]
        for (q, slot) in queries.iter().zip(&mut out) {
            let best = records
                .iter()
                .map(|r| r.distance(*q))
                .enumerate()
                .filter(|&(_, d)| d <= radius)
                .min_by(|a, b| a.1.partial_cmp(&b.1).unwrap());
            if let Some((i, _)) = best {
                *slot = i as i64;
            }
        }
        out.into_iter().map(|i| u32::try_from(i).ok()).collect()
    }

    pub fn run() -> (Vec<usize>, Vec<Option<u32>>) {
        let records: Vec<LatLong> = (0..120).map(|i| LatLong { lat: (i * 37 % 90) as f32 * 0.77, lng: (i * 91 % 180) as f32 * 1.3 }).collect();
        let queries: Vec<LatLong> = (0..30).map(|i| LatLong { lat: 3.1 * i as f32, lng: 5.3 * i as f32 }).collect();
        (knn(&records, LatLong { lat: 30.0, lng: 90.0 }, 5), nearest_of_each(&records, &queries, 12.0))
    }
}
port!(nearest_neighbor: run());
