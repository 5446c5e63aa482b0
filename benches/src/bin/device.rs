//! The works of the CUDA peers as annotated loops. `device [WORK-PREFIX]`; run it with OMP_BACKEND=cuda and
//! OMP_TARGET_OFFLOAD=mandatory. `--small` divides the sizes (for compute-sanitizer).
#![allow(clippy::cast_lossless, clippy::assign_op_pattern, reason = "the loops as the peers have them")]
use omp_benches::loops::{convolve, matmul, saxpy, sum_i32};
use omp_benches::{Works, floats, mix, region, runs, unit};
use rayon::prelude::*;
use std::ops::{AddAssign, Mul};

const REPS: usize = 11;

#[omp::offload]
fn copy(a: &[f64], c: &mut [f64]) {
    #[omp::target]
    for i in 0..a.len() {
        c[i] = a[i];
    }
}

#[omp::offload]
fn mul(s: f64, a: &[f64], c: &mut [f64]) {
    #[omp::target]
    for i in 0..a.len() {
        c[i] = s * a[i];
    }
}

#[omp::offload]
fn add(a: &[f64], b: &[f64], c: &mut [f64]) {
    #[omp::target]
    for i in 0..a.len() {
        c[i] = a[i] + b[i];
    }
}

#[omp::offload]
fn triad(s: f64, a: &[f64], b: &[f64], c: &mut [f64]) {
    #[omp::target]
    for i in 0..a.len() {
        c[i] = a[i] + s * b[i];
    }
}

#[omp::offload]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sum = 0.0;
    #[omp::target(reduction(+: sum))]
    for i in 0..a.len() {
        sum += a[i] * b[i];
    }
    sum
}

#[omp::offload]
fn max_f32(x: &[f32]) -> f32 {
    let mut most = f32::MIN;
    #[omp::target(reduction(max: most))]
    for i in 0..x.len() {
        most = most.max(x[i]);
    }
    most
}

#[omp::offload]
fn mandelbrot(n: usize, most: i32, image: &mut [u8]) {
    let step = 3.0 / n as f64;
    #[omp::target(collapse(2), map(from: image))]
    for py in 0..n {
        for px in 0..n {
            let (x0, y0) = (-2.0 + px as f64 * step, -1.5 + py as f64 * step);
            let (mut x, mut y, mut i) = (0.0f64, 0.0f64, 0);
            while x * x + y * y < 4.0 && i < most {
                let t = x * x - y * y + x0;
                y = 2.0 * x * y + y0;
                x = t;
                i += 1;
            }
            image[py * n + px] = (255.0 * i as f64 / most as f64) as u8;
        }
    }
}

#[omp::offload]
fn gather<T: omp::Device>(at: &[u32], x: &[T], y: &mut [T]) {
    #[omp::target(map(to: at, x), map(from: y))]
    for i in 0..y.len() {
        y[i] = x[at[i] as usize];
    }
}

#[omp::offload]
fn gather_unchecked<T: omp::Device>(at: &[u32], x: &[T], y: &mut [T]) {
    #[omp::target(map(to: at, x), map(from: y), unsafe(unchecked))]
    for i in 0..y.len() {
        y[i] = x[at[i] as usize];
    }
}

#[omp::offload]
fn nothing(n: usize) {
    #[omp::target]
    for i in 0..n {
        let _ = i;
    }
}

