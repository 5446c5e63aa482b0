//! What can't be copied is told once.
#[omp::offload]
fn last(n: usize) -> Vec<f64> {
    let mut v = vec![0.0; 3];
    #[omp::target(lastprivate(v))]
    for i in 0..n {
        v[0] = i as f64;
    }
    v
}

fn main() {
    last(1);
}
