//! Adaptive histogram equalisation: a histogram for each tile, clipped, and lookup tables interpolated.
use omp_tests::{Values, twice};
twice! {
    const BINS: usize = 64;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default, omp::Device)]
    pub struct Rgb { r: u8, g: u8, b: u8 }

    #[omp::declare_target]
    impl Rgb {
        fn luma(self) -> u8 {
            let Rgb { r, g, b } = self;
            ((u32::from(r) * 77 + u32::from(g) * 150 + u32::from(b) * 29) >> 8) as u8
        }
        fn scaled(self, num: u32, den: u32) -> Self {
            let f = |c: u8| (u32::from(c) * num / den.max(1)).min(255) as u8;
            Self { r: f(self.r), g: f(self.g), b: f(self.b) }
        }
    }

    #[omp::declare_target]
    const fn bin(v: u8) -> usize { v as usize * BINS / 256 }

    #[omp::declare_target]
    fn clip(hist: &mut [u32; BINS], limit: u32) {
        let excess: u32 = hist.iter().map(|&h| h.saturating_sub(limit)).sum();
        let share = excess / BINS as u32;
        for h in hist.iter_mut() {
            *h = (*h).min(limit) + share;
        }
    }

    pub struct Clahe { tile: usize, limit: u32 }

    impl Clahe {
        pub fn apply(&self, image: &mut [Rgb], width: usize) {
            let height = image.len() / width;
            let tile = self.tile;
            let (tx, ty) = (width.div_ceil(tile), height.div_ceil(tile));
            let mut luts = vec![[0u8; BINS]; tx * ty];

            #[omp::target]
            for (t, lut) in luts.iter_mut().enumerate() {
                let (ox, oy) = (t % tx * tile, t / tx * tile);
                let mut hist = [0u32; BINS];
                for y in oy..(oy + tile).min(height) {
                    let row = &image[y * width..][..width];
                    for p in &row[ox..(ox + tile).min(width)] {
                        hist[bin(p.luma())] += 1;
                    }
                }
                clip(&mut hist, self.limit);
                let total: u32 = hist.iter().sum();
                let mut acc = 0;
                for (l, h) in lut.iter_mut().zip(hist) {
                    acc += h;
                    *l = (acc * 255 / total) as u8;
                }
            }

            #[omp::target]
            for (i, pixel) in image.iter_mut().enumerate() {
                let (x, y) = (i % width, i / width);
                let old = pixel.luma();
                let weigh = |v: usize, n: usize| {
                    let c = (v as f32 + 0.5) / tile as f32 - 0.5;
                    let lo = c.floor().max(0.0) as usize;
                    (lo.min(n - 1), (lo + 1).min(n - 1), (c - lo as f32).clamp(0.0, 1.0))
                };
                let (x0, x1, fx) = weigh(x, tx);
                let (y0, y1, fy) = weigh(y, ty);
                let at = |x: usize, y: usize| luts[y * tx + x][bin(old)] as f32;
                let top = at(x0, y0) * (1.0 - fx) + at(x1, y0) * fx;
                let bottom = at(x0, y1) * (1.0 - fx) + at(x1, y1) * fx;
                let new = (top * (1.0 - fy) + bottom * fy) as u32;
                *pixel = pixel.scaled(new, old.into());
            }
        }
    }

    pub fn run() -> Vec<u8> {
        let mut v = Values(9);
        let mut image: Vec<Rgb> = (0..48 * 32).map(|i| Rgb { r: (v.bits() % 90) as u8, g: (i % 100) as u8, b: 30 }).collect();
        Clahe { tile: 16, limit: 20 }.apply(&mut image, 48);
        image.iter().flat_map(|p| [p.r, p.g, p.b]).collect()
    }
}
port!(clahe: run());
