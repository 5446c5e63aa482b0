//! A function of a crate that is missing: one error.
#[omp::offload]
fn random(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = rand::random();
    }
}

fn main() {}
