//! The iterations of an inner parallel loop write one element.
#[omp::offload]
fn row_sums(a: &[f32], cols: usize, out: &mut [f32]) {
    #[omp::target]
    for r in 0..out.len() {
        #[omp::parallel_for]
        for c in 0..cols {
            out[r] += a[r * cols + c];
        }
    }
}

/// However many iterations a row has.
#[omp::offload]
fn last_of_rows(ends: &[usize], out: &mut [f32]) {
    #[omp::target]
    for r in 0..out.len() {
        #[omp::parallel_for]
        for c in 0..ends[r] {
            out[r] = c as f32;
        }
    }
}

fn main() {}
