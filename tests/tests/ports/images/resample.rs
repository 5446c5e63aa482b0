//! Resampling of images: a filter with a support and a function, contributions of each output column, as in the `image` crate.
use omp_tests::{Values, twice};
twice! {
    use std::f32::consts::PI;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum FilterType { Nearest, Triangle, CatmullRom, Lanczos3 }

    #[omp::declare_target]
    fn sinc(t: f32) -> f32 {
        let a = t * PI;
        if t == 0.0 { 1.0 } else { a.sin() / a }
    }

    #[omp::declare_target]
    fn bc_cubic_spline(x: f32, b: f32, c: f32) -> f32 {
        let a = x.abs();
        let k = if a < 1.0 {
            (12.0 - 9.0 * b - 6.0 * c) * a.powi(3) + (-18.0 + 12.0 * b + 6.0 * c) * a.powi(2) + (6.0 - 2.0 * b)
        } else if a < 2.0 {
            (-b - 6.0 * c) * a.powi(3) + (6.0 * b + 30.0 * c) * a.powi(2) + (-12.0 * b - 48.0 * c) * a + (8.0 * b + 24.0 * c)
        } else {
            0.0
        };
        k / 6.0
    }

    #[omp::declare_target]
    impl FilterType {
        const fn support(self) -> f32 {
            match self {
                FilterType::Nearest => 0.0,
                FilterType::Triangle => 1.0,
                FilterType::CatmullRom => 2.0,
                FilterType::Lanczos3 => 3.0,
            }
        }
        fn kernel(self, x: f32) -> f32 {
            match self {
                Self::Nearest => 1.0,
                Self::Triangle if x.abs() < 1.0 => 1.0 - x.abs(),
                Self::Triangle => 0.0,
                Self::CatmullRom => bc_cubic_spline(x, 0.0, 0.5),
                Self::Lanczos3 => if x.abs() < 3.0 { sinc(x) * sinc(x / 3.0) } else { 0.0 },
            }
        }
    }

    pub struct Image { pub width: u32, pub height: u32, pub pixels: Vec<[u8; 4]> }

    impl Image {
        pub fn horizontal_sample(&self, new_width: u32, filter: FilterType) -> Image {
            let mut out = Image { width: new_width, height: self.height, pixels: vec![[0; 4]; (new_width * self.height) as usize] };
            let ratio = self.width as f32 / new_width as f32;
            let sratio = if ratio < 1.0 { 1.0 } else { ratio };
            let src_support = filter.support() * sratio;
            let (w, pixels) = (self.width, &self.pixels);
            #[omp::target(collapse(2))]
            for y in 0..self.height {
                for outx in 0..new_width {
                    let inputx = (outx as f32 + 0.5) * ratio;
                    let left = (inputx - src_support).floor() as i64;
                    let left = left.clamp(0, <i64 as From<_>>::from(w) - 1) as u32;
                    let right = (inputx + src_support).ceil() as i64;
                    let right = right.clamp(i64::from(left) + 1, i64::from(w)) as u32;
                    let inputx = inputx - 0.5;
                    let mut sum = 0.0;
                    let mut t = (0.0, 0.0, 0.0, 0.0);
                    for i in left..right {
                        let wgt = filter.kernel((i as f32 - inputx) / sratio);
                        sum += wgt;
                        let [r, g, b, a] = pixels[(y * w + i) as usize];
                        t.0 += r as f32 * wgt;
                        t.1 += g as f32 * wgt;
                        t.2 += b as f32 * wgt;
                        t.3 += a as f32 * wgt;
                    }
                    let (t1, t2, t3, t4) = (t.0 / sum, t.1 / sum, t.2 / sum, t.3 / sum);
                    let clamp = |v: f32| v.round().clamp(0.0, u8::MAX as f32) as u8;
                    out.pixels[(y * new_width + outx) as usize] = [clamp(t1), clamp(t2), clamp(t3), clamp(t4)];
                }
            }
            out
        }
    }

    pub fn run() -> Vec<u8> {
        let mut v = Values(4);
        let img = Image { width: 23, height: 6, pixels: (0..23 * 6).map(|_| v.bits().to_le_bytes()).collect() };
        let mut all = vec![];
        for f in [FilterType::Nearest, FilterType::Triangle, FilterType::CatmullRom, FilterType::Lanczos3] {
            for w in [9, 40] {
                all.extend(img.horizontal_sample(w, f).pixels.into_iter().flatten().map(|b| b >> 2));
            }
        }
        all
    }
}
port!(resample: run());
