//! Floats count no loop, whether they are literals or not: one error for each.
fn main() {}

#[omp::target]
fn literals(y: &mut [f32]) {
    for i in 0.0..4.0 {
        y[0] = i;
    }
}

#[omp::target]
fn variable(y: &mut [f32], n: f32) {
    for i in 0..n {
        y[0] = i;
    }
}

#[omp::target]
fn both(y: &mut [f64], m: f64, n: f64) {
    for i in m..n {
        y[0] = i;
    }
}

#[omp::target]
fn inner(y: &mut [f64], n: f64) {
    for i in 0..y.len() {
        for j in 0.0..n {
            y[i] += j;
        }
    }
}
