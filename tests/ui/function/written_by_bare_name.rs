//! An array that is an argument by its bare name is read, where the function is generic and no declaration shows the array's type: one that
//! writes takes `&mut`, spelled.
fn main() {}

#[omp::declare_target]
fn set<T: omp::Device>(y: &mut [T], i: usize, v: T) {
    y[i] = v;
}

#[omp::declare_target]
fn sum(y: &[f32]) -> f32 {
    let mut sum = 0.0;
    for v in y {
        sum += v;
    }
    sum
}

#[omp::offload]
fn whole(y: &mut [f32], n: usize) {
    let z = &mut y[..];
    #[omp::target]
    for i in 0..n {
        set(z, i, 1.0);
    }
}

#[omp::target]
fn fine(x: &mut [f32], y: &mut [f32], z: &[f32; 3], v: [f32; 3]) {
    for i in 0..y.len() {
        y[i] = sum(x) + sum(z) + sum(&v) + sum(&[1.0, 2.0]);
    }
}
