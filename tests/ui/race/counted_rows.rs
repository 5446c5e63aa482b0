//! Counted subscripts that stay in no row of the iteration.

#[omp::offload]
fn other_rows(order: &[usize], max: usize, list: &mut [usize]) {
    #[omp::target]
    for i in 0..order.len() {
        let mut n = 0;
        for j in 0..order.len() {
            // Several iterations may have this row.
            list[order[i] * max + n] = j;
            n += 1;
        }
    }
}

#[omp::offload]
fn rows_that_meet(m: usize, max: usize, list: &mut [usize]) {
    #[omp::target]
    for i in 0..m {
        let mut n = 0;
        for j in 0..m {
            if j != i {
                list[i / 2 * max + n] = j;
                n += 1;
            }
        }
    }
}

#[omp::offload]
fn next_row(m: usize, max: usize, list: &mut [usize]) {
    #[omp::target]
    for i in 0..m {
        let mut n = 0;
        for j in 0..m {
            list[i * max + n] = j;
            list[(i + 1) * max] += 1;
            n += 1;
        }
    }
}

fn main() {}
