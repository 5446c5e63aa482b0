//! A method that may write its receiver, where another method has its name.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct V { x: f32, y: f32 }
#[derive(Clone, Copy, omp::Device)]
struct W(f32);
#[omp::declare_target]
impl V { fn step(&mut self) -> f32 { self.x += 1.0; self.x } }
#[omp::declare_target]
impl W { fn step(&self) -> f32 { self.0 } }
#[omp::offload]
fn run(p: &mut [V], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        let e = p[i].step();
        y[i] = e;
    }
}
fn main() {}
