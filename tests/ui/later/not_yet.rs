//! What the language has, but not this version, is refused, never ignored.
#[omp::offload]
fn clauses(x: &[f32], y: &mut [f32]) {
    #[acc::parallel_loop]
    for i in 0..y.len() {
        y[i] = x[i];
    }
}

fn main() {}
