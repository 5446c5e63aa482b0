//! saxpy, a Jacobi step of Laplace's equation, Mandelbrot, matrix products and convolutions, each in OpenMP's and in OpenACC's spelling:
//! the same kernels, so the same speed. The further works of the OpenACC peer are there in its own spelling alone.
//! `spellings [--small] [WORK-PREFIX]`; run it with OMP_BACKEND=cuda and OMP_TARGET_OFFLOAD=mandatory. Peers are `omp_…` and
//! `acc_…`; they run alternately, so that the machine's clock is the same for both.
#![allow(clippy::cast_lossless, reason = "the loops as the peers have them")]
use omp::acc;
use omp_benches::loops::{average, convolve, mandelbrot, matmul, pixel, saxpy, take_over};
use omp_benches::{Line, Works, floats, host, kernels, mix, region, unit};

const REPS: usize = 11;
const ROUNDS: usize = 3;

#[acc::parallel_loop(copyin(x), copy(y))]
fn saxpy_acc(a: f32, x: &[f32], y: &mut [f32]) {
    for i in 0..x.len() {
        y[i] += a * x[i];
    }
}

#[omp::offload]
fn mandelbrot_acc(n: usize, most: i32, image: &mut [u8]) {
    #[acc::parallel_loop(collapse(2), copyout(image))]
    for py in 0..n {
        for px in 0..n {
            image[py * n + px] = pixel(px, py, n, most);
        }
    }
}

#[omp::offload]
fn matmul_acc(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    #[acc::parallel_loop(collapse(2), copyin(a, b), copyout(c))]
    for i in 0..n {
        for j in 0..n {
            let mut sum = 0.0f32;
            for k in 0..n {
                sum += a[i * n + k] * b[k * n + j];
            }
            c[i * n + j] = sum;
        }
    }
}

