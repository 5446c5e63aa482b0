//! Iterations with a few neighbouring numbers of their own, as pixels and points are stored. On CUDA, a thread has several iterations, and
//! accesses their numbers in groups. Each against the same without directives.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{compare, panic_of, twice};

#[derive(Clone, Copy, PartialEq, Debug, Default, omp::Device)]
pub struct Rgb {
    r: u8,
    g: u8,
    b: u8,
}

twice! {
    #[omp::offload]
    pub fn grey(rgb: &[u8], out: &mut [u8]) {
        #[omp::target]
        for i in 0..out.len() {
            let (r, g, b) = (rgb[3 * i] as u32, rgb[3 * i + 1] as u32, rgb[3 * i + 2] as u32);
            out[i] = ((77 * r + 150 * g + 29 * b) >> 8) as u8;
        }
    }
    /// Channel by channel, up and down.
    #[omp::offload]
    pub fn channels(rgb: &[u8], out: &mut [u8]) {
        #[omp::target]
        for i in 0..rgb.len() / 3 {
            for c in 0..3 {
                out[3 * i + 2 - c] = 255 - rgb[3 * i + c];
            }
        }
    }
    /// Chunks, in place and zipped.
    #[omp::offload]
    pub fn chunks(rgb: &mut [u8], from: &[u8]) {
        #[omp::target]
        for (to, from) in rgb.chunks_exact_mut(3).zip(from.chunks_exact(3)) {
            to[0] = from[2];
            to[1] = from[1] / 2;
            to[2] = from[0];
        }
        #[omp::target]
        for p in rgb.chunks_exact_mut(3) {
            let t = p[0];
            p[0] = p[1] ^ p[2];
            p[1] = t;
            p[2] = p[2].wrapping_add(t);
        }
        #[omp::target]
        for p in rgb.chunks_exact_mut(3) {
            p.swap(0, 2);
        }
    }
    /// Not all numbers of an iteration are stored, or not always.
    #[omp::offload]
    pub fn gaps(x: &[u8], y: &mut [u8], z: &mut [u8]) {
        #[omp::target]
        for i in 0..x.len() {
            y[3 * i] = x[i];
            y[3 * i + 2] = x[i] + 1;
        }
        #[omp::target]
        for i in 0..x.len() {
            if x[i] > 60 {
                z[3 * i] = x[i];
            }
            z[3 * i + 1] = 1;
            z[3 * i + 2] = x[i] - x[i] / 3;
        }
    }
    /// From the middle on, and with numbers of the next iterations.
    #[omp::offload]
    pub fn shifted(x: &[u8], out: &mut [u16]) {
        let n = out.len();
        #[omp::target]
        for i in 3..n {
            out[i] = x[3 * i - 9] as u16 + x[3 * i + 4] as u16 * 2 + x[3 * i + 2] as u16;
        }
        #[omp::target]
        for i in 5..n / 2 {
            out[2 * i] += 1;
            out[2 * i + 1] = out[2 * i] + x[3 * i] as u16;
        }
    }
    /// Other lengths, and other numbers.
    #[omp::offload]
    pub fn others(five: &[u8], six: &[i16], two: &mut [i16], four: &mut [u8]) {
        #[omp::target]
        for (i, p) in five.chunks_exact(5).enumerate() {
            let [a, b, c, d, e] = [p[0], p[1], p[2], p[3], p[4]];
            two[2 * i] = a as i16 - b as i16;
            two[2 * i + 1] = c as i16 * 2 - d as i16 + e as i16;
        }
        #[omp::target]
        for i in 0..six.len() / 6 {
            let mut sum = 0i32;
            for k in 0..6 {
                sum += six[6 * i + k] as i32;
            }
            for k in 0..4 {
                four[4 * i + k] = (sum >> (8 * k)) as u8;
            }
        }
    }
    #[omp::offload]
    pub fn structs(p: &mut [Rgb], grey: &mut [u8], v: &mut [[f32; 3]], w: &[[f32; 3]]) {
        #[omp::target]
        for (g, p) in grey.iter_mut().zip(p.iter()) {
            *g = p.r / 4 + p.g / 2 + p.b / 4;
        }
        #[omp::target]
        for (p, g) in p.iter_mut().zip(grey.iter()) {
            *p = Rgb { r: *g, g: p.r, b: p.b ^ 1 };
        }
        #[omp::target]
        for i in 0..v.len() {
            let (a, b) = (v[i], w[i]);
            v[i] = [a[1] - b[2], a[2] + b[0], a[0] * 2.0];
        }
    }
    #[omp::offload]
    pub fn reductions(rgb: &[u8], x: &[f32], m: &[i32], hist: &mut [u32]) -> (u64, u32, i64) {
        let (mut sum, mut most, mut all) = (0u64, 0u32, 0i64);
        #[omp::target(reduction(+: sum), reduction(max: most))]
        for i in 0..rgb.len() / 3 {
            sum += rgb[3 * i] as u64 + rgb[3 * i + 2] as u64;
            most = most.max(rgb[3 * i + 1] as u32);
        }
        #[omp::target(reduction(+: hist))]
        for p in rgb.chunks_exact(3) {
            hist[((p[0] as u32 + p[1] as u32 + p[2] as u32) / 12) as usize] += 1;
        }
        #[omp::target(reduction(+: all))]
        for i in 0..m.len() {
            all += m[i] as i64 * (x[3 * i] + x[3 * i + 1] * 2.0 - x[3 * i + 2]) as i64;
        }
        (sum, most, all)
    }
    /// Elements of rows, which the bounds of the rows keep apart.
    #[omp::offload]
    pub fn rows(x: &[u8], n: usize, k: usize, out: &mut [u8]) {
        #[omp::target]
        for i in 0..x.len() {
            let row = &mut out[i * n..(i + 1) * n];
            if x[i] > 100 {
                row[k] = x[i];
            }
        }
    }
    /// Of the parts of an array.
    #[omp::offload]
    pub fn parts(lo: usize, n: usize, x: &[u8], out: &mut [u8]) {
        let (from, to) = (&x[3 * lo..3 * (lo + n)], &mut out[lo..lo + n]);
        #[omp::target]
        for i in 0..n {
            to[i] = from[3 * i] ^ from[3 * i + 1] ^ from[3 * i + 2];
        }
        #[omp::target(map(to: x[0..3 * (lo + n)]))]
        for i in lo..lo + n {
            out[i] = out[i] + x[3 * i + 1] / 8;
        }
    }
}

