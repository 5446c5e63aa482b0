//! A trait of the user has a built-in method on references.
trait Foo { fn abs(self) -> i32; }
impl Foo for &i32 { fn abs(self) -> i32 { 77 } }
#[omp::offload]
fn run(x: &[i32], y: &mut [i32]) {
    #[omp::target]
    for i in 0..y.len() {
        let r = &x[i];
        y[i] = r.abs();
    }
}
fn main() {}
