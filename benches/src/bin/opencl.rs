//! The works of the small OpenCL peers as annotated loops: `opencl [WORK-PREFIX]`; run it with OMP_BACKEND=opencl and
//! OMP_TARGET_OFFLOAD=mandatory, in turn with them, on the same device. `--small` has the sizes of theirs.
#![allow(clippy::cast_lossless, clippy::assign_op_pattern, reason = "the loops as the peers have them")]
use omp_benches::{kernels, mix, region, unit};

const REPS: usize = 11;

#[omp::offload]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    #[omp::target(map(to: x), map(tofrom: y))]
    for i in 0..x.len() {
        y[i] = a * x[i] + y[i];
    }
}

#[omp::offload]
fn sum(x: &[i32]) -> i32 {
    let mut sum = 0i32;
    #[omp::target(reduction(+: sum))]
    for i in 0..x.len() {
        sum += x[i];
    }
    sum
}

#[omp::offload]
fn scan(x: &[i32], y: &mut [i32]) {
    y[0] = 0;
    #[omp::target(scan(+: y))]
    for i in 1..y.len() {
        y[i] = y[i - 1] + x[i - 1];
    }
}

#[omp::offload]
fn matmul(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    #[omp::target(collapse(2), map(to: a, b), map(from: c))]
    for i in 0..n {
        for j in 0..n {
            let mut sum = 0.0;
            for k in 0..n {
                sum += a[i * n + k] * b[k * n + j];
            }
            c[i * n + j] = sum;
        }
    }
}

#[omp::offload]
fn convolve(n: usize, weights: &[f32], image: &[f32], out: &mut [f32]) {
    let pitch = n + 4;
    #[omp::target(collapse(2), map(to: weights, image), map(from: out))]
    for i in 0..n {
        for j in 0..n {
            let mut sum = 0.0f32;
            for a in 0..5 {
                for b in 0..5 {
                    sum += image[(i + a) * pitch + j + b] * weights[a * 5 + b];
                }
            }
            out[i * n + j] = sum;
        }
    }
}

#[omp::declare_target]
fn pixel(px: usize, py: usize, n: usize, most: i32) -> u8 {
    let step = 3.0 / n as f64;
    let (x0, y0) = (-2.0 + px as f64 * step, -1.5 + py as f64 * step);
    let (mut x, mut y, mut i) = (0.0f64, 0.0f64, 0);
    while i < most {
        let (xx, yy) = (x * x, y * y);
        if xx + yy >= 4.0 {
            break;
        }
        y = 2.0 * x * y + y0;
        x = xx - yy + x0;
        i += 1;
    }
    (255.0 * i as f64 / most as f64) as u8
}

#[omp::offload]
fn mandelbrot(n: usize, most: i32, image: &mut [u8]) {
    #[omp::target(collapse(2), map(from: image))]
    for py in 0..n {
        for px in 0..n {
            image[py * n + px] = pixel(px, py, n, most);
        }
    }
}

#[omp::offload]
fn average(a: &[f32], new: &mut [f32], n: usize) -> f32 {
    let mut change = 0.0f32;
    #[omp::target(collapse(2), reduction(max: change))]
    for i in 1..n - 1 {
        for j in 1..n - 1 {
            let at = i * n + j;
            new[at] = 0.25 * (a[at - 1] + a[at + 1] + a[at - n] + a[at + n]);
            change = change.max((new[at] - a[at]).abs());
        }
    }
    change
}

#[omp::offload]
fn take_over(a: &mut [f32], new: &[f32], n: usize) {
    #[omp::target(collapse(2))]
    for i in 1..n - 1 {
        for j in 1..n - 1 {
            a[i * n + j] = new[i * n + j];
        }
    }
}

fn floats(n: usize, from: usize, less: f64) -> Vec<f32> {
    (from..from + n).map(|i| (unit(i) - less) as f32).collect()
}

fn rows(wants: &dyn Fn(&str) -> bool, lg: u32) {
    let n = 1usize << lg;
    if wants("saxpy") {
        let (x, mut y) = (floats(n, 0, 0.0), floats(n, n, 0.0));
        region(&format!("saxpy_f32_2^{lg}"), REPS, || saxpy(1e-3, &x, &mut y))
            .bytes(12 * n)
            .print(y[7] > 0.0);
    }
    let x: Vec<i32> = (0..n).map(|i| mix(i as u64) as i32 & 7).collect();
    if wants("sum") {
        let mut got = 0;
        let line = region(&format!("sum_i32_2^{lg}"), REPS, || got = sum(&x)).bytes(4 * n);
        line.print(got == x.iter().sum());
    }
    if wants("scan") {
        let mut y = vec![-1; n];
        let line = region(&format!("scan_i32_2^{lg}"), REPS, || scan(&x, &mut y)).bytes(8 * n);
        line.print(y[0] == 0 && (1..n).all(|i| y[i] == y[i - 1] + x[i - 1]));
    }
}

fn planes(wants: &dyn Fn(&str) -> bool, small: bool) {
    if wants("matmul") {
        let n = if small { 256 } else { 1024 };
        let (a, b, mut c) = (floats(n * n, 0, 0.5), floats(n * n, n * n, 0.5), vec![f32::NAN; n * n]);
        let line = region(&format!("matmul_f32_{n}"), REPS, || matmul(n, &a, &b, &mut c));
        let want: f64 = (0..n).map(|k| f64::from(a[5 * n + k]) * f64::from(b[k * n + 9])).sum();
        line.flop(2.0 * (n * n * n) as f64).print((f64::from(c[5 * n + 9]) - want).abs() < 1e-3);
    }
    if wants("conv5") {
        let n = if small { 1024 } else { 8192 };
        let (image, weights) = (floats((n + 4) * (n + 4), 0, 0.25), floats(25, 99, 0.4));
        let mut out = vec![f32::NAN; n * n];
        let line = region(&format!("conv5_f32_{n}"), REPS, || convolve(n, &weights, &image, &mut out));
        line.flop(50.0 * (n * n) as f64).print(out.iter().all(|v| v.is_finite()));
    }
    if wants("mandelbrot") {
        let n = if small { 256 } else { 1024 };
        let mut image = vec![0; n * n];
        let line = region(&format!("mandelbrot_f64_{n}_1000"), REPS, || mandelbrot(n, 1000, &mut image));
        line.print(image[n / 2 * n + n / 2] == 255 && image[0] < 9);
    }
    if wants("jacobi") {
        let n = if small { 512 } else { 2048 };
        let (mut a, mut new) = (vec![0.0; n * n], vec![0.0; n * n]);
        a[..n].fill(1.0);
        let mut change = 0.0;
        let line = kernels(&format!("jacobi_f32_{n}"), REPS, || {
            change = average(&a, &mut new, n);
            take_over(&mut a, &new, n);
        });
        line.bytes(16 * n * n).print(change > 0.0);
    }
}

fn main() {
    let (mut only, mut small) = (None, false);
    for arg in std::env::args().skip(1) {
        match arg.as_str() {
            "--small" => small = true,
            other => only = Some(other.to_string()),
        }
    }
    let wants = |work: &str| only.as_ref().is_none_or(|o| work.starts_with(o.as_str()));
    let lg = |n: u32| if small { 22 } else { n };
    if wants("saxpy") {
        rows(&|w| w == "saxpy", lg(26));
    }
    if wants("sum") || wants("scan") {
        rows(&|w| w != "saxpy" && wants(w), lg(28));
    }
    planes(&wants, small);
}
