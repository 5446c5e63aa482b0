//! A method of the type hides a default method of a declared trait, which the `impl` does not write down.
#[omp::declare_target]
pub trait Shape {
    fn side(&self) -> f32;
    fn area(&self) -> f32 { self.side() * self.side() }
    fn round(&self) -> f32 { 3.0 }
}
#[derive(Clone, Copy, omp::Device)]
struct Square { x: f32 }
impl Square { fn area(&self) -> f32 { 1.0 } }
#[omp::declare_target]
impl Shape for Square { fn side(&self) -> f32 { self.x } }

/// By another name, from another module, for one instance.
mod further {
    use super::Shape as Form;
    #[derive(Clone, Copy, omp::Device)]
    pub struct Pair<T> { x: T, y: T }
    impl Pair<f32> { fn round(&self) -> f32 { 1.0 } }
    #[omp::declare_target]
    impl<T: omp::Device> Form for Pair<T> { fn side(&self) -> f32 { 1.0 } }
}
#[omp::offload]
fn run(p: &[Square], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = p[i].area();
    }
}
fn main() {}
