//! `routine` and `declare`.
use super::{SIZES, everywhere};
use omp::acc;

#[acc::routine(seq)]
fn twice(v: i32) -> i32 {
    2 * v
}

#[acc::routine(vector)]
fn sum(row: &[i32]) -> i32 {
    let mut s = 0;
    #[acc::loop_(vector, reduction(+: s))]
    for k in 0..row.len() {
        s += row[k];
    }
    s
}

#[acc::declare(copyin(WEIGHTS))]
static WEIGHTS: [i32; 3] = [3, 5, 7];

#[acc::parallel_loop(copyin(x), copyout(y))]
fn rows(x: &[i32], y: &mut [i32]) {
    for i in 0..y.len() {
        y[i] = twice(sum(&x[4 * i..4 * i + 4])) + WEIGHTS[i % 3];
    }
}

#[test]
fn routines_and_tables() {
    everywhere(|_| {
        for n in SIZES {
            let x: Vec<i32> = (0..4 * n as i32).collect();
            let mut y = vec![0; n];
            rows(&x, &mut y);
            for i in 0..n {
                assert_eq!(y[i], 2 * (16 * i as i32 + 6) + [3, 5, 7][i % 3], "{i} of {n}");
            }
        }
    });
}

#[acc::declare(copy(x), create(t))]
fn function(x: &mut [i32], t: &mut [i32]) -> usize {
    let n = x.len();
    #[acc::parallel_loop(present(x, t))]
    for i in 0..n {
        t[i] = x[n - 1 - i];
    }
    #[acc::parallel_loop(present(x, t))]
    for i in 0..n {
        x[i] = t[i] + 1;
    }
    n
}

#[test]
fn data_of_a_function() {
    everywhere(|_| {
        for n in SIZES {
            let mut x: Vec<i32> = (0..n as i32).collect();
            assert_eq!(function(&mut x, &mut vec![0; n]), n);
            assert!((0..n).all(|i| x[i] as usize == n - i), "{n}: {x:?}");
        }
    });
}
