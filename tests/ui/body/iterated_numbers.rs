//! Iterators of numbers: one error of rustc's each, whatever the loop would become.
struct Grid {
    scale: f32,
}

#[omp::offload]
fn element(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i].iter().map(|v| v * 2.0).sum::<f32>();
    }
}

#[omp::offload]
fn head(x: f32, y: &mut [f32]) {
    #[omp::target]
    for (v, w) in y.iter_mut().zip(x.iter()) {
        *v = *w;
    }
}

#[omp::offload]
fn field(grid: &Grid, y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        let mut sum = 0.0;
        for v in grid.scale.windows(2) {
            sum += v[0];
        }
        y[i] = sum;
    }
}

#[omp::offload]
fn local(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        let x: f32 = y[i];
        y[i] = x.into_iter().sum();
    }
}

#[omp::declare_target]
fn parameter(x: f64) -> f64 {
    let mut sum = 0.0;
    for v in x.chunks(2) {
        sum += v[0];
    }
    sum
}

#[omp::offload]
fn unnumbered(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for (i, v) in y.iter_mut() {
        *v = x[i];
    }
}

#[omp::offload]
fn flat(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for (v, a, b) in y.iter_mut().zip(x.iter()).zip(x.iter()) {
        *v = a + b;
    }
}

fn main() {}
