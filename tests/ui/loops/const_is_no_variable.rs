//! A const with the name of a loop's variable: rustc's error, once.
#![allow(non_upper_case_globals)]
const i: usize = 3;
const k: usize = 4;

#[omp::offload]
fn outer(y: &mut [usize]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = i;
    }
}

#[omp::offload]
fn inner(y: &mut [usize]) {
    #[omp::target]
    for j in 0..y.len() {
        for k in 0..3 {
            y[j] += k;
        }
    }
}

fn main() {}