#[omp::offload]
fn convolve_acc<const K: usize>(n: usize, weights: &[f32], image: &[f32], out: &mut [f32]) {
    let pitch = n + K - 1;
    #[acc::parallel_loop(collapse(2), copyin(weights, image), copyout(out))]
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

#[acc::parallel_loop(copyin(a, b), copyout(c))]
fn triad_acc(s: f64, a: &[f64], b: &[f64], c: &mut [f64]) {
    for i in 0..a.len() {
        c[i] = a[i] + s * b[i];
    }
}

#[acc::parallel_loop(copyin(a, b), copyout(c))]
fn add_acc(a: &[f64], b: &[f64], c: &mut [f64]) {
    for i in 0..a.len() {
        c[i] = a[i] + b[i];
    }
}

#[acc::parallel_loop(copyin(b), copyout(c))]
fn mul_acc(s: f64, b: &[f64], c: &mut [f64]) {
    for i in 0..b.len() {
        c[i] = s * b[i];
    }
}

#[acc::parallel_loop(copyin(a), copyout(c))]
fn copy_acc(a: &[f64], c: &mut [f64]) {
    for i in 0..a.len() {
        c[i] = a[i];
    }
}

#[omp::offload]
fn dot_acc(a: &[f64], b: &[f64]) -> f64 {
    let mut sum = 0.0;
    #[acc::parallel_loop(copyin(a, b), reduction(+: sum))]
    for i in 0..a.len() {
        sum += a[i] * b[i];
    }
    sum
}

#[omp::offload]
fn sum_i32_acc(x: &[i32]) -> i32 {
    let mut sum = 0;
    #[acc::parallel_loop(copyin(x), reduction(+: sum))]
    for i in 0..x.len() {
        sum += x[i];
    }
    sum
}

#[omp::offload]
fn sum_f64_acc(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    #[acc::parallel_loop(copyin(x), reduction(+: sum))]
    for i in 0..x.len() {
        sum += x[i];
    }
    sum
}

#[omp::offload]
fn max_f32_acc(x: &[f32]) -> f32 {
    let mut most = f32::NEG_INFINITY;
    #[acc::parallel_loop(copyin(x), reduction(max: most))]
    for i in 0..x.len() {
        most = most.max(x[i]);
    }
    most
}

#[acc::parallel_loop(num_gangs(1), num_workers(1), vector_length(32), present(x))]
fn one_acc(x: &mut [i32]) {
    for i in 0..1 {
        x[i] += 1;
    }
}

#[omp::offload]
fn average_acc(a: &[f32], new: &mut [f32], n: usize) -> f32 {
    let mut change = 0.0f32;
    #[acc::parallel_loop(collapse(2), present(a, new), reduction(max: change))]
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
fn take_over_acc(a: &mut [f32], new: &[f32], n: usize) {
    #[acc::parallel_loop(collapse(2), present(a, new))]
    for i in 1..n - 1 {
        for j in 1..n - 1 {
            a[i * n + j] = new[i * n + j];
        }
    }
}

/// The peer's name on the backend of the last region.
fn acc_peer() -> String {
    format!("acc_{}", omp::last_region().backend)
}

#[omp::offload]
fn run_saxpy(works: &Works) {
    let n = works.len(1 << 26);
    let (x, mut y) = (floats(n, 0, 0.5), floats(n, n, 0.5));
    #[omp::target_data(map(to: x), map(tofrom: y))]
    for _ in 0..ROUNDS {
        let line = region("saxpy_f32_2^26", REPS, || saxpy(2.0, &x, &mut y)).bytes(12 * n);
        line.print(true);
        let line = region("saxpy_f32_2^26", REPS, || saxpy_acc(2.0, &x, &mut y)).bytes(12 * n);
        line.by(&acc_peer()).print(true);
    }
}

#[omp::offload]
fn run_mandelbrot(works: &Works) {
    let n = works.size(4096, 128);
    let (mut image, mut other) = (vec![0u8; n * n], vec![1u8; n * n]);
    #[omp::target_data(map(tofrom: image, other))]
    for _ in 0..ROUNDS {
        region("mandelbrot_f64_4096_1000", REPS, || mandelbrot(n, 1000, &mut image)).print(true);
        let line = region("mandelbrot_f64_4096_1000", REPS, || mandelbrot_acc(n, 1000, &mut other));
        line.by(&acc_peer()).print(true);
    }
    assert!(image == other, "both spellings draw the same image");
}

#[omp::offload]
fn run_laplace(works: &Works) {
    let n = works.size(4096, 128);
    let (mut a, mut new) = (floats(n * n, 0, 0.0), floats(n * n, 0, 0.0));
    let (mut b, mut fresh) = (a.clone(), new.clone());
    #[omp::target_data(map(tofrom: a, b), map(to: new, fresh))]
    for _ in 0..ROUNDS {
        let mut changes = [0.0; 2];
        let line = kernels("jacobi_f32_4096", 15, || {
            changes[0] = average(&a, &mut new, n);
            take_over(&mut a, &new, n);
        });
        line.print(true);
        let line = kernels("jacobi_f32_4096", 15, || {
            changes[1] = average_acc(&b, &mut fresh, n);
            take_over_acc(&mut b, &fresh, n);
        });
        line.by(&acc_peer()).print(changes[0] == changes[1]);
        // Host time of steps whose change comes back, as the peer in C has it.
        let peer = format!("omp_{}", omp::last_region().backend);
        let steps = works.size(100, 2);
        let line = host(&peer, "jacobi_f32_4096_wall_us_a_step", 5, || {
            for _ in 0..steps {
                changes[0] = average(&a, &mut new, n);
                take_over(&mut a, &new, n);
            }
        });
        line.per(steps).print(true);
        let line = host(&acc_peer(), "jacobi_f32_4096_wall_us_a_step", 5, || {
            for _ in 0..steps {
                changes[1] = average_acc(&b, &mut fresh, n);
                take_over_acc(&mut b, &fresh, n);
            }
        });
        line.per(steps).print(changes[0] == changes[1]);
    }
}

#[omp::offload]
fn run_matmul(works: &Works) {
    let n = works.size(2048, 128);
    let (a, b) = (floats(n * n, 0, 0.5), floats(n * n, n * n, 0.5));
    let (mut c, mut other) = (vec![0.0f32; n * n], vec![1.0f32; n * n]);
    let flop = 2.0 * (n * n * n) as f64;
    #[omp::target_data(map(to: a, b), map(tofrom: c, other))]
    for _ in 0..ROUNDS {
        region("matmul_f32_2048", REPS, || matmul(n, &a, &b, &mut c)).flop(flop).print(true);
        let line = region("matmul_f32_2048", REPS, || matmul_acc(n, &a, &b, &mut other)).flop(flop);
        line.by(&acc_peer()).print(true);
    }
    let want: f64 = (0..n).map(|k| f64::from(a[n + k]) * f64::from(b[k * n + 2])).sum();
    assert!(c == other && (f64::from(c[n + 2]) - want).abs() < 1e-3, "both spellings compute the product");
}

#[omp::offload]
fn run_convolution<const K: usize>(works: &Works, work: &str) {
    let n = works.size(8192, 128);
    let p = n + K - 1;
    let (image, weights) = (floats(p * p, 0, 0.25), floats(K * K, 99, 0.4));
    let (mut out, mut other) = (vec![0.0f32; n * n], vec![1.0f32; n * n]);
    let flop = (2 * K * K * n * n) as f64;
    #[omp::target_data(map(to: image, weights), map(tofrom: out, other))]
    for _ in 0..ROUNDS {
        region(work, REPS, || convolve::<K>(n, &weights, &image, &mut out)).flop(flop).print(true);
        let line = region(work, REPS, || convolve_acc::<K>(n, &weights, &image, &mut other)).flop(flop);
        line.by(&acc_peer()).print(true);
    }
    let weigh = |k: usize| f64::from(image[(3 + k / K) * p + 5 + k % K]) * f64::from(weights[k]);
    let want: f64 = (0..K * K).map(weigh).sum();
    assert!(out == other && (f64::from(out[3 * n + 5]) - want).abs() < 1e-3, "both spellings weigh alike");
}

#[omp::offload]
fn run_streams(works: &Works) {
    let n = works.len(1 << 26);
    let numbers = |from: usize| (from..from + n).map(unit).collect::<Vec<f64>>();
    let (a, b, mut c, mut sum) = (numbers(0), numbers(n), vec![-1.0f64; n], 0.0);
    let mut last = [0.0; 4];
    #[acc::data(copyin(a, b), copyout(c))]
    {
        let print = |line: Line, width: usize| line.by(&acc_peer()).bytes(8 * width * n).print(true);
        print(region("copy_f64_2^26", REPS, || copy_acc(&a, &mut c)), 2);
        acc::update!(self(c[n - 1..n]));
        last[0] = c[n - 1];
        print(region("mul_f64_2^26", REPS, || mul_acc(0.4, &b, &mut c)), 2);
        acc::update!(self(c[n - 1..n]));
        last[1] = c[n - 1];
        print(region("add_f64_2^26", REPS, || add_acc(&a, &b, &mut c)), 3);
        acc::update!(self(c[n - 1..n]));
        last[2] = c[n - 1];
        print(region("triad_f64_2^26", REPS, || triad_acc(0.4, &a, &b, &mut c)), 3);
        acc::update!(self(c[n - 1..n]));
        last[3] = c[n - 1];
        print(region("dot_f64_2^26", REPS, || sum = dot_acc(&a, &b)), 2);
    }
    let (x, y) = (a[n - 1], b[n - 1]);
    let right =
        last.iter().zip([x, 0.4 * y, x + y, x + 0.4 * y]).all(|(got, want)| (got - want).abs() < 1e-15);
    let want: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
    assert!(right && (sum - want).abs() < 1e-10 * want, "streams are right: {last:?}, {sum} and {want}");
}

#[omp::offload]
fn run_reductions(works: &Works) {
    for (work, n) in [("sum_i32_2M", 2_000_000), ("sum_i32_2^28", 1 << 28)] {
        let n = works.len(n);
        let x: Vec<i32> = (0..n).map(|i| (mix(i as u64) % 7) as i32).collect();
        let mut sum = 0;
        #[acc::data(copyin(x))]
        {
            let line = region(work, REPS, || sum = sum_i32_acc(&x)).bytes(4 * n);
            line.by(&acc_peer()).print(sum == x.iter().sum::<i32>());
        }
    }
    let x: Vec<f64> = (0..works.len(1 << 27)).map(unit).collect();
    let (mut sum, want) = (0.0, x.iter().sum::<f64>());
    #[acc::data(copyin(x))]
    {
        let line = region("sum_f64_2^27", REPS, || sum = sum_f64_acc(&x)).bytes(8 * x.len());
        line.by(&acc_peer()).print((sum - want).abs() < 1e-9 * want);
    }
    let y = floats(works.len(1 << 28), 0, 2.0);
    let mut most = 0.0;
    #[acc::data(copyin(y))]
    {
        let line = region("max_f32_2^28", REPS, || most = max_f32_acc(&y)).bytes(4 * y.len());
        line.by(&acc_peer()).print(y.iter().fold(f32::NEG_INFINITY, |a, b| a.max(*b)) == most);
    }
}

/// A kernel of one iteration, 500 times. The peer in C waits for each; here the data is kept on the device, so no wait is needed.
#[omp::offload]
fn run_launches() {
    let mut x = [0i32];
    #[acc::data(copy(x))]
    {
        let line = host(&acc_peer(), "launch_sync_us", REPS, || {
            for _ in 0..500 {
                one_acc(&mut x);
                acc::wait_all();
            }
        });
        line.per(500).by(&acc_peer()).print(true);
    }
    assert_eq!(x, [500 * (REPS as i32 + 2)]);
}

fn main() {
    let works = Works::from_args();
    if works.wants("saxpy") {
        run_saxpy(&works);
    }
    if works.wants("mandelbrot") {
        run_mandelbrot(&works);
    }
    if works.wants("jacobi") {
        run_laplace(&works);
    }
    if works.wants("matmul") {
        run_matmul(&works);
    }
    if works.wants("conv5") {
        run_convolution::<5>(&works, "conv5_f32_8192");
    }
    if works.wants("conv11") {
        run_convolution::<11>(&works, "conv11_f32_8192");
    }
    if works.wants("streams") {
        run_streams(&works);
    }
    if works.wants("reductions") {
        run_reductions(&works);
    }
    if works.wants("launch") {
        run_launches();
    }
}
