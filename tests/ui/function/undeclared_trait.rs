//! The trait lacks the attribute.
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
fn main() {}
