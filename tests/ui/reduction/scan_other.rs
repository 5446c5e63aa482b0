//! Scans by another operator, another type and another name than the loop carries.

#[omp::offload]
fn linear(x: &[f64], y: &mut [f64]) {
    #[omp::scan(+)]
    for i in 1..x.len() {
        y[i] = 0.5 * y[i - 1] + x[i];
    }
}

#[omp::offload]
fn linear_rows(x: &[f64], y: &mut [f64], w: usize) {
    #[omp::scan(+)]
    for r in 0..x.len() / w {
        for c in 1..w {
            y[r * w + c] = 0.5 * y[r * w + c - 1] + x[r * w + c];
        }
    }
}

#[omp::offload]
fn named_otherwise(x: &[i64], y: &mut [i64], z: &mut [i64]) {
    #[omp::target(scan(+: z))]
    for i in 1..x.len() {
        y[i] = y[i - 1] + x[i];
    }
}

fn main() {}