fn streams(works: &Works) {
    let n = works.len(1 << 26);
    if works.wants("saxpy") {
        let a = 1e-3f32;
        let x = floats(n, 0, 0.0);
        let mut y = vec![0.0f32; n];
        let line = region("saxpy_f32_2^26", REPS, || saxpy(a, &x, &mut y)).bytes(12 * n);
        let runs = runs(REPS) as f32;
        line.print((0..n).step_by(101).all(|i| (y[i] - runs * a * x[i]).abs() < 1e-5));
    }
    if !["copy", "mul", "add", "triad", "dot"].iter().any(|w| works.wants(w)) {
        return;
    }
    let a: Vec<f64> = (0..n).into_par_iter().map(unit).collect();
    let b: Vec<f64> = (0..n).into_par_iter().map(|i| unit(i + n)).collect();
    let mut c = vec![-1.0f64; n];
    let right = |c: &[f64], want: &(dyn Fn(usize) -> f64 + Sync)| {
        (0..n).into_par_iter().all(|i| (c[i] - want(i)).abs() < 1e-15)
    };
    if works.wants("copy") {
        let line = region("copy_f64_2^26", REPS, || copy(&a, &mut c)).bytes(16 * n);
        line.print(right(&c, &|i| a[i]));
    }
    if works.wants("mul") {
        let line = region("mul_f64_2^26", REPS, || mul(0.4, &a, &mut c)).bytes(16 * n);
        line.print(right(&c, &|i| 0.4 * a[i]));
    }
    if works.wants("add") {
        let line = region("add_f64_2^26", REPS, || add(&a, &b, &mut c)).bytes(24 * n);
        line.print(right(&c, &|i| a[i] + b[i]));
    }
    if works.wants("triad") {
        let line = region("triad_f64_2^26", REPS, || triad(0.4, &a, &b, &mut c)).bytes(24 * n);
        line.print(right(&c, &|i| a[i] + 0.4 * b[i]));
    }
    if works.wants("dot") {
        let mut got = 0.0;
        let line = region("dot_f64_2^26", REPS, || got = dot(&a, &b)).bytes(16 * n);
        let want: f64 = a.par_iter().zip(&b).map(|(a, b)| a * b).sum();
        line.print((got - want).abs() < 1e-11 * want);
    }
}

fn reductions(works: &Works) {
    for (work, n) in [("sum_i32_2M", 2_000_000), ("sum_i32_2^28", 1 << 28)] {
        if works.wants(work) {
            let n = works.len(n);
            let x: Vec<i32> = (0..n).into_par_iter().map(|i| (mix(i as u64) % 7) as i32).collect();
            let mut got = 0;
            let line = region(work, REPS, || got = sum_i32(&x)).bytes(4 * n);
            line.print(got == x.par_iter().sum::<i32>());
        }
    }
    if works.wants("max_f32_2^28") {
        let n = works.len(1 << 28);
        let x = floats(n, 0, 0.0);
        let mut got = 0.0;
        let line = region("max_f32_2^28", REPS, || got = max_f32(&x)).bytes(4 * n);
        line.print(got == x.par_iter().copied().reduce(|| f32::MIN, f32::max));
    }
}

fn images(works: &Works) {
    if works.wants("mandelbrot") {
        let n = works.size(4096, 256);
        let mut image = vec![0u8; n * n];
        region("mandelbrot_f64_4096_1000", REPS, || mandelbrot(n, 1000, &mut image))
            .print(image[n / 2 * n + n / 2] == 255);
    }
    if works.wants("conv5") {
        convolution::<5>(works, "conv5_f32_8192");
    }
    if works.wants("conv11") {
        convolution::<11>(works, "conv11_f32_8192");
    }
}

fn convolution<const K: usize>(works: &Works, work: &str) {
    let n = works.size(8192, 512);
    let p = n + K - 1;
    let image = floats(p * p, 0, 0.25);
    let weights = floats(K * K, 99, 0.4);
    let mut out = vec![f32::NAN; n * n];
    let line =
        region(work, REPS, || convolve::<K>(n, &weights, &image, &mut out)).flop((2 * K * K * n * n) as f64);
    let right = (0..256).all(|s| {
        let (i, j) = (mix(s) as usize % n, mix(s + 1000) as usize % n);
        let want: f64 =
            (0..K * K).map(|k| f64::from(image[(i + k / K) * p + j + k % K]) * f64::from(weights[k])).sum();
        (f64::from(out[i * n + j]) - want).abs() < 1e-4
    });
    line.print(right);
}

