//! The trait lacks the attribute, or another macro of its name hides what the attribute makes.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct V { x: f32, y: f32 }
trait Norm { fn norm(&self) -> f32; fn twice(&self) -> f32; }
#[omp::declare_target]
impl Norm for V { fn norm(&self) -> f32 { self.x } fn twice(&self) -> f32 { self.x + self.x } }
#[omp::offload]
fn run(p: &[V], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = p[i].norm();
    }
}

mod named_like_a_macro {
    pub use omp::declare_target as Shape;
    #[omp::declare_target]
    pub trait Shape { fn side(&self) -> f32; }
}

mod uses_one {
    use super::named_like_a_macro::Shape;
    #[omp::declare_target]
    impl Shape for super::V { fn side(&self) -> f32 { self.y } }
}

trait Generic<T> { fn scaled<S: omp::Device + Into<f32>>(&self, by: S) -> f32; fn zero() -> T; }
#[derive(Clone, Copy, omp::Device)]
struct W<T>(T);
#[omp::declare_target]
impl<T: omp::Device + Default> Generic<T> for W<T> {
    fn scaled<S: omp::Device + Into<f32>>(&self, by: S) -> f32 { by.into() }
    fn zero() -> T { T::default() }
}
#[omp::offload]
fn generic(w: W<f32>, y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = w.scaled(2.0f32) + w.scaled(i as u8) + W::<f32>::zero();
    }
}

// Beside a derive macro of the prelude, none has the trait's name.
#[omp::declare_target]
trait Hash { fn hash(&self) -> u32; fn twice(&self) -> u32 { 2 * self.hash() } }

fn main() {}
