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

#[omp::offload]
fn turned(x: &[u32]) -> u32 {
    let mut s = 1;
    #[omp::target(reduction(keep: s))]
    for i in 0..x.len() {
        s = keep(x[i], s);
    }
    s
}

#[omp::declare_reduction(keep: u32, identity = 0)]
fn keep(a: u32, b: u32) -> u32 {
    if b > a { b } else { a }
}

#[omp::declare_reduction(bad)]
fn bad(a: u32, b: u32) -> u32 {
    a + b
}

fn main() {}
