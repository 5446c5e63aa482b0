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

/// The element before by another spelling, and a name that is bound later.
#[omp::offload]
fn spelled(y: &mut [i64], z: &mut [i64], at: usize) {
    #[omp::target(scan(+: y))]
    for i in 1..y.len() {
        let p = i - 1;
        y[i] = y[i - 1] + y[p];
    }
    #[omp::target(scan(+: y))]
    for i in 1..y.len() {
        y[at] = y[at - 1] + 2;
        let at = i + 2;
        z[at] = 1;
    }
}

fn main() {}
