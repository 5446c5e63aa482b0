//! Methods and operators that nobody declared.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct V { x: f32, y: f32 }
impl V { fn len2(&self) -> f32 { self.x } }
#[omp::offload]
fn run(p: &[V], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = p[i].len2() + 1.0;
    }
}
fn main() {}
