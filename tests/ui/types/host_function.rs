//! Calls of what is not a device function.
fn half(v: f32) -> f32 {
    0.5 * v
}

#[omp::offload]
fn undeclared(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = half(y[i]);
    }
}

#[omp::offload]
fn of_the_caller(f: impl Fn(f32) -> f32, y: &mut [f32]) {
    #[omp::target(nowait)]
    for i in 0..y.len() {
        y[i] = f(y[i]);
    }
}

#[omp::offload]
fn by_threads(f: impl Fn(f32) -> f32, y: &mut [f32]) {
    #[omp::parallel_for]
    for i in 0..y.len() {
        y[i] = f(y[i]);
    }
}

#[derive(Clone, Copy, omp::Device)]
struct P {
    x: f32,
}

impl P {
    fn new(x: f32) -> Self {
        Self { x }
    }
}

#[omp::offload]
fn of_a_type(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = P::new(y[i]).x;
    }
}

fn main() {}
