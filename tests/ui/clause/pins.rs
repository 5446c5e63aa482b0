//! Clauses that fix the schedule, and clauses of long names.

#[omp::offload]
fn pins(x: &[f32], y: &mut [f32]) {
    #[omp::target(block(0, 4))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
    #[omp::target(tile(4), block(32))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
    #[omp::target(vector(0), unroll(-1))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
}

#[omp::offload]
fn names(x: &[f32], y: &mut [f32]) {
    #[omp::target(tile(1, 2, 3))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
    #[omp::target_parallel_for(num_teams(4), dist_schedule(static))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
    #[omp::target_teams_distribute(schedule(static), num_threads(8))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
    #[omp::target_teams_loop(simdlen(8))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
}

#[omp::offload]
fn caches(x: &[f32], y: &mut [f32]) {
    #[omp::target(cache(y))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
}

#[omp::offload]
fn effects(x: &[f32], y: &mut [f32], n: usize) {
    #[omp::target(collapse(2))]
    for i in 0..4 {
        for j in 0..next(n) {
            y[i * n + j] = x[j];
        }
    }
}

fn next(n: usize) -> usize {
    n
}

fn main() {}
