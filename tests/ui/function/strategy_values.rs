//! A value behind a type parameter: the region's function has the bound `omp::Device`, its caller lacks it.
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
fn host<T: Num>(x: T, y: &mut [u32]) {
    region(x, y);
}
fn main() {}
