//! What is handed over by `&mut` is written.
#[omp::declare_target]
fn bump(x: &mut f32) { *x += 1.0; }
#[omp::declare_target]
fn bumps(x: &mut [f32]) { for k in 0..x.len() { x[k] += 1.0; } }
#[omp::offload]
fn one(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        bump(&mut y[0]);
        bump(&mut y[i / 2]);
    }
}
#[omp::offload]
fn run(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        bumps(&mut y[i..i + 2]);
    }
}
fn main() {}
