//! Borrows and mutability are rustc's errors, each once.
#[omp::offload]
fn behind_a_reference(y: &[f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = 1.0;
    }
}

#[omp::offload]
fn not_mut() {
    let y = vec![0.0f32; 3];
    #[omp::target]
    for i in 0..y.len() {
        y[i] = 1.0;
    }
}

#[omp::offload]
fn borrowed(y: &mut [f32]) {
    let first = &y[0];
    #[omp::target]
    for i in 0..y.len() {
        y[i] = 1.0;
    }
    println!("{first}");
}

#[omp::offload]
fn moved(y: Vec<f32>) {
    drop(y);
    let mut z = [0.0; 3];
    #[omp::target]
    for i in 0..3 {
        z[i] = y[i];
    }
}

fn main() {}
