//! saxpy, a Jacobi step of Laplace's equation, and Mandelbrot, each in OpenMP's and in OpenACC's spelling: the same kernels, so the same
//! speed. `spellings [--small] [WORK-PREFIX]`; run it with OMP_BACKEND=cuda and OMP_TARGET_OFFLOAD=mandatory. Peers are `omp_…` and
//! `acc_…`; they take turns, so that the machine's clock is the same for both.
#![allow(clippy::cast_lossless, reason = "the loops as the peers have them")]
use omp::acc;
use omp_benches::loops::{average, mandelbrot, pixel, saxpy, take_over};
use omp_benches::{Works, floats, host, kernels, region};

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

fn main() {
    let works = Works::asked();
    if works.wants("saxpy") {
        run_saxpy(&works);
    }
    if works.wants("mandelbrot") {
        run_mandelbrot(&works);
    }
    if works.wants("jacobi") {
        run_laplace(&works);
    }
}
