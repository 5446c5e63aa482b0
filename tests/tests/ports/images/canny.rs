//! Image processing: Canny's edges (blur, Sobel, thinning, two thresholds), ordered dithering, histogram equalisation.
use omp_tests::twice;

twice! {
    #[derive(Clone)]
    pub struct Image<T> {
        width: usize,
        height: usize,
        pixels: Vec<T>,
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub enum Direction { Horizontal, Rising, Vertical, Falling }

    #[omp::declare_target]
    impl Direction {
        fn of(gx: f32, gy: f32) -> Self {
            let degrees = gy.atan2(gx).to_degrees();
            let degrees = if degrees < 0.0 { degrees + 180.0 } else { degrees };
            match degrees {
                d if d < 22.5 || d >= 157.5 => Direction::Horizontal,
                d if d < 67.5 => Direction::Rising,
                d if d < 112.5 => Direction::Vertical,
                _ => Direction::Falling,
            }
        }

        fn step(self) -> (isize, isize) {
            match self {
                Direction::Horizontal => (1, 0),
                Direction::Rising => (1, 1),
                Direction::Vertical => (0, 1),
                Direction::Falling => (-1, 1),
            }
        }
    }

    #[omp::declare_target]
    fn clamped(v: isize, n: usize) -> usize {
        v.clamp(0, n as isize - 1) as usize
    }

    pub fn blur(src: &[u8], w: usize, h: usize, dst: &mut [f32]) {
        const KERNEL: [[f32; 3]; 3] = [[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]];
        #[omp::target(collapse(2))]
        for y in 0..h {
            for x in 0..w {
                let mut acc = 0.0;
                for (ky, row) in KERNEL.iter().enumerate() {
                    for (kx, weight) in row.iter().enumerate() {
                        let sy = clamped(y as isize + ky as isize - 1, h);
                        let sx = clamped(x as isize + kx as isize - 1, w);
                        acc += weight * src[sy * w + sx] as f32;
                    }
                }
                dst[y * w + x] = acc / 16.0;
            }
        }
    }

    pub fn sobel(src: &[f32], w: usize, h: usize, mag: &mut [f32], dir: &mut [Direction]) {
        let at = |x: usize, y: usize| src[y * w + x];
        #[omp::target(collapse(2))]
        for y in 1..h - 1 {
            for x in 1..w - 1 {
                let gx = at(x + 1, y - 1) + 2.0 * at(x + 1, y) + at(x + 1, y + 1)
                    - at(x - 1, y - 1) - 2.0 * at(x - 1, y) - at(x - 1, y + 1);
                let gy = at(x - 1, y + 1) + 2.0 * at(x, y + 1) + at(x + 1, y + 1)
                    - at(x - 1, y - 1) - 2.0 * at(x, y - 1) - at(x + 1, y - 1);
                mag[y * w + x] = gx.hypot(gy);
                dir[y * w + x] = Direction::of(gx, gy);
            }
        }
    }

    pub fn thin(mag: &[f32], dir: &[Direction], w: usize, h: usize, (low, high): (f32, f32), out: &mut [u8]) -> usize {
        let mut strong = 0;
        #[omp::target(collapse(2), reduction(+: strong))]
        for y in 1..h - 1 {
            for x in 1..w - 1 {
                let i = y * w + x;
                let (dx, dy) = dir[i].step();
                let before = ((y as isize - dy) * w as isize + x as isize - dx) as usize;
                let after = ((y as isize + dy) * w as isize + x as isize + dx) as usize;
                let m = mag[i];
                out[i] = if m < mag[before] || m <= mag[after] || m < low {
                    0
                } else if m < high {
                    128
                } else {
                    strong += 1;
                    255
                };
            }
        }
        strong
    }

    pub fn hysteresis(edges: &mut Vec<u8>, w: usize) -> usize {
        let mut rounds = 0;
        let mut changed = true;
        while changed {
            changed = false;
            let old = edges.clone();
            #[omp::target(reduction(||: changed))]
            for (i, e) in edges.iter_mut().enumerate() {
                if *e == 128 && [i - w - 1, i - w, i - w + 1, i - 1, i + 1, i + w - 1, i + w, i + w + 1].iter().any(|&k| old[k] == 255) {
                    *e = 255;
                    changed = true;
                }
            }
            rounds += 1;
        }
        rounds
    }

    pub fn dither(img: &mut Image<u8>) {
        static BAYER: [[u8; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
        let width = img.width;
        #[omp::target]
        for (y, row) in img.pixels.chunks_exact_mut(width).enumerate() {
            for (x, p) in row.iter_mut().enumerate() {
                *p = if *p / 16 > BAYER[y % 4][x % 4] { 255 } else { 0 };
            }
        }
    }

    pub fn equalise(img: &mut Image<u8>) {
        let mut hist = [0u32; 256];
        #[omp::target(reduction(+: hist))]
        for &p in &img.pixels {
            hist[p as usize] += 1;
        }
        let mut cdf = hist;
        for i in 1..256 {
            cdf[i] += cdf[i - 1];
        }
        let (total, first) = (img.pixels.len() as u32, cdf.iter().copied().find(|&c| c > 0).unwrap_or(0));
        #[omp::target]
        for p in img.pixels.iter_mut() {
            let c = cdf[usize::from(*p)];
            *p = ((c - first) * 255).checked_div(total - first).map_or(*p, |v| v as u8);
        }
    }

    pub fn run() -> (Vec<Vec<u8>>, Vec<usize>) {
        let (w, h) = (40, 30);
        let src: Vec<u8> = (0..w * h).map(|k| { let (x, y) = (k % w, k / w); if (x as i32 - 20).pow(2) + (y as i32 - 15).pow(2) < 90 { 200 } else { 30 + (x * y % 17) as u8 } }).collect();
        let mut smooth = vec![0.0; w * h];
        blur(&src, w, h, &mut smooth);
        let (mut mag, mut dir) = (vec![0.0; w * h], vec![Direction::Vertical; w * h]);
        sobel(&smooth, w, h, &mut mag, &mut dir);
        let mut edges = vec![0; w * h];
        let strong = thin(&mag, &dir, w, h, (40.3, 170.7), &mut edges);
        let rounds = hysteresis(&mut edges, w);
        let mut img = Image { width: w, height: h, pixels: src };
        equalise(&mut img);
        let equal = img.pixels.clone();
        dither(&mut img);
        (vec![edges, equal, img.pixels], vec![strong, rounds, img.height])
    }
}
port!(canny: run());
