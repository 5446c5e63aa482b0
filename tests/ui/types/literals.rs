//! Integers where floats are taken: told once, with the float.
#[omp::offload]
fn methods(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..x.len() {
        y[i] = x[i].max(0) + f32::min(x[i], 1);
        y[i] = x[i].mul_add(2, 1.0);
    }
}

fn main() {}
