//! Methods of a user's type that have names of numbers' methods, and are not declared.
#[derive(Clone, Copy, omp::Device)]
struct V {
    x: f32,
}
impl V {
    fn sqrt(self) -> V {
        V { x: self.x.sqrt() }
    }
    fn abs(&self) -> f32 {
        self.x.abs()
    }
}
#[omp::offload]
fn run(v: &mut [V]) {
    #[omp::target]
    for i in 0..v.len() {
        v[i] = v[i].sqrt();
        v[i].x += v[i].abs();
    }
}
fn main() {}
