//! Kernels of several fields, as they are written first, each of a kind that was far from the limit once: `assorted [WORK-PREFIX] [--small]`.
//! A line has the device's time and the rate of the least traffic.
#![allow(clippy::all, clippy::pedantic, reason = "the loops as programs have them")]
use omp_benches::{Works, floats, mix, region};

const REPS: usize = 5;

/// Every second element of a row by its neighbours.
#[omp::offload]
fn red_black(n: usize, colour: usize, u: &mut [f32], f: &[f32]) {
    #[omp::target(map(tofrom: u), map(to: f))]
    for i in 1..n - 1 {
        for j in (1 + (i + colour) % 2..n - 1).step_by(2) {
            u[i * n + j] = 0.25
                * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1]
                    - f[i * n + j]);
        }
    }
}

/// The same by a condition.
#[omp::offload]
fn red_black_if(n: usize, colour: usize, u: &mut [f32], f: &[f32]) {
    #[omp::target(map(tofrom: u), map(to: f), collapse(2))]
    for i in 1..n - 1 {
        for j in 1..n - 1 {
            if (i + j) % 2 == colour {
                u[i * n + j] = 0.25
                    * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1]
                        - f[i * n + j]);
            }
        }
    }
}

/// LU of small matrices in place.
#[omp::offload]
fn lu8(a: &mut [[[f32; 8]; 8]]) {
    #[omp::target(map(tofrom: a))]
    for m in 0..a.len() {
        for k in 0..8 {
            for i in k + 1..8 {
                a[m][i][k] /= a[m][k][k];
                for j in k + 1..8 {
                    a[m][i][j] -= a[m][i][k] * a[m][k][j];
                }
            }
        }
    }
}

/// The same by references.
#[omp::offload]
fn lu8_iter(a: &mut [[[f32; 8]; 8]]) {
    #[omp::target(map(tofrom: a))]
    for m in a.iter_mut() {
        for k in 0..8 {
            for i in k + 1..8 {
                m[i][k] /= m[k][k];
                for j in k + 1..8 {
                    m[i][j] -= m[i][k] * m[k][j];
                }
            }
        }
    }
}

/// Cholesky of small matrices.
#[omp::offload]
fn chol6(a: &[f32], l: &mut [f32]) {
    #[omp::target(map(to: a), map(from: l))]
    for m in 0..a.len() / 36 {
        for i in 0..6 {
            for j in 0..=i {
                let mut s = a[m * 36 + i * 6 + j];
                for k in 0..j {
                    s -= l[m * 36 + i * 6 + k] * l[m * 36 + j * 6 + k];
                }
                if i == j {
                    l[m * 36 + i * 6 + j] = s.sqrt();
                } else {
                    l[m * 36 + i * 6 + j] = s / l[m * 36 + j * 6 + j];
                }
            }
            for j in i + 1..6 {
                l[m * 36 + i * 6 + j] = 0.0;
            }
        }
    }
}

/// Medians of 3 × 3 bytes.
#[omp::offload]
fn median3(w: usize, h: usize, src: &[u8], dst: &mut [u8]) {
    #[omp::target(map(to: src), map(tofrom: dst), collapse(2))]
    for y in 1..h - 1 {
        for x in 1..w - 1 {
            let mut v = [0u8; 9];
            let mut k = 0;
            for dy in 0..3 {
                for dx in 0..3 {
                    v[k] = src[(y + dy - 1) * w + x + dx - 1];
                    k += 1;
                }
            }
            v.sort();
            dst[y * w + x] = v[4];
        }
    }
}

/// The same of floats, by insertion.
#[omp::offload]
fn median3_own(w: usize, h: usize, src: &[f32], dst: &mut [f32]) {
    #[omp::target(map(to: src), map(tofrom: dst), collapse(2))]
    for y in 1..h - 1 {
        for x in 1..w - 1 {
            let mut v = [0.0f32; 9];
            for dy in 0..3 {
                for dx in 0..3 {
                    v[dy * 3 + dx] = src[(y + dy - 1) * w + x + dx - 1];
                }
            }
            for a in 1..9 {
                let t = v[a];
                let mut b = a;
                while b > 0 && v[b - 1] > t {
                    v[b] = v[b - 1];
                    b -= 1;
                }
                v[b] = t;
            }
            dst[y * w + x] = v[4];
        }
    }
}

