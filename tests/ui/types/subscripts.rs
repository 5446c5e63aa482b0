//! Subscripts that are no `usize`: one error each, where they are read, written and checked.
#[omp::offload]
fn read(at: &[u32], x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[at[i]];
    }
}

#[omp::offload]
fn counted(n: i32, y: &mut [f32]) {
    #[omp::target]
    for i in 0..n {
        y[i] = 1.0;
    }
}

#[omp::offload]
fn checked(at: &[u32], y: &mut [f32]) {
    #[omp::target(disjoint(y))]
    for i in 0..at.len() {
        y[at[i]] = 1.0;
    }
}

fn main() {}
