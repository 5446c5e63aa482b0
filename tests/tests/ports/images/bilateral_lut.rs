//! Bilateral filter with spatial and range tables.
use omp_tests::{Values, twice};
twice! {
    pub struct Bilateral { radius: i32, spatial: Vec<f32>, range: [f32; 256] }

    impl Bilateral {
        pub fn new(radius: i32, sigma_s: f32, sigma_r: f32) -> Self {
            let size = 2 * radius + 1;
            let spatial = (0..size * size)
                .map(|i| {
                    let (dx, dy) = ((i % size - radius) as f32, (i / size - radius) as f32);
                    (-(dx * dx + dy * dy) / (2.0 * sigma_s * sigma_s)).exp()
                })
                .collect();
            let range = std::array::from_fn(|d| (-((d * d) as f32) / (2.0 * sigma_r * sigma_r)).exp());
            Self { radius, spatial, range }
        }

        pub fn apply(&self, src: &[u8], width: usize) -> Vec<u8> {
            let height = src.len() / width;
            let r = self.radius;
            let mut dst = vec![0u8; src.len()];
            #[omp::target]
            for (y, row) in dst.chunks_exact_mut(width).enumerate() {
                for (x, out) in row.iter_mut().enumerate() {
                    let centre = src[y * width + x];
                    let (mut sum, mut norm) = (0.0f32, 0.0f32);
                    for (k, (dy, dx)) in (-r..=r).flat_map(|dy| (-r..=r).map(move |dx| (dy, dx))).enumerate() {
                        let (ny, nx) = (y as i32 + dy, x as i32 + dx);
                        if ny < 0 || nx < 0 || ny >= height as i32 || nx >= width as i32 {
                            continue;
                        }
                        let v = src[ny as usize * width + nx as usize];
                        let w = self.spatial[k] * self.range[v.abs_diff(centre) as usize];
                        sum += w * f32::from(v);
                        norm += w;
                    }
                    *out = (sum / norm + 0.5) as u8;
                }
            }
            dst
        }
    }

    pub fn run() -> Vec<u8> {
        let mut v = Values(51);
        let src: Vec<u8> = (0..14 * 9).map(|_| v.bits() as u8).collect();
        Bilateral::new(2, 1.5, 30.0).apply(&src, 14)
    }
}
port!(bilateral_lut: run());
