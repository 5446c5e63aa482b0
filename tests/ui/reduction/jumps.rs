//! Loops of a nest that a scan puts in another order are not left: the jump would leave another one.

#[omp::offload]
fn ends(y: &mut [i64], n: usize, m: usize) {
    #[omp::target(scan(+: y))]
    for i in 1..n {
        for j in 0..m {
            if j == i % 7 {
                break;
            }
            y[i * m + j] = y[(i - 1) * m + j] + 2;
        }
    }
}

#[omp::offload]
fn goes_on(y: &mut [i64], n: usize, m: usize) {
    #[omp::target(scan(+: y))]
    'rows: for i in 1..n {
        for j in 0..m {
            if j == i % 7 {
                continue 'rows;
            }
            y[i * m + j] = y[(i - 1) * m + j] + 2;
        }
    }
}

/// Loops inside of the body are.
#[omp::offload]
fn fine(y: &mut [i64], n: usize, m: usize) {
    #[omp::target(scan(+: y))]
    for i in 1..n {
        for j in 0..m {
            let mut k = 0;
            'own: loop {
                for _ in 0..3 {
                    k += 1;
                    if k > 5 {
                        break 'own;
                    }
                }
                if k > 9 {
                    break;
                }
            }
            y[i * m + j] = y[(i - 1) * m + j] + k;
        }
    }
}

fn main() {}
