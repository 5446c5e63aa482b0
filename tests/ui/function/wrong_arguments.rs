//! Arguments of methods, wrong in number or type: one error each, which is the host's.
#![allow(dead_code)]

#[derive(Clone, Copy, omp::Device)]
struct P {
    x: f32,
}

#[omp::declare_target]
impl P {
    fn scaled(&self, by: f32) -> f32 {
        self.x * by
    }

    fn grow(&mut self, by: f32) {
        self.x += by;
    }

    fn new(x: f32) -> P {
        P { x }
    }
}

#[omp::offload]
fn none(p: &[P], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = p[i].scaled();
    }
}

#[omp::offload]
fn too_many(p: &[P], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = p[i].scaled(1.0, 2.0);
    }
}

#[omp::offload]
fn variable(p: &[P], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = p[i].scaled(i);
    }
}

#[omp::offload]
fn integer(p: &[P], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = p[i].scaled(2);
    }
}

#[omp::offload]
fn operator(p: &[P], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = p[i].scaled(i * 2);
    }
}

#[omp::offload]
fn result(p: &[P], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = p[i].scaled(p.len());
    }
}

#[omp::offload]
fn as_a_statement(p: &mut [P]) {
    #[omp::target]
    for i in 0..p.len() {
        p[i].grow(i as f64);
    }
}

#[omp::offload]
fn by_path(p: &mut [P]) {
    #[omp::target]
    for i in 0..p.len() {
        p[i] = P::new();
    }
    #[omp::target]
    for i in 0..p.len() {
        p[i] = P::new(1);
    }
    #[omp::target]
    for i in 0..p.len() {
        p[i].x = P::scaled(&p[i], i);
    }
}

#[omp::offload]
fn built_in(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i].clamp(1.0);
    }
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i].hypot(x[i].abs(), 2.0);
    }
    #[omp::target]
    for i in 0..y.len() {
        y[i] = (x[i] + 1.0).max(i * 2);
    }
}

fn main() {}
