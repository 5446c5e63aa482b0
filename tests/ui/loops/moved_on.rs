//! A search would move a range on that changes, and a `move` closure in a chain has copies.
fn main() {}

#[omp::offload]
fn search(m: usize, x: &[f32], y: &mut [usize]) {
    #[omp::target]
    for i in 0..y.len() {
        let mut r = 0..m;
        r.start += 1;
        let a = r.any(|j| x[i * m + j] > 0.5);
        y[i] = r.start + usize::from(a);
    }
}

#[omp::offload]
fn copies(y: &[f64], z: &mut [f64]) {
    #[omp::target]
    for i in 0..z.len() {
        let mut all = 1.0;
        for b in y.iter().map(move |v| v * all) {
            all += b;
        }
        z[i] = all;
    }
}
