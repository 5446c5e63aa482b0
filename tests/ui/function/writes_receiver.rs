//! A method that may write its receiver.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct V { x: f32, y: f32 }
#[omp::declare_target]
impl V { fn step(&mut self) -> f32 { self.x += 1.0; self.x } }
#[omp::offload]
fn run(p: &mut [V], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        let e = p[i].step();
        y[i] = e;
    }
}
fn main() {}
