// A method with `self` of another trait comes before that of `Ord`, which takes `&self`.
use std::cmp::Ordering;

trait Backwards {
    fn cmp(self, other: &Self) -> Ordering;
}

impl Backwards for i32 {
    fn cmp(self, other: &Self) -> Ordering {
        Ord::cmp(other, &self)
    }
}

#[omp::declare_target]
fn less<S: omp::Device + Ord + Backwards>(a: S, b: S) -> bool {
    a.cmp(&b) == Ordering::Less
}

// A bound that has no such method.
trait Weird {
    fn abs(self) -> Self;
}

#[omp::declare_target]
fn far<S: omp::Device + Ord + Weird>(a: S) -> S {
    a.abs()
}

fn main() {}
