//! A field of a generic struct that is no device type: reported where the struct is used, and once.
#[derive(Clone, Copy)]
struct Plain<T>(T);

#[derive(Clone, Copy, omp::Device)]
struct Maybe<T> {
    v: Plain<T>,
}

#[omp::offload]
fn used(x: &[Maybe<f32>], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i].v.0;
    }
}

fn main() {}
