//! Defaults that no device can make, and std's traits that none has.
fn main() {}

#[derive(Clone, Copy, Default, omp::Device)]
struct Derived {
    x: f32,
}

#[omp::target]
fn derived(y: &mut [Derived]) {
    for i in 0..y.len() {
        y[i] = Derived::default();
    }
}

#[omp::target]
fn inferred(y: &mut [Derived]) {
    for i in 0..y.len() {
        y[i] = Default::default();
    }
}

#[omp::declare_target]
impl From<f32> for Derived {
    fn from(x: f32) -> Self {
        Self { x }
    }
}
