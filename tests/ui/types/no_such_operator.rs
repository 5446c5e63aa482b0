//! An operator that a type does not have: rustc's error alone.
#[derive(Clone, Copy, omp::Device)]
struct P {
    x: f32,
}

#[omp::offload]
fn binary(x: &[P], y: &mut [P]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i] + x[i];
    }
}

#[omp::offload]
fn unary(x: &[P], y: &mut [P]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = -x[i];
    }
}

#[omp::offload]
fn compared(x: &[P], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = if x[i] == x[0] { 1.0 } else { 0.0 };
    }
}

#[omp::offload]
fn update(x: &[f32]) -> i32 {
    let mut sum = 0;
    #[omp::target(reduction(+: sum))]
    for i in 0..x.len() {
        sum += x[i];
    }
    sum
}

fn main() {}
