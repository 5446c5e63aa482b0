//! Parboil tpacf and mri-gridding: histograms of angles between galaxies, samples spread over a grid.
use omp_tests::{Values, twice};
twice! {
    pub const BINS: usize = 20;

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Cartesian { x: f32, y: f32, z: f32 }

    impl From<(f32, f32)> for Cartesian {
        fn from((ra, dec): (f32, f32)) -> Self {
            Cartesian { x: ra.cos() * dec.cos(), y: ra.sin() * dec.cos(), z: dec.sin() }
        }
    }

    /// Bounds are decreasing: a binary search for the bin.
    #[omp::declare_target]
    fn bin_of(bounds: &[f32], dot: f32) -> Option<usize> {
        let (mut lo, mut hi) = (0, bounds.len() - 1);
        if dot > bounds[lo] || dot <= bounds[hi] {
            return None;
        }
        while hi - lo > 1 {
            let mid = (lo + hi) / 2;
            if dot > bounds[mid] { hi = mid } else { lo = mid }
        }
        Some(lo)
    }

    pub fn correlate(data: &[Cartesian], random: Option<&[Cartesian]>, bounds: &[f32]) -> [u64; BINS] {
        let mut hist = [0u64; BINS];
        match random {
            Some(other) => {
                #[omp::target(collapse(2), reduction(+: hist))]
                for a in data {
                    for b in other {
                        if let Some(bin) = bin_of(bounds, a.x * b.x + a.y * b.y + a.z * b.z) {
                            hist[bin] += 1;
                        }
                    }
                }
            }
            None => {
                #[omp::target(reduction(+: hist))]
                for (i, a) in data.iter().enumerate() {
                    for b in &data[i + 1..] {
                        if let Some(bin) = bin_of(bounds, a.x * b.x + a.y * b.y + a.z * b.z) {
                            hist[bin] += 1;
                        }
                    }
                }
            }
        }
        hist
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Sample { kx: f32, ky: f32, re: f32, im: f32, sdc: f32 }

    pub fn gridding(samples: &[Sample], size: usize, width: f32) -> Vec<[f32; 2]> {
        let mut grid = vec![[0.0f32; 2]; size * size];
        let kernel = |d2: f32| if d2 < width * width { Some((-d2 / (width * width)).exp()) } else { None };
        #[omp::target(collapse(2))]
        for y in 0..size {
            for x in 0..size {
                let mut sum = [0.0; 2];
                for s in samples {
                    let (dx, dy) = (s.kx - x as f32, s.ky - y as f32);
                    let Some(w) = kernel(dx * dx + dy * dy) else { continue };
                    sum[0] += w * s.re * s.sdc;
                    sum[1] += w * s.im * s.sdc;
                }
                grid[y * size + x] = sum;
            }
        }
        grid
    }

    pub fn run() -> (Vec<u64>, Vec<[f32; 2]>) {
        let mut v = Values(31);
        let mut galaxies = |n: usize| (0..n).map(|_| Cartesian::from(((v.bits() % 6283) as f32 / 1000.0, (v.bits() % 3141) as f32 / 1000.0 - 1.57))).collect::<Vec<_>>();
        let (data, random) = (galaxies(60), galaxies(70));
        let bounds: Vec<f32> = (0..=BINS).map(|i| 1.0 - 0.1003 * i as f32).collect();
        let mut out = correlate(&data, None, &bounds).to_vec();
        out.extend(correlate(&data, Some(&random), &bounds));
        let samples: Vec<Sample> = (0..40).map(|i| Sample { kx: (i % 7) as f32 * 1.3, ky: (i % 5) as f32 * 1.7, re: i as f32, im: -(i as f32) / 2.0, sdc: 0.1 }).collect();
        (out, gridding(&samples, 10, 1.5))
    }
}
port!(tpacf: run());
