//! Arrays that are handed to functions, but not so that one sees that they are arrays.
#[omp::declare_target]
fn total(x: &[f32]) -> f32 { x[0] }
#[omp::declare_target]
fn twice(x: &mut [f32]) { x[0] *= 2.0; }
/// A container of the user's, whose `Deref` is code of the host.
struct Own(Vec<f32>);
impl std::ops::Deref for Own {
    type Target = [f32];
    fn deref(&self) -> &[f32] { &self.0 }
}
struct S { x: Vec<f32>, own: Own }
impl S {
    #[omp::offload]
    fn sums(&self, y: &mut [f32]) {
        #[omp::target]
        for i in 0..y.len() {
            y[i] = total(&self.own);
        }
    }
    #[omp::offload]
    fn own(y: &mut [f32], own: Own) {
        #[omp::target]
        for i in 0..y.len() {
            y[i] = total(&own);
        }
    }
}
impl S {
    #[omp::offload]
    fn change(&mut self) {
        #[omp::target]
        for _i in 0..1 {
            twice(&mut self.x);
        }
    }
}
#[omp::offload]
fn main() {
    let mut v = vec![1.0_f32; 8];
    let y = &mut v;
    #[omp::target]
    for _i in 0..1 {
        twice(&mut *y);
    }
}
