//! Under `collapse`, what inner bounds ask of a user's types is refused: a method, an operator or a subscript of theirs could have
//! effects, and be another time another value.
use std::cell::Cell;
use std::ops::{Add, Index};

struct List {
    asked: Cell<usize>,
}

impl List {
    fn len(&self) -> usize {
        self.asked.set(self.asked.get() + 1);
        self.asked.get()
    }
}

impl Index<usize> for List {
    type Output = usize;
    fn index(&self, _: usize) -> &usize {
        &7
    }
}

#[derive(Clone, Copy)]
struct Number(usize);

impl Add<usize> for Number {
    type Output = usize;
    fn add(self, more: usize) -> usize {
        self.0 + more
    }
}

struct Grid {
    rows: Vec<usize>,
    lists: Vec<List>,
    wide: Number,
}

#[omp::offload]
fn methods(l: &List, y: &mut [u32]) {
    #[omp::target(collapse(2))]
    for i in 0..2 {
        for j in 0..l.len() {
            y[i * 8 + j] = 1;
        }
    }
}

#[omp::offload]
fn subscripts(l: &List, y: &mut [u32]) {
    #[omp::target(collapse(2))]
    for i in 0..2 {
        for j in 0..l[0] {
            y[i * 8 + j] = 1;
        }
    }
}

#[omp::offload]
fn operators(n: Number, y: &mut [u32]) {
    #[omp::target(collapse(2))]
    for i in 0..2 {
        for j in 0..n + 1 {
            y[i * 8 + j] = 1;
        }
    }
}

#[omp::offload]
fn fields(g: &Grid, y: &mut [u32]) {
    #[omp::target(collapse(3))]
    for i in 0..2 {
        for j in 0..g.wide + 1 {
            for k in 0..g.lists[0].len() {
                y[i * 64 + j * 8 + k] = 1;
            }
        }
    }
}

/// Nothing is asked of these.
#[omp::offload]
fn plain(g: &Grid, l: &List, sizes: &[i32], y: &mut [u32]) {
    let n = l.len();
    #[omp::target(collapse(4))]
    for i in 0..l.len() {
        for j in 0..n.min(g.rows.len()) {
            for k in (1..=sizes[0].abs() as usize).step_by(g.rows[1]) {
                for m in 0..g.wide.0 {
                    y[((i * n + j) * 100 + k) * 8 + m] = 1;
                }
            }
        }
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Three = 3,
}

/// Nor of these: enums that are cast, fields behind references and in parentheses, what owns and guards standard containers.
#[omp::offload]
fn places(
    kinds: &[Kind],
    g: &&Grid,
    shared: &std::rc::Rc<Vec<u32>>,
    held: std::sync::MutexGuard<'_, Vec<u32>>,
    queue: &std::collections::VecDeque<u8>,
    y: &mut [u32],
) {
    let kind = Kind::Three;
    #[omp::target(collapse(4))]
    for i in 0..2 {
        for j in 0..kinds[0] as usize + kind as usize {
            for k in 0..(**g).rows.len() + (g.wide).0 + queue.len() {
                for m in 0..shared.len().max(held.len()) {
                    y[((i * 8 + j) * 64 + k) * 64 + m] = 1;
                }
            }
        }
    }
}

fn main() {}
