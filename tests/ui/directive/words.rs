//! C's spelling.
#[omp::offload]
fn fill(y: &mut [f32]) {
    #[omp::target teams distribute parallel for map(from: y)]
    for i in 0..y.len() {
        y[i] = 1.0;
    }
}

fn main() {}
