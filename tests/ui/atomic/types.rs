//! What has no atomic accesses.
#[derive(Clone, Copy, omp::Device)]
struct Pair {
    a: u32,
    b: u32,
}

#[omp::offload]
fn whole(x: &[Pair], y: &mut [Pair]) {
    #[omp::target]
    for i in 0..x.len() {
        #[omp::atomic(write)]
        y[0] = x[i];
    }
}

#[omp::offload]
fn generic<T: omp::Device + std::ops::AddAssign>(x: &[T], y: &mut [T]) {
    #[omp::target]
    for i in 0..x.len() {
        #[omp::atomic]
        y[i % 3] += x[i];
    }
}

fn main() {}
