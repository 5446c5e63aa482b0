//! `kernels` says which loops run in order, and why.
#![deny(deprecated)]
use omp::acc;

#[omp::offload]
fn loops(x: &mut [f32], at: &[usize]) -> f32 {
    let mut sum = 0.0;
    #[acc::kernels_loop(copy(x))]
    for i in 1..x.len() {
        x[i] += x[i - 1];
    }
    #[acc::kernels(copy(x))]
    {
        for i in 0..x.len() {
            x[i] *= 2.0;
        }
        for i in 0..at.len() {
            x[at[i]] = 1.0;
        }
        for i in 0..x.len() {
            sum += x[i];
        }
    }
    sum
}

fn main() {}
