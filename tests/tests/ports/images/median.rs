//! Image filters: median, Sobel with non-maximum suppression, Otsu's threshold, ordered dithering.
use omp_tests::{Values, twice};

twice! {
    pub fn median3(src: &[u8], w: usize, h: usize) -> Vec<u8> {
        let mut out = src.to_vec();
        #[omp::target(collapse(2))]
        for y in 1..h - 1 {
            for x in 1..w - 1 {
                let mut window = [0u8; 9];
                let mut n = 0;
                for dy in 0..3 {
                    for dx in 0..3 {
                        window[n] = src[(y + dy - 1) * w + x + dx - 1];
                        n += 1;
                    }
                }
                window.sort_unstable();
                out[y * w + x] = window[4];
            }
        }
        out
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    enum Sector { Horizontal, Rising, Vertical, Falling }

    #[omp::declare_target]
    fn sector(gx: f32, gy: f32) -> Sector {
        let angle = gy.atan2(gx).to_degrees();
        let angle = if angle < 0.0 { angle + 180.0 } else { angle };
        match angle {
            a if a < 22.5 || a >= 157.5 => Sector::Horizontal,
            a if a < 67.5 => Sector::Rising,
            a if a < 112.5 => Sector::Vertical,
            _ => Sector::Falling,
        }
    }

    pub fn canny(img: &[u8], w: usize, h: usize, (low, high): (f32, f32)) -> Vec<u8> {
        const GX: [[i32; 3]; 3] = [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]];
        const GY: [[i32; 3]; 3] = [[-1, -2, -1], [0, 0, 0], [1, 2, 1]];
        let mut grad = vec![(0.0f32, 0.0f32); w * h];
        #[omp::target]
        for y in 1..h - 1 {
            for x in 1..w - 1 {
                let (mut gx, mut gy) = (0, 0);
                for (r, (kx, ky)) in GX.iter().zip(GY.iter()).enumerate() {
                    let row = &img[(y + r - 1) * w + x - 1..][..3];
                    for ((&p, a), b) in row.iter().zip(kx).zip(ky) {
                        gx += i32::from(p) * a;
                        gy += i32::from(p) * b;
                    }
                }
                grad[y * w + x] = (gx as f32, gy as f32);
            }
        }
        let magnitude = |i: usize| grad[i].0.hypot(grad[i].1);
        let mut edges = vec![0u8; w * h];
        #[omp::target]
        for y in 1..h - 1 {
            for x in 1..w - 1 {
                let i = y * w + x;
                let (gx, gy) = grad[i];
                let m = magnitude(i);
                let (a, b) = match sector(gx, gy) {
                    Sector::Horizontal => (i - 1, i + 1),
                    Sector::Rising => (i - w - 1, i + w + 1),
                    Sector::Vertical => (i - w, i + w),
                    Sector::Falling => (i - w + 1, i + w - 1),
                };
                edges[i] = if m < magnitude(a) || m < magnitude(b) || m < low {
                    0
                } else if m >= high {
                    255
                } else {
                    128
                };
            }
        }
        edges
    }

    pub fn histogram(img: &[u8]) -> [u32; 256] {
        let mut hist = [0u32; 256];
        #[omp::target(reduction(+: hist))]
        for &p in img {
            hist[p as usize] += 1;
        }
        hist
    }

    pub fn otsu(img: &[u8]) -> usize {
        let hist = histogram(img);
        let total = img.len() as f64;
        let mut variance = vec![0.0; 256];
        #[omp::target]
        for t in 0..256 {
            let (below, above) = hist.split_at(t);
            let weight = |h: &[u32]| h.iter().map(|&c| c as f64).sum::<f64>();
            let w0 = weight(below) / total;
            let w1 = weight(above) / total;
            if w0 == 0.0 || w1 == 0.0 {
                continue;
            }
            let m0 = below.iter().enumerate().map(|(i, &c)| i as f64 * c as f64).sum::<f64>() / (w0 * total);
            let m1 = above.iter().enumerate().map(|(i, &c)| (i + t) as f64 * c as f64).sum::<f64>() / (w1 * total);
            variance[t] = w0 * w1 * (m0 - m1).powi(2);
        }
        variance.iter().enumerate().max_by(|a, b| a.1.partial_cmp(b.1).unwrap()).map_or(0, |(t, _)| t)
    }

    pub fn dither(img: &mut [u8], w: usize) {
        static BAYER: [[u8; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
        #[omp::target]
        for (y, row) in img.chunks_mut(w).enumerate() {
            for (x, p) in row.iter_mut().enumerate() {
                let threshold = BAYER[y % 4][x % 4] * 16 + 8;
                *p = if *p > threshold { u8::MAX } else { 0 };
            }
        }
    }

    pub fn run() -> (Vec<Vec<u8>>, usize) {
        let (w, h) = (26, 19);
        let mut v = Values(7);
        let img: Vec<u8> = (0..w * h).map(|i| ((i % w * 9) as u32 + v.bits() % 23) as u8).collect();
        let mut d = img.clone();
        dither(&mut d, w);
        (vec![median3(&img, w, h), canny(&img, w, h, (40.0, 90.0)), d], otsu(&img))
    }
}
port!(images: run());