#[omp::offload]
fn gemv(n: usize, a: &[f32], x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..n {
        let mut sum = 0.0;
        #[omp::parallel_for(reduction(+: sum))]
        for k in 0..n {
            sum += a[i * n + k] * x[k];
        }
        y[i] = sum;
    }
}

/// The loop as it would be written without a thought of threads: rows, or columns.
#[omp::offload]
fn gemv_plain(n: usize, (row, column): (usize, usize), a: &[f32], x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..n {
        let mut sum = 0.0;
        for k in 0..n {
            sum += a[i * row + k * column] * x[k];
        }
        y[i] = sum;
    }
}

fn vectors(works: &Works) {
    let n = works.size(16384, 512);
    let works = ["gemv_f32_16384", "gemv_t_f32_16384"].map(|work| works.wants(work).then_some(work));
    if works == [None, None] {
        return;
    }
    let (a, x) = (floats(n * n, 0, 0.5), floats(n, 77, 0.5));
    let mut y = vec![f32::NAN; n];
    let right = |y: &[f32], (row, column): (usize, usize)| {
        (0..n).step_by(n / 7).all(|i| {
            let term = |k: usize| f64::from(a[i * row + k * column]) * f64::from(x[k]);
            (f64::from(y[i]) - (0..n).map(term).sum::<f64>()).abs() < 1e-2
        })
    };
    if let Some(work) = works[0] {
        let line = region(work, REPS, || gemv(n, &a, &x, &mut y)).bytes(4 * n * n);
        line.print(right(&y, (n, 1)));
        let line =
            region("gemv_f32_16384_plain", REPS, || gemv_plain(n, (n, 1), &a, &x, &mut y)).bytes(4 * n * n);
        line.print(right(&y, (n, 1)));
    }
    if let Some(work) = works[1] {
        let line = region(work, REPS, || gemv_plain(n, (1, n), &a, &x, &mut y)).bytes(4 * n * n);
        line.print(right(&y, (1, n)));
    }
}

/// `c = aᵀ·b`.
#[omp::offload]
fn matmul_tn(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    #[omp::target(collapse(2), map(to: a, b), map(from: c))]
    for i in 0..n {
        for j in 0..n {
            let mut sum = 0.0;
            for k in 0..n {
                sum += a[k * n + i] * b[k * n + j];
            }
            c[i * n + j] = sum;
        }
    }
}

/// `c = a·bᵀ`.
#[omp::offload]
fn matmul_nt(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    #[omp::target(collapse(2), map(to: a, b), map(from: c))]
    for i in 0..n {
        for j in 0..n {
            let mut sum = 0.0;
            for k in 0..n {
                sum += a[i * n + k] * b[j * n + k];
            }
            c[i * n + j] = sum;
        }
    }
}

/// The same, with the element in the innermost loop and a directive on the outermost one alone.
#[omp::offload]
fn matmul_nt_inner(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    #[omp::target(map(to: a, b), map(from: c))]
    for i in 0..n {
        for j in 0..n {
            c[i * n + j] = 0.0;
            for k in 0..n {
                c[i * n + j] += a[i * n + k] * b[j * n + k];
            }
        }
    }
}

/// Squared distances of all rows of `a` from all rows of `b`.
#[omp::offload]
fn distances(n: usize, depth: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    #[omp::target(collapse(2), map(to: a, b), map(from: c))]
    for i in 0..n {
        for j in 0..n {
            let mut sum = 0.0;
            for k in 0..depth {
                let apart = a[i * depth + k] - b[j * depth + k];
                sum += apart * apart;
            }
            c[i * n + j] = sum;
        }
    }
}

