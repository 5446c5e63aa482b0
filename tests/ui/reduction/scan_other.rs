//! Scans by another operator, another type and another name than the loop carries.

#[omp::offload]
fn linear(x: &[f64], y: &mut [f64]) {
    #[omp::scan(+)]
    for i in 1..x.len() {
        y[i] = 0.5 * y[i - 1] + x[i];
    }
}

#[omp::offload]
fn linear_rows(x: &[f64], y: &mut [f64], w: usize) {
    #[omp::scan(+)]
    for r in 0..x.len() / w {
        for c in 1..w {
            y[r * w + c] = 0.5 * y[r * w + c - 1] + x[r * w + c];
        }
    }
}

#[omp::offload]
fn named_otherwise(x: &[i64], y: &mut [i64], z: &mut [i64]) {
    #[omp::target(scan(+: z))]
    for i in 1..x.len() {
        y[i] = y[i - 1] + x[i];
    }
}

#[omp::declare_reduction(least: u32, identity = u32::MAX)]
fn least(a: u32, b: u32) -> u32 {
    if b < a { b } else { a }
}

#[omp::offload]
fn of_the_library(x: &[u32], y: &mut [u32]) {
    let mut s = 0;
    #[omp::target(scan(least: s))]
    for i in 0..x.len() {
        s = u32::max(s, x[i]);
        y[i] = s;
    }
}

fn main() {}
