//! Constants that a clause cannot mean, and clauses that need or exclude one another.
#[omp::target(num_teams(-1), thread_limit(0), device(-3))]
fn too_small(y: &mut [u64]) {
    for i in 0..y.len() {
        y[i] = 0;
    }
}

#[omp::target(collapse(0), num_teams(-1))]
fn no_loops(y: &mut [u64]) {
    for i in 0..y.len() {
        y[i] = 0;
    }
}

#[omp::target(depend(inout: y))]
fn no_task(y: &mut [u64]) {
    for i in 0..y.len() {
        y[i] = 0;
    }
}

#[omp::target(unsafe(unchecked, unchecked(y)))]
fn both(y: &mut [u64]) {
    for i in 0..y.len() {
        y[i] = 0;
    }
}

fn main() {}
