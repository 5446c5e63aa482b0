//! `kernels`: in parallel what is proved, in order what is not, with the same results.
use super::{SIZES, everywhere};
use omp::acc;

#[omp::offload]
#[expect(deprecated, reason = "a loop that runs in order warns so")]
fn mixed(x: &[i64], y: &mut [i64], at: &[usize]) -> i64 {
    let n = y.len();
    let mut sum = 0;
    #[acc::kernels(copyin(x, at), copy(y))]
    {
        for i in 0..n {
            y[i] = 2 * x[i];
        }
        for i in 1..n {
            y[i] += y[i - 1];
        }
        for i in 0..n {
            y[at[i]] += 1;
        }
        #[acc::loop_(independent, reduction(+: sum))]
        for i in 0..n {
            sum += y[i];
        }
    }
    sum
}

#[test]
fn a_block() {
    everywhere(|_| {
        for n in SIZES {
            let x: Vec<i64> = (0..n as i64).collect();
            let at: Vec<usize> = (0..n).map(|i| i / 2).collect();
            let mut y = vec![9; n];
            let sum = mixed(&x, &mut y, &at);
            let mut want: Vec<i64> = (0..n as i64).map(|i| i * (i + 1)).collect();
            at.iter().for_each(|k| want[*k] += 1);
            assert_eq!(y, want, "{n}");
            assert_eq!(sum, want.iter().sum::<i64>(), "{n}");
        }
    });
}

#[acc::kernels_loop(copy(y))]
#[expect(deprecated, reason = "a loop that runs in order warns so")]
fn running(y: &mut [u32]) {
    for i in 1..y.len() {
        y[i] += y[i - 1];
    }
}

#[acc::kernels_loop(copyin(x), reduction(max: most))]
fn most(x: &[u32], mut most: u32) -> u32 {
    for i in 0..x.len() {
        most = most.max(x[i]);
    }
    most
}

#[test]
fn a_loop() {
    everywhere(|_| {
        for n in SIZES {
            let mut y = vec![1; n];
            running(&mut y);
            assert!((0..n).all(|i| y[i] as usize == i + 1), "{n}: {y:?}");
            assert_eq!(most(&y, 3), (n as u32).max(3));
        }
    });
}

#[omp::offload]
fn shifted(y: &mut [u32], by: usize) {
    let n = y.len() - by;
    #[acc::kernels_loop(copy(y))]
    for i in 0..n {
        y[i + by] = y[i] + 1;
    }
}

#[test]
fn what_numbers_decide_runs_in_order_where_they_say_so() {
    everywhere(|_| {
        for by in [0, 1, 7, 50, 100] {
            let mut y: Vec<u32> = (0..100).collect();
            shifted(&mut y, by);
            let mut want: Vec<u32> = (0..100).collect();
            for i in 0..100 - by {
                want[i + by] = want[i] + 1;
            }
            assert_eq!(y, want, "{by}");
        }
    });
}

/// Rows of `width` elements, `apart` from each other: only the numbers tell whether they overlap.
#[omp::offload]
fn with_a_copy(y: &mut [u32], rows: usize, width: usize, apart: usize) {
    let (mut twice, mut pair) = (0, [0; 2]);
    #[acc::kernels_loop(private(twice, pair), collapse(2), copy(y))]
    for i in 0..rows {
        for j in 0..width {
            twice = 2 * i as u32;
            pair[1] = twice + j as u32;
            y[i * apart + j] = y[i * apart + j] * 3 + pair[1];
        }
    }
}

#[test]
fn private_copies_of_loops_that_the_launch_decides() {
    everywhere(|_| {
        for (rows, width, apart) in [(5, 7, 7), (5, 7, 6), (40, 3, 1), (0, 4, 4)] {
            let mut y = vec![1; rows * apart + width];
            with_a_copy(&mut y, rows, width, apart);
            let mut want = vec![1u32; rows * apart + width];
            for (i, j) in (0..rows).flat_map(|i| (0..width).map(move |j| (i, j))) {
                want[i * apart + j] = want[i * apart + j].wrapping_mul(3).wrapping_add((2 * i + j) as u32);
            }
            assert_eq!(y, want, "{rows} rows of {width}, {apart} apart");
        }
    });
}
