//! `let q = *q;` copies a scalar, not a mapped array.
#[omp::offload]
fn copied(q: &mut [f64; 3], p: &mut f64, y: &mut [f64]) {
    #[omp::target]
    for i in 0..y.len() {
        let p = *p;
        let q = *q;
        y[i] = q[i % 3] + p;
    }
}

fn main() {
    copied(&mut [1.0; 3], &mut 2.0, &mut [0.0]);
}
