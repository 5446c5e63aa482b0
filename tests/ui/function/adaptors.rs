//! Adaptors of a trait of the user's where std's `Iterator` is not in scope: a device would step as std's do.
#![no_implicit_prelude]
use ::std::ops::Range;

trait Own {
    fn step_by(self, n: usize) -> Range<usize>;
    fn rev(&self) -> Range<usize>;
}

impl Own for Range<usize> {
    fn step_by(self, _: usize) -> Range<usize> {
        0..1
    }
    fn rev(&self) -> Range<usize> {
        0..2
    }
}

#[::omp::offload]
fn head(y: &mut [usize]) {
    #[::omp::target]
    for i in (0..8).step_by(2) {
        y[i] = i;
    }
}

#[::omp::offload]
fn inside(y: &mut [usize]) {
    #[::omp::target]
    for i in 0..y.len() {
        for j in (0..i).rev() {
            y[i] += j;
        }
    }
}

#[::omp::declare_target]
fn sum(n: usize) -> usize {
    let mut s = 0;
    for j in (0..n).rev() {
        s += j;
    }
    s
}

/// Of the types that std's come to, but not the same.
mod of_all {
    use ::std::iter::StepBy;

    trait OfAll {
        fn step_by(self, n: usize) -> StepBy<Self>
        where
            Self: ::std::marker::Sized;
    }

    impl<I: ::std::iter::Iterator> OfAll for I {
        fn step_by(self, n: usize) -> StepBy<I> {
            ::std::iter::Iterator::step_by(self, n + 1)
        }
    }

    #[::omp::offload]
    fn head(y: &mut [usize]) {
        #[::omp::target]
        for i in (0..8).step_by(2) {
            y[i] = i;
        }
    }
}

fn main() {}
