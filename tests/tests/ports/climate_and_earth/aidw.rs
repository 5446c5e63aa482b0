//! Adaptive inverse distance weighting: k nearest distances kept sorted in an array, fuzzy exponents.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, omp::Device)]
    pub struct Point {
        x: f32,
        y: f32,
        z: f32,
    }

    const K: usize = 6;

    #[omp::declare_target]
    fn membership(r: f32) -> f32 {
        const R_MIN: f32 = 0.0;
        const R_MAX: f32 = 2.0;
        match r {
            r if r <= R_MIN => 0.0,
            r if r >= R_MAX => 1.0,
            r => 0.5 - 0.5 * (std::f32::consts::PI / R_MAX * (r - R_MIN)).cos(),
        }
    }

    #[omp::declare_target]
    fn alpha(mu: f32) -> f32 {
        let levels = [0.5f32, 1.0, 1.5, 2.0, 2.5, 3.0];
        let s = mu * (levels.len() - 1) as f32;
        let lo = s.floor() as usize;
        let hi = (lo + 1).min(levels.len() - 1);
        let w = s - lo as f32;
        levels[lo] * (1.0 - w) + levels[hi] * w
    }

    #[omp::target]
    pub fn aidw(data: &[Point], queries: &mut [Point], area: f32) {
        for q in queries.iter_mut() {
            let mut nearest = [f32::MAX; K];
            for p in data {
                let d = (q.x - p.x) * (q.x - p.x) + (q.y - p.y) * (q.y - p.y);
                if d < nearest[K - 1] {
                    let mut slot = K - 1;
                    while slot > 0 && nearest[slot - 1] > d {
                        nearest[slot] = nearest[slot - 1];
                        slot -= 1;
                    }
                    nearest[slot] = d;
                }
            }
            let r_obs = nearest.iter().map(|d| d.sqrt()).sum::<f32>() / K as f32;
            let r_exp = 1.0 / (2.0 * (data.len() as f32 / area).sqrt());
            let a = alpha(membership(r_obs / r_exp));
            let (sum, weighted) = data.iter().fold((0.0f32, 0.0f32), |(s, w), p| {
                let d = ((q.x - p.x).powi(2) + (q.y - p.y).powi(2)).powf(-a / 2.0);
                (s + d, w + d * p.z)
            });
            q.z = weighted / sum;
        }
    }

    pub fn run(n: usize) -> Vec<f64> {
        let data: Vec<Point> = (0..60).map(|i| Point { x: (i * 37 % 101) as f32 * 0.1, y: (i * 53 % 97) as f32 * 0.1, z: (i % 9) as f32 }).collect();
        let mut q: Vec<Point> = (0..n).map(|i| Point { x: (i % 31) as f32 * 0.31 + 0.03, y: (i % 29) as f32 * 0.33 + 0.07, z: 0.0 }).collect();
        aidw(&data, &mut q, 100.0);
        q.iter().map(|p| p.z as f64).collect()
    }
}
port!(aidw: [run(0), run(1), run(33)].map(|all| all.into_iter().map(|v| v as f32).collect::<Vec<f32>>()));
