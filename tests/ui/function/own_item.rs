//! An item that an inlined function names, where the caller has a parameter of the same name, which the call gives.
const N: usize = 10;

#[omp::declare_target]
fn mean<const K: usize>(f: impl Fn(usize) -> f64) -> f64 {
    let mut sum = 0.0;
    for j in 0..K {
        sum += f(j);
    }
    sum / N as f64
}

#[omp::offload]
fn run<const N: usize>(x: &[f64], y: &mut [f64]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = mean::<N>(|j| x[i + j]);
    }
}

fn main() {
    run::<4>(&[1.0; 8], &mut [0.0; 4]);
}
