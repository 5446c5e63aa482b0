//! `==` of a derive.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct V { x: f32, y: f32 }
#[omp::offload]
fn run(p: &[V], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        if p[i] == p[0] { y[i] = 1.0; }
    }
}
fn main() {}
