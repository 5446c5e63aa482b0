//! Closures as arguments of functions whose bodies are not seen; bodies that can't stand in the place of a call.
mod elsewhere {
    #[omp::declare_target]
    pub fn apply(f: impl Fn(f32) -> f32, x: f32) -> f32 {
        f(x)
    }
    #[omp::declare_target]
    pub fn part(a: &[f32], n: usize) -> &[f32] {
        &a[..n]
    }
}

#[omp::declare_target]
fn twice<F: Fn(f32) -> f32>(f: F, x: f32) -> f32 {
    f(f(x))
}

#[omp::declare_target]
fn scaled(f: impl Fn(f32) -> f32, x: f32) -> f32 {
    f(x) * factor()
}

#[omp::declare_target]
fn factor() -> f32 {
    2.0
}

#[omp::declare_target]
fn endless(f: impl Fn(f32) -> f32, x: f32) -> f32 {
    if x > 9.0 { x } else { endless(&f, f(x)) }
}

#[omp::declare_target]
fn row(a: &mut [f32], i: usize) -> &mut [f32] {
    &mut a[i..i + 1]
}

#[omp::declare_target]
fn after(x: i32, f: impl Fn(i32) -> i32) -> i32 {
    f(x)
}

/// The closure would take `k` before the argument changes it.
#[omp::offload]
fn moved(y: &mut [i32], x: &[i32]) {
    #[omp::target]
    for i in 0..y.len() {
        let mut k = x[i];
        y[i] = after({ k += 1; k }, move |v| v * 100 + k);
    }
}

#[omp::offload]
fn written(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        row(y, i)[0] = 1.0;
    }
}

#[omp::offload]
fn from_outside(y: &mut [f32], f: impl Fn(f32) -> f32 + Sync) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = twice(&f, i as f32);
    }
}

#[omp::offload]
fn hidden(y: &mut [f32]) {
    let factor = 3.0;
    #[omp::target]
    for i in 0..y.len() {
        y[i] = scaled(|v| v + factor, i as f32);
    }
}

#[omp::offload]
fn recursive(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = endless(|v| v + 1.0, i as f32);
    }
}

#[omp::offload]
fn far(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = crate::elsewhere::apply(|v| v + 1.0, i as f32);
    }
}

#[omp::offload]
fn far_slice(y: &mut [f32], x: &[f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = crate::elsewhere::part(x, i)[0];
    }
}

fn main() {}
