//! A method that nobody declared, and that the host would find before the declared one.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct V { x: f32, y: f32 }
#[omp::declare_target]
impl V {
    fn norm(&self) -> f32 { self.x }
    fn scale(&mut self, k: f32) { self.x *= k; }
}
#[omp::declare_target]
trait Shape {
    fn area(&self) -> f32;
    fn size(self) -> f32;
}
#[omp::declare_target]
impl Shape for V {
    fn area(&self) -> f32 { self.x * self.y }
    fn size(self) -> f32 { self.x }
}

trait ByValue: Sized {
    fn norm(self) -> f32 { 77.0 }
    fn area(self) -> f32 { 77.0 }
    fn scale(self, _: f32) {}
}
impl ByValue for V {}
trait OnReferences: Sized {
    fn size(self) -> f32 { 77.0 }
    fn sqrt(self) -> f32 { 77.0 }
}
impl OnReferences for &V {}
impl OnReferences for &&f32 {}
trait ByReference {
    fn scale(&self, _: f32) {}
    fn len(self) -> usize where Self: Sized { 3 }
    fn is_some(self) -> bool where Self: Sized { false }
}
impl ByReference for V {}
impl<T> ByReference for [T; 4] {}
impl<T> ByReference for Option<T> {}

#[omp::offload]
fn by_value(p: &[V], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = p[i].norm() + p[i].area();
    }
}
#[omp::offload]
fn on_references(p: &[V], x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        let v = &p[i];
        let r = &&x[i];
        y[i] = v.size() + r.sqrt();
    }
}
#[omp::offload]
fn before_mut(p: &mut [V]) {
    #[omp::target]
    for i in 0..p.len() {
        let mut v = p[i];
        v.scale(2.0);
        p[i] = v;
    }
}
#[omp::offload]
fn arrays(x: &[[f32; 4]], y: &mut [usize]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i].len() + i.checked_sub(3).is_some() as usize;
    }
}
trait Swaps: Sized {
    fn swap(self, _: usize, _: usize) {}
}
impl Swaps for [f32; 4] {}
trait Lengths: Sized {
    fn len(self) -> usize { 7 }
}
impl Lengths for [u8; 4] {}
#[omp::declare_target]
fn length(x: &[u8; 4]) -> usize {
    x.len()
}
#[omp::offload]
fn swapped(x: &mut [[f32; 4]]) {
    #[omp::target]
    for i in 0..x.len() {
        let mut own = x[i];
        own.swap(0, 1);
        x[i] = own;
        x[i].swap(2, 3);
    }
}
#[omp::declare_target]
fn turned(x: &mut [f32; 4]) {
    x.swap(0, 1);
}
#[omp::declare_target]
fn inside(v: V) -> f32 {
    v.norm()
}
trait Empty {
    fn is_empty(&mut self) -> bool { true }
}
impl Empty for [i8; 4] {}
impl Empty for Box<[i8]> {}
#[omp::offload]
fn changed_array(x: &[[i8; 4]], y: &mut [bool]) {
    #[omp::target]
    for i in 0..y.len() {
        let mut own = x[i];
        y[i] = own.is_empty();
    }
}
#[omp::offload]
fn boxed(mut x: Box<[i8]>, y: &mut [bool]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x.is_empty() || x[i] > 0;
    }
}
fn main() {}
