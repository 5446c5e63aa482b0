//! A program to look at with `cargo omp`: Jacobi's iteration, the change in each step, and a gather whose
//! subscripts depend on the data.
//!
//! `cargo omp explain --example jacobi -p cargo-omp -- 256`

#[omp::offload]
fn step(old: &[f64], new: &mut [f64], n: usize) -> f64 {
    #[omp::target(collapse(2), name("jacobi"))]
    for i in 1..n - 1 {
        for j in 1..n - 1 {
            new[i * n + j] = 0.25
                * (old[(i - 1) * n + j] + old[(i + 1) * n + j] + old[i * n + j - 1] + old[i * n + j + 1]);
        }
    }
    let mut change = 0.0;
    #[omp::target(reduction(max: change), name("change"))]
    for k in 0..n * n {
        change = f64::max(change, (new[k] - old[k]).abs());
    }
    change
}

#[omp::target(reduction(+: sum), name("total"))]
fn total(field: &[f64], mut sum: f64) -> f64 {
    for k in 0..field.len() {
        sum += field[k] / (k + 1) as f64;
    }
    sum
}

#[omp::target(name("probe"))]
fn probe(field: &[f64], at: &[u32], values: &mut [f64]) {
    for k in 0..values.len() {
        values[k] = field[at[k] as usize];
    }
}

fn main() {
    let n = std::env::args().nth(1).map_or(64, |n| n.parse().expect("the first argument is the grid's side"));
    let mut old = vec![0.0; n * n];
    old[..n].fill(100.0);
    let mut new = old.clone();
    let mut change = 0.0;
    for _ in 0..4 {
        change = step(&old, &mut new, n);
        std::mem::swap(&mut old, &mut new);
    }
    let at = [0, n as u32 + 1, (n * n) as u32 - 1];
    let mut values = [0.0; 3];
    probe(&old, &at, &mut values);
    println!("change {change:.3}, total {:.3}, {values:?}", total(&old, 0.0));
}
