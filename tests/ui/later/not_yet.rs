//! What the language has, but not this version, is refused, never ignored.
#[omp::offload]
fn parts(x: &[[f32; 8]], y: &mut [f32]) {
    #[omp::target(map(to: x[0..4][0..2]))]
    for i in 0..y.len() {
        y[i] = x[i][0];
    }
}

fn main() {}
