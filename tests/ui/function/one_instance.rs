//! A method of one instance of a generic type hides that of a declared trait.
#[derive(Clone, Copy, Debug, omp::Device)]
struct S<T> { v: T }
#[derive(Clone, Copy, Debug, omp::Device)]
struct A<const N: usize> { v: [f32; N] }
#[omp::declare_target]
trait Get { fn get(&self) -> f32; }
impl S<f32> { fn get(&self) -> f32 { 77.0 } }
impl A<3> { fn get(&self) -> f32 { 77.0 } }
#[omp::declare_target]
impl<T: omp::Device> Get for S<T> { fn get(&self) -> f32 { 1.0 } }
#[omp::declare_target]
impl<const N: usize> Get for A<N> { fn get(&self) -> f32 { 1.0 } }
fn main() {}
