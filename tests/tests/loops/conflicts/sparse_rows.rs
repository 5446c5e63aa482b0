//! Rows whose bounds are read from memory: nothing proves that they are disjoint, so it is checked while the loop runs.
#![allow(clippy::needless_range_loop, reason = "indices are what is tested")]
use omp_tests::{on_every_device, panic_of};

#[omp::offload]
fn scale(d: usize, start: &[usize], by: &[f64], values: &mut [f64]) {
    #[omp::target(device(d))]
    for row in 0..by.len() {
        for k in start[row]..start[row + 1] {
            values[k] *= by[row];
        }
    }
}

#[omp::offload]
fn number(d: usize, first: &[u32], count: &[u32], out: &mut [u32]) -> u32 {
    let mut written = 0;
    #[omp::target(device(d), reduction(+: written))]
    for i in 0..first.len() {
        let (lo, n) = (first[i] as usize, count[i] as usize);
        for k in lo..lo + n {
            out[k] = i as u32;
            written += 1;
        }
    }
    written
}

#[test]
fn rows_of_sparse_matrices() {
    on_every_device(|d| {
        let mut values = vec![1.0; 7];
        scale(d, &[0, 2, 2, 3, 7], &[2.0, 3.0, 4.0, 5.0], &mut values);
        assert_eq!(values, [2.0, 2.0, 4.0, 5.0, 5.0, 5.0, 5.0]);
        let mut out = vec![9; 6];
        assert_eq!(number(d, &[4, 0, 2], &[2, 1, 2], &mut out), 5);
        assert_eq!(out, [1, 9, 2, 2, 0, 0]);
    });
}

/// Rows that overlap are found, and named.
#[test]
fn rows_that_overlap() {
    on_every_device(|d| {
        let mut values = vec![1.0; 8];
        let text =
            panic_of(|| scale(d, &[0, 3, 2, 6, 8], &[2.0, 3.0, 4.0, 5.0], &mut values)).expect("it panics");
        assert!(text.contains("overlapping writes") && text.contains("values"), "{text}");
        let mut out = vec![9; 6];
        let text = panic_of(|| {
            number(d, &[0, 2], &[3, 2], &mut out);
        })
        .expect("it panics");
        assert!(text.contains("overlapping writes") && text.contains("out"), "{text}");
    });
}
