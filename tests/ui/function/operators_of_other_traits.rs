//! `u64::add` is std's operator only where the module itself imports the operator's trait.
#[path = "other_file/odd.rs"]
mod odd;

pub mod with_operator {
    use std::ops::Add;

    #[omp::offload]
    pub fn run(x: &[u64], y: &mut [u64]) {
        #[omp::target]
        for i in 0..y.len() {
            y[i] = u64::add(x[i], 2);
        }
    }
}

pub mod with_trait {
    use super::odd::Odd;

    #[omp::offload]
    pub fn run(x: &[u64], y: &mut [u64]) {
        #[omp::target]
        for i in 0..y.len() {
            y[i] = u64::add(x[i], 2);
        }
    }
}

fn main() {}
