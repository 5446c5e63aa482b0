//! A container of the user's, whose methods and elements are a slice's by its `Deref`: one error, at its first use.
use std::ops::Deref;

struct Wave {
    data: Vec<f32>,
}

impl Deref for Wave {
    type Target = [f32];
    fn deref(&self) -> &[f32] {
        &self.data
    }
}

#[omp::offload]
fn length(x: &Wave, y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i] / x.len() as f32;
    }
}

#[omp::offload]
fn zipped(x: Wave, y: &mut [f32]) {
    #[omp::target]
    for (v, w) in y.iter_mut().zip(x.iter()) {
        *v = *w;
    }
}

#[omp::offload]
fn summed(x: &Wave, y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x.iter().sum::<f32>();
    }
}

fn main() {}
