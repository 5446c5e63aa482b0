//! A field of a generic struct that is no device type: told where the struct is used, and once.
#[derive(Clone, Copy, omp::Device)]
struct Maybe<T> {
    v: std::num::Wrapping<T>,
}

#[omp::offload]
fn used(x: &[Maybe<f32>], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i].v.0;
    }
}

fn main() {}
