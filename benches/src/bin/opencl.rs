//! The works of the small OpenCL peers as annotated loops: `opencl [WORK-PREFIX]`; run it with OMP_BACKEND=opencl and
//! OMP_TARGET_OFFLOAD=mandatory, alternately with them, on the same device. `--small` has the sizes of theirs.
use omp_benches::loops::{average, convolve, mandelbrot, matmul, saxpy, sum_i32, take_over};
use omp_benches::{Works, floats, kernels, mix, region};

const REPS: usize = 11;

#[omp::offload]
fn scan(x: &[i32], y: &mut [i32]) {
    y[0] = 0;
    #[omp::target(scan(+: y))]
    for i in 1..y.len() {
        y[i] = y[i - 1] + x[i - 1];
    }
}

fn rows(works: &Works) {
    let lg = works.size(26, 22);
    let n = 1usize << lg;
    if works.wants("saxpy") {
        let (x, mut y) = (floats(n, 0, 0.0), floats(n, n, 0.0));
        region(&format!("saxpy_f32_2^{lg}"), REPS, || saxpy(1e-3, &x, &mut y))
            .bytes(12 * n)
            .print(y[7] > 0.0);
    }
    let lg = works.size(28, 22);
    let n = 1usize << lg;
    let integers = || -> Vec<i32> { (0..n).map(|i| mix(i as u64) as i32 & 7).collect() };
    if works.wants("sum") {
        let x = integers();
        let mut got = 0;
        let line = region(&format!("sum_i32_2^{lg}"), REPS, || got = sum_i32(&x)).bytes(4 * n);
        line.print(got == x.iter().sum());
    }
    if works.wants("scan") {
        let (x, mut y) = (integers(), vec![-1; n]);
        let line = region(&format!("scan_i32_2^{lg}"), REPS, || scan(&x, &mut y)).bytes(8 * n);
        line.print(y[0] == 0 && (1..n).all(|i| y[i] == y[i - 1] + x[i - 1]));
    }
}

fn planes(works: &Works) {
    if works.wants("matmul") {
        let n = works.size(1024, 256);
        let (a, b, mut c) = (floats(n * n, 0, 0.5), floats(n * n, n * n, 0.5), vec![f32::NAN; n * n]);
        let line = region(&format!("matmul_f32_{n}"), REPS, || matmul(n, &a, &b, &mut c));
        let want: f64 = (0..n).map(|k| f64::from(a[5 * n + k]) * f64::from(b[k * n + 9])).sum();
        line.flop(2.0 * (n * n * n) as f64).print((f64::from(c[5 * n + 9]) - want).abs() < 1e-3);
    }
    if works.wants("conv5") {
        let n = works.size(8192, 1024);
        let (image, weights) = (floats((n + 4) * (n + 4), 0, 0.25), floats(25, 99, 0.4));
        let mut out = vec![f32::NAN; n * n];
        let line = region(&format!("conv5_f32_{n}"), REPS, || convolve::<5>(n, &weights, &image, &mut out));
        line.flop(50.0 * (n * n) as f64).print(out.iter().all(|v| v.is_finite()));
    }
    if works.wants("mandelbrot") {
        let n = works.size(1024, 256);
        let mut image = vec![0; n * n];
        let line = region(&format!("mandelbrot_f64_{n}_1000"), REPS, || mandelbrot(n, 1000, &mut image));
        line.print(image[n / 2 * n + n / 2] == 255 && image[0] < 9);
    }
    if works.wants("jacobi") {
        let n = works.size(2048, 512);
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
    let works = Works::from_args();
    rows(&works);
    planes(&works);
}
