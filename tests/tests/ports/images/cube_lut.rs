//! Colour grading with a baked 3D lookup table (.cube order) and tetrahedral interpolation.
use omp_tests::twice;

twice! {
    use std::ops::{Add, Mul, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Rgb {
        pub r: f32,
        pub g: f32,
        pub b: f32,
    }

    #[omp::declare_target]
    impl Rgb {
        pub const fn new(r: f32, g: f32, b: f32) -> Self { Rgb { r, g, b } }
        pub const fn splat(v: f32) -> Self { Rgb::new(v, v, v) }
        pub fn luma(self) -> f32 { 0.2126 * self.r + 0.7152 * self.g + 0.0722 * self.b }
        pub fn map(self, f: impl Fn(f32) -> f32) -> Self { Rgb::new(f(self.r), f(self.g), f(self.b)) }
        pub fn clamped(self) -> Self { self.map(|c| c.clamp(0.0, 1.0)) }
        fn to_bytes(self) -> [u8; 3] {
            let q = self.clamped() * 255.0;
            [q.r.round() as u8, q.g.round() as u8, q.b.round() as u8]
        }
    }
    #[omp::declare_target]
    impl Add for Rgb {
        type Output = Rgb;
        fn add(self, o: Rgb) -> Rgb { Rgb::new(self.r + o.r, self.g + o.g, self.b + o.b) }
    }
    #[omp::declare_target]
    impl Sub for Rgb {
        type Output = Rgb;
        fn sub(self, o: Rgb) -> Rgb { Rgb::new(self.r - o.r, self.g - o.g, self.b - o.b) }
    }
    #[omp::declare_target]
    impl Mul<f32> for Rgb {
        type Output = Rgb;
        fn mul(self, s: f32) -> Rgb { self.map(|c| c * s) }
    }
    #[omp::declare_target]
    impl Mul for Rgb {
        type Output = Rgb;
        fn mul(self, o: Rgb) -> Rgb { Rgb::new(self.r * o.r, self.g * o.g, self.b * o.b) }
    }

    /// The primary correction; built up by chaining.
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Grade {
        lift: Rgb,
        gain: Rgb,
        saturation: f32,
        contrast: Option<f32>,
    }
    impl Grade {
        pub fn neutral() -> Self {
            Grade { lift: Rgb::splat(0.0), gain: Rgb::splat(1.0), saturation: 1.0, contrast: None }
        }
        pub fn lift(self, lift: Rgb) -> Self { Grade { lift, ..self } }
        pub fn gain(self, gain: Rgb) -> Self { Grade { gain, ..self } }
        pub fn saturation(self, saturation: f32) -> Self { Grade { saturation, ..self } }
        pub fn contrast(self, amount: f32) -> Self { Grade { contrast: Some(amount), ..self } }
    }
    #[omp::declare_target]
    impl Grade {
        fn apply(&self, c: Rgb) -> Rgb {
            let c = c * self.gain + self.lift * (1.0 - c.luma());
            let grey = Rgb::splat(c.luma());
            let c = (grey + (c - grey) * self.saturation).clamped();
            match self.contrast {
                Some(k) => c.map(|v| v + k * (v * v * (3.0 - 2.0 * v) - v)),
                None => c,
            }
        }
    }

    #[derive(Clone, Debug, omp::Mapper)]
    pub struct CubeLut {
        size: usize,
        entries: Vec<Rgb>,
    }
    impl CubeLut {
        pub fn bake(size: usize, grade: &Grade) -> Self {
            let mut entries = vec![Rgb::default(); size * size * size];
            let step = 1.0 / (size - 1) as f32;
            #[omp::target]
            for (n, entry) in entries.iter_mut().enumerate() {
                let (r, g, b) = (n % size, n / size % size, n / (size * size));
                *entry = grade.apply(Rgb::new(r as f32, g as f32, b as f32) * step);
            }
            CubeLut { size, entries }
        }
        pub fn sampler(&self) -> Sampler<'_> { Sampler { size: self.size, entries: &self.entries } }
    }

    #[derive(Clone, Copy)]
    pub struct Sampler<'a> {
        size: usize,
        entries: &'a [Rgb],
    }
    #[omp::declare_target]
    impl Sampler<'_> {
        fn at(&self, r: usize, g: usize, b: usize) -> Rgb {
            self.entries[(b * self.size + g) * self.size + r]
        }
        fn locate(&self, v: f32) -> (usize, f32) {
            let x = v.clamp(0.0, 1.0) * (self.size - 1) as f32;
            let cell = (x as usize).min(self.size - 2);
            (cell, x - cell as f32)
        }
        pub fn sample(&self, c: Rgb) -> Rgb {
            let (r, fr) = self.locate(c.r);
            let (g, fg) = self.locate(c.g);
            let (b, fb) = self.locate(c.b);
            let low = self.at(r, g, b);
            let high = self.at(r + 1, g + 1, b + 1);
            // The path from the low to the high corner, along the largest fraction first.
            let (f, p, q) = if fr >= fg {
                if fg >= fb {
                    ([fr, fg, fb], self.at(r + 1, g, b), self.at(r + 1, g + 1, b))
                } else if fr >= fb {
                    ([fr, fb, fg], self.at(r + 1, g, b), self.at(r + 1, g, b + 1))
                } else {
                    ([fb, fr, fg], self.at(r, g, b + 1), self.at(r + 1, g, b + 1))
                }
            } else if fb >= fg {
                ([fb, fg, fr], self.at(r, g, b + 1), self.at(r, g + 1, b + 1))
            } else if fb >= fr {
                ([fg, fb, fr], self.at(r, g + 1, b), self.at(r, g + 1, b + 1))
            } else {
                ([fg, fr, fb], self.at(r, g + 1, b), self.at(r + 1, g + 1, b))
            };
            low * (1.0 - f[0]) + p * (f[0] - f[1]) + q * (f[1] - f[2]) + high * f[2]
        }
    }

    /// Grades RGBA bytes in place; `shaper` linearises the byte values first.
    pub fn grade_rgba(pixels: &mut [u8], shaper: &[f32; 256], lut: &CubeLut) {
        let lut = lut.sampler();
        #[omp::target]
        for px in pixels.chunks_exact_mut(4) {
            let [r, g, b] = [px[0], px[1], px[2]].map(|v| shaper[v as usize]);
            let graded = lut.sample(Rgb::new(r, g, b)).to_bytes();
            px[..3].copy_from_slice(&graded);
        }
    }

    pub fn waveform(pixels: &[u8], columns: usize) -> Vec<[u32; 16]> {
        let mut scope = vec![[0u32; 16]; columns];
        #[omp::target]
        for (n, px) in pixels.chunks_exact(4).enumerate() {
            let luma = (54 * px[0] as u32 + 183 * px[1] as u32 + 19 * px[2] as u32) >> 8;
            #[omp::atomic]
            scope[n % columns][luma as usize / 16] += 1;
        }
        scope
    }
}
port!(cube_lut: crate::Shown::of({
    let mut shaper = [0.0f32; 256];
    for (v, s) in shaper.iter_mut().enumerate() {
        let x = v as f32 / 255.0;
        *s = x * (0.4 + 0.6 * x);
    }
    let grade = Grade::neutral()
        .lift(Rgb::new(0.02, 0.0, 0.05))
        .gain(Rgb::new(1.1, 1.0, 0.9))
        .saturation(1.25)
        .contrast(0.5);
    let lut = CubeLut::bake(17, &grade);
    let (w, h) = (48usize, 20usize);
    let mut pixels: Vec<u8> = (0..w * h)
        .flat_map(|n| [(n * 7 % 256) as u8, (n * n % 251) as u8, (n / w * 12) as u8, 255])
        .collect();
    grade_rgba(&mut pixels, &shaper, &lut);
    let scope = waveform(&pixels, w);
    (pixels, scope)
}));
