//! Worley (cellular) noise with feature points hashed per cell.
use omp_tests::twice;
twice! {
    #[omp::declare_target]
    const fn hash(mut x: u32) -> u32 {
        x ^= x >> 16;
        x = x.wrapping_mul(0x7feb352d);
        x ^= x >> 15;
        x = x.wrapping_mul(0x846ca68b);
        x ^ (x >> 16)
    }

    #[omp::declare_target]
    fn feature(cx: i32, cy: i32, seed: u32) -> (f32, f32) {
        let h = hash(cx as u32 ^ hash(cy as u32 ^ seed));
        let unit = |v: u32| v as f32 / 65536.0;
        (cx as f32 + unit(h & 0xffff), cy as f32 + unit(h >> 16))
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub enum Metric { Euclid, Manhattan, Chebyshev }

    pub fn worley(w: usize, h: usize, scale: f32, metric: Metric) -> Vec<(f32, f32)> {
        let mut out = vec![(0.0, 0.0); w * h];
        let distance = move |dx: f32, dy: f32| match metric as u8 {
            0 => (dx * dx + dy * dy).sqrt(),
            1 => dx.abs() + dy.abs(),
            _ => dx.abs().max(dy.abs()),
        };
        #[omp::target]
        for (i, f) in out.iter_mut().enumerate() {
            let x = (i % w) as f32 / scale;
            let y = (i / w) as f32 / scale;
            let (mut f1, mut f2) = (f32::MAX, f32::MAX);
            let (cx, cy) = (x.floor() as i32, y.floor() as i32);
            for gy in cy - 1..=cy + 1 {
                for gx in cx - 1..=cx + 1 {
                    let (px, py) = feature(gx, gy, 99);
                    let d = distance(px - x, py - y);
                    if d < f1 {
                        f2 = std::mem::replace(&mut f1, d);
                    } else if d < f2 {
                        f2 = d;
                    }
                }
            }
            *f = (f1, f2 - f1);
        }
        out
    }

    pub fn run() -> Vec<(f32, f32)> {
        [Metric::Euclid, Metric::Manhattan, Metric::Chebyshev].into_iter().flat_map(|m| worley(9, 7, 3.0, m)).collect()
    }
}
port!(worley: run());
