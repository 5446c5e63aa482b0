//! An `into` of the type's own hides that of a declared `From`: `x.into()` would run it on the host.
#[derive(Clone, Copy, omp::Device)]
struct Metres { x: f32 }
#[derive(Clone, Copy, omp::Device)]
struct Feet { x: f32 }
#[derive(Clone, Copy, omp::Device)]
struct Pair<T> { a: T, b: T }
impl Metres { fn into(self) -> Feet { Feet { x: -1.0 } } }
impl Pair<f32> { fn into(self) -> Feet { Feet { x: self.b } } }
#[omp::declare_target]
impl From<Metres> for Feet { fn from(m: Metres) -> Feet { Feet { x: m.x * 3.28 } } }
#[omp::declare_target]
impl From<&Metres> for f64 { fn from(m: &Metres) -> f64 { m.x as f64 } }
#[omp::declare_target]
impl<T: omp::Device> From<Pair<T>> for Metres { fn from(_: Pair<T>) -> Metres { Metres { x: 0.0 } } }
// None is hidden here.
#[omp::declare_target]
impl From<Feet> for Metres { fn from(f: Feet) -> Metres { Metres { x: f.x / 3.28 } } }
#[omp::declare_target]
impl From<f32> for Metres { fn from(x: f32) -> Metres { Metres { x } } }
#[omp::declare_target]
impl<T: omp::Device> From<[T; 2]> for Pair<T> { fn from(t: [T; 2]) -> Pair<T> { Pair { a: t[0], b: t[1] } } }
#[omp::declare_target]
impl<T: omp::Device> From<T> for Pair<T> { fn from(a: T) -> Pair<T> { Pair { a, b: a } } }
fn main() {}
