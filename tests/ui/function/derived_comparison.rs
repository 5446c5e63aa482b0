//! `==` of a derive, of an enum with data and of a struct with parameters.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
#[repr(u8)]
enum E { A { x: f32 }, B }
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct V<T> { x: T, y: T }
#[omp::offload]
fn run(p: &[E], q: &[V<f32>], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        if p[i] == p[0] { y[i] = 1.0; }
        if q[i] == q[0] { y[i] = 2.0; }
    }
}
fn main() {}
