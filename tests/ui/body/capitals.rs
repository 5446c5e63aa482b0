//! A variable may have a capital, but in a pattern a capital is a const.
#![allow(non_snake_case, unreachable_patterns, unused_variables)]

#[omp::offload]
fn variable_in_a_pattern(N: usize, y: &mut [u64]) {
    #[omp::target]
    for i in 0..N {
        y[i] = match i {
            N => 1,
            _ => 0,
        };
    }
}

fn main() {}
