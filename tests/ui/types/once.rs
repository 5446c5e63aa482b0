//! What rustc says of a mistake is said once, of a region as of any code.

#[omp::declare_target]
fn sum(a: f32, b: f32) -> f32 {
    a + b
}

#[omp::offload]
fn bound<T: omp::Device>(x: &[T], y: &mut [T]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i] + x[i];
    }
}

#[omp::offload]
fn result(x: &[f32], y: &mut [bool]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i] + x[i];
    }
}

#[omp::offload]
fn operator(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i] & 3;
    }
}

#[omp::offload]
fn too_few(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = sum(x[i]);
    }
}

#[omp::offload]
fn not_mut(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        let t = 0.0;
        t += x[i];
        y[i] = t;
    }
}

#[omp::offload]
fn unknown(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        let t = summ(x[i], 1.0);
        y[i] = t * 2.0;
        y[i] = summ(x[i], t);
    }
}

#[omp::offload]
fn flat(a: &mut [f32], n: usize) {
    #[omp::target]
    for i in 0..n {
        for j in 0..n {
            a[i][j] = 0.0;
        }
    }
}

fn main() {}
