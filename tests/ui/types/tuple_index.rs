//! A type with an `Index` of its own.
use std::ops::{Index, IndexMut};

struct Matrix {
    data: Vec<f64>,
    columns: usize,
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[i * self.columns + j]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.data[i * self.columns + j]
    }
}

#[omp::offload]
fn scale(m: &mut Matrix, a: &Matrix, n: usize) {
    #[omp::target(collapse(2))]
    for i in 0..n {
        for j in 1..n {
            m[(i, j)] = 2.0 * a[(i, j - 1)];
            m[(i, j)] += a[(i, j)];
        }
    }
}

#[omp::offload]
fn fill(m: &mut Matrix, n: usize) {
    #[omp::target]
    for i in 0..n {
        m[(i + 1, 0)] = 2.0;
    }
}

fn main() {}
