//! Layer compositor: premultiplied RGBA layers with blend modes, opacity and offsets.
use omp_tests::twice;

twice! {
    use std::ops::{Add, Mul};

    /// Premultiplied colour.
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Rgba {
        r: f32,
        g: f32,
        b: f32,
        a: f32,
    }

    #[omp::declare_target]
    impl Add for Rgba {
        type Output = Rgba;
        fn add(self, o: Rgba) -> Rgba {
            Rgba { r: self.r + o.r, g: self.g + o.g, b: self.b + o.b, a: self.a + o.a }
        }
    }

    #[omp::declare_target]
    impl Mul<f32> for Rgba {
        type Output = Rgba;
        fn mul(self, k: f32) -> Rgba {
            Rgba { r: self.r * k, g: self.g * k, b: self.b * k, a: self.a * k }
        }
    }

    #[omp::declare_target]
    impl Rgba {
        fn unpack(straight: u32) -> Self {
            let [r, g, b, a] = straight.to_le_bytes().map(|c| f32::from(c) / 255.0);
            Rgba { r: r * a, g: g * a, b: b * a, a }
        }

        fn pack(self) -> u32 {
            let Rgba { r, g, b, a } = self;
            let inv = if a > 0.0 { a.recip() } else { 0.0 };
            u32::from_le_bytes([r * inv, g * inv, b * inv, a].map(|c| (c * 255.0 + 0.5).clamp(0.0, 255.0) as u8))
        }

        /// Separable blending; `f` gets premultiplied source, backdrop and both alphas.
        fn blend(self, under: Self, f: impl Fn(f32, f32, f32, f32) -> f32) -> Self {
            let (sa, da) = (self.a, under.a);
            let channel = |s: f32, d: f32| s * (1.0 - da) + d * (1.0 - sa) + f(s, d, sa, da);
            Rgba {
                r: channel(self.r, under.r),
                g: channel(self.g, under.g),
                b: channel(self.b, under.b),
                a: sa + da - sa * da,
            }
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Mode {
        Over,
        Multiply,
        Screen,
        Overlay,
        Difference,
        Add { gain: f32 },
        Dissolve { seed: u32, keep: u8 },
    }

    #[omp::declare_target]
    impl Mode {
        fn apply(self, src: Rgba, dst: Rgba, noise: impl Fn(u32) -> u8) -> Rgba {
            match self {
                Mode::Over => src + dst * (1.0 - src.a),
                Mode::Multiply => src.blend(dst, |s, d, _, _| s * d),
                Mode::Screen => src.blend(dst, |s, d, sa, da| s * da + d * sa - s * d),
                Mode::Overlay => src.blend(dst, |s, d, sa, da| {
                    if 2.0 * d <= da { 2.0 * s * d } else { sa * da - 2.0 * (da - d) * (sa - s) }
                }),
                Mode::Difference => src.blend(dst, |s, d, sa, da| (s * da - d * sa).abs()),
                Mode::Add { gain } => src * gain + dst,
                Mode::Dissolve { seed, keep } if noise(seed) < keep => src,
                Mode::Dissolve { .. } => dst,
            }
        }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Layer {
        pub mode: Mode,
        pub opacity: f32,
        pub origin: (i32, i32),
        pub size: (i32, i32),
        pub first_pixel: usize,
    }

    #[omp::declare_target]
    impl Layer {
        fn sample(&self, pixels: &[u32], x: i32, y: i32) -> Option<Rgba> {
            let (lx, ly) = (x - self.origin.0, y - self.origin.1);
            let (w, h) = self.size;
            if !(0..w).contains(&lx) || !(0..h).contains(&ly) {
                return None;
            }
            match pixels[self.first_pixel + (ly * w + lx) as usize] {
                p if p >> 24 == 0 => None,
                p => Some(Rgba::unpack(p) * self.opacity),
            }
        }
    }

    pub fn composite(layers: &[Layer], pixels: &[u32], canvas: &mut [u32], width: usize) {
        #[omp::target]
        for (y, row) in canvas.chunks_exact_mut(width).enumerate() {
            for (x, texel) in row.iter_mut().enumerate() {
                let noise = |seed: u32| {
                    let h = (x as u32 ^ (y as u32) << 16 ^ seed).wrapping_mul(0x85EB_CA6B);
                    (h ^ h >> 13).wrapping_mul(0xC2B2_AE35).to_be_bytes()[0]
                };
                let mut colour = Rgba::unpack(*texel);
                for layer in layers {
                    let Some(src) = layer.sample(pixels, x as i32, y as i32) else { continue };
                    colour = layer.mode.apply(src, colour, noise);
                }
                *texel = colour.pack();
            }
        }
    }
}
port!(blend_layers: crate::Shown::of({
    let modes = [
        Mode::Over, Mode::Multiply, Mode::Screen, Mode::Overlay, Mode::Difference,
        Mode::Add { gain: 0.3 }, Mode::Dissolve { seed: 99, keep: 120 },
    ];
    let pixels: Vec<u32> = (0..7 * 24 * 16u32).map(|i| i.wrapping_mul(0x9E37_79B1) ^ i << 7).collect();
    let layers: Vec<Layer> = modes
        .iter()
        .zip(0i32..)
        .map(|(&mode, i)| Layer {
            mode,
            opacity: 1.0 - 0.1 * i as f32,
            origin: (i * 5 - 6, i * 3 - 4),
            size: (24, 16),
            first_pixel: i as usize * 24 * 16,
        })
        .collect();
    let mut canvas: Vec<u32> = (0..48 * 32u32).map(|i| 0xC000_0000 | i * 5003).collect();
    composite(&layers, &pixels, &mut canvas, 48);
    canvas
}));
