//! `then_some` and `then` are `bool`'s.
#[omp::offload]
fn of_a_number(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i].then_some(1.0).unwrap_or(0.0);
    }
}

/// A closure that leaves would leave the loop.
#[omp::offload]
fn leaves(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = (x[i] > 0.0).then(|| return 1.0).unwrap_or(0.0);
    }
}

fn main() {}
