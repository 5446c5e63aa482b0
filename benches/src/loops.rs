//! Loops that several benchmarks measure, as their peers have them.
#![allow(clippy::cast_lossless, clippy::assign_op_pattern, reason = "the loops as the peers have them")]
use std::ops::{AddAssign, Mul};

/// `y = a·x + y`.
#[omp::offload]
pub fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    #[omp::target(map(to: x), map(tofrom: y))]
    for i in 0..x.len() {
        y[i] = a * x[i] + y[i];
    }
}

/// The sum of `x`.
#[omp::offload]
pub fn sum_i32(x: &[i32]) -> i32 {
    let mut sum = 0i32;
    #[omp::target(reduction(+: sum))]
    for i in 0..x.len() {
        sum += x[i];
    }
    sum
}

/// `c = a·b`, matrices of `n` rows and columns, a thread for each element.
#[omp::offload]
pub fn matmul<T: omp::Device + Default + Mul<Output = T> + AddAssign>(
    n: usize,
    a: &[T],
    b: &[T],
    c: &mut [T],
) {
    #[omp::target(collapse(2), map(to: a, b), map(from: c))]
    for i in 0..n {
        for j in 0..n {
            let mut sum = T::default();
            for k in 0..n {
                sum += a[i * n + k] * b[k * n + j];
            }
            c[i * n + j] = sum;
        }
    }
}

/// `out` of `n` rows and columns: each pixel of `image`, which has a margin of `K - 1`, weighed with its neighbours.
#[omp::offload]
pub fn convolve<const K: usize>(n: usize, weights: &[f32], image: &[f32], out: &mut [f32]) {
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

/// The grey of a pixel: the number of iterations until its point is outside of the circle.
#[omp::declare_target]
pub fn pixel(px: usize, py: usize, n: usize, most: i32) -> u8 {
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

/// The Mandelbrot set in `n` rows and columns, after at most `most` steps each.
#[omp::offload]
pub fn mandelbrot(n: usize, most: i32, image: &mut [u8]) {
    #[omp::target(collapse(2), map(from: image))]
    for py in 0..n {
        for px in 0..n {
            image[py * n + px] = pixel(px, py, n, most);
        }
    }
}

/// A Jacobi step from `a` into `new`: the greatest change of a point.
#[omp::offload]
pub fn average(a: &[f32], new: &mut [f32], n: usize) -> f32 {
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

/// `a = new`, but for the edges.
#[omp::offload]
pub fn take_over(a: &mut [f32], new: &[f32], n: usize) {
    #[omp::target(collapse(2))]
    for i in 1..n - 1 {
        for j in 1..n - 1 {
            a[i * n + j] = new[i * n + j];
        }
    }
}
