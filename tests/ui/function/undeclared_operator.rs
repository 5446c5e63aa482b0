//! An operator without the attribute.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct V { x: f32, y: f32 }
impl std::ops::Add for V { type Output = V; fn add(self, o: V) -> V { V { x: self.x + o.x, y: 0.0 } } }
#[omp::offload]
fn run(p: &[V], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        let s = p[i] + p[0];
        y[i] = s.x;
    }
}
fn main() {}