/// Products of pairs of rows and columns, by their peers' names: sizes, how the loops walk `a` and `b` (rows or columns), and
/// the loops.
#[allow(clippy::type_complexity, reason = "a row of a table")]
fn pairs(works: &Works) {
    let plain: fn(f64, f64) -> f64 = |x, y| x * y;
    let squares: fn(f64, f64) -> f64 = |x, y| (x - y) * (x - y);
    let all: [(
        &str,
        usize,
        usize,
        bool,
        bool,
        &dyn Fn(usize, &[f32], &[f32], &mut [f32]),
        fn(f64, f64) -> f64,
    ); 4] = [
        ("matmul_tn_f32_4096", 4096, 4096, false, false, &matmul_tn, plain),
        ("matmul_nt_f32_4096", 4096, 4096, true, true, &matmul_nt, plain),
        ("matmul_nt_f32_4096_inner", 4096, 4096, true, true, &matmul_nt_inner, plain),
        ("dist_f32_8192x64", 8192, 64, true, true, &|n, a, b, c| distances(n, 64, a, b, c), squares),
    ];
    for (work, n, depth, rows_a, rows_b, run, term) in all {
        if !works.wants(work) {
            continue;
        }
        let n = works.size(n, 256);
        let depth = if depth == 64 { 64 } else { n };
        let (a, b) = (floats(n * depth, 0, 0.5), floats(n * depth, 1_234_567, 0.5));
        let mut c = vec![f32::NAN; n * n];
        let line = region(work, REPS, || run(n, &a, &b, &mut c)).flop(2.0 * (n * n * depth) as f64);
        let at = |x: &[f32], rows: bool, i: usize, k: usize| {
            f64::from(if rows { x[i * depth + k] } else { x[k * n + i] })
        };
        let right = (0..64).all(|s| {
            let (i, j) = (mix(s) as usize % n, mix(s + 1000) as usize % n);
            let want: f64 = (0..depth).map(|k| term(at(&a, rows_a, i, k), at(&b, rows_b, j, k))).sum();
            (f64::from(c[i * n + j]) - want).abs() < 1e-2
        });
        line.print(right);
    }
}

#[omp::offload]
fn transpose(n: usize, a: &[f32], b: &mut [f32]) {
    #[omp::target(collapse(2), map(to: a), map(from: b))]
    for i in 0..n {
        for j in 0..n {
            b[j * n + i] = a[i * n + j];
        }
    }
}

#[omp::offload]
fn filter(h: &[f32], x: &[f32], y: &mut [f32]) {
    #[omp::target(map(to: h, x), map(from: y))]
    for i in 0..y.len() {
        let mut sum = 0.0;
        for k in 0..h.len() {
            sum += h[k] * x[i + k];
        }
        y[i] = sum;
    }
}

fn walks(works: &Works) {
    if works.wants("transpose_f32_8192") {
        let n = works.size(8192, 512);
        let a = floats(n * n, 0, 0.5);
        let mut b = vec![f32::NAN; n * n];
        let line = region("transpose_f32_8192", REPS, || transpose(n, &a, &mut b)).bytes(8 * n * n);
        line.print((0..n * n).into_par_iter().all(|i| b[i % n * n + i / n] == a[i]));
    }
    if works.wants("fir_f32_63_2^26") {
        const TAPS: usize = 63;
        let n = works.len(1 << 26);
        let (x, h) = (floats(n + 1024 + 64, 0, 0.5), floats(TAPS, 99, 0.5));
        let mut y = vec![f32::NAN; n];
        let line = region("fir_f32_63_2^26", REPS, || filter(&h, &x, &mut y)).flop((2 * TAPS * n) as f64);
        let want = |i: usize| (0..TAPS).map(|k| f64::from(h[k]) * f64::from(x[i + k])).sum::<f64>();
        line.print((0..n).step_by(101).all(|i| (f64::from(y[i]) - want(i)).abs() < 1e-4));
    }
}

