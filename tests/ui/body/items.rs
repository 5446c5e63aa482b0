//! Items in a body: each error says which it is, and what is allowed.
#[omp::offload]
fn structs(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        struct Half(f32);
        y[i] = Half(0.5 * y[i]).0;
    }
}

#[omp::offload]
fn imports(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        use std::f32::consts::*;
        y[i] = PI;
    }
}

#[omp::offload]
fn generic(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        fn same<T>(v: T) -> T {
            v
        }
        y[i] = same(y[i]);
    }
}

#[omp::offload]
fn recursive(y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        fn down(v: u32) -> u32 {
            if v == 0 { 0 } else { down(v - 1) }
        }
        y[i] = down(y[i]);
    }
}

fn main() {}
