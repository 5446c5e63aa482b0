//! Methods that take `&mut self`, or have the name of a built-in one, that nobody declared: one error at each, without hidden names.
#![allow(dead_code)]

#[derive(Clone, Copy, omp::Device)]
struct Rng {
    s: u32,
}

impl Rng {
    fn next(&mut self) -> u32 {
        self.s = self.s * 3 + 1;
        self.s
    }

    fn sqrt(self) -> u32 {
        self.s
    }
}

trait Len {
    fn len(&self) -> usize;
}

impl Len for Rng {
    fn len(&self) -> usize {
        3
    }
}

#[omp::offload]
fn of_a_variable(y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        let mut r = Rng { s: i as u32 };
        y[i] = r.next();
    }
}

#[omp::offload]
fn as_a_statement(q: &mut [Rng]) {
    #[omp::target]
    for i in 0..q.len() {
        q[i].next();
    }
}

#[omp::offload]
fn of_a_reference(q: &mut [Rng], y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        let r = &mut q[i];
        y[i] = r.next();
    }
}

#[omp::offload]
fn misspelt(y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        let mut r = Rng { s: i as u32 };
        y[i] = r.nxt();
    }
}

#[omp::offload]
fn named_as_built_in(q: &[Rng], y: &mut [u32], z: &mut [usize]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = q[i].sqrt();
    }
    #[omp::target]
    for i in 0..z.len() {
        z[i] = q[i].len();
    }
}

fn main() {}
