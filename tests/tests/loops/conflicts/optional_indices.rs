//! Subscripts that there are only sometimes: `checked_sub`, `checked_add`, and functions that return an `Option` of an index. What the
//! `Option` tells is known of the subscript: it needs no check, and iterations are compared with it.
#![forbid(unsafe_code)]
use omp_tests::on_every_device;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[omp::declare_target]
fn before(i: usize, n: usize) -> Option<usize> {
    if i >= n { Some(i - n) } else { None }
}

#[omp::declare_target]
fn neighbour(i: usize, side: usize, n: usize) -> Option<usize> {
    match side {
        0 => i.checked_sub(1),
        1 if i + 1 < n => Some(i + 1),
        _ => None,
    }
}

#[omp::offload]
fn differences(d: usize, x: &[u32], y: &mut [u32]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        let Some(k) = i.checked_sub(1) else {
            y[i] = 7;
            continue;
        };
        y[i] = x[i].wrapping_sub(x[k]);
    }
}

#[omp::offload]
fn sums(d: usize, x: &[u32], y: &mut [u32]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        let mut sum = x[i];
        if let Some(k) = before(i, 3) {
            sum += x[k];
        }
        for side in 0..2 {
            if let Some(k) = neighbour(i, side, x.len()) {
                sum += 10 * x[k];
            }
        }
        y[i] = sum;
    }
}

/// A plane of a box: every iteration has an element of its own, which only `checked_sub` tells.
#[omp::offload]
fn plane(d: usize, l: usize, n: usize, y: &mut [u32]) {
    #[omp::target(device(d), collapse(2))]
    for k in 0..n {
        for j in 0..n {
            let Some(i) = l.checked_sub(j + k) else { continue };
            if i < n {
                y[(k * n + j) * n + i] += 1;
            }
        }
    }
}

#[omp::offload]
fn shifted(d: usize, n: usize, y: &mut [u32]) {
    #[omp::target(device(d))]
    for i in 0..n {
        if let Some(k) = before(i, 2) {
            y[k] += y[i];
        }
    }
}

#[test]
fn subscripts_that_there_are_sometimes() {
    for n in [0, 1, 2, 5, 1000] {
        let x: Vec<u32> = (0..n as u32).map(|i| i * i % 31).collect();
        let want: Vec<u32> = (0..n).map(|i| if i == 0 { 7 } else { x[i].wrapping_sub(x[i - 1]) }).collect();
        let at = |i: Option<usize>| i.and_then(|i| x.get(i)).copied().unwrap_or(0);
        let around = |i: usize| at(i.checked_sub(1)) + at(Some(i + 1));
        let total: Vec<u32> = (0..n).map(|i| x[i] + at(i.checked_sub(3)) + 10 * around(i)).collect();
        on_every_device(|d| {
            let mut y = vec![0; n];
            differences(d, &x, &mut y);
            assert_eq!(y, want, "device {d}");
            assert_eq!(omp::last_region().residual_checks, 0, "device {d}");
            sums(d, &x, &mut y);
            assert_eq!(y, total, "device {d}");
        });
    }
}

#[test]
fn planes_of_a_box() {
    for n in [1, 4, 9] {
        on_every_device(|d| {
            let mut y = vec![0; n * n * n];
            (0..3 * n).for_each(|l| plane(d, l, n, &mut y));
            assert!(y.iter().all(|v| *v == 1), "device {d}: {y:?}");
        });
    }
}

#[test]
fn iterations_that_meet_through_an_option() {
    on_every_device(|d| {
        let mut y = vec![1; 100];
        let failed = catch_unwind(AssertUnwindSafe(|| shifted(d, 100, &mut y))).expect_err("they meet");
        let text = failed.downcast_ref::<String>().cloned().unwrap_or_default();
        assert!(text.contains("race"), "device {d}: {text}");
        assert!(y.iter().all(|v| *v == 1), "device {d}");
        // Two iterations: neither has an element that the other one writes.
        shifted(d, 2, &mut y);
        assert!(y.iter().all(|v| *v == 1), "device {d}");
    });
}
