//! Colour spaces by `From`: saturation boosts, hue histograms, chroma keying.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Default, omp::Device)]
    pub struct Rgb {
        r: u8,
        g: u8,
        b: u8,
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    struct Hsv {
        h: f32,
        s: f32,
        v: f32,
    }

    #[omp::declare_target]
    impl From<Rgb> for Hsv {
        fn from(c: Rgb) -> Self {
            let [r, g, b] = [c.r, c.g, c.b].map(|x| f32::from(x) / 255.0);
            let max = r.max(g).max(b);
            let min = r.min(g).min(b);
            let delta = max - min;
            let h = if delta == 0.0 {
                0.0
            } else if max == r {
                60.0 * ((g - b) / delta).rem_euclid(6.0)
            } else if max == g {
                60.0 * ((b - r) / delta + 2.0)
            } else {
                60.0 * ((r - g) / delta + 4.0)
            };
            let s = if max > 0.0 { delta / max } else { 0.0 };
            Hsv { h, s, v: max }
        }
    }

    #[omp::declare_target]
    impl From<Hsv> for Rgb {
        fn from(Hsv { h, s, v }: Hsv) -> Self {
            let c = v * s;
            let x = c * (1.0 - ((h / 60.0) % 2.0 - 1.0).abs());
            let m = v - c;
            let (r, g, b) = match (h / 60.0) as u32 {
                0 => (c, x, 0.0),
                1 => (x, c, 0.0),
                2 => (0.0, c, x),
                3 => (0.0, x, c),
                4 => (x, 0.0, c),
                _ => (c, 0.0, x),
            };
            let to_byte = |f: f32| ((f + m) * 255.0).round() as u8;
            Rgb { r: to_byte(r), g: to_byte(g), b: to_byte(b) }
        }
    }

    #[derive(Clone, Copy, omp::Device)]
    #[repr(u8)]
    enum Edit {
        Saturate(f32),
        Rotate { degrees: f32 },
        Key { hue: f32, tolerance: f32, with: Rgb },
        Invert,
    }

    #[omp::declare_target]
    impl Edit {
        fn apply(&self, pixel: Rgb) -> Rgb {
            let mut hsv = Hsv::from(pixel);
            match *self {
                Edit::Saturate(k) => {
                    hsv.s = (hsv.s * k).min(1.0);
                    hsv.into()
                }
                Edit::Rotate { degrees } => {
                    hsv.h = (hsv.h + degrees).rem_euclid(360.0);
                    hsv.into()
                }
                Edit::Key { hue, tolerance, with } if (hsv.h - hue).abs() < tolerance && hsv.s > 0.3 => with,
                Edit::Key { .. } => pixel,
                Edit::Invert => Rgb { r: !pixel.r, g: !pixel.g, b: !pixel.b },
            }
        }
    }

    #[omp::offload]
    fn edit(image: &mut [Rgb], edits: &[Edit]) {
        #[omp::target]
        for pixel in image.iter_mut() {
            *pixel = edits.iter().fold(*pixel, |p, e| e.apply(p));
        }
    }

    #[omp::offload]
    fn hues(image: &[Rgb]) -> [u32; 36] {
        let mut bins = [0; 36];
        #[omp::target(reduction(+: bins))]
        for &pixel in image {
            let Hsv { h, s, .. } = pixel.into();
            if s > 0.1 {
                bins[(h / 10.0) as usize % 36] += 1;
            }
        }
        bins
    }

    pub fn run(n: usize) -> (Vec<Rgb>, [u32; 36]) {
        let mut image: Vec<Rgb> =
            (0..n as u32).map(|i| Rgb { r: (i * 7) as u8, g: (i * 13 + 5) as u8, b: (i.wrapping_mul(i) >> 3) as u8 }).collect();
        let edits = [
            Edit::Saturate(1.3),
            Edit::Rotate { degrees: 40.0 },
            Edit::Key { hue: 120.0, tolerance: 25.0, with: Rgb { r: 1, g: 2, b: 3 } },
            Edit::Invert,
        ];
        edit(&mut image, &edits);
        let h = hues(&image);
        (image, h)
    }
}
port!(hsv: [0, 1, 257, 1000].map(|n| crate::Shown::of(run(n))));
