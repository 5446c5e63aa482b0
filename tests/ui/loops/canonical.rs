//! Loops whose iterations cannot be counted beforehand.
use std::collections::HashMap;

#[omp::offload]
fn map_values(price: &HashMap<u32, u64>) -> u64 {
    let mut sum = 0;
    #[omp::target(reduction(+: sum))]
    for p in price.values() {
        sum += *p;
    }
    sum
}

#[omp::offload]
fn endless(y: &mut [u64]) {
    #[omp::target]
    for i in 0.. {
        y[i] = 1;
    }
}

#[omp::offload]
fn stuck(y: &mut [u64]) {
    #[omp::target]
    for i in (0..y.len()).step_by(0) {
        y[i] = 1;
    }
}

#[omp::offload]
fn mutable(y: &mut [u64]) {
    #[omp::target]
    for mut i in 0..y.len() {
        i += 1;
        y[i] = 1;
    }
}

#[omp::offload]
fn moved(x: &[f32], y: &mut [f32]) -> usize {
    let mut end = x.len();
    #[omp::target]
    for i in 0..end {
        if x[i] < 0.0 {
            end = i;
        } else {
            y[i] = x[i];
        }
    }
    end
}

struct Part {
    range: std::ops::RangeInclusive<usize>,
    y: Vec<u32>,
}

impl Part {
    #[omp::offload]
    fn range_of_a_field(&mut self) {
        #[omp::target]
        for i in self.range.clone() {
            self.y[i] += 1;
        }
    }
}

#[omp::offload]
fn open_in_the_middle(t: &[(i32, i32, i32)], y: &mut [i32]) {
    #[omp::target]
    for ((a, .., c), y) in t.iter().zip(y.iter_mut()) {
        *y += a * c;
    }
}

fn main() {}
