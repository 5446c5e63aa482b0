//! All errors of one directive are reported together.
#[omp::offload]
fn many(y: &mut [u64]) {
    #[omp::target(map, collapse(two), fp(wild), name(7), unsafe(hurry), map(to: ), if(), 3)]
    for i in 0..y.len() {
        y[i] = 0;
    }
}

#[omp::offload]
fn no_comma(x: &[u64], y: &mut [u64]) {
    #[omp::target(map(to: x) map(from: y))]
    for i in 0..y.len() {
        y[i] = x[i];
    }
}

fn main() {}
