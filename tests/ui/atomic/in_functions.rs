// Atomic directives in device functions: other accesses of the elements are seen, and other directives are no part of a device function.
#[omp::declare_target]
fn bump(h: &mut [i64], k: usize) {
    #[omp::atomic]
    h[k] += 1;
}

#[omp::offload]
fn read_beside(x: &[usize], h: &mut [i64], y: &mut [i64]) {
    #[omp::target]
    for i in 0..x.len() {
        bump(h, x[i]);
        y[i] = h[x[i]];
    }
}

#[omp::declare_target]
fn with_a_loop(h: &mut [i64], k: usize) {
    #[omp::atomic]
    h[k] += 1;
    #[omp::target]
    for i in 0..4 {
        h[i] = 1;
    }
}

fn main() {}
