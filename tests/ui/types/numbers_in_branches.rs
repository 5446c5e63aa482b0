//! Numbers in branches of another type: one error each, which is the host's.
#![allow(dead_code)]

#[omp::offload]
fn in_else(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = if x[i] > 0.0 { x[i] } else { 0 };
    }
}

#[omp::offload]
fn in_an_arm(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = match i {
            0 => 1,
            1 => x[i],
            _ => 3.0,
        };
    }
}

#[omp::declare_target]
fn of_a_function(x: f32) -> f32 {
    if x > 0.0 { x } else { 0 }
}

fn main() {}
