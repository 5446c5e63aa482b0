//! What rustc says of the host's loop is not told again of its copy.
#![allow(dead_code)]

#[omp::offload]
fn not_all_cases(y: &mut [f32], k: i32) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = match k {
            0 => 1.0,
            1 => 2.0,
        };
    }
}

#[omp::declare_target]
fn not_all_options(x: Option<u32>) -> u32 {
    match x {
        Some(x) if x > 3 => 1,
        None => 2,
    }
}

#[omp::offload]
fn no_type(y: &mut [f32], c: bool) {
    #[omp::target]
    for i in 0..y.len() {
        let v = if c { 1.0 } else { 0 };
        y[i] = v as f32;
    }
}

#[omp::offload]
fn assigned_in_a_test(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        if y[i] = 1.0 {
            y[i] = 2.0;
        }
    }
}

#[omp::declare_target]
fn semicolon(x: f32) -> f32 {
    x * 2.0;
}

fn main() {}
