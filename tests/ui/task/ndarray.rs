//! Tasks use the slice of an array of `ndarray`.
use ndarray::Array2;

#[omp::offload]
fn scale(a: &mut Array2<f64>) {
    #[omp::target(nowait)]
    for i in 0..a.nrows() {
        a[[i, 0]] *= 2.0;
    }
    omp::taskwait!();
}

fn main() {}
