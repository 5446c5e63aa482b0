//! The items of a loop are references: where rustc looks at their type first, a trait of the user's is found before the
//! value's own methods.
trait Foo { fn is_nan(&self) -> bool; fn sqrt(&mut self) -> f32; fn twice(&self) -> u32; }
impl Foo for f32 {
    fn is_nan(&self) -> bool { true }
    fn sqrt(&mut self) -> f32 { 7.0 }
    fn twice(&self) -> u32 { 7 }
}
#[derive(Clone, Copy, omp::Device)]
struct Point { x: u32 }
#[omp::declare_target]
impl Point {
    fn twice(self) -> u32 { 2 * self.x }
}
impl Foo for Point {
    fn is_nan(&self) -> bool { true }
    fn sqrt(&mut self) -> f32 { 7.0 }
    fn twice(&self) -> u32 { 7 }
}
#[omp::offload]
fn shared(x: &[f32], y: &mut [u32]) {
    #[omp::target]
    for (y, v) in y.iter_mut().zip(x.iter()) {
        *y = v.is_nan() as u32;
    }
}
#[omp::offload]
fn exclusive(x: &mut [f32], y: &mut [f32]) {
    #[omp::target]
    for (y, v) in y.iter_mut().zip(x.iter_mut()) {
        *y = v.sqrt();
    }
}
#[omp::offload]
fn own(x: &[Point], y: &mut [u32]) {
    #[omp::target]
    for (i, y) in y.iter_mut().enumerate() {
        for v in x.iter().rev() {
            *y += v.twice() + i as u32;
        }
    }
}
fn main() {}
