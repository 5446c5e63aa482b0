//! A method of the type hides that of a declared trait.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct V { x: f32, y: f32 }
#[omp::declare_target]
trait Norm { fn norm(&self) -> f32; }
impl V { fn norm(&self) -> f32 { 1.0 } }
#[omp::declare_target]
impl Norm for V { fn norm(&self) -> f32 { self.x } }
#[omp::offload]
fn run(p: &[V], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = p[i].norm();
    }
}
fn main() {}
