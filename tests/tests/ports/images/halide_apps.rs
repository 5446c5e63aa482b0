//! Halide's applications: a two-stage blur, an unsharp mask, a demosaic and a bilateral filter.
use omp_tests::{Values, twice};

twice! {
    #[omp::declare_target]
    fn clamp_to(v: isize, n: usize) -> usize {
        v.clamp(0, n as isize - 1) as usize
    }

    pub fn blur(src: &[u16], w: usize, h: usize) -> Vec<u16> {
        let mut blur_x = vec![0u16; w * h];
        let mut out = vec![0u16; w * h];
        #[omp::target]
        for y in 0..h {
            for x in 1..w - 1 {
                blur_x[y * w + x] = src[y * w + x - 1..=y * w + x + 1].iter().sum::<u16>() / 3;
            }
        }
        #[omp::target]
        for y in 1..h - 1 {
            for x in 0..w {
                let column = |dy: usize| blur_x[(y + dy - 1) * w + x];
                out[y * w + x] = (0..3).map(column).sum::<u16>() / 3;
            }
        }
        out
    }

    pub fn unsharp(img: &[f32], w: usize, h: usize, amount: f32) -> Vec<f32> {
        const KERNEL: [[f32; 3]; 3] = [[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]];
        let mut out = vec![0.0; w * h];
        let at = |x: isize, y: isize| img[clamp_to(y, h) * w + clamp_to(x, w)];
        #[omp::target(collapse(2))]
        for y in 0..h as isize {
            for x in 0..w as isize {
                let mut blurred = 0.0;
                for (dy, row) in KERNEL.iter().enumerate() {
                    for (dx, k) in row.iter().enumerate() {
                        blurred += k * at(x + dx as isize - 1, y + dy as isize - 1);
                    }
                }
                let centre = at(x, y);
                out[y as usize * w + x as usize] = centre + amount * (centre - blurred / 16.0);
            }
        }
        out
    }

    pub fn bilateral(img: &[f32], w: usize, h: usize, r: isize, sigma_s: f32, sigma_r: f32) -> Vec<f32> {
        let mut out = vec![0.0f32; w * h];
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            let (x, y) = ((i % w) as isize, (i / w) as isize);
            let centre = img[i];
            let (sum, weight) = (-r..=r)
                .flat_map(|dy| (-r..=r).map(move |dx| (dx, dy)))
                .filter(|&(dx, dy)| (0..w as isize).contains(&(x + dx)) && (0..h as isize).contains(&(y + dy)))
                .map(|(dx, dy)| {
                    let v = img[(y + dy) as usize * w + (x + dx) as usize];
                    let d2 = (dx * dx + dy * dy) as f32;
                    let e = (v - centre).powi(2);
                    (v, (-d2 / (2.0 * sigma_s * sigma_s) - e / (2.0 * sigma_r * sigma_r)).exp())
                })
                .fold((0.0, 0.0), |(s, n), (v, wt)| (s + v * wt, n + wt));
            *o = sum / weight;
        }
        out
    }

    pub fn demosaic(raw: &[u16], w: usize, h: usize) -> Vec<[u16; 3]> {
        let mut rgb = vec![[0u16; 3]; w * h];
        let px = |x: usize, y: usize| raw[y * w + x] as u32;
        #[omp::target(collapse(2))]
        for y in 1..h - 1 {
            for x in 1..w - 1 {
                let cross = (px(x - 1, y) + px(x + 1, y) + px(x, y - 1) + px(x, y + 1)) / 4;
                let diag = (px(x - 1, y - 1) + px(x + 1, y - 1) + px(x - 1, y + 1) + px(x + 1, y + 1)) / 4;
                let (r, g, b) = match (x & 1, y & 1) {
                    (0, 0) => (px(x, y), cross, diag),
                    (1, 0) => ((px(x - 1, y) + px(x + 1, y)) / 2, px(x, y), (px(x, y - 1) + px(x, y + 1)) / 2),
                    (0, 1) => ((px(x, y - 1) + px(x, y + 1)) / 2, px(x, y), (px(x - 1, y) + px(x + 1, y)) / 2),
                    _ => (diag, cross, px(x, y)),
                };
                rgb[y * w + x] = [r, g, b].map(|v| v.min(u16::MAX as u32) as u16);
            }
        }
        rgb
    }

    pub fn run() -> (Vec<u16>, Vec<Vec<f32>>, Vec<[u16; 3]>) {
        let (w, h) = (24, 18);
        let mut v = Values(4);
        let raw: Vec<u16> = (0..w * h).map(|_| (v.bits() % 1000) as u16).collect();
        let img: Vec<f32> = raw.iter().map(|&v| v as f32 / 1000.0).collect();
        (blur(&raw, w, h), vec![unsharp(&img, w, h, 0.7), bilateral(&img, w, h, 2, 1.5, 0.3)], demosaic(&raw, w, h))
    }
}
port!(halide: run());
