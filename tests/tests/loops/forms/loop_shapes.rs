//! Loops that LLVM peels: the first iterations differ from the rest by conditions on the loop variable, and a sort of a
//! short array is imported from another codegen unit. LLVM 22 dies (SIGSEGV in `LoopUnrollPass`) of such a loop
//! in plain Rust at opt-level 3, where the sort is std's and is called twice:
//!
//!     for (i, &got) in out.iter().enumerate() {
//!         let median = |mut v: [i64; 3]| { v.sort_unstable(); v[1] };
//!         let m = median([i, 3, 4]) + median([i, 5, 9]);
//!         if got != m + if 2 > i { 0 } else { i - 2 } { abort() }
//!     }
//!
//! What a region expands to compiles in all of these shapes (`cargo test --release`), and no check below is written
//! like that.

mod sorts {
    /// The middle one, by insertion.
    #[omp::declare_target]
    pub(crate) fn median(a: i64, b: i64, c: i64) -> i64 {
        let mut v = [a, b, c];
        for k in 1..3 {
            let mut j = k;
            while j > 0 && v[j - 1] > v[j] {
                v.swap(j - 1, j);
                j -= 1;
            }
        }
        v[1]
    }

    /// Zero in the first `back` iterations.
    #[omp::declare_target]
    pub(crate) fn at(i: i64, back: i64) -> i64 {
        if back > i { 0 } else { i - back }
    }
}
use sorts::{at, median};

/// What all the loops compute.
fn wanted(i: i64) -> i64 {
    let (low, high) = (i.clamp(3, 4), i.clamp(5, 9));
    low + high + (i - 2).max(0)
}

#[omp::offload]
fn to_length(y: &mut [i64]) {
    #[omp::target]
    for i in 0..y.len() {
        let k = i as i64;
        y[i] = median(k, 3, 4) + median(k, 5, 9) + at(k, 2);
    }
}

#[omp::offload]
fn typed(y: &mut [i64], n: i64) {
    #[omp::target]
    for i in 0..n {
        y[i as usize] = median(i, 3, 4) + median(i, 5, 9) + at(i, 2);
    }
}

#[omp::offload]
fn checked(y: &mut [i64], n: i64) {
    #[omp::target]
    for i in 0..n {
        let v = median(i, 3, 4) + median(i, 5, 9) + if 2 > i { 0 } else { i - 2 };
        assert!(v >= 8, "at {}", i);
        y[i as usize] = v;
    }
}

#[omp::offload]
fn compared(y: &[i64]) -> (i64, bool) {
    let (mut most, mut wrong) = (0, false);
    #[omp::target(reduction(max: most), reduction(||: wrong))]
    for i in 0..y.len() {
        let k = i as i64;
        let want = median(k, 3, 4) + median(k, 5, 9) + at(k, 2);
        if y[i] > most {
            most = y[i];
        }
        if y[i] != want {
            wrong = true;
        }
    }
    (most, wrong)
}

#[omp::offload]
fn backwards(y: &mut [i64], n: i64) {
    #[omp::target]
    for i in (0..n).rev() {
        y[i as usize] = median(i, 3, 4) + median(i, 5, 9) + at(i, 2);
    }
}

#[omp::offload]
fn inside(y: &mut [i64], rows: i64, n: i64) {
    #[omp::target(collapse(2))]
    for r in 0..rows {
        for i in 0..n {
            y[(r * n + i) as usize] = median(i, 3, 4) + median(i, 5, 9) + at(i, 2);
        }
    }
}

#[omp::offload]
fn sequential(y: &mut [[i64; 300]]) {
    #[omp::target]
    for r in 0..y.len() {
        for i in 0..300 {
            y[r][i as usize] = median(i, 3, 4) + median(i, 5, 9) + if 2 > i { 0 } else { i - 2 };
        }
    }
}

#[test]
fn peeled_loops_compile_and_are_right() {
    let n = 300;
    let want: Vec<i64> = (0..n).map(wanted).collect();
    let run = |f: &dyn Fn(&mut [i64])| {
        let mut y = vec![0; want.len()];
        f(&mut y);
        assert_eq!(y, want);
    };
    run(&|y| to_length(y));
    run(&|y| typed(y, 300));
    run(&|y| checked(y, 300));
    run(&|y| backwards(y, 300));
    assert_eq!(compared(&want), (4 + 9 + 297, false));
    let mut rows = [want.clone(), want.clone()].concat();
    rows.fill(0);
    inside(&mut rows, 2, 300);
    assert_eq!(rows, [want.clone(), want.clone()].concat());
    let mut rows = vec![[0; 300]; 2];
    sequential(&mut rows);
    assert!(rows.iter().all(|row| row[..] == want));
}

/// With lengths that the optimiser sees.
#[test]
fn constant_lengths_compile_and_are_right() {
    let want: Vec<i64> = (0..300).map(wanted).collect();
    let mut y = vec![0; 300];
    typed(&mut y, 300);
    assert_eq!(y, want);
    let mut y = [0; 300];
    checked(&mut y, 300);
    assert_eq!(y[..], want);
    let mut y = [0; 300];
    to_length(&mut y);
    assert_eq!(y[..], want);
}