/// Medians of 5 × 5.
#[omp::offload]
fn median5(w: usize, h: usize, src: &[u16], dst: &mut [u16]) {
    #[omp::target(map(to: src), map(tofrom: dst), collapse(2))]
    for y in 2..h - 2 {
        for x in 2..w - 2 {
            let mut v = [0u16; 25];
            for dy in 0..5 {
                for dx in 0..5 {
                    v[dy * 5 + dx] = src[(y + dy - 2) * w + x + dx - 2];
                }
            }
            v.sort_unstable();
            dst[y * w + x] = v[12];
        }
    }
}

/// The 8 smallest elements of each row by insertion, with their places.
#[omp::offload]
fn top8(n: usize, x: &[f32], best: &mut [[f32; 8]], at: &mut [[u32; 8]]) {
    #[omp::target(map(to: x), map(from: best, at))]
    for r in 0..best.len() {
        let mut b = [f32::INFINITY; 8];
        let mut c = [0u32; 8];
        for j in 0..n {
            let d = x[r * n + j];
            if d < b[7] {
                let mut p = 7;
                while p > 0 && b[p - 1] > d {
                    b[p] = b[p - 1];
                    c[p] = c[p - 1];
                    p -= 1;
                }
                b[p] = d;
                c[p] = j as u32;
            }
        }
        best[r] = b;
        at[r] = c;
    }
}

/// A transposed convolution: stride 2, kernel 4, padding 1.
#[omp::offload]
fn conv_transposed(h: usize, w: usize, x: &[f32], k: &[f32; 16], y: &mut [f32]) {
    #[omp::target(map(to: x), map(from: y), collapse(2))]
    for oy in 0..2 * h {
        for ox in 0..2 * w {
            let mut s = 0.0;
            for ky in 0..4 {
                for kx in 0..4 {
                    let iy = oy as isize + 1 - ky as isize;
                    let ix = ox as isize + 1 - kx as isize;
                    if iy >= 0 && ix >= 0 && iy % 2 == 0 && ix % 2 == 0 {
                        let (iy, ix) = (iy as usize / 2, ix as usize / 2);
                        if iy < h && ix < w {
                            s += x[iy * w + ix] * k[ky * 4 + kx];
                        }
                    }
                }
            }
            y[oy * 2 * w + ox] = s;
        }
    }
}

/// A checksum of each row by a table.
#[omp::offload]
fn crc_rows(len: usize, data: &[u8], table: &[u32; 256], out: &mut [u32]) {
    #[omp::target(map(to: data), map(from: out))]
    for r in 0..out.len() {
        let mut c = !0u32;
        for k in 0..len {
            c = table[((c ^ data[r * len + k] as u32) & 0xff) as usize] ^ (c >> 8);
        }
        out[r] = !c;
    }
}

/// A hash of each row.
#[omp::offload]
fn fnv_rows(len: usize, data: &[u8], out: &mut [u64]) {
    #[omp::target(map(to: data), map(from: out))]
    for (r, o) in out.iter_mut().enumerate() {
        let mut h = 0xcbf29ce484222325u64;
        for &b in &data[r * len..(r + 1) * len] {
            h = (h ^ b as u64).wrapping_mul(0x100000001b3);
        }
        *o = h;
    }
}

/// Sparse rows of one length, with gaps.
#[omp::offload]
fn ell(width: usize, cols: &[u32], vals: &[f32], x: &[f32], y: &mut [f32]) {
    #[omp::target(map(to: cols, vals, x), map(from: y))]
    for i in 0..y.len() {
        let mut s = 0.0;
        for k in 0..width {
            let c = cols[i * width + k];
            if c != u32::MAX {
                s += vals[i * width + k] * x[c as usize];
            }
        }
        y[i] = s;
    }
}

/// Losses of rows by a label.
#[omp::offload]
fn cross_entropy(classes: usize, logits: &[f32], label: &[u32], loss: &mut [f32]) {
    #[omp::target(map(to: logits, label), map(from: loss))]
    for r in 0..loss.len() {
        let row = &logits[r * classes..(r + 1) * classes];
        let m = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let s: f32 = row.iter().map(|v| (v - m).exp()).sum();
        loss[r] = m + s.ln() - row[label[r] as usize];
    }
}

