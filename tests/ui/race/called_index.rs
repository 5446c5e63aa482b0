//! An update of an element whose index is what a function makes of data.
#[omp::declare_target]
fn index(i: usize, j: usize, n: usize) -> usize {
    (i % 7) * n + j
}

#[omp::offload]
fn called(b: &mut [f64], row: &[usize], n: usize, m: usize) {
    #[omp::target]
    for i in 0..n {
        for j in 0..m {
            b[index(row[i], j, n)] += 1.0;
        }
    }
}

#[omp::offload]
fn read(h: &mut [u32], at: &[usize]) {
    #[omp::target]
    for i in 0..at.len() {
        h[at[i]] += 1;
    }
}

fn main() {
    called(&mut [], &[], 0, 0);
    read(&mut [], &[]);
}
