//! Methods of an array of `ndarray` that no device has; a row by what would be evaluated twice; four dimensions.
use ndarray::{Array2, Array4};

#[omp::offload]
fn sums(a: &Array2<f64>, y: &mut [f64]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = a[[i, 0]] + a.column(i).sum();
    }
}

#[omp::offload]
fn rows(a: &Array2<f64>, y: &mut [f64]) {
    #[omp::target]
    for i in 0..y.len() {
        let mut k = i;
        let row = a.row({
            k += 1;
            k
        });
        y[i] = row[0];
    }
}

#[omp::offload]
fn four(a: &Array4<f64>, y: &mut [f64]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = a[[i, 0, 0, 0]];
    }
}

fn main() {}
