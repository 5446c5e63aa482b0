//! Variants of the classes of loops that the other benchmarks measure, as programs have them: `classes [WORK-PREFIX] [--small]`.
//! A line has the device's time and the rate of the least traffic or arithmetic that the work takes, so that what is far from the
//! device's limits shows. Results are compared with the host's in the small sizes.
#![allow(
    clippy::cast_lossless,
    clippy::excessive_precision,
    clippy::needless_range_loop,
    clippy::manual_memcpy,
    clippy::too_many_arguments,
    clippy::too_many_lines,
    clippy::assign_op_pattern,
    clippy::neg_multiply,
    clippy::unusual_byte_groupings,
    reason = "the loops as programs have them"
)]
use omp_benches::{Works, floats, mix, region, unit};

const REPS: usize = 7;

/// Functions with directives, and the same without in `host`.
macro_rules! twice {
    ($($(#[$attr:meta])* fn $name:ident($($arg:ident: $ty:ty),*) { $($body:tt)* })*) => {
        mod device { #[allow(unused_imports)] use super::*; $($(#[$attr])* #[omp::offload] #[allow(clippy::too_many_arguments)] pub fn $name($($arg: $ty),*) { $($body)* })* }
    };
}

#[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
/// A particle of 28 bytes.
pub struct Particle {
    pos: [f32; 3],
    vel: [f32; 3],
    mass: f32,
}

#[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
/// A body of 16 bytes.
pub struct Body {
    x: f32,
    y: f32,
    z: f32,
    m: f32,
}

twice! {
    // ---- products ----
    fn gemm(n: usize, alpha: f32, beta: f32, a: &[f32], b: &[f32], c: &mut [f32]) {
        #[omp::target(collapse(2), map(to: a, b), map(tofrom: c))]
        for i in 0..n {
            for j in 0..n {
                let mut sum = 0.0f32;
                for k in 0..n {
                    sum += a[i * n + k] * b[k * n + j];
                }
                c[i * n + j] = alpha * sum + beta * c[i * n + j];
            }
        }
    }
    fn polybench_gemm(n: usize, alpha: f32, beta: f32, a: &[f32], b: &[f32], c: &mut [f32]) {
        #[omp::target(collapse(2), map(to: a, b), map(tofrom: c))]
        for i in 0..n {
            for j in 0..n {
                c[i * n + j] *= beta;
                for k in 0..n {
                    c[i * n + j] += alpha * a[i * n + k] * b[k * n + j];
                }
            }
        }
    }
    fn dense_relu(n: usize, a: &[f32], b: &[f32], bias: &[f32], c: &mut [f32]) {
        #[omp::target(collapse(2), map(to: a, b, bias), map(from: c))]
        for i in 0..n {
            for j in 0..n {
                let mut sum = bias[j];
                for k in 0..n {
                    sum += a[i * n + k] * b[j * n + k];
                }
                c[i * n + j] = if sum > 0.0 { sum } else { 0.0 };
            }
        }
    }
    fn batched(batch: usize, n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
        #[omp::target(collapse(3), map(to: a, b), map(from: c))]
        for m in 0..batch {
            for i in 0..n {
                for j in 0..n {
                    let mut sum = 0.0f32;
                    for k in 0..n {
                        sum += a[(m * n + i) * n + k] * b[(m * n + k) * n + j];
                    }
                    c[(m * n + i) * n + j] = sum;
                }
            }
        }
    }
    fn scores(heads: usize, n: usize, d: usize, q: &[f32], k: &[f32], s: &mut [f32]) {
        let scale = 1.0 / (d as f32).sqrt();
        #[omp::target(collapse(3), map(to: q, k), map(from: s))]
        for h in 0..heads {
            for i in 0..n {
                for j in 0..n {
                    let mut dot = 0.0f32;
                    for e in 0..d {
                        dot += q[(h * n + i) * d + e] * k[(h * n + j) * d + e];
                    }
                    s[(h * n + i) * n + j] = dot * scale;
                }
            }
        }
    }
    fn iter_dot(n: usize, a: &[f32], bt: &[f32], c: &mut [f32]) {
        #[omp::target(collapse(2), map(to: a, bt), map(from: c))]
        for i in 0..n {
            for j in 0..n {
                c[i * n + j] = a[i * n..(i + 1) * n].iter().zip(&bt[j * n..(j + 1) * n]).map(|(x, y)| x * y).sum::<f32>();
            }
        }
    }
    fn syrk(n: usize, m: usize, a: &[f32], c: &mut [f32]) {
        #[omp::target(collapse(2), map(to: a), map(tofrom: c))]
        for i in 0..n {
            for j in 0..=i {
                let mut sum = 0.0f32;
                for k in 0..m {
                    sum += a[i * m + k] * a[j * m + k];
                }
                c[i * n + j] = sum;
            }
        }
    }
    fn polybench_syrk(n: usize, m: usize, a: &[f32], c: &mut [f32]) {
        #[omp::target(map(to: a), map(tofrom: c))]
        for i in 0..n {
            for j in 0..=i {
                c[i * n + j] *= 0.5;
            }
            for k in 0..m {
                for j in 0..=i {
                    c[i * n + j] += 1.5 * a[i * m + k] * a[j * m + k];
                }
            }
        }
    }
    fn trmm(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
        #[omp::target(collapse(2), map(to: a, b), map(tofrom: c))]
        for i in 0..n {
            for j in 0..n {
                let mut sum = 0.0f32;
                for k in 0..=i {
                    sum += a[i * n + k] * b[k * n + j];
                }
                c[i * n + j] = sum;
            }
        }
    }
    fn triangle_vector(n: usize, a: &[f32], x: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: a, x), map(from: y))]
        for i in 0..n {
            let mut sum = 0.0f32;
            for k in 0..=i {
                sum += a[i * n + k] * x[k];
            }
            y[i] = sum;
        }
    }
    fn product_by_rows(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
        #[omp::target(map(to: a, b), map(tofrom: c))]
        for i in 0..n {
            for k in 0..n {
                let x = a[i * n + k];
                for j in 0..n {
                    c[i * n + j] += x * b[k * n + j];
                }
            }
        }
    }
    fn product_of_row_slices(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
        #[omp::target(map(to: a, b), map(tofrom: c))]
        for i in 0..n {
            let row = &mut c[i * n..(i + 1) * n];
            for (x, other) in a[i * n..(i + 1) * n].iter().zip(b.chunks_exact(n)) {
                for (out, y) in row.iter_mut().zip(other) {
                    *out += x * y;
                }
            }
        }
    }
    fn covariance(n: usize, m: usize, data: &[f32], cov: &mut [f32]) {
        #[omp::target(collapse(2), map(to: data), map(from: cov))]
        for i in 0..m {
            for j in 0..m {
                let mut sum = 0.0f32;
                for k in 0..n {
                    sum += data[k * m + i] * data[k * m + j];
                }
                cov[i * m + j] = sum / (n as f32 - 1.0);
            }
        }
    }
    fn rbf(n: usize, d: usize, gamma: f32, x: &[f32], y: &[f32], k: &mut [f32]) {
        #[omp::target(collapse(2), map(to: x, y), map(from: k))]
        for i in 0..n {
            for j in 0..n {
                let mut s = 0.0f32;
                for c in 0..d {
                    let t = x[i * d + c] - y[j * d + c];
                    s += t * t;
                }
                k[i * n + j] = (-gamma * s).exp();
            }
        }
    }
    fn kmeans(n: usize, k: usize, d: usize, x: &[f32], centers: &[f32], label: &mut [u32]) {
        #[omp::target(map(to: x, centers), map(from: label))]
        for i in 0..n {
            let mut best = f32::MAX;
            let mut at = 0;
            for c in 0..k {
                let mut s = 0.0f32;
                for e in 0..d {
                    let t = x[i * d + e] - centers[c * d + e];
                    s += t * t;
                }
                if s < best {
                    best = s;
                    at = c as u32;
                }
            }
            label[i] = at;
        }
    }
    // ---- convolutions ----
    fn conv_nchw(co: usize, ci: usize, n: usize, w: &[f32], x: &[f32], y: &mut [f32]) {
        let p = n + 2;
        #[omp::target(collapse(3), map(to: w, x), map(from: y))]
        for o in 0..co {
            for r in 0..n {
                for c in 0..n {
                    let mut sum = 0.0f32;
                    for i in 0..ci {
                        for u in 0..3 {
                            for v in 0..3 {
                                sum += x[(i * p + r + u) * p + c + v] * w[((o * ci + i) * 3 + u) * 3 + v];
                            }
                        }
                    }
                    y[(o * n + r) * n + c] = sum;
                }
            }
        }
    }
    fn depthwise(ch: usize, n: usize, w: &[f32], x: &[f32], y: &mut [f32]) {
        let p = n + 2;
        #[omp::target(collapse(3), map(to: w, x), map(from: y))]
        for o in 0..ch {
            for r in 0..n {
                for c in 0..n {
                    let mut sum = 0.0f32;
                    for u in 0..3 {
                        for v in 0..3 {
                            sum += x[(o * p + r + u) * p + c + v] * w[(o * 3 + u) * 3 + v];
                        }
                    }
                    y[(o * n + r) * n + c] = sum;
                }
            }
        }
    }
    fn max_pool(ch: usize, n: usize, x: &[f32], y: &mut [f32]) {
        let m = n / 2;
        #[omp::target(collapse(3), map(to: x), map(from: y))]
        for o in 0..ch {
            for r in 0..m {
                for c in 0..m {
                    let mut most = f32::NEG_INFINITY;
                    for u in 0..2 {
                        for v in 0..2 {
                            most = most.max(x[(o * n + 2 * r + u) * n + 2 * c + v]);
                        }
                    }
                    y[(o * m + r) * m + c] = most;
                }
            }
        }
    }
    fn bilateral(n: usize, x: &[f32], y: &mut [f32]) {
        let p = n + 4;
        #[omp::target(collapse(2), map(to: x), map(from: y))]
        for r in 0..n {
            for c in 0..n {
                let mid = x[(r + 2) * p + c + 2];
                let mut sum = 0.0f32;
                let mut weight = 0.0f32;
                for u in 0..5 {
                    for v in 0..5 {
                        let t = x[(r + u) * p + c + v];
                        let w = (-(t - mid) * (t - mid) * 8.0).exp();
                        sum += w * t;
                        weight += w;
                    }
                }
                y[r * n + c] = sum / weight;
            }
        }
    }
    // ---- matrix by vector, sums of rows and columns ----
    fn bicg(n: usize, a: &[f32], p: &[f32], q: &mut [f32]) {
        #[omp::target(map(to: a, p), map(from: q))]
        for i in 0..n {
            q[i] = 0.0;
            for j in 0..n {
                q[i] += a[i * n + j] * p[j];
            }
        }
    }
    fn mvt_columns(n: usize, a: &[f32], y: &[f32], x: &mut [f32]) {
        #[omp::target(map(to: a, y), map(tofrom: x))]
        for i in 0..n {
            for j in 0..n {
                x[i] += a[j * n + i] * y[j];
            }
        }
    }
    fn row_iter(n: usize, a: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: a), map(from: y))]
        for i in 0..n {
            y[i] = a[i * n..(i + 1) * n].iter().sum::<f32>();
        }
    }
    fn row_max(n: usize, a: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: a), map(from: y))]
        for i in 0..n {
            y[i] = a[i * n..(i + 1) * n].iter().copied().fold(f32::NEG_INFINITY, f32::max);
        }
    }
    fn column_mean_std(n: usize, m: usize, a: &[f32], mean: &mut [f32], std: &mut [f32]) {
        #[omp::target(map(to: a), map(from: mean, std))]
        for j in 0..m {
            let mut s = 0.0f32;
            for i in 0..n {
                s += a[i * m + j];
            }
            let mu = s / n as f32;
            let mut v = 0.0f32;
            for i in 0..n {
                let d = a[i * m + j] - mu;
                v += d * d;
            }
            mean[j] = mu;
            std[j] = (v / n as f32).sqrt();
        }
    }
    fn layer_norm(rows: usize, w: usize, x: &[f32], g: &[f32], b: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: x, g, b), map(from: y))]
        for i in 0..rows {
            let row = &x[i * w..(i + 1) * w];
            let mean = row.iter().sum::<f32>() / w as f32;
            let var = row.iter().map(|v| (v - mean) * (v - mean)).sum::<f32>() / w as f32;
            let inv = 1.0 / (var + 1e-5).sqrt();
            for j in 0..w {
                y[i * w + j] = (row[j] - mean) * inv * g[j] + b[j];
            }
        }
    }
    fn softmax_plain(rows: usize, w: usize, x: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: x), map(from: y))]
        for i in 0..rows {
            let mut most = f32::NEG_INFINITY;
            for j in 0..w {
                most = most.max(x[i * w + j]);
            }
            let mut sum = 0.0f32;
            for j in 0..w {
                let e = (x[i * w + j] - most).exp();
                y[i * w + j] = e;
                sum += e;
            }
            for j in 0..w {
                y[i * w + j] /= sum;
            }
        }
    }
    fn softmax_iter(w: usize, x: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: x), map(from: y))]
        for (row, out) in x.chunks_exact(w).zip(y.chunks_exact_mut(w)) {
            let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let mut sum = 0.0f32;
            for (o, v) in out.iter_mut().zip(row) {
                *o = (v - most).exp();
                sum += *o;
            }
            for o in out.iter_mut() {
                *o /= sum;
            }
        }
    }
    fn log_softmax(rows: usize, w: usize, x: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: x), map(from: y))]
        for i in 0..rows {
            let mut most = x[i * w];
            for j in 1..w {
                most = most.max(x[i * w + j]);
            }
            let mut sum = 0.0f32;
            for j in 0..w {
                sum += (x[i * w + j] - most).exp();
            }
            let log = sum.ln();
            for j in 0..w {
                y[i * w + j] = x[i * w + j] - most - log;
            }
        }
    }
    fn rms_norm(w: usize, x: &[f32], g: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: x, g), map(from: y))]
        for (row, out) in x.chunks_exact(w).zip(y.chunks_exact_mut(w)) {
            let square = row.iter().map(|v| v * v).sum::<f32>() / w as f32;
            let scale = 1.0 / (square + 1e-6).sqrt();
            for j in 0..w {
                out[j] = row[j] * scale * g[j];
            }
        }
    }
    fn unit_rows_f64(rows: usize, w: usize, x: &mut [f64]) {
        #[omp::target(map(tofrom: x))]
        for i in 0..rows {
            let mut square = 0.0f64;
            for j in 0..w {
                square += x[i * w + j] * x[i * w + j];
            }
            let length = square.sqrt();
            for j in 0..w {
                x[i * w + j] /= length;
            }
        }
    }
    // ---- orders of memory ----
    fn transpose_f64(n: usize, a: &[f64], b: &mut [f64]) {
        #[omp::target(collapse(2), map(to: a), map(from: b))]
        for i in 0..n {
            for j in 0..n {
                b[j * n + i] = a[i * n + j];
            }
        }
    }
    fn transpose_u8(n: usize, a: &[u8], b: &mut [u8]) {
        #[omp::target(collapse(2), map(to: a), map(from: b))]
        for i in 0..n {
            for j in 0..n {
                b[j * n + i] = a[i * n + j];
            }
        }
    }
    fn permute(n: usize, a: &[f32], b: &mut [f32]) {
        #[omp::target(collapse(3), map(to: a), map(from: b))]
        for i in 0..n {
            for j in 0..n {
                for k in 0..n {
                    b[(k * n + j) * n + i] = a[(i * n + j) * n + k];
                }
            }
        }
    }
    fn permute_102(n: usize, a: &[f32], b: &mut [f32]) {
        #[omp::target(collapse(3), map(to: a), map(from: b))]
        for i in 0..n {
            for j in 0..n {
                for k in 0..n {
                    b[(j * n + i) * n + k] = a[(i * n + j) * n + k];
                }
            }
        }
    }
    fn to_fields(n: usize, a: &[[f32; 3]], x: &mut [f32], y: &mut [f32], z: &mut [f32]) {
        #[omp::target(map(to: a), map(from: x, y, z))]
        for i in 0..n {
            x[i] = a[i][0];
            y[i] = a[i][1];
            z[i] = a[i][2];
        }
    }
    fn rgb_to_grey(n: usize, rgb: &[u8], grey: &mut [u8]) {
        #[omp::target(map(to: rgb), map(from: grey))]
        for i in 0..n {
            let (r, g, b) = (rgb[3 * i] as f32, rgb[3 * i + 1] as f32, rgb[3 * i + 2] as f32);
            grey[i] = (0.299 * r + 0.587 * g + 0.114 * b) as u8;
        }
    }
    fn move_particles(dt: f32, p: &mut [Particle]) {
        #[omp::target(map(tofrom: p))]
        for i in 0..p.len() {
            for d in 0..3 {
                p[i].pos[d] += dt * p[i].vel[d];
            }
        }
    }
    fn momentum(p: &[Particle], out: &mut [f32]) {
        let mut total = 0.0f32;
        #[omp::target(map(to: p), reduction(+: total))]
        for i in 0..p.len() {
            total += p[i].mass * p[i].vel[0];
        }
        out[0] = total;
    }
    fn nbody(n: usize, b: &[Body], f: &mut [[f32; 3]]) {
        #[omp::target(map(to: b), map(from: f))]
        for i in 0..n {
            let me = b[i];
            let (mut fx, mut fy, mut fz) = (0.0f32, 0.0f32, 0.0f32);
            for j in 0..n {
                let (dx, dy, dz) = (b[j].x - me.x, b[j].y - me.y, b[j].z - me.z);
                let r2 = dx * dx + dy * dy + dz * dz + 1e-4;
                let inv = 1.0 / r2.sqrt();
                let s = b[j].m * inv * inv * inv;
                fx += dx * s;
                fy += dy * s;
                fz += dz * s;
            }
            f[i] = [fx, fy, fz];
        }
    }
    // ---- sparse ----
    fn spmv(row: &[usize], col: &[usize], v: &[f64], x: &[f64], y: &mut [f64]) {
        #[omp::target(map(to: row, col, v, x), map(from: y))]
        for i in 0..y.len() {
            let mut s = 0.0;
            for k in row[i]..row[i + 1] {
                s += v[k] * x[col[k]];
            }
            y[i] = s;
        }
    }
    fn spmv_u32(row: &[u32], col: &[u32], v: &[f32], x: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: row, col, v, x), map(from: y))]
        for i in 0..y.len() {
            let mut s = 0.0;
            for k in row[i] as usize..row[i + 1] as usize {
                s += v[k] * x[col[k] as usize];
            }
            y[i] = s;
        }
    }
    fn ell(n: usize, w: usize, col: &[u32], v: &[f32], x: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: col, v, x), map(from: y))]
        for i in 0..n {
            let mut s = 0.0;
            for k in 0..w {
                s += v[k * n + i] * x[col[k * n + i] as usize];
            }
            y[i] = s;
        }
    }
    fn gather(n: usize, idx: &[u32], x: &[f32], y: &mut [f32]) {
        #[omp::target(map(to: idx, x), map(from: y))]
        for i in 0..n {
            y[i] = x[idx[i] as usize];
        }
    }
    // ---- updates in place, grids ----
    fn gauss(n: usize, k: usize, a: &mut [f32]) {
        #[omp::target(collapse(2), map(tofrom: a))]
        for i in k + 1..n {
            for j in k + 1..n {
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
            }
        }
    }
    fn floyd(n: usize, k: usize, d: &mut [f32]) {
        #[omp::target(collapse(2), map(tofrom: d))]
        for i in 0..n {
            for j in 0..n {
                if i != k && j != k {
                    let via = d[i * n + k] + d[k * n + j];
                    if via < d[i * n + j] {
                        d[i * n + j] = via;
                    }
                }
            }
        }
    }
    fn heat_if(n: usize, a: &[f32], b: &mut [f32]) {
        #[omp::target(collapse(2), map(to: a), map(from: b))]
        for i in 0..n {
            for j in 0..n {
                if i > 0 && i < n - 1 && j > 0 && j < n - 1 {
                    b[i * n + j] = 0.25 * (a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] + a[(i + 1) * n + j]);
                } else {
                    b[i * n + j] = a[i * n + j];
                }
            }
        }
    }
    fn heat_i32(n: i32, a: &[f32], b: &mut [f32]) {
        #[omp::target(collapse(2), map(to: a), map(tofrom: b))]
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                let k = (i * n + j) as usize;
                let w = n as usize;
                b[k] = 0.25 * (a[k - 1] + a[k + 1] + a[k - w] + a[k + w]);
            }
        }
    }
    fn life(n: usize, a: &[u8], b: &mut [u8]) {
        #[omp::target(collapse(2), map(to: a), map(from: b))]
        for i in 0..n {
            for j in 0..n {
                let mut alive = 0;
                for di in 0..3 {
                    for dj in 0..3 {
                        if di != 1 || dj != 1 {
                            alive += a[(i + di + n - 1) % n * n + (j + dj + n - 1) % n];
                        }
                    }
                }
                b[i * n + j] = (alive == 3 || (alive == 2 && a[i * n + j] == 1)) as u8;
            }
        }
    }
    fn fdtd(n: usize, ey: &mut [f32], hz: &[f32]) {
        #[omp::target(collapse(2), map(to: hz), map(tofrom: ey))]
        for i in 1..n {
            for j in 0..n {
                ey[i * n + j] -= 0.5 * (hz[i * n + j] - hz[(i - 1) * n + j]);
            }
        }
    }
    fn three_points(n: usize, a: &[f32], b: &mut [f32]) {
        #[omp::target(map(to: a), map(tofrom: b))]
        for i in 1..n - 1 {
            b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1]);
        }
    }
    fn lbm(n: usize, f: &[f32], g: &mut [f32]) {
        const EX: [i32; 9] = [0, 1, 0, -1, 0, 1, -1, -1, 1];
        const EY: [i32; 9] = [0, 0, 1, 0, -1, 1, 1, -1, -1];
        const W: [f32; 9] = [4.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0];
        #[omp::target(collapse(2), map(to: f), map(from: g))]
        for y in 0..n {
            for x in 0..n {
                let mut h = [0.0f32; 9];
                let (mut rho, mut ux, mut uy) = (0.0f32, 0.0f32, 0.0f32);
                for q in 0..9 {
                    let xs = (x as i32 - EX[q] + n as i32) as usize % n;
                    let ys = (y as i32 - EY[q] + n as i32) as usize % n;
                    h[q] = f[q * n * n + ys * n + xs];
                    rho += h[q];
                    ux += EX[q] as f32 * h[q];
                    uy += EY[q] as f32 * h[q];
                }
                ux /= rho;
                uy /= rho;
                let usq = 1.5 * (ux * ux + uy * uy);
                for q in 0..9 {
                    let eu = 3.0 * (EX[q] as f32 * ux + EY[q] as f32 * uy);
                    let eq = W[q] * rho * (1.0 + eu + 0.5 * eu * eu - usq);
                    g[q * n * n + y * n + x] = h[q] - 0.6 * (h[q] - eq);
                }
            }
        }
    }
    // ---- reductions, histograms ----
    fn hist_1024(x: &[u32], h: &mut [u32]) {
        #[omp::target(map(to: x), map(tofrom: h), reduction(+: h))]
        for i in 0..x.len() {
            h[(x[i] >> 22) as usize] += 1;
        }
    }
    fn hist_65536(x: &[u32], h: &mut [u32]) {
        #[omp::target(map(to: x), map(tofrom: h), reduction(+: h))]
        for i in 0..x.len() {
            h[(x[i] >> 16) as usize] += 1;
        }
    }
    fn hist_u8_pixels(x: &[u8], h: &mut [u32]) {
        #[omp::target(map(to: x), map(tofrom: h), reduction(+: h))]
        for i in 0..x.len() {
            h[x[i] as usize] += 1;
        }
    }
    fn weighted_bins(x: &[f32], w: &[f32], h: &mut [f32]) {
        #[omp::target(map(to: x, w), map(tofrom: h), reduction(+: h))]
        for i in 0..x.len() {
            h[((x[i] * 64.0) as usize).min(63)] += w[i];
        }
    }
    fn difference_norm(a: &[f32], b: &[f32], out: &mut [f32]) {
        let mut sum = 0.0f32;
        let mut most = 0.0f32;
        #[omp::target(map(to: a, b), reduction(+: sum), reduction(max: most))]
        for i in 0..a.len() {
            let d = a[i] - b[i];
            sum += d * d;
            most = most.max(d.abs());
        }
        out[0] = sum.sqrt();
        out[1] = most;
    }
    fn pairs_close(n: usize, x: &[f32], y: &[f32], out: &mut [f32]) {
        let mut close = 0u64;
        #[omp::target(map(to: x, y), reduction(+: close))]
        for i in 0..n {
            for j in i + 1..n {
                let (dx, dy) = (x[i] - x[j], y[i] - y[j]);
                if dx * dx + dy * dy < 0.01 {
                    close += 1;
                }
            }
        }
        out[0] = close as f32;
    }
    fn black_scholes(s: &[f32], k: &[f32], t: &[f32], call: &mut [f32], put: &mut [f32]) {
        #[omp::target(map(to: s, k, t), map(from: call, put))]
        for i in 0..s.len() {
            let cnd = |d: f32| {
                let k = 1.0 / (1.0 + 0.2316419 * d.abs());
                let poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
                let c = 0.39894228 * (-0.5 * d * d).exp() * poly;
                if d > 0.0 { 1.0 - c } else { c }
            };
            let sq = t[i].sqrt();
            let d1 = ((s[i] / k[i]).ln() + (0.02 + 0.5 * 0.09) * t[i]) / (0.3 * sq);
            let d2 = d1 - 0.3 * sq;
            let e = (-0.02 * t[i]).exp();
            call[i] = s[i] * cnd(d1) - k[i] * e * cnd(d2);
            put[i] = k[i] * e * (1.0 - cnd(d2)) - s[i] * (1.0 - cnd(d1));
        }
    }
    fn monte_carlo(n: usize, per: usize, out: &mut [f32]) {
        let mut hits = 0u64;
        #[omp::target(reduction(+: hits))]
        for i in 0..n {
            let mut state = (i as u32).wrapping_mul(747796405).wrapping_add(2891336453) | 1;
            for _ in 0..per {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                let x = state as f32 / 4294967296.0;
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                let y = state as f32 / 4294967296.0;
                if x * x + y * y < 1.0 {
                    hits += 1;
                }
            }
        }
        out[0] = hits as f32;
    }
    fn page_rank(row: &[u32], src: &[u32], rank: &[f32], degree: &[u32], next: &mut [f32]) {
        #[omp::target(map(to: row, src, rank, degree), map(from: next))]
        for v in 0..next.len() {
            let mut s = 0.0f32;
            for e in row[v] as usize..row[v + 1] as usize {
                let u = src[e] as usize;
                s += rank[u] / degree[u] as f32;
            }
            next[v] = 0.15 + 0.85 * s;
        }
    }
    fn butterfly(n: usize, half: usize, re: &mut [f32], im: &mut [f32], wr: &[f32], wi: &[f32]) {
        #[omp::target(map(to: wr, wi), map(tofrom: re, im))]
        for t in 0..n / 2 {
            let k = t & (half - 1);
            let i = ((t - k) << 1) + k;
            let j = i + half;
            let w = k * (n / 2 / half);
            let (tr, ti) = (re[j] * wr[w] - im[j] * wi[w], re[j] * wi[w] + im[j] * wr[w]);
            re[j] = re[i] - tr;
            im[j] = im[i] - ti;
            re[i] += tr;
            im[i] += ti;
        }
    }
}

