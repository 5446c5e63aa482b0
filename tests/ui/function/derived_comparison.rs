//! `<` of a derive, of an enum with data; `==` of a struct with parameters that holds what has none.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, omp::Device)]
#[repr(u8)]
enum E { A { x: f32 }, B }
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct W<T> { x: T, e: E }
#[omp::offload]
fn run(p: &[E], r: &[W<f32>], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        if p[i] < p[0] { y[i] = 1.0; }
        if r[i] == r[0] { y[i] = 3.0; }
    }
}
fn main() {}
