//! QT clustering: the largest cluster of points within a diameter.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct P {
        x: f32,
        y: f32,
    }

    #[omp::declare_target]
    impl P {
        fn d2(&self, o: &P) -> f32 {
            let (dx, dy) = (self.x - o.x, self.y - o.y);
            dx * dx + dy * dy
        }
    }

    #[omp::offload]
    fn distances(points: &[P]) -> Vec<Vec<f32>> {
        let n = points.len();
        let mut flat = vec![0.0f32; n * n];
        #[omp::target(collapse(2))]
        for i in 0..n {
            for j in 0..n {
                flat[i * n + j] = points[i].d2(&points[j]).sqrt();
            }
        }
        flat.chunks(n.max(1)).map(|c| c.to_vec()).collect()
    }

    #[omp::offload]
    fn largest(dist: &[f32], n: usize, taken: &[bool], limit: f32) -> (u32, u32) {
        let mut sizes = vec![0u32; n];
        #[omp::target]
        for seed in 0..n {
            if taken[seed] {
                continue;
            }
            let mut members = [false; 64];
            let mut far = [0.0f32; 64];
            members[seed] = true;
            let mut count = 1;
            loop {
                let mut best: Option<(usize, f32)> = None;
                for j in 0..n {
                    if taken[j] || members[j] {
                        continue;
                    }
                    let d = far[j].max(dist[seed * n + j]);
                    match best {
                        Some((_, b)) if b <= d => {}
                        _ => best = Some((j, d)),
                    }
                }
                let Some((j, d)) = best else { break };
                if d > limit {
                    break;
                }
                members[j] = true;
                count += 1;
                for k in 0..n {
                    far[k] = far[k].max(dist[j * n + k]);
                }
            }
            sizes[seed] = count;
        }
        sizes.iter().enumerate().fold((0, 0), |(b, s), (i, &size)| if size > s { (i as u32, size) } else { (b, s) })
    }

    pub fn run(n: usize) -> Vec<f64> {
        let n = n.min(60);
        let pts: Vec<P> = (0..n).map(|i| P { x: (i * 17 % 29) as f32, y: (i * 11 % 31) as f32 }).collect();
        let d = distances(&pts).concat();
        let mut taken = vec![false; n];
        let mut out = vec![];
        for _ in 0..3 {
            let (s, k) = largest(&d, n, &taken, 9.0);
            out.extend([s as f64, k as f64]);
            if (s as usize) < n {
                taken[s as usize] = true;
            }
        }
        out
    }
}
port!(qt_clustering: (run(0), run(7), run(33)));
