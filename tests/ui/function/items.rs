//! Items that no device function can be.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct V { x: f32, y: f32 }
#[omp::declare_target]
impl std::fmt::Display for V { fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { Ok(()) } }
#[omp::declare_target]
trait All { fn all(&self) -> f32; }
#[omp::declare_target]
impl<T: omp::Device> All for T { fn all(&self) -> f32 { 1.0 } }
#[omp::declare_target]
impl std::iter::Sum for V { fn sum<I: Iterator<Item = V>>(all: I) -> V { all.fold(V { x: 0.0, y: 0.0 }, |a, b| V { x: a.x + b.x, y: a.y + b.y }) } }
#[omp::declare_target]
impl std::iter::Iterator for V { type Item = f32; fn next(&mut self) -> Option<f32> { self.x += 1.0; Some(self.x) } fn count(self) -> usize { 3 } }
fn main() {}
