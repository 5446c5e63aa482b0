//! A negated comparison of integers is the opposite comparison, for values and for proofs; of floats, it is not, as NaN is in no order.
#![allow(clippy::nonminimal_bool, clippy::neg_cmp_op_on_partial_ord, reason = "what is tested")]

/// Each with its opposite, and the checks that both leave in their kernels.
#[omp::offload]
fn opposite(y: &mut [u32], z: &mut [u32], m: usize) -> [(usize, usize); 4] {
    let n = y.len();
    let mut checks = [(0, 0); 4];
    #[omp::target]
    for i in 0..2 * n {
        if !(i >= n) {
            y[i] = 1;
        }
    }
    checks[0].0 = omp::last_region().residual_checks;
    #[omp::target]
    for i in 0..2 * n {
        if i < n {
            z[i] = 1;
        }
    }
    checks[0].1 = omp::last_region().residual_checks;
    // Each iteration stores to an element of its own, as the conditions exclude each other.
    #[omp::target]
    for i in 0..n {
        if !(i < m) {
            y[i - m] += 2;
        } else {
            y[n - m + i] += 3;
        }
    }
    checks[1].0 = omp::last_region().residual_checks;
    #[omp::target]
    for i in 0..n {
        if i >= m {
            z[i - m] += 2;
        } else {
            z[n - m + i] += 3;
        }
    }
    checks[1].1 = omp::last_region().residual_checks;
    #[omp::target]
    for i in 0..n {
        if !(i < 1 || !(i + 1 < n)) {
            y[i] += 4;
        }
    }
    checks[2].0 = omp::last_region().residual_checks;
    #[omp::target]
    for i in 0..n {
        if i >= 1 && i + 1 < n {
            z[i] += 4;
        }
    }
    checks[2].1 = omp::last_region().residual_checks;
    #[omp::target]
    for i in 0..n {
        let outside = !(i >= m);
        if outside {
            continue;
        }
        y[i - m] += 8;
    }
    checks[3].0 = omp::last_region().residual_checks;
    #[omp::target]
    for i in 0..n {
        if i < m {
            continue;
        }
        z[i - m] += 8;
    }
    checks[3].1 = omp::last_region().residual_checks;
    checks
}

#[test]
fn of_integers() {
    let (mut y, mut z) = (vec![0; 60], vec![0; 60]);
    for (negated, plain) in opposite(&mut y, &mut z, 7) {
        assert_eq!(negated, plain);
    }
    assert_eq!(y, z);
}

#[omp::offload]
fn of_numbers(x: &[f64], y: &mut [u32], most: f64) {
    #[omp::target]
    for i in 0..x.len() {
        if !(x[i] <= most) {
            y[i] = 1;
        }
        if x[i] > most {
            y[i] += 2;
        }
    }
}

#[test]
fn of_floats() {
    let mut y = [0; 4];
    of_numbers(&[1.0, 3.0, f64::NAN, f64::INFINITY], &mut y, 2.0);
    assert_eq!(y, [0, 3, 1, 3]);
}
