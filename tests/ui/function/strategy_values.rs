//! A value behind a type parameter without `omp::Device`.
#[omp::declare_target]
trait Num: Copy {
    fn twice(self) -> u32;
}
#[omp::declare_target]
fn f<T: Num>(x: T) -> u32 {
    x.twice()
}
#[omp::offload]
fn region<T: Num>(x: T, y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = f(x);
    }
}
fn main() {}
