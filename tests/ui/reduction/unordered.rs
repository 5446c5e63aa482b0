//! A maximum that stores a NaN depends on what comes after it.
#[omp::offload]
fn maximum(x: &[f32]) -> f32 {
    let mut m = f32::MIN;
    #[omp::target(reduction(max: m))]
    for i in 0..x.len() {
        m = if m > x[i] { m } else { x[i] };
    }
    m
}
#[omp::offload]
fn minima(x: &[f64], y: &mut [f64]) {
    #[omp::scan(min)]
    for i in 1..y.len() {
        y[i] = if x[i] > y[i - 1] { y[i - 1] } else { x[i] };
    }
}
#[omp::offload]
fn rows(x: &[f32], y: &mut [f32], m: usize) {
    #[omp::target]
    for i in 0..y.len() {
        let mut most = 0.0;
        #[omp::parallel_for(reduction(max: most))]
        for j in 0..m {
            most = if x[i * m + j] < most { most } else { x[i * m + j] };
        }
        y[i] = most;
    }
}
#[omp::offload]
fn denied(x: &[f32]) -> (f32, f64) {
    let (mut m, mut k) = (f32::MIN, f64::MAX);
    #[omp::target(reduction(max: m), reduction(min: k))]
    for i in 0..x.len() {
        if !(x[i] <= m) {
            m = x[i];
        }
        match k <= f64::from(x[i]) {
            true => {}
            false => k = f64::from(x[i]),
        }
    }
    (m, k)
}
fn main() {}
