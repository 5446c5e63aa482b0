//! The functions of `std::mem` are known by their module.
use std::mem::{replace, swap};

#[omp::offload]
fn swapped(y: &mut [f64]) {
    #[omp::target]
    for i in 0..y.len() {
        let mut a = i as f64;
        let mut b = 2.0;
        swap(&mut a, &mut b);
        y[i] = replace(&mut a, b);
    }
}

fn main() {
    swapped(&mut [0.0]);
}
