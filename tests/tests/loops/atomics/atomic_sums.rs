//! Atomic sums whose values nothing uses: of subnormal floats, which NVIDIA's instruction takes for zero, and of integers, whose
//! overflow ends the region.
#![forbid(unsafe_code)]
use omp_tests::on_every_device;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[omp::offload]
fn add(d: usize, x: &[f32], k: &[usize], sums: &mut [f32]) {
    #[omp::target(device(d), map(tofrom: sums))]
    for i in 0..x.len() {
        #[omp::atomic]
        sums[k[i]] += x[i];
    }
}

#[omp::offload]
fn subtract(d: usize, x: &[f32], k: &[usize], sums: &mut [f32]) {
    #[omp::target(device(d), map(tofrom: sums))]
    for i in 0..x.len() {
        #[omp::atomic]
        sums[k[i]] -= x[i];
    }
}

/// The value before is used: the sum is not left in two steps.
#[omp::offload]
fn tickets(d: usize, x: &[f32], sums: &mut [f32], before: &mut [f32]) {
    #[omp::target(device(d), map(tofrom: sums))]
    for i in 0..x.len() {
        let seen;
        #[omp::atomic(capture)]
        {
            seen = sums[0];
            sums[0] += x[i];
        }
        before[i] = seen;
    }
}

#[omp::offload]
fn count(d: usize, x: &[i32], k: &[usize], sums: &mut [i32]) {
    #[omp::target(device(d), map(tofrom: sums))]
    for i in 0..x.len() {
        #[omp::atomic]
        sums[k[i]] += x[i];
    }
}

fn places(n: usize) -> Vec<usize> {
    (0..n).map(|i| i * 7 % 11).collect()
}

#[test]
fn subnormal_numbers_are_kept() {
    let tiny = f32::MIN_POSITIVE / 8.0;
    let x: Vec<f32> = (0..3000)
        .map(|i| match i % 4 {
            0 => tiny,
            1 => -0.0,
            2 => 2.0 * tiny,
            _ => f32::MIN_POSITIVE,
        })
        .collect();
    let k = places(x.len());
    let mut wanted = vec![0.0; 11];
    wanted[3] = tiny;
    // All sums are exact, in any order.
    x.iter().zip(&k).for_each(|(x, k)| wanted[*k] += x);
    on_every_device(|d| {
        let mut sums = vec![0.0; 11];
        sums[3] = tiny;
        add(d, &x, &k, &mut sums);
        assert_eq!(sums, wanted, "device {d}");
        subtract(d, &x, &k, &mut sums);
        let left: Vec<f32> = (0..11).map(|k| if k == 3 { tiny } else { 0.0 }).collect();
        assert_eq!(sums, left, "device {d}");
    });
}

#[test]
fn infinities_and_nan() {
    let x = [f32::INFINITY, 1e-40, f32::NAN, -1.0, f32::MAX, f32::MAX, 1e-40, f32::NEG_INFINITY];
    let k = [0, 0, 1, 1, 2, 2, 3, 3];
    on_every_device(|d| {
        let mut sums = vec![0.0, 0.0, 0.0, 1e-41];
        add(d, &x, &k, &mut sums);
        let infinite = [sums[0], sums[2], -sums[3]];
        assert_eq!(infinite, [f32::INFINITY; 3], "device {d}");
        assert!(sums[1].is_nan(), "device {d}");
    });
}

#[test]
fn captured_sums_are_whole() {
    let tiny = f32::MIN_POSITIVE / 4.0;
    on_every_device(|d| {
        let x = vec![tiny; 500];
        let (mut sums, mut before) = (vec![tiny], vec![0.0; 500]);
        tickets(d, &x, &mut sums, &mut before);
        before.sort_by(f32::total_cmp);
        let wanted: Vec<f32> = (1..=500).map(|n| n as f32 * tiny).collect();
        assert_eq!(before, wanted, "device {d}");
        assert_eq!(sums, [501.0 * tiny], "device {d}");
    });
}

#[test]
fn overflow_ends_the_region() {
    on_every_device(|d| {
        let mut sums = vec![i32::MAX - 3; 2];
        let ended = catch_unwind(AssertUnwindSafe(|| count(d, &[1; 5], &[0; 5], &mut sums)));
        let text = *ended.expect_err("five is too many").downcast::<String>().expect("a text");
        assert!(text.contains("overflow"), "device {d}: {text}");
        let mut sums = vec![0; 11];
        count(d, &vec![3; 1000], &places(1000), &mut sums);
        assert_eq!(sums.iter().sum::<i32>(), 3000, "device {d}");
    });
}
