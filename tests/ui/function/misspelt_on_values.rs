//! A method that is not there, of a value without a name or with calls among its arguments, or a built-in one of another type: one error, which is
//! the host's.
#![allow(dead_code)]

#[omp::declare_target]
fn helper(x: f32) -> f32 {
    x + 1.0
}

#[omp::offload]
fn of_a_sum(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = (x[i] + 1.0).sqroot();
    }
}

#[omp::offload]
fn of_a_result(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i].abs().clam(0.0, helper(1.0));
    }
}

#[omp::offload]
fn of_a_function(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        let v = helper(x[i]).halved().doubled();
        y[i] = v + 1.0;
    }
}

#[omp::offload]
fn of_a_call(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i].mx(x[i].abs());
    }
}

#[omp::offload]
fn of_floats(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i].pow(2);
    }
}

#[omp::offload]
fn of_integers(x: &[i32], y: &mut [i32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = (x[i] - 1).sin() + 1;
    }
}

fn main() {}
