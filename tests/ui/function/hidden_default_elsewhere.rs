//! A method of the type hides a default method of another crate's trait, which the `impl` does not write down.
use omp_tests::shapes::Shape;

#[derive(Clone, Copy, omp::Device)]
struct Square {
    x: f32,
}

impl Square {
    fn area(&self) -> f32 {
        1.0
    }
}

#[omp::declare_target]
impl Shape for Square {
    fn side(&self) -> f32 {
        self.x
    }
}

#[omp::offload]
fn run(p: &[Square], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = p[i].area();
    }
}

fn main() {}