/// The same with loops.
#[omp::offload]
fn cross_entropy_loops(classes: usize, logits: &[f32], label: &[u32], loss: &mut [f32]) {
    #[omp::target(map(to: logits, label), map(from: loss))]
    for r in 0..loss.len() {
        let mut m = f32::NEG_INFINITY;
        for c in 0..classes {
            m = m.max(logits[r * classes + c]);
        }
        let mut s = 0.0;
        for c in 0..classes {
            s += (logits[r * classes + c] - m).exp();
        }
        loss[r] = m + s.ln() - logits[r * classes + label[r] as usize];
    }
}

/// A stencil of 19 points, by a closure.
#[omp::offload]
fn stencil19(n: usize, a: &[f32], b: &mut [f32]) {
    #[omp::target(map(to: a), map(tofrom: b), collapse(3))]
    for z in 1..n - 1 {
        for y in 1..n - 1 {
            for x in 1..n - 1 {
                let c = |dz: isize, dy: isize, dx: isize| {
                    a[((z as isize + dz) as usize * n + (y as isize + dy) as usize) * n
                        + (x as isize + dx) as usize]
                };
                b[(z * n + y) * n + x] = 0.5 * c(0, 0, 0)
                    + 0.05 * (c(0, 0, 1) + c(0, 0, -1) + c(0, 1, 0) + c(0, -1, 0) + c(1, 0, 0) + c(-1, 0, 0))
                    + 0.02
                        * (c(0, 1, 1)
                            + c(0, 1, -1)
                            + c(0, -1, 1)
                            + c(0, -1, -1)
                            + c(1, 0, 1)
                            + c(1, 0, -1)
                            + c(-1, 0, 1)
                            + c(-1, 0, -1)
                            + c(1, 1, 0)
                            + c(1, -1, 0)
                            + c(-1, 1, 0)
                            + c(-1, -1, 0));
            }
        }
    }
}

/// A stencil of 27 points with weights.
#[omp::offload]
fn stencil27(n: usize, a: &[f32], w: &[f32; 27], b: &mut [f32]) {
    #[omp::target(map(to: a), map(tofrom: b), collapse(3))]
    for z in 1..n - 1 {
        for y in 1..n - 1 {
            for x in 1..n - 1 {
                let mut s = 0.0;
                for dz in 0..3 {
                    for dy in 0..3 {
                        for dx in 0..3 {
                            s += w[(dz * 3 + dy) * 3 + dx]
                                * a[((z + dz - 1) * n + y + dy - 1) * n + x + dx - 1];
                        }
                    }
                }
                b[(z * n + y) * n + x] = s;
            }
        }
    }
}

/// `aᵀ a` of a tall matrix.
#[omp::offload]
fn tall_skinny(n: usize, a: &[f32], c: &mut [f32]) {
    #[omp::target(map(to: a), map(from: c), collapse(2))]
    for i in 0..16 {
        for j in 0..16 {
            let mut s = 0.0;
            for k in 0..n {
                s += a[k * 16 + i] * a[k * 16 + j];
            }
            c[i * 16 + j] = s;
        }
    }
}

/// A tall matrix times a small one.
#[omp::offload]
fn skinny(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    #[omp::target(map(to: a, b), map(from: c), collapse(2))]
    for i in 0..n {
        for j in 0..16 {
            let mut s = 0.0;
            for k in 0..64 {
                s += a[i * 64 + k] * b[k * 16 + j];
            }
            c[i * 16 + j] = s;
        }
    }
}

/// An update of rank 8.
#[omp::offload]
fn rank8(n: usize, u: &[f32], v: &[f32], a: &mut [f32]) {
    #[omp::target(map(to: u, v), map(tofrom: a), collapse(2))]
    for i in 0..n {
        for j in 0..n {
            let mut s = 0.0;
            for k in 0..8 {
                s += u[i * 8 + k] * v[j * 8 + k];
            }
            a[i * n + j] += s;
        }
    }
}

/// Three quotients of an iteration, spelled out.
#[omp::offload]
fn spelled_divisions(v: &[f32], s: &[f32], out: &mut [f32]) {
    #[omp::target(map(to: v, s), map(from: out))]
    for i in 0..s.len() {
        out[3 * i] = v[3 * i] / s[i];
        out[3 * i + 1] = v[3 * i + 1] / s[i];
        out[3 * i + 2] = v[3 * i + 2] / s[i];
    }
}

