//! Methods of a trait of the user's that come before those of ranges.
use std::ops::Range;

trait Own {
    fn len(self) -> usize;
    fn clone(self) -> Self;
    fn is_empty(self) -> bool;
}

impl Own for Range<usize> {
    fn len(self) -> usize {
        7
    }
    fn clone(self) -> Self {
        0..3
    }
    fn is_empty(self) -> bool {
        true
    }
}

#[omp::offload]
fn outside(r: Range<usize>, y: &mut [usize]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = r.len();
    }
}

#[omp::offload]
fn inside(y: &mut [usize]) {
    #[omp::target]
    for i in 0..y.len() {
        let q = i..2 * i;
        if !q.is_empty() {
            for j in q.clone() {
                y[i] += j;
            }
        }
    }
}

#[omp::offload]
fn head(r: Range<usize>, y: &mut [usize]) {
    #[omp::target]
    for i in r.clone() {
        y[i] = i;
    }
}

fn main() {}
