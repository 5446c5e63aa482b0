//! An item that is no variable, and is updated: one error.
#![allow(unused_mut, unused_variables)]
#[omp::offload]
fn run(x: &[f32]) -> f32 {
    let mut total = 0.0;
    #[omp::target(reduction(+: sum))]
    for i in 0..x.len() {
        sum += x[i];
    }
    total
}

fn main() {}
