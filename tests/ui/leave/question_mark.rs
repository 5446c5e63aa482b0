//! `?` in a loop: that the function could not return for it either is not told again.
#[omp::offload]
fn nothing(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        let v = x.get(i + 1)?;
        y[i] = *v;
    }
}

fn main() {}
