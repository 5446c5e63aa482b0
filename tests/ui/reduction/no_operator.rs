//! Items of types that the clause's operator does not reduce: told once at the item, beside what rustc says of an operator that is not there.
use std::ops::{Add, AddAssign};

#[derive(Clone, Copy, omp::Device)]
struct Bare {
    a: u32,
}

#[omp::offload]
fn assigned(x: &[Bare]) -> Bare {
    let mut s = Bare { a: 0 };
    #[omp::target(reduction(+: s))]
    for i in 0..x.len() {
        s += x[i];
    }
    s
}

#[omp::offload]
fn of_bits(x: &[f32]) -> f32 {
    let mut s = 0.0f32;
    #[omp::target(reduction(^: s))]
    for i in 0..x.len() {
        s = s ^ x[i];
    }
    s
}

#[derive(Clone, Copy, omp::Device)]
struct Undeclared {
    a: u32,
}

impl Add for Undeclared {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { a: self.a + other.a }
    }
}

impl AddAssign for Undeclared {
    fn add_assign(&mut self, other: Self) {
        self.a += other.a;
    }
}

#[omp::offload]
fn undeclared(x: &[Undeclared], y: &mut [Undeclared]) -> Undeclared {
    let (mut s, mut t) = (x[0], x[0]);
    #[omp::target(reduction(+: s))]
    for i in 0..x.len() {
        s = s + x[i];
    }
    #[omp::target(reduction(+: t, y))]
    for i in 0..x.len() {
        t += x[i];
        y[i % 2] += x[i];
    }
    s
}

#[omp::offload]
fn in_rows(x: &[Undeclared], y: &mut [Undeclared]) {
    #[omp::target]
    for r in 0..y.len() {
        let mut s = y[r];
        #[omp::parallel_for(reduction(+: s))]
        for c in 0..10 {
            s = s + x[r * 10 + c];
        }
        y[r] = s;
    }
}

fn main() {}
