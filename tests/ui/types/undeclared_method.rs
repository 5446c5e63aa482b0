//! Methods that are no device methods, and functions that do not exist.
#[derive(Clone, Copy, omp::Device)]
struct Point {
    x: f32,
}

impl Point {
    fn norm(self) -> f32 {
        self.x.abs()
    }
}

#[omp::offload]
fn norms(p: &[Point], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = p[i].norm();
    }
}

fn main() {}
