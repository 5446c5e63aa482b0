//! A `const` with a small letter before other arms is one; elsewhere it reads as a new name in a pattern, and rustc knows better.
//! So does it of a variable that reads as a const.
#![allow(non_upper_case_globals, unreachable_patterns)]

const zero: i32 = 0;

macro_rules! bind {
    ($name:ident) => {
        let $name = 5;
    };
}

#[omp::offload]
fn fine(x: &[i32], y: &mut [i32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = match x[i] {
            zero => 1,
            _ => 2,
        };
    }
}

#[omp::offload]
fn in_a_part(x: &[i32], y: &mut [i32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = match (x[i], i) {
            (zero, 3) => 1,
            _ => 2,
        };
    }
}

#[omp::offload]
fn a_variable(x: &[i32], y: &mut [i32]) {
    bind!(limit);
    #[omp::target]
    for i in 0..y.len() {
        y[i] = match x[i] {
            limit => limit,
            _ => 2,
        };
    }
}

#[omp::declare_target]
fn not_the_parameter(x: i32, limit: i32) -> i32 {
    match x {
        limit => 1,
        _ => 2,
    }
}

fn main() {
    fine(&[], &mut []);
    in_a_part(&[], &mut []);
    a_variable(&[], &mut []);
    not_the_parameter(1, 2);
}
