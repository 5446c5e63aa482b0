//! Anisotropic diffusion of colour images, with clamped borders and a conductance that is chosen by a mode.
use omp_tests::twice;

twice! {
    use std::ops::{Add, AddAssign, Mul, Sub};
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Rgb { r: f32, g: f32, b: f32 }
    #[omp::declare_target]
    impl Rgb {
        fn grey(v: f32) -> Self { Rgb { r: v, g: v, b: v } }
        fn luma(&self) -> f32 { 0.299 * self.r + 0.587 * self.g + 0.114 * self.b }
        fn map(self, f: impl Fn(f32) -> f32) -> Self { Rgb { r: f(self.r), g: f(self.g), b: f(self.b) } }
    }
    #[omp::declare_target]
    impl Add for Rgb { type Output = Rgb; fn add(self, o: Rgb) -> Rgb { Rgb { r: self.r + o.r, g: self.g + o.g, b: self.b + o.b } } }
    #[omp::declare_target]
    impl Sub for Rgb { type Output = Rgb; fn sub(self, o: Rgb) -> Rgb { Rgb { r: self.r - o.r, g: self.g - o.g, b: self.b - o.b } } }
    #[omp::declare_target]
    impl Mul<f32> for Rgb { type Output = Rgb; fn mul(self, k: f32) -> Rgb { self.map(|v| v * k) } }
    #[omp::declare_target]
    impl AddAssign for Rgb { fn add_assign(&mut self, o: Rgb) { *self = *self + o; } }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u32)]
    pub enum Conductance { Exponential, Quadratic, Tukey }
    #[omp::declare_target]
    impl Conductance {
        fn of(self, gradient: f32, kappa: f32) -> f32 {
            let q = gradient / kappa;
            match self {
                Self::Exponential => (-q * q).exp(),
                Self::Quadratic => 1.0 / (1.0 + q * q),
                Self::Tukey if q.abs() <= 1.0 => 0.5 * (1.0 - q * q).powi(2),
                Self::Tukey => 0.0,
            }
        }
    }

    #[derive(Clone, omp::Mapper)]
    pub struct Image<T: omp::Device> { width: usize, height: usize, pixels: Vec<T> }
    impl<T: omp::Device> Image<T> {
        pub fn from_fn(width: usize, height: usize, f: impl Fn(usize, usize) -> T) -> Self {
            Image { width, height, pixels: (0..width * height).map(|k| f(k % width, k / width)).collect() }
        }
        fn clamped(&self, x: isize, y: isize) -> T {
            let x = x.clamp(0, self.width as isize - 1) as usize;
            let y = y.clamp(0, self.height as isize - 1) as usize;
            self.pixels[y * self.width + x]
        }
    }

    pub fn diffuse(image: &mut Image<Rgb>, mode: Conductance, kappa: f32, lambda: f32, steps: usize) {
        for _ in 0..steps {
            let source = image.clone();
            let width = image.width;
            #[omp::target]
            for (k, out) in image.pixels.iter_mut().enumerate() {
                let (x, y) = ((k % width) as isize, (k / width) as isize);
                let here = source.clamped(x, y);
                let mut change = Rgb::default();
                for (dx, dy) in [(0, -1), (0, 1), (-1, 0), (1, 0)] {
                    let d = source.clamped(x + dx, y + dy) - here;
                    change += d * mode.of(d.luma(), kappa);
                }
                *out = (here + change * lambda).map(|v| v.clamp(0.0, 1.0));
            }
        }
    }
    pub fn run() -> Vec<f32> {
        let mut out = vec![];
        for mode in [Conductance::Exponential, Conductance::Quadratic, Conductance::Tukey] {
            let mut img = Image::from_fn(17, 11, |x, y| Rgb { r: ((x * 7 + y * 3) % 10) as f32 / 10.0, g: if x > 8 { 0.9 } else { 0.1 }, b: (y % 4) as f32 / 4.0 });
            diffuse(&mut img, mode, 0.2, 0.2, 3);
            out.extend(img.pixels.iter().map(Rgb::luma));
        }
        out
    }
}
port!(perona_malik: run());
