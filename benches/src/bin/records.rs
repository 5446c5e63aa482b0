//! Loops whose iterations have records of a few numbers next to each other, as pixels and points are stored: `records [WORK-PREFIX] [--small]`.
//! A line has the device's time and the rate of the least traffic.
#![allow(
    clippy::assign_op_pattern,
    clippy::cast_lossless,
    clippy::many_single_char_names,
    clippy::missing_panics_doc,
    clippy::needless_range_loop,
    clippy::too_many_lines,
    reason = "the loops as programs have them"
)]
use omp_benches::{Works, floats, mix, region};

const REPS: usize = 7;

/// Grey of three bytes, spelled out.
#[omp::offload]
fn grey(rgb: &[u8], out: &mut [u8]) {
    #[omp::target(map(to: rgb), map(from: out))]
    for i in 0..out.len() {
        let (r, g, b) = (rgb[3 * i] as u32, rgb[3 * i + 1] as u32, rgb[3 * i + 2] as u32);
        out[i] = ((77 * r + 150 * g + 29 * b) >> 8) as u8;
    }
}

/// The negative, channel by channel.
#[omp::offload]
fn negative(rgb: &[u8], out: &mut [u8]) {
    let n = rgb.len() / 3;
    #[omp::target(map(to: rgb), map(from: out))]
    for i in 0..n {
        for c in 0..3 {
            out[i * 3 + c] = 255 - rgb[i * 3 + c];
        }
    }
}

/// Another order of the channels.
#[omp::offload]
fn swapped(rgb: &[u8], bgr: &mut [u8]) {
    #[omp::target(map(to: rgb), map(from: bgr))]
    for (to, from) in bgr.chunks_exact_mut(3).zip(rgb.chunks_exact(3)) {
        to[0] = from[2];
        to[1] = from[1];
        to[2] = from[0];
    }
}

/// Channels to planes.
#[omp::offload]
fn planes(rgb: &[u8], r: &mut [u8], g: &mut [u8], b: &mut [u8]) {
    #[omp::target(map(to: rgb), map(from: r, g, b))]
    for i in 0..r.len() {
        r[i] = rgb[3 * i];
        g[i] = rgb[3 * i + 1];
        b[i] = rgb[3 * i + 2];
    }
}

/// Planes to channels.
#[omp::offload]
fn interleaved(rgb: &mut [u8], r: &[u8], g: &[u8], b: &[u8]) {
    #[omp::target(map(from: rgb), map(to: r, g, b))]
    for i in 0..r.len() {
        rgb[3 * i] = r[i];
        rgb[3 * i + 1] = g[i];
        rgb[3 * i + 2] = b[i];
    }
}

/// Grey of four bytes.
#[omp::offload]
fn grey4(rgba: &[u8], out: &mut [u8]) {
    #[omp::target(map(to: rgba), map(from: out))]
    for i in 0..out.len() {
        let p = &rgba[4 * i..4 * i + 3];
        out[i] = ((p[0] as u32 * 77 + p[1] as u32 * 150 + p[2] as u32 * 29) >> 8) as u8;
    }
}

/// Bytes to floats between 0 and 1.
#[omp::offload]
fn normalised(rgb: &[u8], out: &mut [f32]) {
    let n = rgb.len() / 3;
    #[omp::target(map(to: rgb), map(from: out))]
    for i in 0..n {
        for c in 0..3 {
            out[3 * i + c] = rgb[3 * i + c] as f32 / 255.0;
        }
    }
}

/// The same by the mean and the deviation of each channel.
#[omp::offload]
fn by_channel(rgb: &[u8], mean: &[f32; 3], dev: &[f32; 3], out: &mut [f32]) {
    let n = rgb.len() / 3;
    #[omp::target(map(to: rgb), map(from: out))]
    for i in 0..n {
        for c in 0..3 {
            out[3 * i + c] = (rgb[3 * i + c] as f32 / 255.0 - mean[c]) / dev[c];
        }
    }
}

/// The same, to planes.
#[omp::offload]
fn to_planes(rgb: &[u8], mean: &[f32; 3], dev: &[f32; 3], out: &mut [f32]) {
    let n = rgb.len() / 3;
    #[omp::target(map(to: rgb), map(from: out))]
    for i in 0..n {
        for c in 0..3 {
            out[c * n + i] = (rgb[3 * i + c] as f32 / 255.0 - mean[c]) / dev[c];
        }
    }
}

/// Floats, channel by channel, in place.
#[omp::offload]
fn divided(x: &mut [f32]) {
    #[omp::target(map(tofrom: x))]
    for i in 0..x.len() / 3 {
        for c in 0..3 {
            x[3 * i + c] = x[3 * i + c] / 255.0;
        }
    }
}

/// Vectors of length 1, in place.
#[omp::offload]
fn unit_vectors(v: &mut [f32]) {
    #[omp::target(map(tofrom: v))]
    for i in 0..v.len() / 3 {
        let (x, y, z) = (v[3 * i], v[3 * i + 1], v[3 * i + 2]);
        let s = 1.0 / (x * x + y * y + z * z).sqrt();
        v[3 * i] = x * s;
        v[3 * i + 1] = y * s;
        v[3 * i + 2] = z * s;
    }
}

