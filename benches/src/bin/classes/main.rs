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

/// A module `device` of functions with directives.
macro_rules! offloaded {
    ($($(#[$attr:meta])* fn $name:ident($($arg:ident: $ty:ty),*) { $($body:tt)* })*) => {
        pub mod device { #[allow(unused_imports)] use super::*; $($(#[$attr])* #[omp::offload] #[allow(clippy::too_many_arguments)] pub fn $name($($arg: $ty),*) { $($body)* })* }
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

mod convolutions;
mod grids;
mod memory_orders;
mod products;
mod reductions;
mod rows;
mod sparse;
mod window_forms;

/// The functions of all classes.
mod device {
    pub use crate::convolutions::device::*;
    pub use crate::grids::device::*;
    pub use crate::memory_orders::device::*;
    pub use crate::products::device::*;
    pub use crate::reductions::device::*;
    pub use crate::rows::device::*;
    pub use crate::sparse::device::*;
    pub use crate::window_forms::device::*;
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
    let works = &Works::from_args();
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
        let half = n / 2;
        let residues: Vec<u32> = (0..2 * half * half).map(|i| mix(i as u64) % 998_244_353).collect();
        let mut product = vec![0u32; half * half];
        let (left, right) = residues.split_at(half * half);
        work!(works, modular, bytes 12 * half * half, flop 3 * half * half * half, (half, left, right, &mut product) => sum(&product));
        work!(works, products_8x8, bytes 12 * n * n, flop 16 * n * n, (n * n / 64, &a, &b, &mut c) => sum(&c));
        let v = n * n / 16;
        work!(works, vectors_16x16, bytes 4 * n * n, flop 2 * n * n, (n * n / 256, &a, &b[..v], &mut c[..v]) => sum(&c[..v]));
        let m = n / 8;
        work!(works, batched, bytes 12 * 64 * m * m, flop 2.0 * 64.0 * (m * m * m) as f64, (64, m, &a, &b, &mut c) => sum(&c));
        let heads = if n > 512 { 16 } else { 1 };
        let mut s = vec![0.0f32; heads * (n / 2) * (n / 2)];
        work!(works, scores, bytes 4 * heads * n * n / 4, flop 2.0 * 64.0 * (heads * n * n / 4) as f64, (heads, n / 2, 64, &a, &b, &mut s) => sum(&s));
        work!(works, causal_scores, bytes 4 * heads * n * n / 4, flop 64.0 * (heads * n * n / 4) as f64, (heads, n / 2, 64, &a, &b, &mut s) => s.iter().filter(|v| v.is_finite()).map(|v| f64::from(*v)).sum::<f64>());
        let m = n / 2;
        work!(works, contraction, bytes 12 * m * m, flop f / 8.0, (m, m / 32, 32, &a[..m * m], &b[..m * m], &mut c[..m * m]) => sum(&c[..m * m]));
        let (mut re, mut im) = (vec![0.0f32; m * m], vec![0.0f32; m * m]);
        work!(works, complex_parts, bytes 24 * m * m, flop f, (m, &a[..m * m], &b[..m * m], &b[m * m..2 * m * m], &a[m * m..2 * m * m], &mut re, &mut im) => sum(&re) + sum(&im));
        if works.wants("cholesky") {
            let batch = n / 4 * 4;
            let spd: Vec<f32> = (0..batch * 1024)
                .map(|t| {
                    let (of, i, j) = (t / 1024, t / 32 % 32, t % 32);
                    let (lo, hi) = (i.min(j), i.max(j));
                    unit((of * 32 + hi) * 32 + lo) as f32 + if i == j { 32.0 } else { 0.0 }
                })
                .collect();
            let mut l = vec![0.0f32; batch * 1024];
            work!(works, cholesky, bytes 8 * batch * 1024, flop batch * 32 * 32 * 32 / 3, (batch, 32, &spd, &mut l) => sum(&l));
        }
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
        work!(works, unit_rows_f64, bytes 16 * n * n, flop 3 * n * n, (n, n, &mut wide) => wide[..4].iter().sum::<f64>() as f32);
        let (vector, mut long) = (wide[..n].to_vec(), vec![0.0f64; n]);
        work!(works, gemv_f64, bytes 8 * n * n, flop 2 * n * n, (n, &wide, &vector, &mut long) => long.iter().sum::<f64>());
        let mut rows_f64 = vec![0.0f64; n * n];
        work!(works, softmax_f64, bytes 16 * n * n, flop 5 * n * n, (n, n, &wide, &mut rows_f64) => rows_f64[..4].iter().sum::<f64>() as f32);
        let channels = 64;
        work!(works, channel_means, bytes 4 * n * n, flop n * n, (channels, channels, n * n / channels / channels, &a, &mut c[..channels]) => sum(&c[..channels]));
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
        let n = w.size(512, 70);
        let x: Vec<f64> = floats(n * n * n, 1, 0.5).into_iter().map(f64::from).collect();
        let (mut y, weights) = (vec![0.0f64; n * n * n], std::array::from_fn(|k| x[k]));
        work!(works, stencil_27_f64, bytes 16 * n * n * n, flop 54 * n * n * n, (n, &weights, &x, &mut y) => sum(&y));
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
        let picture: Vec<u8> = (0..4 * n * n).map(|i| mix(i as u64) as u8).collect();
        work!(works, gauss_table_u8, bytes 2 * n * n, flop 50 * n * n, (n, &picture[..n * n], &mut y) => sum(&y));
        work!(works, sobel_tables_u8, bytes 2 * n * n, flop 36 * n * n, (n, &picture[..n * n], &mut y) => sum(&y));
        work!(works, grey_of_arrays, bytes 5 * n * n, flop 5 * n * n, (picture.as_chunks().0, &mut y) => sum(&y));
        let samples: Vec<i16> = picture[..n * n].iter().map(|v| i16::from(*v) * 3).collect();
        let mut filtered = vec![0i16; n * n - 63];
        work!(works, fir_i16, bytes 4 * n * n, flop 126 * n * n, (n * n - 63, 63, &samples[5..68], &samples, &mut filtered) => sum(&filtered));
        work!(works, box_interior, bytes r, flop 9 * n * n, (n, &a, &mut b) => sum(&b));
        work!(works, unsharp, bytes r, flop 12 * n * n, (n, &a, &mut b) => sum(&b));
        work!(works, means_of_32, bytes r, flop 32 * n * n, (&a, &mut b) => sum(&b));
        work!(works, maxima_of_32, bytes r, flop 32 * n * n, (&a, &mut b) => sum(&b));
        work!(works, variances, bytes r, flop 96 * n * n, (n * n, 32, &a, &mut b) => sum(&b));
        work!(works, fir_flipped, bytes r, flop 126 * n * n, (n * n, 63, &a[7..70], &a, &mut b) => sum(&b));
        let pixels = n * n / 3;
        work!(works, rgb_to_grey, bytes 4 * pixels, flop 5 * pixels, (pixels, &x, &mut y) => sum(&y));
        let m = n / 2;
        let (p, mut q) = ((0..m * m).map(unit).collect::<Vec<f64>>(), vec![0.0f64; m * m]);
        work!(works, transpose_f64, bytes 16 * m * m, flop 0, (m, &p, &mut q) => sum(&q));
        let mut out = [0.0f32; 2];
        let (cells, whole) = ((n / 64) * (n / 64), n / 64 * 64);
        let mut votes = vec![0.0f32; cells * 9];
        work!(works, atomic_bins, bytes 4 * whole * whole, flop 0, (whole, &a, &mut votes) => sum(&votes));
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
        let points = |count: usize, from: usize| -> Vec<Body> {
            let part = |i: usize| a[i % a.len()];
            (from..from + count)
                .map(|i| Body { x: part(3 * i), y: part(3 * i + 1), z: part(3 * i + 2), m: 1.0 })
                .collect()
        };
        let (q, p) = (points(4 * n, 0), points(4 * n, 4 * n));
        let (mut near, mut dist) = (vec![0u32; 4 * n], vec![0.0f32; 4 * n]);
        work!(works, nearest_points, bytes 128 * n, flop 8 * 16 * n * n, (&q, &p, &mut near, &mut dist) => sum(&near) + sum(&dist));
        work!(works, close_points, bytes 128 * n, flop 9 * 16 * n * n, (&q, &p, 0.01, &mut near) => sum(&near));
        let m = n * n / 16;
        work!(works, matrices4, bytes 96 * m, flop 32 * m, (m, &a[..16 * m], &u[..4 * m], &mut b[..4 * m]) => sum(&b[..4 * m]));
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
        let dense = floats(rows * 32, 6, 0.5);
        let mut product = vec![0.0f32; rows * 32];
        work!(works, spmm, bytes 8 * (nnz + 32 * rows), flop 64 * nnz, (32, &at, &col, &val, &dense, &mut product) => sum(&product));
        work!(works, spmm_rows, bytes 8 * (nnz + 32 * rows), flop 64 * nnz, (32, &at, &col, &val, &dense, &mut product) => sum(&product));
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
        work!(works, butterfly, bytes 16 * n * n, flop 10 * n * n / 2, (n * n / 8192 * 8192, 4096, &mut re, &mut im, &t, &a[..n * n]) => 0);
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
        let m: Vec<[[f32; 3]; 3]> = a.iter().map(|a| [*a, [0.5; 3], *a]).collect();
        let mut t = m.clone();
        work!(works, transposed_3x3, bytes 72 * n, flop 0, (&m, &mut t) => sum(&t[n / 2][0]));
        let m: Vec<[[f32; 4]; 4]> = a.iter().map(|a| [[a[0], 0.5, 0.25, 1.0]; 4]).collect();
        let mut t = m.clone();
        work!(works, squared_4x4, bytes 128 * n, flop 112 * n, (&m, &mut t) => sum(&t[n / 2][0]));
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
