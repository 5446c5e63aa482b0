//! Subscripts and methods of device values that give parts of them, where that can't be.
#[derive(Clone, Copy, Debug, omp::Device)]
struct V { x: f32, y: f32 }
#[omp::declare_target]
impl std::ops::Index<usize> for V {
    type Output = f32;
    fn index(&self, i: usize) -> &f32 { if i == 0 { &self.x } else { &self.y } }
}
#[omp::declare_target]
impl std::ops::IndexMut<usize> for V {
    fn index_mut(&mut self, i: usize) -> &mut f32 { if i == 0 { &mut self.x } else { &mut self.y } }
}
#[derive(Clone, Copy, Debug, omp::Device)]
struct A { data: [f32; 4] }
#[omp::declare_target]
impl A {
    fn all(&self) -> &[f32] { &self.data }
}
#[omp::declare_target]
fn clear(x: &mut f32) { *x = 0.0; }
#[omp::offload]
fn run(v: &mut [V], a: &[A], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        clear(&mut v[i][1]);
        y[i] = a[i].all().iter().sum();
    }
}
fn main() {}
