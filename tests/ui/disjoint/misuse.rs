//! What `disjoint` can't check.
#[omp::offload]
fn atomic(x: &[usize], y: &mut [u32]) {
    #[omp::target(disjoint(y))]
    for i in 0..x.len() {
        #[omp::atomic]
        y[x[i]] += 1;
    }
}

#[omp::declare_target]
fn last(row: &[u32]) -> u32 {
    row[row.len() - 1]
}

#[omp::offload]
fn handed_on(x: &[usize], y: &mut [u32]) {
    #[omp::target(disjoint(y))]
    for i in 0..x.len() {
        y[x[i]] = last(y);
    }
}

fn main() {}
