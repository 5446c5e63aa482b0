//! Tone mapping of an HDR image: log-average luminance, then Reinhard's operator with gamma, to 8 bits.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    struct Rgb<T> {
        r: T,
        g: T,
        b: T,
    }

    #[omp::declare_target]
    impl Rgb<f32> {
        fn luminance(&self) -> f32 {
            0.2126 * self.r + 0.7152 * self.g + 0.0722 * self.b
        }
        fn map(self, f: impl Fn(f32) -> f32) -> Self {
            Rgb { r: f(self.r), g: f(self.g), b: f(self.b) }
        }
    }

    #[omp::declare_target]
    impl From<Rgb<f32>> for Rgb<u8> {
        fn from(c: Rgb<f32>) -> Self {
            let q = |x: f32| (x.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
            Rgb { r: q(c.r), g: q(c.g), b: q(c.b) }
        }
    }

    #[omp::offload]
    pub fn run() -> (Vec<u8>, f32, f32) {
        let (w, h) = (50usize, 31usize);
        let image: Vec<Rgb<f32>> = (0..w * h).map(|i| Rgb { r: (i % 17) as f32, g: (i % 29) as f32 * 0.5, b: (i % 5) as f32 * 3.0 }).collect();
        let delta = 1e-4f32;
        let mut log_sum = 0.0f64;
        #[omp::target(reduction(+: log_sum))]
        for px in image.iter() {
            log_sum += (delta + px.luminance()).ln() as f64;
        }
        let average = (log_sum / (w * h) as f64).exp() as f32;
        let mut white = 0.0f32;
        #[omp::target(reduction(max: white))]
        for px in &image {
            white = white.max(px.luminance());
        }
        let key = 0.18;
        let mut out = vec![Rgb::<u8>::default(); w * h];
        #[omp::target(map(to: image), map(from: out))]
        for (dst, src) in out.iter_mut().zip(image.iter()) {
            let l = src.luminance();
            let scaled = key * l / average;
            let mapped = scaled * (1.0 + scaled / (white * white)) / (1.0 + scaled);
            let gain = if l > 0.0 { mapped / l } else { 0.0 };
            *dst = src.map(|c| (c * gain).powf(1.0 / 2.2)).into();
        }
        (out.iter().flat_map(|p| [p.r, p.g, p.b]).collect(), average, white)
    }
}
port!(tone_mapping: run());