/// One quotient.
#[omp::offload]
fn one_division(v: &[f32], s: &[f32], out: &mut [f32]) {
    #[omp::target(map(to: v, s), map(from: out))]
    for i in 0..s.len() {
        out[i] = v[i] / s[i];
    }
}

/// Time warping with two rows.
#[omp::offload]
fn dtw(a: &[f32], b: &[f32], out: &mut [f32]) {
    #[omp::target(map(to: a, b), map(from: out))]
    for r in 0..out.len() {
        let mut prev = [f32::INFINITY; 33];
        let mut cur = [f32::INFINITY; 33];
        prev[0] = 0.0;
        for i in 0..32 {
            cur[0] = f32::INFINITY;
            for j in 0..32 {
                let d = (a[r * 32 + i] - b[r * 32 + j]).abs();
                cur[j + 1] = d + prev[j].min(prev[j + 1]).min(cur[j]);
            }
            prev = cur;
        }
        out[r] = prev[32];
    }
}

/// Rows of two numbers.
#[omp::offload]
fn rows2(c: &[f32; 2], x: &[f32], y: &mut [f32]) {
    #[omp::target(map(to: x), map(from: y))]
    for i in 0..x.len() / 2 {
        for j in 0..2 {
            y[i * 2 + j] = x[i * 2 + j] - c[j];
        }
    }
}

/// Bits that are set, one by one.
#[omp::offload]
fn bit_counts(h: &[u32], g: &mut [u32]) {
    #[omp::target(map(to: h), map(from: g))]
    for i in 0..g.len() {
        let mut s = 0;
        let mut x = h[i];
        while x != 0 {
            x &= x - 1;
            s += 1;
        }
        g[i] = s;
    }
}

/// The nearest of a thousand points.
#[omp::offload]
fn nearest(lat: &[f32], lon: &[f32], plat: &[f32], plon: &[f32], best: &mut [u32]) {
    #[omp::target(map(to: lat, lon, plat, plon), map(from: best))]
    for i in 0..lat.len() {
        let mut m = f32::INFINITY;
        let mut k = 0u32;
        for j in 0..plat.len() {
            let dx = lat[i] - plat[j];
            let dy = lon[i] - plon[j];
            let d = dx * dx + dy * dy;
            if d < m {
                m = d;
                k = j as u32;
            }
        }
        best[i] = k;
    }
}

/// Edges of bytes.
#[omp::offload]
fn sobel(w: usize, h: usize, src: &[u8], dst: &mut [u8]) {
    #[omp::target(map(to: src), map(tofrom: dst), collapse(2))]
    for y in 1..h - 1 {
        for x in 1..w - 1 {
            let p = |dy: usize, dx: usize| src[(y + dy - 1) * w + x + dx - 1] as i32;
            let gx = p(0, 2) + 2 * p(1, 2) + p(2, 2) - p(0, 0) - 2 * p(1, 0) - p(2, 0);
            let gy = p(2, 0) + 2 * p(2, 1) + p(2, 2) - p(0, 0) - 2 * p(0, 1) - p(0, 2);
            dst[y * w + x] = ((gx.abs() + gy.abs()).min(255)) as u8;
        }
    }
}

/// Maxima of 2 × 2.
#[omp::offload]
fn maxpool(h: usize, w: usize, x: &[f32], y: &mut [f32]) {
    #[omp::target(map(to: x), map(from: y), collapse(2))]
    for i in 0..h / 2 {
        for j in 0..w / 2 {
            let mut m = f32::NEG_INFINITY;
            for di in 0..2 {
                for dj in 0..2 {
                    m = m.max(x[(2 * i + di) * w + 2 * j + dj]);
                }
            }
            y[i * (w / 2) + j] = m;
        }
    }
}

/// A convolution of each channel, with borders.
#[omp::offload]
fn depthwise(c: usize, h: usize, w: usize, x: &[f32], k: &[f32], y: &mut [f32]) {
    #[omp::target(map(to: x, k), map(from: y), collapse(3))]
    for ch in 0..c {
        for i in 0..h {
            for j in 0..w {
                let mut s = 0.0;
                for a in 0..3 {
                    for b in 0..3 {
                        let (yy, xx) = (i + a, j + b);
                        if yy >= 1 && yy <= h && xx >= 1 && xx <= w {
                            s += x[(ch * h + yy - 1) * w + xx - 1] * k[ch * 9 + a * 3 + b];
                        }
                    }
                }
                y[(ch * h + i) * w + j] = s;
            }
        }
    }
}

