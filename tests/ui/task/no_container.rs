//! A task on what can't be mapped: the error is at the variable.
use std::ops::{Deref, DerefMut};

struct Own(Vec<u64>);

impl Deref for Own {
    type Target = Vec<u64>;
    fn deref(&self) -> &Vec<u64> {
        &self.0
    }
}

impl DerefMut for Own {
    fn deref_mut(&mut self) -> &mut Vec<u64> {
        &mut self.0
    }
}

#[omp::offload]
fn run(n: usize) {
    let mut y = Own(vec![1; n]);
    #[omp::target(nowait)]
    for i in 0..n {
        y[i] += 1;
    }
}

struct Text {
    length: u32,
}

#[omp::offload]
fn elements(x: &mut [Text], y: &mut [u32]) {
    #[omp::target(nowait)]
    for i in 0..y.len() {
        y[i] = x[i].length;
    }
}

fn main() {}
