//! Clause expressions of the wrong type: rustc points at the expression.
#[omp::offload]
fn words(y: &mut [u64]) {
    #[omp::target(if("x"))]
    for i in 0..y.len() {
        y[i] = 0;
    }
}

#[omp::offload]
fn fractions(y: &mut [u64]) {
    #[omp::target(num_teams(1.5))]
    for i in 0..y.len() {
        y[i] = 0;
    }
}

#[omp::offload]
fn truths(y: &mut [u64]) {
    #[omp::target(device(true))]
    for i in 0..y.len() {
        y[i] = 0;
    }
}

fn main() {}