/// `c = a·b` for each of `sizes`, checked to `close` in places.
fn matmuls<T: omp::Device + Default + Mul<Output = T> + AddAssign + Into<f64>>(
    works: &Works,
    name: &str,
    sizes: &[usize],
    of: fn(f64) -> T,
    close: f64,
) {
    for n in sizes {
        let work = format!("matmul_{name}_{n}");
        if !works.wants(&work) {
            continue;
        }
        let n = works.size(*n, n / 16);
        let a: Vec<T> = (0..n * n).map(|i| of(unit(i) - 0.5)).collect();
        let b: Vec<T> = (0..n * n).map(|i| of(unit(i + n * n) - 0.5)).collect();
        let mut c = vec![of(f64::NAN); n * n];
        let line = region(&work, REPS, || matmul(n, &a, &b, &mut c)).flop(2.0 * (n * n * n) as f64);
        let right = (0..64).all(|s| {
            let (i, j) = (mix(s) as usize % n, mix(s + 1000) as usize % n);
            let want: f64 = (0..n).map(|k| a[i * n + k].into() * b[k * n + j].into()).sum();
            (c[i * n + j].into() - want).abs() < close
        });
        line.print(right);
    }
}

/// What a check of each subscript costs.
fn gathers<T: omp::Device + PartialEq + From<f32>>(works: &Works, name: &str) {
    if !works.wants("gather") {
        return;
    }
    let n = works.len(1 << 26);
    let x: Vec<T> = (0..n).into_par_iter().map(|i| T::from(unit(i) as f32)).collect();
    let mut y = vec![T::from(-1.0); n];
    for order in ["sequential", "random"] {
        let place = |i: usize| if order == "random" { mix(i as u64) as usize % n } else { i };
        let at: Vec<u32> = (0..n).into_par_iter().map(|i| place(i) as u32).collect();
        let right = |y: &[T]| (0..n).step_by(7).all(|i| y[i] == x[place(i)]);
        for (checked, run) in [("", gather as fn(&[u32], &[T], &mut [T])), ("_unchecked", gather_unchecked)] {
            let work = format!("gather_{name}_{order}{checked}_2^26");
            let line = region(&work, 5, || run(&at, &x, &mut y)).bytes((4 + 2 * size_of::<T>()) * n);
            line.print(right(&y));
        }
    }
}

fn launches(works: &Works) {
    if works.wants("launch_sync_us") {
        const LAUNCHES: usize = 2000;
        let line = omp_benches::host("omp", "launch_sync_us", REPS, || {
            for _ in 0..LAUNCHES {
                nothing(1);
            }
        });
        line.per(LAUNCHES).print(true);
    }
}

/// The first region of the process, with whatever the disk cache holds: `device first`. Prints milliseconds of the
/// region, and those of an OpenMP-like API call that creates the context.
fn first() {
    let start = std::time::Instant::now();
    let devices = omp::devices();
    let found = start.elapsed();
    let x = vec![1.0f32; 1000];
    let mut y = vec![1.0f32; 1000];
    let start = std::time::Instant::now();
    saxpy(2.0, &x, &mut y);
    let cold = start.elapsed();
    let start = std::time::Instant::now();
    max_f32(&x);
    let second = start.elapsed();
    assert!(y.iter().all(|&v| v == 3.0));
    println!(
        "{{\"peer\":\"omp\",\"work\":\"first_region\",\"devices\":{},\"discovery_ms\":{:.3},\"first_ms\":{:.3},\"second_kernel_ms\":{:.3}}}",
        devices.len(),
        found.as_secs_f64() * 1e3,
        cold.as_secs_f64() * 1e3,
        second.as_secs_f64() * 1e3
    );
}

fn main() {
    if std::env::args().any(|a| a == "first") {
        return first();
    }
    let works = &Works::from_args();
    streams(works);
    reductions(works);
    images(works);
    vectors(works);
    walks(works);
    matmuls::<f32>(works, "f32", &[1024, 2048, 3000, 4096, 8192], |v| v as f32, 1e-3);
    matmuls::<f64>(works, "f64", &[1024, 2048, 3001, 4096], |v| v, 1e-9);
    pairs(works);
    gathers::<f32>(works, "f32");
    gathers::<f64>(works, "f64");
    launches(works);
}
