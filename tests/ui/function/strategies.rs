//! A type without bytes as a value, and a device function that is named like a type.
struct Relu;
#[omp::declare_target]
trait Activation {
    fn f(self, x: f32) -> f32;
}
#[omp::declare_target]
impl Activation for Relu {
    fn f(self, x: f32) -> f32 {
        x.max(0.0)
    }
}
#[omp::declare_target]
fn ScaleBy(x: f32) -> f32 {
    x * 2.0
}
fn main() {}
