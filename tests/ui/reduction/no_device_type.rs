//! Declared reductions of types that no device has: one error for each, at the function's first parameter, or at the declaration.
use std::ops::Mul;

#[derive(Clone, Copy)]
struct Plain {
    a: u32,
}

#[omp::declare_reduction(plus: Plain, identity = Plain { a: 0 })]
fn plus(a: Plain, b: Plain) -> Plain {
    Plain { a: a.a + b.a }
}

#[omp::declare_reduction(join: String, identity = String::new())]
fn join(a: String, b: String) -> String {
    if true { b } else { a }
}

#[derive(Clone, Copy)]
struct Turn(u32);

#[omp::declare_reduction(*: Turn, identity = Turn(0))]
impl Mul for Turn {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        if other.0 > 0 { other } else { self }
    }
}

fn main() {}
