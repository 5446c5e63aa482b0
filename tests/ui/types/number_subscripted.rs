//! A subscript of a number is rustc's error alone.
#[omp::offload]
fn read(x: f32, y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i];
    }
}

#[omp::offload]
fn written(x: &[f32], y: f32) {
    #[omp::target]
    for i in 0..x.len() {
        y[i] = x[i];
    }
}

#[omp::offload]
fn twice(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i][0];
    }
}

fn main() {}
