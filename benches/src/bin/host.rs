//! saxpy, sum and Mandelbrot on the host backend beside the same loops written with rayon. Run it with
//! OMP_BACKEND=host; compile both with `RUSTFLAGS="-C target-cpu=native"` to compare with `gcc -march=native`.
#![allow(clippy::cast_lossless, clippy::assign_op_pattern, reason = "the loops as the peers have them")]
use omp_benches::{host, mix, region, runs, unit};
use rayon::prelude::*;

const REPS: usize = 11;
const BLOCK: usize = 1 << 16;

#[omp::offload]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    #[omp::target(map(to: x), map(tofrom: y))]
    for i in 0..x.len() {
        y[i] = a * x[i] + y[i];
    }
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

fn main() {
    let n = 1 << 26;
    let a = 1e-3f32;
    let x: Vec<f32> = (0..n).into_par_iter().map(|i| unit(i) as f32).collect();
    let mut y = vec![0.0f32; n];
    let right =
        |y: &[f32], runs: usize| (0..n).step_by(101).all(|i| (y[i] - runs as f32 * a * x[i]).abs() < 1e-5);
    let line = region("saxpy_f32_2^26", REPS, || saxpy(a, &x, &mut y)).bytes(12 * n);
    line.print(right(&y, runs(REPS)));
    y.fill(0.0);
    let rayon = |y: &mut [f32]| {
        y.par_chunks_mut(BLOCK).zip(x.par_chunks(BLOCK)).for_each(|(y, x)| {
            for (y, &x) in y.iter_mut().zip(x) {
                *y += a * x;
            }
        });
    };
    host("rayon", "saxpy_f32_2^26", REPS, || rayon(&mut y)).bytes(12 * n).print(right(&y, REPS + 2));
    drop((x, y));

    let n = 1 << 28;
    let x: Vec<i32> = (0..n).into_par_iter().map(|i| (mix(i as u64) % 7) as i32).collect();
    let want = x.par_iter().sum::<i32>();
    let mut got = 0;
    region("sum_i32_2^28", REPS, || got = sum_i32(&x)).bytes(4 * n).print(got == want);
    host("rayon", "sum_i32_2^28", REPS, || got = x.par_chunks(BLOCK).map(|x| x.iter().sum::<i32>()).sum())
        .bytes(4 * n)
        .print(got == want);
    drop(x);

    // Hidden from the optimiser, for which neither loop should be a special case.
    let (n, most) = (1024, std::hint::black_box(1000));
    let mut image = vec![0u8; n * n];
    region("mandelbrot_f64_1024_1000", REPS, || mandelbrot(n, most, &mut image))
        .print(image[n / 2 * n + n / 2] == 255);
    let first = std::mem::take(&mut image);
    image.resize(n * n, 0);
    let rayon = |image: &mut [u8]| {
        image.par_chunks_mut(n).enumerate().for_each(|(py, row)| {
            for (px, v) in row.iter_mut().enumerate() {
                *v = pixel(px, py, n, most);
            }
        });
    };
    host("rayon", "mandelbrot_f64_1024_1000", REPS, || rayon(&mut image)).print(image == first);
}
