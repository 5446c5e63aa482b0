//! Items that no device function can be.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct V { x: f32, y: f32 }
#[omp::declare_target]
impl std::fmt::Display for V { fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { Ok(()) } }
#[omp::declare_target]
trait All { fn all(&self) -> f32; }
#[omp::declare_target]
impl<T: omp::Device> All for T { fn all(&self) -> f32 { 1.0 } }
fn main() {}
