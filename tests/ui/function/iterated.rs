//! `iter` and `iter_mut` of a user's trait, which the host's serial loop would call where a device walks the array.
use std::slice::{Iter, IterMut};

trait ByValue: Sized {
    fn iter(self) -> Iter<'static, f32> {
        [].iter()
    }
}
impl ByValue for [f32; 4] {}

trait ByReference {
    fn iter(&self) -> Iter<'static, f32> {
        [].iter()
    }
}
impl ByReference for Vec<f32> {}

trait Changes: Sized {
    fn iter_mut(self) -> IterMut<'static, f32> {
        (&mut []).iter_mut()
    }
}
impl Changes for &mut Vec<f32> {}

#[omp::offload]
fn captured(x: [f32; 4]) -> f32 {
    let mut s = 0.0;
    #[omp::target(reduction(+: s))]
    for v in x.iter() {
        s += *v;
    }
    s
}

#[omp::offload]
fn beside(x: &Vec<f32>, y: &mut [f32]) {
    #[omp::target]
    for (a, b) in y.iter_mut().zip(x.iter()) {
        *a = *b;
    }
}

#[omp::offload]
fn changed(mut y: Vec<f32>) {
    #[omp::target]
    for v in y.iter_mut() {
        *v = 1.0;
    }
}

#[omp::offload]
fn inside(x: &[[f32; 4]], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        let own = [y[i]; 4];
        for v in own.iter() {
            y[i] += *v;
        }
        for v in x[i].iter() {
            y[i] += *v;
        }
    }
}

#[omp::declare_target]
fn sum(own: [f32; 4]) -> f32 {
    let mut s = 0.0;
    for v in own.iter() {
        s += *v;
    }
    s
}

fn main() {}
