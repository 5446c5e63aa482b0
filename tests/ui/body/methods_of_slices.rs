//! `len` and `swap` of a mapped array are the slice's: a trait's of these names would be another function.

trait Odd {
    fn len(&self) -> usize;
}

impl Odd for Box<[u32]> {
    fn len(&self) -> usize {
        1000
    }
}

trait Swap {
    fn swap(&mut self, i: usize, j: usize);
}

impl Swap for Vec<u32> {
    fn swap(&mut self, i: usize, j: usize) {
        self[i] += self[j];
    }
}

#[omp::offload]
fn lengths(y: &mut [u32], x: &Box<[u32]>) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x.len() as u32;
    }
}

#[omp::offload]
fn swaps(y: &mut Vec<u32>, n: usize) {
    #[omp::target]
    for i in 0..n {
        y.swap(i, i + n);
    }
}

fn main() {}
