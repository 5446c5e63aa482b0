//! A type parameter without `omp::Device`: the error says which bound to add.
use std::ops::Add;

#[omp::offload]
fn twice<T: Add<Output = T> + Copy>(y: &mut [T]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = y[i] + y[i];
    }
}

fn main() {
    twice(&mut [1.0]);
}