fn sum<T: Copy + Into<f64>>(x: &[T]) -> f64 {
    x.iter().map(|v| (*v).into()).sum()
}

/// A work: its bytes, its arithmetic, the call, and a number that its result gives.
macro_rules! work {
    ($works:ident, $name:ident, bytes $bytes:expr, flop $flop:expr, ($($arg:expr),*) => $check:expr) => {
        if $works.wants(stringify!($name)) {
            let line = region(stringify!($name), REPS, || device::$name($($arg),*));
            let report = omp::last_region();
            let (bytes, flop) = (($bytes) as f64, ($flop) as f64);
            let ms = line.ms();
            line.print(true);
            println!("# {:24} {:9.4} ms {:8.1} GB/s {:9.1} GFLOP/s block {:?} grid {:?} sum {:e}",
                stringify!($name), ms, bytes / ms / 1e6, flop / ms / 1e6, report.block, report.grid, $check);
        }
    };
}

fn main() {
    let works = &Works::asked();
    let w = works;
    {
        let n = w.size(4096, 320);
        let (a, b, bias) = (floats(n * n, 1, 0.5), floats(n * n, 2, 0.5), floats(n, 3, 0.5));
        let mut c = vec![0.0f32; n * n];
        let f = 2.0 * (n * n * n) as f64;
        work!(works, gemm, bytes 12 * n * n, flop f, (n, 0.5, 0.25, &a, &b, &mut c) => sum(&c));
        c.fill(0.0);
        work!(works, polybench_gemm, bytes 12 * n * n, flop f, (n, 0.5, 0.25, &a, &b, &mut c) => sum(&c));
        work!(works, dense_relu, bytes 12 * n * n, flop f, (n, &a, &b, &bias, &mut c) => sum(&c));
        work!(works, iter_dot, bytes 12 * n * n, flop f, (n, &a, &b, &mut c) => sum(&c));
        c.fill(0.0);
        work!(works, syrk, bytes 8 * n * n, flop f / 2.0, (n, n, &a, &mut c) => sum(&c));
        work!(works, polybench_syrk, bytes 8 * n * n, flop f / 2.0, (n, n, &a, &mut c) => sum(&c));
        c.fill(0.0);
        work!(works, trmm, bytes 10 * n * n, flop f / 2.0, (n, &a, &b, &mut c) => sum(&c));
        let mut y = vec![0.0f32; n];
        work!(works, triangle_vector, bytes 2 * n * n, flop n * n, (n, &a, &b, &mut y) => sum(&y));
        work!(works, product_by_rows, bytes 12 * n * n, flop f, (n, &a, &b, &mut c) => sum(&c));
        c.fill(0.0);
        work!(works, product_of_row_slices, bytes 12 * n * n, flop f, (n, &a, &b, &mut c) => sum(&c));
        work!(works, covariance, bytes 8 * n * n, flop f, (n, n, &a, &mut c) => sum(&c));
        let m = n / 8;
        work!(works, batched, bytes 12 * 64 * m * m, flop 2.0 * 64.0 * (m * m * m) as f64, (64, m, &a, &b, &mut c) => sum(&c));
        let heads = if n > 512 { 16 } else { 1 };
        let mut s = vec![0.0f32; heads * (n / 2) * (n / 2)];
        work!(works, scores, bytes 4 * heads * n * n / 4, flop 2.0 * 64.0 * (heads * n * n / 4) as f64, (heads, n / 2, 64, &a, &b, &mut s) => sum(&s));
        work!(works, rbf, bytes 4 * n * n, flop 3.0 * 64.0 * (n * n) as f64, (n, 64, 0.1, &a, &b, &mut c) => sum(&c));
        let points = n * n / 32;
        let mut label = vec![0u32; points];
        work!(works, kmeans, bytes 4 * n * n, flop 3.0 * 32.0 * 64.0 * points as f64, (points, 64, 32, &a, &b, &mut label) => sum(&label));
        let mut y = vec![0.0f32; n];
        let mut z = vec![0.0f32; n];
        work!(works, bicg, bytes 4 * n * n, flop 2 * n * n, (n, &a, &b[..n], &mut y) => sum(&y));
        y.fill(0.0);
        work!(works, mvt_columns, bytes 4 * n * n, flop 2 * n * n, (n, &a, &b[..n], &mut y) => sum(&y));
        work!(works, row_iter, bytes 4 * n * n, flop n * n, (n, &a, &mut y) => sum(&y));
        work!(works, row_max, bytes 4 * n * n, flop n * n, (n, &a, &mut y) => sum(&y));
        work!(works, column_mean_std, bytes 8 * n * n, flop 3 * n * n, (n, n, &a, &mut y, &mut z) => sum(&y) + sum(&z));
        work!(works, layer_norm, bytes 8 * n * n, flop 8 * n * n, (n * 4, n / 4, &a, &b[..n], &bias, &mut c) => sum(&c));
        work!(works, softmax_plain, bytes 8 * n * n, flop 5 * n * n, (n * 4, n / 4, &a, &mut c) => sum(&c));
        work!(works, softmax_iter, bytes 8 * n * n, flop 5 * n * n, (n / 4, &a, &mut c) => sum(&c));
        work!(works, softmax_iter, bytes 8 * n * n, flop 5 * n * n, (n / 16, &a, &mut c) => sum(&c));
        work!(works, softmax_iter, bytes 8 * n * n, flop 5 * n * n, (n, &a, &mut c) => sum(&c));
        work!(works, log_softmax, bytes 8 * n * n, flop 5 * n * n, (n * 4, n / 4, &a, &mut c) => sum(&c));
        work!(works, rms_norm, bytes 8 * n * n, flop 5 * n * n, (n / 4, &a, &b[..n], &mut c) => sum(&c));
        let mut wide: Vec<f64> = a.iter().map(|v| f64::from(*v) + 1.0).collect();
        work!(works, unit_rows_f64, bytes 16 * n * n, flop 3 * n * n, (n * 4, n / 4, &mut wide) => wide[..4].iter().sum::<f64>() as f32);
        let mut d: Vec<f32> = a.iter().map(|v| v + 1.0).collect();
        work!(works, gauss, bytes 8 * n * n, flop 2 * n * n, (n, 3, &mut d) => sum(&d[..4]));
        work!(works, floyd, bytes 8 * n * n, flop 2 * n * n, (n, 3, &mut d) => sum(&d[..4]));
    }
    {
        let (co, ci, n) = if w.size(1, 0) == 1 { (64, 64, 224) } else { (11, 33, 70) };
        let x = floats(ci * (n + 2) * (n + 2), 1, 0.5);
        let wt = floats(co * ci * 9, 2, 0.5);
        let mut y = vec![0.0f32; co * n * n];
        work!(works, conv_nchw, bytes 4 * (x.len() + y.len()), flop 18.0 * (co * ci * n * n) as f64, (co, ci, n, &wt, &x, &mut y) => sum(&y));
    }
    {
        let (ch, n) = if w.size(1, 0) == 1 { (256, 512) } else { (8, 64) };
        let x = floats(ch * (n + 2) * (n + 2), 1, 0.5);
        let wt = floats(ch * 9, 2, 0.5);
        let mut y = vec![0.0f32; ch * n * n];
        work!(works, depthwise, bytes 4 * (x.len() + y.len()), flop 18 * y.len(), (ch, n, &wt, &x, &mut y) => sum(&y));
        work!(works, max_pool, bytes 5 * y.len(), flop y.len(), (ch, n, &x, &mut y) => sum(&y));
    }
    {
        let n = w.size(8192, 520);
        let a = floats((n + 4) * (n + 4), 1, 0.5);
        let mut b = vec![0.0f32; n * n];
        let r = 8 * n * n;
        work!(works, bilateral, bytes r, flop 25.0 * 7.0 * (n * n) as f64, (n, &a, &mut b) => sum(&b));
        work!(works, heat_if, bytes r, flop 4 * n * n, (n, &a, &mut b) => sum(&b));
        b.fill(0.0);
        work!(works, heat_i32, bytes r, flop 4 * n * n, (n as i32, &a, &mut b) => sum(&b));
        work!(works, fdtd, bytes 12 * n * n, flop 3 * n * n, (n, &mut b, &a) => 0);
        work!(works, three_points, bytes r, flop 3 * n * n, (n * n, &a, &mut b) => sum(&b));
        let (s, t) = (vec![1.5f32; n * n], vec![0.5f32; n * n]);
        let mut put = vec![0.0f32; n * n];
        work!(works, black_scholes, bytes 20 * n * n, flop 50 * n * n, (&s, &t, &t, &mut b, &mut put) => sum(&b) + sum(&put));
        let x: Vec<u8> = (0..n * n).map(|i| (mix(i as u64) & 1) as u8).collect();
        let mut y = vec![0u8; n * n];
        work!(works, life, bytes 2 * n * n, flop 8 * n * n, (n, &x, &mut y) => sum(&y));
        work!(works, transpose_u8, bytes 2 * n * n, flop 0, (n, &x, &mut y) => sum(&y));
        let pixels = n * n / 3;
        work!(works, rgb_to_grey, bytes 4 * pixels, flop 5 * pixels, (pixels, &x, &mut y) => sum(&y));
        let m = n / 2;
        let (p, mut q) = ((0..m * m).map(unit).collect::<Vec<f64>>(), vec![0.0f64; m * m]);
        work!(works, transpose_f64, bytes 16 * m * m, flop 0, (m, &p, &mut q) => sum(&q));
        let mut out = [0.0f32; 2];
        work!(works, difference_norm, bytes r, flop 4 * n * n, (&a[..n * n], &s, &mut out) => sum(&out));
        let k: Vec<u32> = (0..n * n).map(|i| mix(i as u64)).collect();
        let pixels: Vec<u8> = k.iter().map(|v| *v as u8).collect();
        let mut h = vec![0u32; 65536];
        work!(works, hist_1024, bytes 4 * n * n, flop 0, (&k, &mut h[..1024]) => sum(&h[..8]));
        work!(works, hist_65536, bytes 4 * n * n, flop 0, (&k, &mut h) => sum(&h[..8]));
        work!(works, hist_u8_pixels, bytes n * n, flop 0, (&pixels, &mut h[..256]) => sum(&h[..8]));
        let u: Vec<f32> = a.iter().map(|v| v + 0.5).collect();
        let mut bins = vec![0.0f32; 64];
        work!(works, weighted_bins, bytes r, flop 0, (&u[..n * n], &s, &mut bins) => sum(&bins));
        let to: Vec<u32> = k.iter().map(|v| v % (n * n) as u32).collect();
        work!(works, gather, bytes 12 * n * n, flop 0, (n * n, &to, &a, &mut b) => sum(&b));
        let rows = n * n / 32;
        work!(works, ell, bytes 8 * n * n, flop 2 * n * n, (rows, 32, &to.iter().map(|t| t % rows as u32).collect::<Vec<_>>(), &a, &s, &mut b[..rows]) => sum(&b[..rows]));
        let mut at = vec![0u32];
        let (mut col, mut val) = (vec![], vec![]);
        for i in 0..rows {
            let len = 16 + (mix(i as u64) % 33) as usize;
            for e in 0..len {
                col.push(((i + e * 7) % rows) as u32);
                val.push(unit(i + e) as f32);
            }
            at.push(col.len() as u32);
        }
        let mut yy = vec![0.0f32; rows];
        let xs = floats(rows, 5, 0.5);
        let nnz = col.len();
        work!(works, spmv_u32, bytes 8 * nnz, flop 2 * nnz, (&at, &col, &val, &xs, &mut yy) => sum(&yy));
        let degree: Vec<u32> = (0..rows).map(|i| 1 + mix(i as u64) % 9).collect();
        work!(works, page_rank, bytes 4 * nnz, flop 2 * nnz, (&at, &col, &xs, &degree, &mut yy) => sum(&yy));
        let (at64, col64) = (
            at.iter().map(|v| *v as usize).collect::<Vec<_>>(),
            col.iter().map(|v| *v as usize).collect::<Vec<_>>(),
        );
        let (v64, x64) = (
            val.iter().map(|v| f64::from(*v)).collect::<Vec<_>>(),
            xs.iter().map(|v| f64::from(*v)).collect::<Vec<_>>(),
        );
        let mut y64 = vec![0.0f64; rows];
        work!(works, spmv, bytes 16 * nnz, flop 2 * nnz, (&at64, &col64, &v64, &x64, &mut y64) => sum(&y64));
        let (mut re, mut im) = (a[..n * n].to_vec(), s);
        work!(works, butterfly, bytes 16 * n * n, flop 10 * n * n / 2, (n * n, 4096, &mut re, &mut im, &t, &a[..n * n]) => 0);
    }
    {
        let n = w.size(512, 101);
        let a = floats(n * n * n, 1, 0.5);
        let mut b = vec![0.0f32; n * n * n];
        work!(works, permute, bytes 8 * n * n * n, flop 0, (n, &a, &mut b) => sum(&b[..999]));
        work!(works, permute_102, bytes 8 * n * n * n, flop 0, (n, &a, &mut b) => sum(&b[..999]));
    }
    {
        let n = w.size(4096, 128);
        let f: Vec<f32> = (0..9 * n * n).map(|i| 0.1 + 0.01 * unit(i) as f32).collect();
        let mut g = vec![0.0f32; 9 * n * n];
        work!(works, lbm, bytes 72 * n * n, flop 100 * n * n, (n, &f, &mut g) => sum(&g));
    }
    {
        let n = w.len(1 << 25);
        let a: Vec<[f32; 3]> = (0..n).map(|i| [unit(i) as f32, 1.0, 2.0]).collect();
        let [mut x, mut y, mut z] = [(); 3].map(|()| vec![0.0f32; n]);
        work!(works, to_fields, bytes 24 * n, flop 0, (n, &a, &mut x, &mut y, &mut z) => sum(&x) + sum(&z));
        let mut p: Vec<Particle> = a.iter().map(|a| Particle { pos: *a, vel: *a, mass: 1.0 }).collect();
        work!(works, momentum, bytes 8 * n, flop 2 * n, (&p, &mut x) => x[0]);
        work!(works, move_particles, bytes 36 * n, flop 6 * n, (0.1, &mut p) => 0);
    }
    {
        let n = w.size(1 << 16, 1 << 10);
        let b: Vec<Body> = (0..n)
            .map(|i| Body { x: unit(i) as f32, y: unit(i + n) as f32, z: unit(i + 2 * n) as f32, m: 1.0 })
            .collect();
        let mut f = vec![[0.0f32; 3]; n];
        work!(works, nbody, bytes 16 * n, flop 20.0 * (n * n) as f64, (n, &b, &mut f) => f64::from(f[0][0]));
        let (x, y) = (floats(n, 1, 0.0), floats(n, 9, 0.0));
        let mut out = [0.0f32];
        work!(works, pairs_close, bytes 0, flop 3.0 * (n * n) as f64, (n, &x, &y, &mut out) => sum(&out));
        work!(works, monte_carlo, bytes 0, flop 14.0 * 1000.0 * n as f64, (n * 8, 1000, &mut out) => sum(&out));
    }
}