/// Positions moved by velocities, coordinate by coordinate.
#[omp::offload]
fn moved(n: usize, dt: f32, x: &mut [f32], v: &[f32]) {
    #[omp::target(map(tofrom: x), map(to: v))]
    for i in 0..n {
        for c in 0..3 {
            x[i * 3 + c] += dt * v[i * 3 + c];
        }
    }
}

/// Lengths of vectors.
#[omp::offload]
fn lengths(v: &[f32], out: &mut [f32]) {
    #[omp::target(map(to: v), map(from: out))]
    for i in 0..out.len() {
        let mut sum = 0.0;
        for c in 0..3 {
            sum += v[3 * i + c] * v[3 * i + c];
        }
        out[i] = sum.sqrt();
    }
}

/// The same of `f64`.
#[omp::offload]
fn lengths_f64(v: &[f64], out: &mut [f64]) {
    #[omp::target(map(to: v), map(from: out))]
    for i in 0..out.len() {
        out[i] = (v[3 * i] * v[3 * i] + v[3 * i + 1] * v[3 * i + 1] + v[3 * i + 2] * v[3 * i + 2]).sqrt();
    }
}

/// Products of vectors that are elements.
#[omp::offload]
fn cross(a: &[[f32; 3]], b: &[[f32; 3]], out: &mut [[f32; 3]]) {
    #[omp::target(map(to: a, b), map(from: out))]
    for i in 0..out.len() {
        let (a, b) = (a[i], b[i]);
        out[i] = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    }
}

/// A pixel.
#[derive(Clone, Copy, Default, PartialEq, Debug, omp::Device)]
pub struct Rgb {
    r: u8,
    g: u8,
    b: u8,
}

/// Grey of structs.
#[omp::offload]
fn grey_of_structs(rgb: &[Rgb], out: &mut [u8]) {
    #[omp::target(map(to: rgb), map(from: out))]
    for (o, p) in out.iter_mut().zip(rgb) {
        *o = ((77 * p.r as u32 + 150 * p.g as u32 + 29 * p.b as u32) >> 8) as u8;
    }
}

/// Magnitudes of complex numbers, real and imaginary parts in turn.
#[omp::offload]
fn magnitudes(z: &[f32], out: &mut [f32]) {
    #[omp::target(map(to: z), map(from: out))]
    for i in 0..out.len() {
        out[i] = (z[2 * i] * z[2 * i] + z[2 * i + 1] * z[2 * i + 1]).sqrt();
    }
}

/// Stereo to mono.
#[omp::offload]
fn mono(stereo: &[i16], out: &mut [f32]) {
    #[omp::target(map(to: stereo), map(from: out))]
    for i in 0..out.len() {
        out[i] = (stereo[2 * i] as f32 + stereo[2 * i + 1] as f32) / 65536.0;
    }
}

/// Means of five.
#[omp::offload]
fn means(x: &[f32], out: &mut [f32]) {
    #[omp::target(map(to: x), map(from: out))]
    for (o, c) in out.iter_mut().zip(x.chunks_exact(5)) {
        *o = c.iter().sum::<f32>() / 5.0;
    }
}

/// The mean colour.
#[omp::offload]
fn mean_colour(rgb: &[u8]) -> (u64, u64, u64) {
    let (mut r, mut g, mut b) = (0u64, 0u64, 0u64);
    #[omp::target(map(to: rgb), reduction(+: r, g, b))]
    for i in 0..rgb.len() / 3 {
        r += rgb[3 * i] as u64;
        g += rgb[3 * i + 1] as u64;
        b += rgb[3 * i + 2] as u64;
    }
    (r, g, b)
}

/// How often each brightness is there.
#[omp::offload]
fn brightness(rgb: &[u8], hist: &mut [u32; 256]) {
    #[omp::target(map(to: rgb), reduction(+: hist))]
    for p in rgb.chunks_exact(3) {
        let y = (77 * p[0] as u32 + 150 * p[1] as u32 + 29 * p[2] as u32) >> 8;
        hist[y as usize] += 1;
    }
}

/// The sum of the squares of distances.
#[omp::offload]
fn energy(x: &[f32], m: &[f32]) -> f64 {
    let mut sum = 0.0;
    #[omp::target(map(to: x, m), reduction(+: sum))]
    for i in 0..m.len() {
        let (a, b, c) = (x[3 * i], x[3 * i + 1], x[3 * i + 2]);
        sum += (m[i] * (a * a + b * b + c * c)) as f64;
    }
    sum
}

fn bytes(n: usize) -> Vec<u8> {
    (0..n).map(|i| mix(i as u64) as u8).collect()
}

