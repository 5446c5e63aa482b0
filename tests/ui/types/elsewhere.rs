//! Types of the host: one error each, where they are used.
use std::collections::{HashMap, VecDeque};

#[omp::offload]
fn text(s: &str, y: &mut [usize]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = s.len();
    }
}
#[omp::offload]
fn owned(s: &String, y: &mut [usize]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = s.len();
    }
}
#[omp::offload]
fn map(m: &HashMap<usize, f32>, y: &mut [usize]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = m.len();
    }
}
#[omp::offload]
fn queue(q: &VecDeque<f32>, y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = q[i];
    }
}
#[omp::offload]
fn rows(m: &mut [Vec<f32>], y: &Vec<Vec<f32>>) {
    #[omp::target]
    for i in 0..y.len() {
        for j in 0..y[i].len() {
            m[i][j] = y[i][j];
        }
    }
}
#[omp::declare_target]
fn grows(x: Vec<f32>) -> f32 {
    x[0]
}
#[omp::declare_target]
fn wide(x: &[f32]) -> i128 {
    x.len() as i128
}

fn main() {}
