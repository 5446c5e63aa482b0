//! Names that are no directives, with the nearest one that is.
#[omp::offload]
fn inner(x: &[f64], y: &mut [f64]) {
    #[omp::target]
    for i in 0..y.len() {
        #[omp::paralel_for]
        for j in 0..4 {
            y[i] = x[j];
        }
    }
}

#[omp::offload]
fn outer(y: &mut [f64]) {
    #[omp::taget]
    for i in 0..y.len() {
        y[i] = 0.0;
    }
}

#[omp::offload]
fn item_attribute(y: &mut [f64]) {
    #[omp::declare_target]
    for i in 0..y.len() {
        y[i] = 0.0;
    }
    omp::taskwiat!();
}

fn main() {}
