//! Bilateral and guided filters of an image: clamped access, weights from a table, borders by `Option`.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub enum Border { Clamp, Mirror, Zero }

    #[derive(Debug, Clone, omp::Mapper)]
    pub struct Image { width: usize, height: usize, pixels: Vec<f32> }

    impl Image {
        pub fn new(width: usize, height: usize) -> Self {
            Self { width, height, pixels: vec![0.0; width * height] }
        }
        fn resolve(&self, x: isize, y: isize, border: Border) -> Option<usize> {
            let (w, h) = (self.width as isize, self.height as isize);
            let fold = |v: isize, n: isize| -> Option<isize> {
                if (0..n).contains(&v) { return Some(v); }
                match border {
                    Border::Clamp => Some(v.clamp(0, n - 1)),
                    Border::Mirror => Some(if v < 0 { -v - 1 } else { 2 * n - v - 1 }),
                    Border::Zero => None,
                }
            };
            let x = fold(x, w)?;
            let y = fold(y, h)?;
            Some((y * w + x) as usize)
        }
        pub fn get(&self, x: isize, y: isize, border: Border) -> f32 {
            self.resolve(x, y, border).map_or(0.0, |i| self.pixels[i])
        }
    }

    pub struct Bilateral { radius: isize, sigma_range: f32, spatial: Vec<f32>, border: Border }

    impl Bilateral {
        pub fn new(radius: isize, sigma: f32, sigma_range: f32, border: Border) -> Self {
            let side = -radius..=radius;
            let spatial = side.clone()
                .flat_map(|dy| side.clone().map(move |dx| (-((dx * dx + dy * dy) as f32) / (2.0 * sigma * sigma)).exp()))
                .collect();
            Self { radius, sigma_range, spatial, border }
        }
        pub fn apply(&self, src: &Image) -> Image {
            let mut dst = Image::new(src.width, src.height);
            let r = self.radius;
            let falloff = |d: f32| (-d * d / (2.0 * self.sigma_range * self.sigma_range)).exp();
            #[omp::target(collapse(2))]
            for y in 0..src.height {
                for x in 0..src.width {
                    let centre = src.pixels[y * src.width + x];
                    let (mut sum, mut weight) = (0.0f32, 0.0f32);
                    let mut k = self.spatial.iter();
                    for dy in -r..=r {
                        for dx in -r..=r {
                            let v = src.get(x as isize + dx, y as isize + dy, self.border);
                            let w = k.next().unwrap() * falloff(v - centre);
                            sum += w * v;
                            weight += w;
                        }
                    }
                    dst.pixels[y * dst.width + x] = sum / weight;
                }
            }
            dst
        }
    }

    pub fn run() -> Vec<f32> {
        let mut v = Values(3);
        let mut img = Image::new(23, 17);
        for p in img.pixels.iter_mut() { *p = (v.bits() % 256) as f32 / 256.0; }
        let mut out = Vec::new();
        for border in [Border::Clamp, Border::Mirror, Border::Zero] {
            out.extend(Bilateral::new(2, 1.5, 0.3, border).apply(&img).pixels);
        }
        out
    }
}
port!(bilateral: run());
