//! What iterations can't have a copy of.
#[omp::offload]
fn owned(x: &[u32], y: &mut [u32]) {
    let mut v: Vec<u32> = vec![0; 4];
    #[omp::target(private(v))]
    for i in 0..x.len() {
        v[0] = x[i];
        y[i] = v[0];
    }
}

#[omp::offload]
fn text(x: &[u32], y: &mut [u32]) {
    let s = String::new();
    #[omp::target(firstprivate(s))]
    for i in 0..x.len() {
        y[i] = x[i];
    }
}

fn main() {}