fn main() {
    let works = Works::from_args();
    let n = works.size(1 << 25, 1 << 12) + 5;
    // A result of a work, and how to compare it: what the host computes has to be the same but for rounding.
    let host = omp::get_num_devices();
    macro_rules! work {
        ($name:literal, $bytes:expr, $out:expr, |$o:ident| $run:expr) => {
            if works.wants($name) {
                let mut $o = $out;
                let line = region($name, REPS, || $run).bytes($bytes);
                let device = {
                    let mut $o = $out;
                    $run;
                    $o
                };
                let before = omp::get_default_device();
                omp::set_default_device(host);
                let expected = {
                    let mut $o = $out;
                    $run;
                    $o
                };
                omp::set_default_device(before);
                assert!(omp::last_region().backend == "host");
                line.print(close(&device, &expected));
            }
        };
    }
    {
        let rgb = bytes(3 * n);
        work!("grey", 4 * n, vec![0u8; n], |o| grey(&rgb, &mut o));
        work!("negative", 6 * n, vec![0u8; 3 * n], |o| negative(&rgb, &mut o));
        work!("swapped", 6 * n, vec![0u8; 3 * n], |o| swapped(&rgb, &mut o));
        work!("planes", 6 * n, [vec![0u8; n], vec![0u8; n], vec![0u8; n]], |o| {
            let [r, g, b] = &mut o;
            planes(&rgb, r, g, b);
        });
        work!("interleaved", 6 * n, vec![0u8; 3 * n], |o| interleaved(
            &mut o,
            &rgb[..n],
            &rgb[n..2 * n],
            &rgb[2 * n..]
        ));
        work!("normalised", 15 * n, vec![0f32; 3 * n], |o| normalised(&rgb, &mut o));
        let (mean, dev) = ([0.4, 0.5, 0.6], [0.2, 0.25, 0.3]);
        work!("by_channel", 15 * n, vec![0f32; 3 * n], |o| by_channel(&rgb, &mean, &dev, &mut o));
        work!("to_planes", 15 * n, vec![0f32; 3 * n], |o| to_planes(&rgb, &mean, &dev, &mut o));
        work!("mean_colour", 3 * n, vec![0u64; 3], |o| {
            let (r, g, b) = mean_colour(&rgb);
            o = vec![r, g, b];
        });
        work!("brightness", 3 * n, [0u32; 256], |o| brightness(&rgb, &mut o));
        let pixels: Vec<Rgb> = rgb.chunks_exact(3).map(|p| Rgb { r: p[0], g: p[1], b: p[2] }).collect();
        work!("structs", 4 * n, vec![0u8; n], |o| grey_of_structs(&pixels, &mut o));
        let rgba = bytes(4 * n);
        work!("rgba", 5 * n, vec![0u8; n], |o| grey4(&rgba, &mut o));
    }
    {
        let v = floats(3 * n, 0, 0.5);
        let m = floats(n, 7, 0.0);
        work!("divided", 24 * n, v.clone(), |o| divided(&mut o));
        work!("unit_vectors", 24 * n, v.clone(), |o| unit_vectors(&mut o));
        work!("moved", 36 * n, m.iter().chain(&m).chain(&m).copied().collect::<Vec<f32>>(), |o| moved(
            n, 0.5, &mut o, &v
        ));
        work!("lengths", 16 * n, vec![0f32; n], |o| lengths(&v, &mut o));
        work!("magnitudes", 12 * n, vec![0f32; n], |o| magnitudes(&v[..2 * n], &mut o));
        work!("energy", 16 * n, vec![0f64], |o| o = vec![energy(&v, &m)]);
        let five = floats(5 * n, 3, 0.5);
        work!("means", 24 * n, vec![0f32; n], |o| means(&five, &mut o));
        let a: Vec<[f32; 3]> = v.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
        work!("cross", 36 * n, vec![[0f32; 3]; n], |o| cross(&a, &a[..n], &mut o));
        let wide: Vec<f64> = v.iter().map(|x| *x as f64).collect();
        work!("f64_lengths", 32 * n, vec![0f64; n], |o| lengths_f64(&wide, &mut o));
        let stereo: Vec<i16> = (0..2 * n).map(|i| mix(i as u64) as i16).collect();
        work!("mono", 8 * n, vec![0f32; n], |o| mono(&stereo, &mut o));
    }
}

/// Equal but for rounding.
trait Close {
    fn close(&self, other: &Self) -> bool;
}

fn close<T: Close>(a: &T, b: &T) -> bool {
    a.close(b)
}

macro_rules! exact {
    ($($ty:ty),*) => { $(impl Close for $ty { fn close(&self, other: &Self) -> bool { self == other } })* };
}
exact!(u8, u32, u64);

impl Close for f32 {
    fn close(&self, other: &Self) -> bool {
        (self - other).abs() <= 1e-5 * self.abs().max(1.0)
    }
}

impl Close for f64 {
    fn close(&self, other: &Self) -> bool {
        (self - other).abs() <= 1e-9 * self.abs().max(1.0)
    }
}

impl<T: Close> Close for Vec<T> {
    fn close(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(a, b)| a.close(b))
    }
}

impl<T: Close, const N: usize> Close for [T; N] {
    fn close(&self, other: &Self) -> bool {
        self.iter().zip(other).all(|(a, b)| a.close(b))
    }
}
