//! The works of the CUDA peers as annotated loops. `device [WORK-PREFIX]`; run it with OMP_BACKEND=cuda and
//! OMP_TARGET_OFFLOAD=mandatory. `--small` divides the sizes (for compute-sanitizer).
#![allow(clippy::cast_lossless, clippy::assign_op_pattern, reason = "the loops as the peers have them")]
use omp_benches::{mix, region, runs, unit};
use rayon::prelude::*;

const REPS: usize = 11;

#[omp::offload]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    #[omp::target(map(to: x), map(tofrom: y))]
    for i in 0..x.len() {
        y[i] = a * x[i] + y[i];
    }
}

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
fn sum_i32(x: &[i32]) -> i32 {
    let mut sum = 0i32;
    #[omp::target(reduction(+: sum))]
    for i in 0..x.len() {
        sum += x[i];
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
fn matmul_f64(n: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
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
fn convolve<const K: usize>(n: usize, weights: &[f32], image: &[f32], out: &mut [f32]) {
    let pitch = n + K - 1;
    #[omp::target(collapse(2), map(to: weights, image), map(from: out))]
    for i in 0..n {
        for j in 0..n {
            let mut sum = 0.0f32;
            for a in 0..K {
                for b in 0..K {
                    sum += image[(i + a) * pitch + j + b] * weights[a * K + b];
                }
            }
            out[i * n + j] = sum;
        }
    }
}

#[omp::offload]
fn nothing(n: usize) {
    #[omp::target]
    for i in 0..n {
        let _ = i;
    }
}

struct Bench {
    only: Option<String>,
    small: bool,
}

impl Bench {
    fn wants(&self, work: &str) -> bool {
        self.only.as_ref().is_none_or(|o| work.starts_with(o.as_str()))
    }

    fn len(&self, n: usize) -> usize {
        if self.small { n >> 10 } else { n }
    }

    fn side(&self, n: usize) -> usize {
        if self.small { n / 16 } else { n }
    }

    fn streams(&self) {
        let n = self.len(1 << 26);
        if self.wants("saxpy") {
            let a = 1e-3f32;
            let x: Vec<f32> = (0..n).into_par_iter().map(|i| unit(i) as f32).collect();
            let mut y = vec![0.0f32; n];
            let line = region("saxpy_f32_2^26", REPS, || saxpy(a, &x, &mut y)).bytes(12 * n);
            let runs = runs(REPS) as f32;
            line.print((0..n).step_by(101).all(|i| (y[i] - runs * a * x[i]).abs() < 1e-5));
        }
        if !["copy", "mul", "add", "triad", "dot"].iter().any(|w| self.wants(w)) {
            return;
        }
        let a: Vec<f64> = (0..n).into_par_iter().map(unit).collect();
        let b: Vec<f64> = (0..n).into_par_iter().map(|i| unit(i + n)).collect();
        let mut c = vec![-1.0f64; n];
        let right = |c: &[f64], want: &(dyn Fn(usize) -> f64 + Sync)| {
            (0..n).into_par_iter().all(|i| (c[i] - want(i)).abs() < 1e-15)
        };
        if self.wants("copy") {
            let line = region("copy_f64_2^26", REPS, || copy(&a, &mut c)).bytes(16 * n);
            line.print(right(&c, &|i| a[i]));
        }
        if self.wants("mul") {
            let line = region("mul_f64_2^26", REPS, || mul(0.4, &a, &mut c)).bytes(16 * n);
            line.print(right(&c, &|i| 0.4 * a[i]));
        }
        if self.wants("add") {
            let line = region("add_f64_2^26", REPS, || add(&a, &b, &mut c)).bytes(24 * n);
            line.print(right(&c, &|i| a[i] + b[i]));
        }
        if self.wants("triad") {
            let line = region("triad_f64_2^26", REPS, || triad(0.4, &a, &b, &mut c)).bytes(24 * n);
            line.print(right(&c, &|i| a[i] + 0.4 * b[i]));
        }
        if self.wants("dot") {
            let mut got = 0.0;
            let line = region("dot_f64_2^26", REPS, || got = dot(&a, &b)).bytes(16 * n);
            let want: f64 = a.par_iter().zip(&b).map(|(a, b)| a * b).sum();
            line.print((got - want).abs() < 1e-11 * want);
        }
    }

    fn reductions(&self) {
        for (work, n) in [("sum_i32_2M", 2_000_000), ("sum_i32_2^28", 1 << 28)] {
            if self.wants(work) {
                let n = self.len(n);
                let x: Vec<i32> = (0..n).into_par_iter().map(|i| (mix(i as u64) % 7) as i32).collect();
                let mut got = 0;
                let line = region(work, REPS, || got = sum_i32(&x)).bytes(4 * n);
                line.print(got == x.par_iter().sum::<i32>());
            }
        }
        if self.wants("max_f32_2^28") {
            let n = self.len(1 << 28);
            let x: Vec<f32> = (0..n).into_par_iter().map(|i| unit(i) as f32).collect();
            let mut got = 0.0;
            let line = region("max_f32_2^28", REPS, || got = max_f32(&x)).bytes(4 * n);
            line.print(got == x.par_iter().copied().reduce(|| f32::MIN, f32::max));
        }
    }

    fn images(&self) {
        if self.wants("mandelbrot") {
            let n = self.side(4096);
            let mut image = vec![0u8; n * n];
            region("mandelbrot_f64_4096_1000", REPS, || mandelbrot(n, 1000, &mut image))
                .print(image[n / 2 * n + n / 2] == 255);
        }
        if self.wants("conv5") {
            self.convolution::<5>("conv5_f32_8192");
        }
        if self.wants("conv11") {
            self.convolution::<11>("conv11_f32_8192");
        }
    }

    fn convolution<const K: usize>(&self, work: &str) {
        let n = self.side(8192);
        let p = n + K - 1;
        let image: Vec<f32> = (0..p * p).into_par_iter().map(|i| unit(i) as f32 - 0.25).collect();
        let weights: Vec<f32> = (0..K * K).map(|i| unit(i + 99) as f32 - 0.4).collect();
        let mut out = vec![f32::NAN; n * n];
        let line = region(work, REPS, || convolve::<K>(n, &weights, &image, &mut out))
            .flop((2 * K * K * n * n) as f64);
        let right = (0..256).all(|s| {
            let (i, j) = (mix(s) as usize % n, mix(s + 1000) as usize % n);
            let want: f64 = (0..K * K)
                .map(|k| f64::from(image[(i + k / K) * p + j + k % K]) * f64::from(weights[k]))
                .sum();
            (f64::from(out[i * n + j]) - want).abs() < 1e-4
        });
        line.print(right);
    }

    fn matmul(&self) {
        for n in [1024, 2048, 3000, 4096] {
            let work = format!("matmul_f32_{n}");
            if !self.wants(&work) {
                continue;
            }
            let n = self.side(n);
            let a: Vec<f32> = (0..n * n).map(|i| unit(i) as f32 - 0.5).collect();
            let b: Vec<f32> = (0..n * n).map(|i| unit(i + n * n) as f32 - 0.5).collect();
            let mut c = vec![f32::NAN; n * n];
            let line = region(&work, REPS, || matmul(n, &a, &b, &mut c)).flop(2.0 * (n * n * n) as f64);
            let right = (0..64).all(|s| {
                let (i, j) = (mix(s) as usize % n, mix(s + 1000) as usize % n);
                let want: f64 = (0..n).map(|k| f64::from(a[i * n + k]) * f64::from(b[k * n + j])).sum();
                (f64::from(c[i * n + j]) - want).abs() < 1e-3
            });
            line.print(right);
        }
    }

    fn matmul_f64(&self) {
        for n in [1024, 2048, 3001] {
            let work = format!("matmul_f64_{n}");
            if !self.wants(&work) {
                continue;
            }
            let n = self.side(n);
            let a: Vec<f64> = (0..n * n).map(|i| unit(i) - 0.5).collect();
            let b: Vec<f64> = (0..n * n).map(|i| unit(i + n * n) - 0.5).collect();
            let mut c = vec![f64::NAN; n * n];
            let line = region(&work, 5, || matmul_f64(n, &a, &b, &mut c)).flop(2.0 * (n * n * n) as f64);
            let right = (0..64).all(|s| {
                let (i, j) = (mix(s) as usize % n, mix(s + 1000) as usize % n);
                let want: f64 = (0..n).map(|k| a[i * n + k] * b[k * n + j]).sum();
                (c[i * n + j] - want).abs() < 1e-9
            });
            line.print(right);
        }
    }

    /// What a check of each subscript costs.
    fn gathers<T: omp::Device + PartialEq + From<f32>>(&self, name: &str) {
        if !self.wants("gather") {
            return;
        }
        let n = self.len(1 << 26);
        let x: Vec<T> = (0..n).into_par_iter().map(|i| T::from(unit(i) as f32)).collect();
        let mut y = vec![T::from(-1.0); n];
        for order in ["sequential", "random"] {
            let place = |i: usize| if order == "random" { mix(i as u64) as usize % n } else { i };
            let at: Vec<u32> = (0..n).into_par_iter().map(|i| place(i) as u32).collect();
            let right = |y: &[T]| (0..n).step_by(7).all(|i| y[i] == x[place(i)]);
            for (checked, run) in
                [("", gather as fn(&[u32], &[T], &mut [T])), ("_unchecked", gather_unchecked)]
            {
                let work = format!("gather_{name}_{order}{checked}_2^26");
                let line = region(&work, 5, || run(&at, &x, &mut y)).bytes((4 + 2 * size_of::<T>()) * n);
                line.print(right(&y));
            }
        }
    }

    fn launches(&self) {
        if self.wants("launch_sync_us") {
            const LAUNCHES: usize = 2000;
            let line = omp_benches::host("omp", "launch_sync_us", REPS, || {
                for _ in 0..LAUNCHES {
                    nothing(1);
                }
            });
            line.per(LAUNCHES).print(true);
        }
    }
}

/// The first region of the process, with whatever the disk cache holds: `device first`. Prints milliseconds of the
/// region beside those of an OpenMP-like API call that creates the context.
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
    let mut bench = Bench { only: None, small: false };
    for arg in std::env::args().skip(1) {
        match arg.as_str() {
            "--small" => bench.small = true,
            "first" => return first(),
            other => bench.only = Some(other.to_string()),
        }
    }
    bench.streams();
    bench.reductions();
    bench.images();
    bench.matmul();
    bench.matmul_f64();
    bench.gathers::<f32>("f32");
    bench.gathers::<f64>("f64");
    bench.launches();
}
