//! Directives that are nearly right.
use omp::target;

#[omp::offload]
fn bare(y: &mut [f32]) {
    #[target(map(from: y))]
    for i in 0..y.len() {
        y[i] = 1.0;
    }
}

#[omp::offload]
fn on_a_let(y: &mut [f32]) {
    #[omp::target]
    let n = 3;
    #[omp::atomic]
    let v = 1.0;
    for i in 0..n {
        y[i] = v;
    }
}

#[omp::offload]
fn floats(y: &mut [f32]) {
    #[omp::target]
    for i in 'a'..'z' {
        y[i as usize] = 1.0;
    }
}

#[target(map(from: y))]
fn imported_on_a_function_is_fine(y: &mut [f32]) {
    for i in 0..y.len() {
        y[i] = 1.0;
    }
}

fn main() {}
