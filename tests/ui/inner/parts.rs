//! Iterations of an inner loop that share a slice of the outer loop's.
#[omp::offload]
fn two_of_one(y: &mut [f32], w: usize) {
    #[omp::target]
    for row in y.chunks_exact_mut(w) {
        #[omp::parallel_for]
        for k in 0..10 {
            row[k / 2] = k as f32;
        }
    }
}
#[omp::offload]
fn one_for_all(y: &mut [f32], w: usize) {
    #[omp::target]
    for row in y.chunks_exact_mut(w) {
        #[omp::parallel_for]
        for k in 0..10 {
            row[0] = k as f32;
        }
    }
}
#[omp::offload]
fn carried(y: &mut [f32], w: usize) {
    #[omp::target]
    for row in y.chunks_exact_mut(w) {
        #[omp::parallel_for]
        for k in 1..w {
            row[k] = row[k - 1] + 1.0;
        }
    }
}
#[omp::declare_target]
fn fill(r: &mut [f32], k: usize) {
    r[k] = 1.0;
}
#[omp::offload]
fn lent(y: &mut [f32], w: usize) {
    #[omp::target]
    for row in y.chunks_exact_mut(w) {
        #[omp::parallel_for]
        for k in 1..w {
            fill(row, k);
        }
    }
}
#[omp::offload]
fn looked_up(y: &mut [f32], w: usize, t: &[usize]) {
    #[omp::target]
    for row in y.chunks_exact_mut(w) {
        #[omp::parallel_for]
        for k in 0..t.len() {
            row[t[k]] = k as f32;
        }
    }
}
#[omp::offload]
fn overlapping(y: &mut [f32], w: usize) {
    #[omp::target]
    for row in y.chunks_exact_mut(w) {
        #[omp::parallel_for]
        for k in 0..w / 2 {
            let part = &mut row[k..k + 2];
            part[0] += 1.0;
        }
    }
}

fn main() {}
