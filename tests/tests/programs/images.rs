//! Loops as image processing has them: filters, histograms, colour, dithering, quantisation, transposes. Each program
//! runs with its directives on every device, and without them.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{Values, on_every_device, twice};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, omp::Device)]
#[repr(C)]
pub struct Rgb {
    r: u8,
    g: u8,
    b: u8,
}

pub struct Image {
    width: usize,
    height: usize,
    data: Vec<u8>,
}

twice! {
    const KERNEL: [[i32; 3]; 3] = [[1, 2, 1], [2, 4, 2], [1, 2, 1]];

    pub fn gaussian(d: usize, src: &[u8], dst: &mut [u8], width: usize, height: usize) {
        #[omp::target(device(d), collapse(2))]
        for y in 0..height {
            for x in 0..width {
                let mut acc = 0i32;
                let mut weight = 0i32;
                for (dy, row) in KERNEL.iter().enumerate() {
                    for (dx, &k) in row.iter().enumerate() {
                        let sy = y as isize + dy as isize - 1;
                        let sx = x as isize + dx as isize - 1;
                        if sy < 0 || sx < 0 || sy >= height as isize || sx >= width as isize {
                            continue;
                        }
                        acc += k * i32::from(src[sy as usize * width + sx as usize]);
                        weight += k;
                    }
                }
                dst[y * width + x] = (acc / weight) as u8;
            }
        }
    }

    #[omp::declare_target]
    fn at(img: &[u8], w: usize, h: usize, x: i64, y: i64) -> i32 {
        let x = x.clamp(0, w as i64 - 1) as usize;
        let y = y.clamp(0, h as i64 - 1) as usize;
        img[y * w + x] as i32
    }

    pub fn sobel(d: usize, img: &Image, out: &mut Vec<u8>) {
        let (w, h) = (img.width, img.height);
        #[omp::target(device(d), collapse(2))]
        for y in 0..h {
            for x in 0..w {
                let (xi, yi) = (x as i64, y as i64);
                let gx = at(&img.data, w, h, xi + 1, yi - 1) + 2 * at(&img.data, w, h, xi + 1, yi) + at(&img.data, w, h, xi + 1, yi + 1)
                    - at(&img.data, w, h, xi - 1, yi - 1) - 2 * at(&img.data, w, h, xi - 1, yi) - at(&img.data, w, h, xi - 1, yi + 1);
                let gy = at(&img.data, w, h, xi - 1, yi + 1) + 2 * at(&img.data, w, h, xi, yi + 1) + at(&img.data, w, h, xi + 1, yi + 1)
                    - at(&img.data, w, h, xi - 1, yi - 1) - 2 * at(&img.data, w, h, xi, yi - 1) - at(&img.data, w, h, xi + 1, yi - 1);
                let mag = (gx.abs() + gy.abs()) / 4;
                out[y * w + x] = mag.min(255) as u8;
            }
        }
    }

    pub fn equalise(d: usize, pixels: &mut [u8]) {
        let mut hist = [0u32; 256];
        let total = pixels.len() as u32;
        #[omp::target(device(d), reduction(+: hist))]
        for p in pixels.iter() {
            hist[*p as usize] += 1;
        }
        let mut cdf = [0u32; 256];
        let mut sum = 0;
        for (c, h) in cdf.iter_mut().zip(hist.iter()) {
            sum += h;
            *c = sum;
        }
        let min = cdf.iter().copied().find(|&c| c > 0).unwrap_or(0);
        #[omp::target(device(d))]
        for p in pixels.iter_mut() {
            let c = cdf[usize::from(*p)];
            *p = if total > min { ((c - min) as u64 * 255 / (total - min) as u64) as u8 } else { *p };
        }
    }

    pub fn median(d: usize, src: &[u8], dst: &mut [u8], w: usize, h: usize) {
        #[omp::target(device(d), collapse(2))]
        for y in 1..h - 1 {
            for x in 1..w - 1 {
                let mut window = [0u8; 9];
                let mut n = 0;
                for yy in y - 1..=y + 1 {
                    for xx in x - 1..=x + 1 {
                        window[n] = src[yy * w + xx];
                        n += 1;
                    }
                }
                for i in 1..9 {
                    let mut j = i;
                    while j > 0 && window[j - 1] > window[j] {
                        window.swap(j - 1, j);
                        j -= 1;
                    }
                }
                dst[y * w + x] = window[4];
            }
        }
    }

    pub fn luma(d: usize, pixels: &[Rgb], grey: &mut [u8]) {
        #[omp::target(device(d))]
        for (p, g) in pixels.iter().zip(grey.iter_mut()) {
            let &Rgb { r, g: green, b } = p;
            *g = ((77 * r as u32 + 150 * green as u32 + 29 * b as u32) >> 8) as u8;
        }
    }

    #[omp::declare_target]
    fn hsv(p: Rgb) -> (u16, u8, u8) {
        let Rgb { r, g, b } = p;
        let max = r.max(g).max(b);
        let min = r.min(g).min(b);
        let delta = (max - min) as i32;
        if delta == 0 {
            return (0, 0, max);
        }
        let (r, g, b) = (r as i32, g as i32, b as i32);
        let hue = match max as i32 {
            m if m == r => 60 * (g - b) / delta,
            m if m == g => 120 + 60 * (b - r) / delta,
            _ => 240 + 60 * (r - g) / delta,
        };
        let hue = if hue < 0 { hue + 360 } else { hue };
        (hue as u16, (255 * delta / max as i32) as u8, max)
    }

    pub fn hues(d: usize, pixels: &[Rgb], hue: &mut [u16], s: &mut [u8], v: &mut [u8]) {
        #[omp::target(device(d))]
        for i in 0..pixels.len() {
            let (h, sat, val) = hsv(pixels[i]);
            hue[i] = h;
            s[i] = sat;
            v[i] = val;
        }
    }

    pub fn blend(d: usize, over: &[[u8; 4]], under: &mut [[u8; 4]]) {
        #[omp::target(device(d))]
        for (o, u) in over.iter().zip(under.iter_mut()) {
            let a = u16::from(o[3]);
            for c in 0..3 {
                let mixed = u16::from(o[c]) * a + u16::from(u[c]) * (255 - a);
                u[c] = ((mixed + 127) / 255) as u8;
            }
            u[3] = (a + u16::from(u[3]) * (255 - a) / 255) as u8;
        }
    }

    pub fn rotate90(d: usize, src: &[u32], dst: &mut [u32], w: usize, h: usize) {
        #[omp::target(device(d), collapse(2))]
        for y in 0..h {
            for x in 0..w {
                dst[x * h + (h - 1 - y)] = src[y * w + x];
            }
        }
    }

    pub fn transpose<const N: usize>(d: usize, a: &[[f32; N]; N], b: &mut [[f32; N]; N]) {
        #[omp::target(device(d), collapse(2))]
        for i in 0..N {
            for j in 0..N {
                b[j][i] = a[i][j];
            }
        }
    }

    pub fn quantise(d: usize, x: &[f32], q: &mut [i8]) -> (f32, i32) {
        let mut peak = 0f32;
        #[omp::target(device(d), reduction(max: peak))]
        for v in x {
            peak = peak.max(v.abs());
        }
        let scale = if peak > 0.0 { 127.0 / peak } else { 1.0 };
        let mut checksum = 0i32;
        #[omp::target(device(d), reduction(+: checksum), fp(strict))]
        for (i, q) in q.iter_mut().enumerate() {
            let r = (x[i] * scale).round().clamp(-128.0, 127.0);
            *q = r as i8;
            checksum += i32::from(*q);
        }
        (scale, checksum)
    }

    pub fn ordered_dither(d: usize, img: &mut [u8], w: usize) {
        const BAYER: [[u8; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
        #[omp::target(device(d))]
        for (i, p) in img.iter_mut().enumerate() {
            let (x, y) = (i % w, i / w);
            let t = BAYER[y & 3][x & 3] * 16 + 8;
            *p = if *p > t { 255 } else { 0 };
        }
    }

    pub fn box_down(d: usize, src: &[u16], dst: &mut [u16], w: usize) {
        let half = w / 2;
        #[omp::target(device(d))]
        for i in 0..dst.len() {
            let (oy, ox) = (i / half, i % half);
            let top = &src[2 * oy * w + 2 * ox..][..2];
            let bottom = &src[(2 * oy + 1) * w + 2 * ox..][..2];
            let sum = top[0] as u32 + top[1] as u32 + bottom[0] as u32 + bottom[1] as u32;
            dst[i] = ((sum + 2) / 4) as u16;
        }
    }

    pub fn dilate(d: usize, src: &[bool], dst: &mut [bool], w: usize, h: usize) -> usize {
        let mut count = 0;
        #[omp::target(device(d), collapse(2), reduction(+: count))]
        for y in 0..h {
            for x in 0..w {
                let mut any = false;
                'search: for yy in y.saturating_sub(1)..(y + 2).min(h) {
                    for xx in x.saturating_sub(1)..(x + 2).min(w) {
                        if src[yy * w + xx] {
                            any = true;
                            break 'search;
                        }
                    }
                }
                dst[y * w + x] = any;
                if any {
                    count += 1;
                }
            }
        }
        count
    }

    #[omp::declare_target]
    fn lerp(a: f32, b: f32, t: f32) -> f32 {
        a + (b - a) * t
    }

    pub fn bilinear(d: usize, src: &[f32], w: usize, h: usize, dst: &mut [f32], ow: usize, oh: usize) {
        let sx = (w - 1) as f32 / (ow - 1) as f32;
        let sy = (h - 1) as f32 / (oh - 1) as f32;
        #[omp::target(device(d), collapse(2), fp(strict))]
        for oy in 0..oh {
            for ox in 0..ow {
                let fx = ox as f32 * sx;
                let fy = oy as f32 * sy;
                let (x0, y0) = (fx.floor() as usize, fy.floor() as usize);
                let (x1, y1) = ((x0 + 1).min(w - 1), (y0 + 1).min(h - 1));
                let (tx, ty) = (fx - x0 as f32, fy - y0 as f32);
                let top = lerp(src[y0 * w + x0], src[y0 * w + x1], tx);
                let bot = lerp(src[y1 * w + x0], src[y1 * w + x1], tx);
                dst[oy * ow + ox] = lerp(top, bot, ty);
            }
        }
    }

    pub fn integral_rows(d: usize, img: &[u8], sums: &mut [u32], w: usize, h: usize) {
        #[omp::target(device(d))]
        for y in 0..h {
            let row = &img[y * w..(y + 1) * w];
            let out = &mut sums[y * w..(y + 1) * w];
            let mut s = 0;
            for (o, &v) in out.iter_mut().zip(row.iter()) {
                s += v as u32;
                *o = s;
            }
        }
    }

    pub fn pack_bits(d: usize, flags: &[bool], out: &mut [u8]) {
        #[omp::target(device(d))]
        for (at, byte) in out.iter_mut().enumerate() {
            let mut b = 0u8;
            for (k, &f) in flags[8 * at..flags.len().min(8 * at + 8)].iter().enumerate() {
                b |= (f as u8) << k;
            }
            *byte = b;
        }
    }

    pub fn channel_stats(d: usize, px: &[Rgb]) -> ([u64; 3], Rgb, Rgb) {
        let mut sums = [0u64; 3];
        let mut lo = 255u8;
        let mut hi = 0u8;
        #[omp::target(device(d), reduction(+: sums), reduction(min: lo), reduction(max: hi))]
        for p in px {
            let rgb = [p.r, p.g, p.b];
            for (s, &v) in sums.iter_mut().zip(&rgb) {
                *s += u64::from(v);
            }
            lo = lo.min(p.r).min(p.g);
            hi = hi.max(p.b);
        }
        (sums, Rgb { r: lo, g: lo, b: lo }, Rgb { r: hi, ..Rgb::default() })
    }
}

fn bytes(n: usize, seed: u64) -> Vec<u8> {
    let mut v = Values(seed);
    (0..n).map(|_| (v.bits() >> 8) as u8).collect()
}

fn pixels(n: usize) -> Vec<Rgb> {
    bytes(3 * n, 5).chunks(3).map(|c| Rgb { r: c[0], g: c[1], b: c[2] }).collect()
}

const W: usize = 37;
const H: usize = 22;

/// What `run` leaves is the same on every device as without directives.
fn same<R: PartialEq + std::fmt::Debug>(plain: R, mut run: impl FnMut(usize) -> R) {
    on_every_device(|d| assert_eq!(run(d), plain, "device {d}"));
}

#[test]
fn neighbourhoods() {
    let img = bytes(W * H, 1);
    let run = |f: fn(usize, &[u8], &mut [u8], usize, usize), d| {
        let mut out = vec![0; W * H];
        f(d, &img, &mut out, W, H);
        out
    };
    same(run(plain::gaussian, 0), |d| run(device::gaussian, d));
    same(run(plain::median, 0), |d| run(device::median, d));
    let image = Image { width: W, height: H, data: img.clone() };
    let run = |f: fn(usize, &Image, &mut Vec<u8>), d| {
        let mut out = vec![0; W * H];
        f(d, &image, &mut out);
        out
    };
    same(run(plain::sobel, 0), |d| run(device::sobel, d));
    let flags: Vec<bool> = img.iter().map(|&b| b > 230).collect();
    let run = |f: fn(usize, &[bool], &mut [bool], usize, usize) -> usize, d| {
        let mut out = vec![false; W * H];
        (f(d, &flags, &mut out, W, H), out)
    };
    same(run(plain::dilate, 0), |d| run(device::dilate, d));
}

#[test]
fn levels_and_colours() {
    let run = |f: fn(usize, &mut [u8]), d| {
        let mut img: Vec<u8> = bytes(W * H, 2).iter().map(|b| b / 3 + 20).collect();
        f(d, &mut img);
        img
    };
    same(run(plain::equalise, 0), |d| run(device::equalise, d));
    let px = pixels(W * H);
    let run = |f: fn(usize, &[Rgb], &mut [u8]), d| {
        let mut out = vec![0; px.len()];
        f(d, &px, &mut out);
        out
    };
    same(run(plain::luma, 0), |d| run(device::luma, d));
    let run = |f: fn(usize, &[Rgb], &mut [u16], &mut [u8], &mut [u8]), d| {
        let (mut h, mut s, mut v) = (vec![0; px.len()], vec![0; px.len()], vec![0; px.len()]);
        f(d, &px, &mut h, &mut s, &mut v);
        (h, s, v)
    };
    same(run(plain::hues, 0), |d| run(device::hues, d));
    same(plain::channel_stats(0, &px), |d| device::channel_stats(d, &px));
    let four = |seed| bytes(4 * 99, seed).chunks(4).map(|c| [c[0], c[1], c[2], c[3]]).collect::<Vec<_>>();
    let run = |f: fn(usize, &[[u8; 4]], &mut [[u8; 4]]), d| {
        let mut under = four(8);
        f(d, &four(7), &mut under);
        under
    };
    same(run(plain::blend, 0), |d| run(device::blend, d));
    let run = |f: fn(usize, &mut [u8], usize), d| {
        let mut img = bytes(W * H, 3);
        f(d, &mut img, W);
        img
    };
    same(run(plain::ordered_dither, 0), |d| run(device::ordered_dither, d));
}

#[test]
fn shapes_change() {
    let wide: Vec<u32> = (0..(W * H) as u32).collect();
    let run = |f: fn(usize, &[u32], &mut [u32], usize, usize), d| {
        let mut out = vec![0; W * H];
        f(d, &wide, &mut out, W, H);
        out
    };
    same(run(plain::rotate90, 0), |d| run(device::rotate90, d));
    let mut a = [[0.0; 19]; 19];
    a.iter_mut().flatten().enumerate().for_each(|(i, v)| *v = i as f32);
    let run = |f: fn(usize, &[[f32; 19]; 19], &mut [[f32; 19]; 19]), d| {
        let mut b = [[0.0; 19]; 19];
        f(d, &a, &mut b);
        b
    };
    same(run(plain::transpose, 0), |d| run(device::transpose, d));
    let src: Vec<u16> = bytes(36 * 20, 9).iter().map(|&b| u16::from(b) * 257).collect();
    let run = |f: fn(usize, &[u16], &mut [u16], usize), d| {
        let mut out = vec![0; 18 * 10];
        f(d, &src, &mut out, 36);
        out
    };
    same(run(plain::box_down, 0), |d| run(device::box_down, d));
    let src: Vec<f32> = bytes(W * H, 4).iter().map(|&b| f32::from(b) / 7.0).collect();
    let run = |f: fn(usize, &[f32], usize, usize, &mut [f32], usize, usize), d| {
        let mut out = vec![0.0; 50 * 31];
        f(d, &src, W, H, &mut out, 50, 31);
        out
    };
    same(run(plain::bilinear, 0), |d| run(device::bilinear, d));
}

#[test]
fn numbers_are_packed() {
    let x: Vec<f32> = bytes(1000, 6).iter().map(|&b| (f32::from(b) - 120.0) / 9.0).collect();
    let run = |f: fn(usize, &[f32], &mut [i8]) -> (f32, i32), d| {
        let mut q = vec![0; x.len()];
        (f(d, &x, &mut q), q)
    };
    same(run(plain::quantise, 0), |d| run(device::quantise, d));
    let img = bytes(W * H, 10);
    let run = |f: fn(usize, &[u8], &mut [u32], usize, usize), d| {
        let mut out = vec![0; W * H];
        f(d, &img, &mut out, W, H);
        out
    };
    same(run(plain::integral_rows, 0), |d| run(device::integral_rows, d));
    let flags: Vec<bool> = img.iter().map(|b| b % 3 == 0).collect();
    let run = |f: fn(usize, &[bool], &mut [u8]), d| {
        let mut out = vec![0; flags.len().div_ceil(8)];
        f(d, &flags, &mut out);
        out
    };
    same(run(plain::pack_bits, 0), |d| run(device::pack_bits, d));
}
