//! Arrays that are handed to functions, but not so that one sees that they are arrays.
#[omp::declare_target]
fn total(x: &[f32]) -> f32 { x[0] }
#[omp::declare_target]
fn twice(x: &mut [f32]) { x[0] *= 2.0; }
struct S { x: Vec<f32> }
impl S {
    #[omp::offload]
    fn sums(&self, y: &mut [f32]) {
        #[omp::target]
        for i in 0..y.len() {
            y[i] = total(&self.x);
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
