//! Values behind `&mut`, behind two references, and in a `RefCell`: copied, borrowed or locked before the loop.
use std::cell::RefCell;

#[derive(Clone, Copy, omp::Device)]
struct Perlin {
    seed: u32,
}

#[omp::declare_target]
impl Perlin {
    fn at(&self, x: u32) -> u32 {
        self.seed ^ x
    }
}

#[omp::declare_target]
fn noise(p: &Perlin, x: u32) -> u32 {
    p.seed + x
}

#[omp::offload]
fn by_mut(p: &mut Perlin, y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = p.at(i as u32) + p.at(0);
    }
}

#[omp::offload]
fn by_two(p: &&Perlin, y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = p.at(i as u32);
    }
}

#[omp::offload]
fn handed(p: &mut Perlin, y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = noise(p, i as u32);
    }
}

#[omp::offload]
fn borrowed(x: &RefCell<Vec<f32>>, y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x.borrow()[i];
    }
}

/// As the messages tell.
#[omp::offload]
fn right(p: &mut Perlin, q: &&Perlin, x: &RefCell<Vec<u32>>, y: &mut [u32]) {
    let p = *p;
    let q = **q;
    let x = &*x.borrow();
    #[omp::target]
    for i in 0..y.len() {
        y[i] = p.at(i as u32) + q.at(x[i]) + noise(&p, 1);
    }
}

fn main() {}
