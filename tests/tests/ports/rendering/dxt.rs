//! Block compression of textures (BC1): end points by the main axis, indices, both modes; decoding, errors per block.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, omp::Device)]
    pub struct Rgba { r: u8, g: u8, b: u8, a: u8 }

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, omp::Device)]
    pub struct R565(u16);

    #[omp::declare_target]
    impl From<Rgba> for R565 {
        fn from(Rgba { r, g, b, .. }: Rgba) -> Self {
            R565((r as u16 >> 3) << 11 | (g as u16 >> 2) << 5 | b as u16 >> 3)
        }
    }
    #[omp::declare_target]
    impl From<R565> for Rgba {
        fn from(c: R565) -> Rgba {
            let (r, g, b) = (c.0 >> 11, c.0 >> 5 & 63, c.0 & 31);
            Rgba { r: (r << 3 | r >> 2) as u8, g: (g << 2 | g >> 4) as u8, b: (b << 3 | b >> 2) as u8, a: 255 }
        }
    }

    #[omp::declare_target]
    impl Rgba {
        fn channels(self) -> [i32; 3] { [self.r, self.g, self.b].map(i32::from) }
        fn distance(self, o: Rgba) -> u32 {
            self.channels().iter().zip(o.channels()).map(|(x, y)| (x - y).pow(2) as u32).sum()
        }
        fn mix(self, o: Self, wa: u16, wb: u16) -> Self {
            let f = |x: u8, y: u8| ((u16::from(x) * wa + u16::from(y) * wb) / (wa + wb)) as u8;
            Rgba { r: f(self.r, o.r), g: f(self.g, o.g), b: f(self.b, o.b), a: 255 }
        }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, omp::Device)]
    pub struct Bc1 { ends: (R565, R565), indices: u32 }

    #[omp::declare_target]
    impl Bc1 {
        fn palette(&self) -> [Rgba; 4] {
            let (a, b) = (Rgba::from(self.ends.0), Rgba::from(self.ends.1));
            if self.ends.0.0 > self.ends.1.0 {
                [a, b, a.mix(b, 2, 1), a.mix(b, 1, 2)]
            } else {
                [a, b, a.mix(b, 1, 1), Rgba::default()]
            }
        }
        fn encode(pixels: &[Rgba; 16]) -> (Self, u32) {
            let opaque = pixels.iter().all(|p| p.a >= 128);
            let seen = || pixels.iter().filter(|p| p.a >= 128);
            let n = seen().count();
            if n == 0 { return (Bc1 { ends: (R565(0), R565(0)), indices: !0 }, 0); }
            let mut mean = [0.0f32; 3];
            for p in pixels.iter().filter(|p| p.a >= 128) {
                for (m, c) in mean.iter_mut().zip(p.channels()) { *m += c as f32 / n as f32; }
            }
            let mut cov = [[0.0f32; 3]; 3];
            for p in pixels.iter().filter(|p| p.a >= 128) {
                let d = p.channels();
                for i in 0..3 {
                    for j in 0..=i { cov[i][j] += (d[i] as f32 - mean[i]) * (d[j] as f32 - mean[j]); }
                }
            }
            let mut axis = [0.9f32, 1.0, 0.7];
            for _ in 0..4 {
                let next: [f32; 3] = std::array::from_fn(|i| (0..3).map(|j| cov[i.max(j)][i.min(j)] * axis[j]).sum());
                let norm = next.iter().map(|v| v.abs()).fold(0.0f32, f32::max);
                if norm < 1e-3 { break; }
                axis = next.map(|v| v / norm);
            }
            let along = |p: Rgba| p.channels().iter().zip(&axis).map(|(&c, a)| c as f32 * a).sum::<f32>();
            let (mut low, mut high) = (None::<(f32, Rgba)>, None::<(f32, Rgba)>);
            for &p in pixels {
                if p.a < 128 { continue; }
                let t = along(p);
                match low { Some((l, _)) if l <= t => {} _ => low = Some((t, p)) }
                if high.map_or(true, |(h, _)| t > h) { high = Some((t, p)); }
            }
            let (Some((_, low)), Some((_, high))) = (low, high) else { unreachable!() };
            let mut ends: (R565, R565) = (high.into(), low.into());
            if (ends.0.0 > ends.1.0) != opaque { std::mem::swap(&mut ends.0, &mut ends.1); }
            let mut block = Bc1 { ends, indices: 0 };
            let palette = block.palette();
            let usable = if ends.0.0 > ends.1.0 { 4 } else { 3 };
            let mut error = 0;
            for (i, &p) in pixels.iter().enumerate() {
                let index = if p.a < 128 { 3 } else {
                    let (k, e) = palette[..usable].iter().map(|c| c.distance(p)).enumerate().min_by_key(|&(_, e)| e).unwrap();
                    error += e;
                    k as u32
                };
                block.indices |= index << (2 * i);
            }
            (block, error)
        }
    }

    pub struct Texture { width: usize, pixels: Vec<Rgba> }

    impl Texture {
        fn compress(&self) -> (Vec<Bc1>, Vec<u32>) {
            let columns = self.width / 4;
            let rows = self.pixels.len() / self.width / 4;
            let mut blocks = vec![Bc1::default(); columns * rows];
            let mut errors = vec![0; blocks.len()];
            #[omp::target]
            for (i, (block, error)) in blocks.iter_mut().zip(&mut errors).enumerate() {
                let (x, y) = (i % columns * 4, i / columns * 4);
                let mut tile = [Rgba::default(); 16];
                for (row, line) in tile.chunks_exact_mut(4).zip(self.pixels[y * self.width..].chunks(self.width)) {
                    row.copy_from_slice(&line[x..x + 4]);
                }
                (*block, *error) = Bc1::encode(&tile);
            }
            (blocks, errors)
        }
        fn expand(blocks: &[Bc1], width: usize) -> Self {
            let columns = width / 4;
            let mut pixels = vec![Rgba::default(); blocks.len() * 16];
            #[omp::target]
            for (y, row) in pixels.chunks_mut(width).enumerate() {
                for (tile, block) in row.chunks_mut(4).zip(&blocks[y / 4 * columns..]) {
                    let palette = block.palette();
                    let bits = block.indices >> (8 * (y % 4));
                    for (x, p) in tile.iter_mut().enumerate() { *p = palette[(bits >> (2 * x) & 3) as usize]; }
                }
            }
            Texture { width, pixels }
        }
    }

    pub fn run(w: usize, h: usize) -> (Vec<Bc1>, Vec<u32>, Vec<Rgba>) {
        let pixels = (0..w * h).map(|i| { let (x, y) = (i % w, i / w); Rgba { r: (x * 9) as u8, g: (y * 11 + x) as u8, b: (x * y % 256) as u8, a: if x > 9 && (x + y) % 5 == 0 { 0 } else { 255 } } }).collect();
        let t = Texture { width: w, pixels };
        let (b, e) = t.compress();
        let back = Texture::expand(&b, w);
        (b, e, back.pixels)
    }
}
port!(dxt: crate::Shown::of([(4, 4), (20, 12)].map(|(w, h)| run(w, h))));
