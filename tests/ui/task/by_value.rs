//! Methods of users' traits that take `self`, or are for all that a guard is: they have the names of slices' methods.
use std::fmt::Debug;
use std::mem::forget;
use std::ops::{Deref, DerefMut, Index};

trait Takes: Sized {
    fn sort(self) {
        forget(self)
    }
    fn len(self) -> usize {
        3
    }
}

impl<T: DerefMut> Takes for T {}

trait First: Sized {
    fn first(self) {
        forget(self)
    }
}

impl<T: Debug + Deref<Target = [u64]>> First for T {}

trait Get: Sized {
    fn get(self, i: usize) -> Option<u64>;
}

impl<T: Index<usize, Output = u64>> Get for &T {
    fn get(self, i: usize) -> Option<u64> {
        Some(self[i])
    }
}

trait Swaps {
    fn swap(&mut self, a: usize, b: usize);
}

impl Swaps for Vec<u64> {
    fn swap(&mut self, a: usize, b: usize) {
        self[a] = b as u64;
    }
}

#[omp::offload]
fn sorted(y: &mut Vec<u64>) {
    #[omp::target(nowait)]
    for i in 0..4 {
        y[i] += 1;
    }
    y.sort();
}

#[omp::offload]
fn first(mut y: Vec<u64>) {
    #[omp::target(nowait)]
    for i in 0..4 {
        y[i] += 1;
    }
    y.first();
}

#[omp::offload]
fn got(mut y: Vec<u64>) -> Option<u64> {
    #[omp::target(nowait)]
    for i in 0..4 {
        y[i] += 1;
    }
    y.get(0).copied()
}

#[omp::offload]
fn swapped(y: &mut Vec<u64>) {
    #[omp::target(nowait)]
    for i in 0..4 {
        y[i] += 1;
    }
    y.swap(0, 1);
}

#[omp::offload]
fn in_a_head(y: &mut [u64]) {
    #[omp::target(nowait)]
    for i in 0..y.len() {
        y[i] += 1;
    }
}

trait Half {
    fn half(&self) -> usize;
}

impl Half for Vec<u64> {
    fn half(&self) -> usize {
        self.len() / 2
    }
}

#[omp::offload]
fn the_owners_in_a_head(y: &mut Vec<u64>) {
    #[omp::target(nowait)]
    for i in 0..y.half() {
        y[i] += 1;
    }
}

/// The traits are not for these.
#[omp::offload]
fn fine(mut x: [u64; 4], y: &mut [[u64; 2]; 4]) -> u64 {
    #[omp::target(nowait)]
    for i in 0..4 {
        x[i] += 1;
        y[i][0] = 1;
    }
    x.swap(0, 1);
    *x.first().unwrap_or(&0) + y.iter().count() as u64
}

fn main() {}
