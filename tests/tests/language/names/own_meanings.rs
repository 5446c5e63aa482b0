//! What looks like a primitive's, an array's or std's, and is the user's: comparisons of a number with a type of the user's, subscripts
//! by operators of the user's, elements with an `IndexMut`, and views that are dereferenced.
#![allow(
    clippy::needless_range_loop,
    clippy::explicit_auto_deref,
    clippy::nonminimal_bool,
    reason = "every spelling that users may choose"
)]
use std::cmp::Ordering;
use std::ops::{Add, Index, IndexMut};

/// What is compared and added in ways of its own.
#[derive(Clone, Copy, PartialEq, omp::Device)]
struct Width(usize);

#[omp::declare_target]
impl PartialEq<Width> for usize {
    fn eq(&self, other: &Width) -> bool {
        *self == other.0 + 1
    }
}

/// The order turned round.
#[omp::declare_target]
impl PartialOrd<Width> for usize {
    fn partial_cmp(&self, other: &Width) -> Option<Ordering> {
        if *self == other.0 {
            return None;
        }
        Some(if *self < other.0 { Ordering::Greater } else { Ordering::Less })
    }
}

#[omp::declare_target]
impl Add<Width> for usize {
    type Output = usize;
    fn add(self, other: Width) -> usize {
        self / 2 + other.0
    }
}

#[omp::offload]
fn compared(y: &mut [u32], w: Width) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = 0;
        if i < w {
            y[i] += 1;
        }
        if i >= w {
            y[i] += 2;
        }
        if i == w {
            y[i] += 4;
        }
        if !(i > w) {
            y[i] += 8;
        }
    }
}

#[test]
fn numbers_compared_with_own_types() {
    let mut y = vec![0; 9];
    compared(&mut y, Width(3));
    let want = (0..9).map(|i: usize| {
        let w = Width(3);
        u32::from(i < w) + 2 * u32::from(i >= w) + 4 * u32::from(i == w) + 8 * u32::from(!(i > w))
    });
    assert_eq!(y, want.collect::<Vec<_>>());
}

#[omp::offload]
fn read_at(x: &[u32], y: &mut [u32], w: Width) {
    #[omp::target]
    for i in 0..y.len() {
        let k = i + w;
        y[i] = x[k];
    }
}

/// Two iterations store to each element: by names alone, it would be one.
#[omp::offload]
fn stored_at(x: &[u32], y: &mut [u32], w: Width) {
    #[omp::parallel_for]
    for i in 0..x.len() {
        y[i + w] = x[i];
    }
}

#[test]
fn subscripts_by_own_operators() {
    let x: Vec<u32> = (0..10_001).collect();
    let mut y = vec![0; 20_000];
    read_at(&x, &mut y, Width(1));
    assert!(y.iter().enumerate().all(|(i, v)| *v as usize == i / 2 + 1));
    let mut y = vec![0; 10_000];
    stored_at(&x, &mut y, Width(1));
    let mut want = vec![0; 10_000];
    for i in 0..x.len() {
        want[i + Width(1)] = x[i];
    }
    assert_eq!(y, want);
}

/// All of its subscripts are the same element.
#[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
struct Cell {
    v: [u32; 4],
}

impl Index<usize> for Cell {
    type Output = u32;
    fn index(&self, _: usize) -> &u32 {
        &self.v[0]
    }
}

impl IndexMut<usize> for Cell {
    fn index_mut(&mut self, _: usize) -> &mut u32 {
        &mut self.v[0]
    }
}

#[omp::offload]
fn cells(cells: &mut [Cell], n: usize) {
    #[omp::parallel_for]
    for i in 0..cells.len() {
        for j in 0..4 {
            cells[i][j] += 1;
        }
    }
    #[omp::parallel_for]
    for j in 0..n {
        cells[0][j] = (j % 10_000) as u32;
    }
}

#[test]
fn elements_with_own_subscripts() {
    let mut c = vec![Cell { v: [5; 4] }; 300];
    cells(&mut c, 10_000);
    assert_eq!(c[0].v, [9_999, 5, 5, 5]);
    assert!(c[1..].iter().all(|c| c.v == [9, 5, 5, 5]));
}

#[omp::offload]
fn through_references(y: &mut Vec<f64>, x: &Vec<f64>, z: &mut [f64]) {
    #[omp::target]
    for i in 0..(*y).len() {
        (*y)[i] += (*y).len() as f64 + (*x).len() as f64;
    }
    let n = z.len();
    #[omp::target]
    for i in 0..n / 2 {
        (*z).swap(i, n - 1 - i);
    }
}

#[test]
fn methods_of_what_is_dereferenced() {
    let mut y = vec![1.0; 6];
    let mut z = [1.0, 2.0, 3.0, 4.0, 5.0];
    through_references(&mut y, &vec![0.0; 4], &mut z);
    assert_eq!(y, [11.0; 6]);
    assert_eq!(z, [5.0, 4.0, 3.0, 2.0, 1.0]);
}
