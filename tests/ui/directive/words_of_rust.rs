//! Directives of OpenMP's whose names are words of Rust's, and one that stands right beside them.
#[omp::offload]
fn fill(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = 1.0;
    }
    #[omp::for]
    for i in 0..y.len() {
        y[i] = 1.0;
    }
}

fn main() {}