fn close(a: &[f32], b: &[f32]) -> bool {
    a.iter()
        .zip(b)
        .all(|(x, y)| (x - y).abs() <= 1e-3 * (1.0 + y.abs()) || x == y || (x.is_nan() && y.is_nan()))
}
trait Close {
    fn close(&self, o: &Self) -> bool;
}
impl Close for Vec<f32> {
    fn close(&self, o: &Self) -> bool {
        close(self, o)
    }
}
macro_rules! exact {
    ($($t:ty)*) => { $(impl Close for $t {
        fn close(&self, o: &Self) -> bool {
            self == o
        }
    })* };
}
exact!(Vec<u8> Vec<u16> Vec<u32> Vec<u64> Vec<[f32; 8]>);
impl Close for Vec<[[f32; 8]; 8]> {
    fn close(&self, o: &Self) -> bool {
        self.iter()
            .flatten()
            .flatten()
            .zip(o.iter().flatten().flatten())
            .all(|(x, y)| (x - y).abs() <= 1e-2 * (1.0 + y.abs()) || (x.is_nan() && y.is_nan()))
    }
}

fn main() {
    let works = Works::from_args();
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
                line.print(device.close(&expected));
            }
        };
    }
    let bytes = |n: usize| -> Vec<u8> { (0..n).map(|i| mix(i as u64) as u8).collect() };
    {
        let n = works.size(4096, 64) + 2;
        let f = floats(n * n, 7, 0.5);
        work!("red_black", n * n * 12, floats(n * n, 0, 0.5), |o| red_black(n, 0, &mut o, &f));
        work!("red_black_if", n * n * 12, floats(n * n, 0, 0.5), |o| red_black_if(n, 0, &mut o, &f));
    }
    {
        let n = works.size(1 << 18, 64);
        let mk = || -> Vec<[[f32; 8]; 8]> {
            (0..n)
                .map(|m| {
                    std::array::from_fn(|i| {
                        std::array::from_fn(|j| {
                            mix((m * 64 + i * 8 + j) as u64) as f32 / 4e9 + if i == j { 8.0 } else { 0.0 }
                        })
                    })
                })
                .collect()
        };
        work!("lu8", n * 64 * 8, mk(), |o| lu8(&mut o));
        work!("lu8_iter", n * 64 * 8, mk(), |o| lu8_iter(&mut o));
        let mut a = floats(n * 36, 0, 0.0);
        for m in 0..n {
            for i in 0..6 {
                for j in 0..i {
                    a[m * 36 + i * 6 + j] = a[m * 36 + j * 6 + i];
                }
                a[m * 36 + i * 7] += 6.0;
            }
        }
        work!("chol6", n * 36 * 8, vec![0f32; n * 36], |o| chol6(&a, &mut o));
    }
    {
        let n = works.size(4096, 64);
        let s = bytes(n * n);
        work!("median3", n * n * 2, vec![0u8; n * n], |o| median3(n, n, &s, &mut o));
        let wide: Vec<u16> = s.iter().map(|v| u16::from(*v) * 3).collect();
        work!("median5", n * n * 4, vec![0u16; n * n], |o| median5(n, n, &wide, &mut o));
        work!("sobel", n * n * 2, vec![0u8; n * n], |o| sobel(n, n, &s, &mut o));
        let s = floats(n * n, 0, 0.5);
        work!("median3_own", n * n * 8, vec![0f32; n * n], |o| median3_own(n, n, &s, &mut o));
        work!("maxpool", n * n * 5, vec![0f32; n * n / 4], |o| maxpool(n, n, &s, &mut o));
        let rows = n * n / 256;
        let mut at = vec![[0u32; 8]; rows];
        work!("top8", n * n * 4 + rows * 64, vec![[0f32; 8]; rows], |o| top8(256, &s, &mut o, &mut at));
        let k: [f32; 16] = std::array::from_fn(|i| i as f32 / 16.0);
        let h = n / 2;
        work!("conv_transposed", n * n * 5, vec![0f32; n * n], |o| conv_transposed(
            h,
            h,
            &s[..h * h],
            &k,
            &mut o
        ));
        let c = 64;
        let hh = works.size(512, 32);
        let k = floats(c * 9, 3, 0.5);
        let x = floats(c * hh * hh, 3, 0.5);
        work!("depthwise", c * hh * hh * 8, vec![0f32; c * hh * hh], |o| depthwise(
            c, hh, hh, &x, &k, &mut o
        ));
    }
    {
        let len = 1024;
        let n = works.size(1 << 16, 64);
        let d = bytes(n * len);
        let t: [u32; 256] = std::array::from_fn(|i| {
            (0..8).fold(i as u32, |c, _| if c & 1 == 1 { 0xEDB88320 ^ (c >> 1) } else { c >> 1 })
        });
        work!("crc_rows", n * len, vec![0u32; n], |o| crc_rows(len, &d, &t, &mut o));
        work!("fnv_rows", n * len, vec![0u64; n], |o| fnv_rows(len, &d, &mut o));
    }
    {
        let w = 16;
        let n = works.size(1 << 20, 256);
        let c: Vec<u32> = (0..n * w)
            .map(
                |i| if i % w > 12 { u32::MAX } else { ((i / w + (mix(i as u64) as usize % 512)) % n) as u32 },
            )
            .collect();
        let v = floats(n * w, 0, 0.5);
        let x = floats(n, 0, 0.5);
        work!("ell", n * w * 8 + n * 8, vec![0f32; n], |o| ell(w, &c, &v, &x, &mut o));
    }
    {
        let classes = 1000;
        let n = works.size(1 << 15, 64);
        let l = floats(n * classes, 0, 0.5);
        let lab: Vec<u32> = (0..n).map(|i| mix(i as u64) % classes as u32).collect();
        work!("cross_entropy", n * classes * 4, vec![0f32; n], |o| cross_entropy(classes, &l, &lab, &mut o));
        work!("cross_entropy_loops", n * classes * 4, vec![0f32; n], |o| cross_entropy_loops(
            classes, &l, &lab, &mut o
        ));
    }
    {
        let n = works.size(402, 18);
        let a = floats(n * n * n, 0, 0.5);
        let w: [f32; 27] = std::array::from_fn(|i| i as f32 / 27.0);
        work!("stencil19", n * n * n * 8, vec![0f32; n * n * n], |o| stencil19(n, &a, &mut o));
        work!("stencil27", n * n * n * 8, vec![0f32; n * n * n], |o| stencil27(n, &a, &w, &mut o));
    }
    {
        let n = works.size(1 << 20, 256);
        let a = floats(n * 64, 0, 0.5);
        work!("tall_skinny", n * 64, vec![0f32; 256], |o| tall_skinny(n, &a[..n * 16], &mut o));
        let b = floats(64 * 16, 0, 0.5);
        work!("skinny", n * 64 * 4 + n * 64, vec![0f32; n * 16], |o| skinny(n, &a, &b, &mut o));
        let m = works.size(4096, 64);
        let u = floats(m * 8, 0, 0.5);
        let v = floats(m * 8, 9, 0.5);
        work!("rank8", m * m * 8, vec![0f32; m * m], |o| rank8(m, &u, &v, &mut o));
        let n = n * 16;
        let s = floats(n, 0, -0.5);
        work!("spelled_divisions", n * 28, vec![0f32; n * 3], |o| spelled_divisions(&a[..3 * n], &s, &mut o));
        work!("one_division", n * 12, vec![0f32; n], |o| one_division(&a[..n], &s, &mut o));
        work!("rows2", n * 8, vec![0f32; n], |o| rows2(&[0.25, 0.5], &a[..n], &mut o));
        let h: Vec<u32> = (0..n).map(|i| mix(i as u64)).collect();
        work!("bit_counts", n * 8, vec![0u32; n], |o| bit_counts(&h, &mut o));
        let r = works.size(1 << 18, 64);
        work!("dtw", r * 32 * 8, vec![0f32; r], |o| dtw(&a[..r * 32], &a[r * 32..r * 64], &mut o));
        let q = works.size(1 << 17, 64);
        work!("nearest", q * 8, vec![0u32; q], |o| nearest(
            &a[..q],
            &a[q..2 * q],
            &s[..1024],
            &s[1024..2048],
            &mut o
        ));
    }
}
