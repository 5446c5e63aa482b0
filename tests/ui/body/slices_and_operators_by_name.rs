//! Methods that std has and devices don't: of slices, and of operators by their names.
use std::ops::Add;

#[derive(Clone, Copy, omp::Device)]
struct P {
    x: f32,
}

#[omp::declare_target]
impl Add for P {
    type Output = P;
    fn add(self, o: P) -> P {
        P { x: self.x + o.x }
    }
}

#[omp::offload]
fn got(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..x.len() {
        y[i] = *x.get(i).unwrap_or(&0.0);
    }
}

#[omp::offload]
fn by_name(x: &[P], y: &mut [P]) {
    #[omp::target]
    for i in 1..x.len() {
        y[i] = x[i].add(x[i - 1]);
    }
}

#[omp::offload]
fn carried(x: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    #[omp::scan(+: s)]
    for i in 0..x.len() {
        s += x[i];
        y[i] = s;
    }
}

fn main() {}
