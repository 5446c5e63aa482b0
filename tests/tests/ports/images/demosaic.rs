//! Bilinear demosaicing of an RGGB sensor with black level, white balance and gamma.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, PartialEq, Eq)]
    #[derive(omp::Device)]
    enum Site {
        Red,
        GreenOnRed,
        GreenOnBlue,
        Blue,
    }

    #[omp::declare_target]
    impl Site {
        fn at(x: usize, y: usize) -> Self {
            match (x & 1, y & 1) {
                (0, 0) => Self::Red,
                (1, 0) => Self::GreenOnRed,
                (0, 1) => Self::GreenOnBlue,
                _ => Self::Blue,
            }
        }
    }

    const BLACK: u16 = 64;
    const WHITE: u16 = 1023;
    const BALANCE: [f32; 3] = [1.9, 1.0, 1.6];

    struct Raw {
        width: usize,
        height: usize,
        pixels: Vec<u16>,
    }

    #[omp::declare_target]
    fn develop(v: f32, channel: usize) -> u8 {
        let linear = (v - BLACK as f32) / (WHITE - BLACK) as f32 * BALANCE[channel];
        (linear.clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0).round() as u8
    }

    #[omp::offload]
    fn demosaic(raw: &Raw) -> Vec<[u8; 3]> {
        let (w, h) = (raw.width, raw.height);
        let mut rgb = vec![[0u8; 3]; w * h];
        let sample = |x: isize, y: isize| -> f32 {
            let x = x.clamp(0, w as isize - 1) as usize;
            let y = y.clamp(0, h as isize - 1) as usize;
            raw.pixels[y * w + x] as f32
        };
        #[omp::target(collapse(2))]
        for y in 0..h {
            for x in 0..w {
                let (xi, yi) = (x as isize, y as isize);
                let mean = |offsets: &[(isize, isize)]| -> f32 {
                    offsets.iter().map(|&(dx, dy)| sample(xi + dx, yi + dy)).sum::<f32>() / offsets.len() as f32
                };
                let centre = sample(xi, yi);
                let cross = mean(&[(-1, 0), (1, 0), (0, -1), (0, 1)]);
                let diagonal = mean(&[(-1, -1), (1, -1), (-1, 1), (1, 1)]);
                let horizontal = mean(&[(-1, 0), (1, 0)]);
                let vertical = mean(&[(0, -1), (0, 1)]);
                let [r, g, b] = match Site::at(x, y) {
                    Site::Red => [centre, cross, diagonal],
                    Site::GreenOnRed => [horizontal, centre, vertical],
                    Site::GreenOnBlue => [vertical, centre, horizontal],
                    Site::Blue => [diagonal, cross, centre],
                };
                rgb[y * w + x] = [develop(r, 0), develop(g, 1), develop(b, 2)];
            }
        }
        rgb
    }

    #[omp::offload]
    fn mean_luma(rgb: &[[u8; 3]]) -> f64 {
        let mut total = 0u64;
        #[omp::target(reduction(+: total))]
        for &[r, g, b] in rgb {
            total += (299 * r as u64 + 587 * g as u64 + 114 * b as u64) / 1000;
        }
        total as f64 / rgb.len().max(1) as f64
    }

    pub fn run(n: usize) -> (Vec<[u8; 3]>, f64) {
        let (width, height) = (n, n / 2 + n % 2);
        let pixels = (0..width * height).map(|i| 64 + ((i * 7919) % 960) as u16).collect();
        let raw = Raw { width, height, pixels };
        let rgb = demosaic(&raw);
        let luma = mean_luma(&rgb);
        (rgb, luma)
    }
}
port!(demosaic: [0, 1, 17, 60].map(|n| crate::Shown::of(run(n))));
