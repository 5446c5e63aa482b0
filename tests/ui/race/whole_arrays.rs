//! Helpers that are given whole arrays by `&mut`, or arrays that the region writes, and rows that a closure gives: what they write is judged as in the loop.

#[omp::offload]
mod written {
    #[omp::declare_target]
    fn bump(seed: &mut [i64], at: usize) -> i64 {
        seed[at] += 1;
        seed[at]
    }

    #[omp::declare_target]
    fn two(seed: &mut [i64], at: usize) {
        bump(seed, at);
        bump(seed, at + 1);
    }

    pub fn one_element(x: &mut [i64], seed: &mut [i64]) {
        #[omp::target]
        for i in 0..x.len() {
            x[i] = bump(seed, 0);
        }
    }

    pub fn neighbours(x: &[i64], seed: &mut Vec<i64>) {
        #[omp::target]
        for i in 0..x.len() {
            two(seed, i);
        }
    }

    pub fn loaded(x: &[usize], seed: &mut [i64]) {
        #[omp::target]
        for i in 0..x.len() {
            bump(seed, x[i]);
        }
    }

    pub fn rows_that_meet(n: usize, seed: &mut [i64]) {
        let row = |i: usize| i..i + 2;
        #[omp::target]
        for i in 0..n {
            for k in row(i) {
                seed[k] += 1;
            }
        }
    }

    #[omp::declare_target]
    fn next(seed: &[i64], at: usize) -> i64 {
        seed[at + 1]
    }

    #[omp::declare_target]
    fn from(seed: &[i64], at: usize) -> i64 {
        if at + 1 < seed.len() { from(seed, at + 1) } else { seed[at] }
    }

    pub fn read_by_a_function(seed: &mut [i64]) {
        #[omp::target]
        for i in 0..seed.len() - 1 {
            seed[i] = next(seed, i);
        }
    }

    pub fn read_by_a_function_that_calls_itself(seed: &mut [i64]) {
        #[omp::target]
        for i in 0..seed.len() {
            seed[i] = from(seed, i);
        }
    }

    /// Rows that are read from memory are checked while running, but not where another index is read, too.
    pub fn rows_and_neighbours(start: &[usize], column: &[usize], v: &mut [f64]) {
        #[omp::target]
        for i in 0..start.len() - 1 {
            for k in start[i]..start[i + 1] {
                v[k] += v[column[k]];
            }
        }
    }
}

fn main() {}
