//! The order of combining is fixed for scalars of a region.
#[omp::offload]
fn histogram(x: &[f32], k: usize, h: &mut [f32; 4]) {
    #[omp::target(reduction(reproducible, +: h))]
    for i in 0..x.len() {
        h[i % k] += x[i];
    }
}
#[omp::offload]
fn rows(x: &[f32], m: usize, y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        let mut s = 0.0;
        #[omp::parallel_for(reduction(reproducible, +: s))]
        for j in 0..m {
            s += x[i * m + j];
        }
        y[i] = s;
    }
}
#[omp::offload]
fn checked(x: &[f32], at: &[usize], y: &mut [f32]) -> f32 {
    let mut s = 0.0;
    #[omp::target(disjoint(y), reduction(reproducible, +: s))]
    for i in 0..x.len() {
        y[at[i]] = x[i];
        s += x[i];
    }
    s
}
fn main() {}
