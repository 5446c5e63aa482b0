//! A refused derive: what uses the type has no second error.
#[derive(Clone, Copy, omp::Device)]
#[repr(C)]
enum Shape {
    Round(f32),
    Square,
}
#[omp::declare_target]
fn area(s: Shape) -> f32 {
    let t = s;
    let _ = t;
    1.0
}
#[omp::offload]
fn run(s: &[Shape], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = area(s[i]);
    }
}
#[derive(Clone, Copy, omp::Device)]
struct Named {
    x: f32,
    name: String,
}

#[omp::offload]
fn named(x: &mut [Named]) {
    #[omp::target]
    for i in 0..x.len() {
        x[i].x = 1.0;
    }
}

#[derive(Clone, Copy, omp::Device)]
#[repr(packed)]
struct Packed {
    tag: u8,
    x: f32,
}

#[omp::offload]
fn packed(x: &mut [Packed]) {
    #[omp::target]
    for i in 0..x.len() {
        x[i].x = 1.0;
    }
}

#[derive(Clone, Copy, omp::Device)]
struct Dereferenced {
    x: [f32; 3],
}

impl std::ops::Deref for Dereferenced {
    type Target = [f32; 3];

    fn deref(&self) -> &[f32; 3] {
        &self.x
    }
}

#[omp::offload]
fn dereferenced(p: &[Dereferenced], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = p[i].x[0];
    }
}

fn main() {}