const SIZES: [usize; 10] = [0, 1, 2, 3, 5, 31, 255, 1024, 4099, 20011];

fn bytes(n: usize, seed: usize) -> Vec<u8> {
    (0..n).map(|i| ((i * 7 + i / 5 + seed * 31) % 127) as u8).collect()
}

#[test]
fn records_of_numbers() {
    compare!(m, d => {
        let mut all = Vec::new();
        omp::set_default_device(d);
        for n in SIZES {
            let (rgb, other) = (bytes(3 * n, 1), bytes(3 * n, 2));
            let (mut out, mut turned) = (vec![0u8; n], vec![9u8; 3 * n]);
            m::grey(&rgb, &mut out);
            m::channels(&rgb, &mut turned);
            let mut chunks = rgb.clone();
            m::chunks(&mut chunks, &other);
            let (mut y, mut z) = (vec![7u8; 3 * n], vec![7u8; 3 * n]);
            m::gaps(&bytes(n, 3), &mut y, &mut z);
            let mut shifted = vec![3u16; n];
            m::shifted(&bytes(3 * n + 8, 4), &mut shifted);
            all.push((out, turned, chunks, y, z, shifted));
        }
        all
    });
}

#[test]
fn records_of_other_kinds() {
    compare!(m, d => {
        let mut all = Vec::new();
        omp::set_default_device(d);
        for n in SIZES {
            let six: Vec<i16> = bytes(6 * n, 5).iter().map(|x| *x as i16 * 37 - 900).collect();
            let (mut two, mut four) = (vec![0i16; 2 * n], vec![0u8; 4 * n]);
            m::others(&bytes(5 * n, 6), &six, &mut two, &mut four);
            let mut pixels: Vec<Rgb> =
                bytes(3 * n, 7).chunks_exact(3).map(|p| Rgb { r: p[0], g: p[1], b: p[2] }).collect();
            let mut grey = vec![0u8; n];
            let x: Vec<f32> = bytes(3 * n, 8).iter().map(|x| *x as f32).collect();
            let w: Vec<[f32; 3]> = x.chunks_exact(3).map(|p| [p[2], p[0], p[1]]).collect();
            let mut v: Vec<[f32; 3]> = w.iter().map(|p| [p[1], 1.0, p[2]]).collect();
            m::structs(&mut pixels, &mut grey, &mut v, &w);
            let number: Vec<i32> = (0..n as i32).map(|i| i % 11 - 5).collect();
            let mut hist = vec![0u32; 32];
            let sums = m::reductions(&bytes(3 * n, 9), &x, &number, &mut hist);
            let mut out = bytes(n + 40, 10);
            m::parts(n / 3, n - n / 3, &bytes(3 * n, 11), &mut out);
            all.push((two, four, pixels, grey, v, hist, sums, out));
        }
        all
    });
}

#[test]
fn elements_of_rows() {
    compare!(m, d => {
        omp::set_default_device(d);
        let (many, few) = (bytes(900, 1), vec![3u8; 900]);
        let mut out = vec![0u8; 3600];
        m::rows(&many, 4, 1, &mut out);
        m::rows(&few, 4, usize::MAX - 3, &mut out);
        m::rows(&few, 0, 0, &mut out);
        m::rows(&many, 3, 2, &mut out);
        m::rows(&few, 3, usize::MAX, &mut out);
        out
    });
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        let message = panic_of(|| device::rows(&[200; 40], 0, 0, &mut [0; 160]));
        assert!(message.as_deref().is_some_and(|m| m.contains("the len is 0")), "{message:?}");
        device::rows(&[200; 40], 4, 3, &mut [0; 160]);
    });
}

/// An iteration of a group fails.
#[test]
fn records_that_fail() {
    #[omp::offload]
    fn quotients(x: &[u8], out: &mut [u8]) {
        #[omp::target]
        for i in 0..out.len() {
            out[i] = x[3 * i] / x[3 * i + 1] + x[3 * i + 2];
        }
    }
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        let mut x = vec![5u8; 3 * 5000];
        x[3 * 4321 + 1] = 0;
        let message = panic_of(|| quotients(&x, &mut vec![0u8; 5000]));
        assert!(
            message.as_deref().is_some_and(|m| m.contains("divide by zero") && m.contains("4321")),
            "{message:?}"
        );
        let mut out = vec![0u8; 1200];
        quotients(&x, &mut out);
        assert_eq!(out, [6u8; 1200]);
    });
}
