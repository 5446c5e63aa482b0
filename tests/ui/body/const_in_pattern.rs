//! A `const` with a small letter reads as a new name in a pattern; rustc knows better.
#![allow(non_upper_case_globals)]

const zero: i32 = 0;

#[omp::offload]
fn tested(x: &[i32], y: &mut [i32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = match x[i] {
            zero => 1,
            _ => 2,
        };
    }
}

fn main() {
    tested(&[], &mut []);
}
