//! Operators that reductions do not know.
#[omp::offload]
fn quotient(x: &[f64]) -> f64 {
    let mut q = 1.0;
    #[omp::target(reduction(/: q))]
    for i in 0..x.len() {
        q /= x[i];
    }
    q
}

#[omp::offload]
fn word(x: &[f64]) -> f64 {
    let mut s = 1.0;
    #[omp::target(reduction(sum: s))]
    for i in 0..x.len() {
        s += x[i];
    }
    s
}

fn best(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[omp::offload]
fn own(x: &[f64]) -> f64 {
    let mut s = 1.0;
    #[omp::target(reduction(best: s))]
    for i in 0..x.len() {
        s = best(s, x[i]);
    }
    s
}

fn main() {}
