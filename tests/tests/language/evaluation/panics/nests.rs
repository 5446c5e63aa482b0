//! A failure in inner loops tells their variables too, after those of the parallel loops.
use super::told;

/// One element of `k` is out of bounds, or `d` has one zero.
#[omp::offload]
fn nest(d: usize, way: u32, a: &[[u8; 4]], k: &[usize], y: &mut [u8]) {
    let n = a.len();
    match way {
        0 =>
        {
            #[omp::target(collapse(2), device(d))]
            for row in 0..n {
                for col in 0..4 {
                    y[row * 4 + col] = a[row][k[row * 4 + col]];
                }
            }
        }
        1 =>
        {
            #[omp::target(device(d))]
            for row in 0..n {
                #[omp::parallel_for]
                for col in 0..4 {
                    y[row * 4 + col] = a[row][k[row * 4 + col]];
                }
            }
        }
        2 =>
        {
            #[omp::target(device(d))]
            for row in (0..n).rev() {
                for col in 0..4 {
                    y[row * 4 + col] = a[row][k[row * 4 + col]];
                }
            }
        }
        3 =>
        {
            #[omp::target(device(d))]
            for row in 0..n {
                #[omp::parallel_for(collapse(2))]
                for half in 0..2usize {
                    for col in (0..2i8).rev() {
                        y[row * 4 + half * 2 + col as usize] = a[row][k[row * 4 + half * 2 + col as usize]];
                    }
                }
            }
        }
        // Loops that are left by name, then one that fails.
        4 =>
        {
            #[omp::target(device(d))]
            'rows: for row in 0..n {
                'both: for first in 0..4 {
                    for second in 0..4 {
                        if second == 2 {
                            continue 'both;
                        }
                        if first == 3 {
                            break 'both;
                        }
                        if row == n {
                            continue 'rows;
                        }
                    }
                }
                for col in 0..4 {
                    y[row * 4 + col] = a[row][k[row * 4 + col]];
                }
            }
        }
        // What stands behind a loop is in none.
        5 =>
        {
            #[omp::target(device(d))]
            for row in 0..n {
                let mut most = 0;
                for col in 0..4 {
                    most = most.max(k[row * 4 + col]);
                }
                y[row * 4] = a[row][most];
            }
        }
        6 =>
        {
            #[omp::target(device(d))]
            for row in 0..n {
                for (col, v) in k[row * 4..row * 4 + 4].iter().enumerate() {
                    y[row * 4 + col] = a[row][*v];
                }
            }
        }
        7 =>
        {
            #[omp::target(device(d))]
            for (row, rest) in a.iter().enumerate() {
                for (v, (col, _)) in k[row * 4..row * 4 + 4].iter().zip(rest.iter().enumerate()) {
                    y[row * 4 + col] = rest[*v];
                }
            }
        }
        _ => {
            #[omp::target(device(d))]
            {
                #[omp::parallel_for]
                for row in 0..n {
                    for col in 0..4 {
                        y[row * 4 + col] = a[row][k[row * 4 + col]];
                    }
                }
            }
        }
    }
}

#[test]
fn inner_loops_are_told() {
    for bad in [0usize, 18, 119] {
        let mut k: Vec<usize> = (0..120).map(|i| i % 4).collect();
        k[bad] = 4 + bad;
        let (row, col) = (bad / 4, bad % 4);
        for way in 0..9 {
            let text = told(|d| nest(d, way, &[[1, 2, 3, 4]; 30], &k, &mut [0; 120]));
            let iteration = match way {
                3 => format!("row = {row}, half = {}, col = {}", col / 2, col % 2),
                5 => format!("row = {row}"),
                _ => format!("row = {row}, col = {col}"),
            };
            assert!(text.contains(&format!("the len is 4 but the index is {}", 4 + bad)), "{way}: {text}");
            assert!(text.contains(&format!("in the iteration {iteration}\n")), "{way}: {iteration}: {text}");
        }
    }
}

#[omp::declare_target]
fn quotient(a: i32, b: i32) -> i32 {
    let mut q = 0;
    for _turn in 0..2 {
        q = a / b;
    }
    q
}

/// Failures go through functions, arithmetic, and messages with many values.
#[omp::offload]
fn through(d: usize, way: u32, a: &[i32], y: &mut [i32], s: &mut i32) {
    let n = y.len();
    match way {
        0 =>
        {
            #[omp::target(device(d))]
            for i in 0..n {
                for j in 1..=4u8 {
                    y[i] += quotient(100, a[i * 4 + j as usize - 1]);
                }
            }
        }
        1 =>
        {
            #[omp::target(device(d))]
            for i in 0..n {
                let mut t = 0;
                #[omp::parallel_for(reduction(+: t))]
                for j in 0..4 {
                    t += quotient(100, a[i * 4 + j]);
                }
                y[i] = t;
            }
        }
        2 =>
        {
            #[omp::target(device(d))]
            for i in 0..n {
                for j in 0..4 {
                    let v = a[i * 4 + j];
                    assert!(v != 0, "{} {} {} {}", v, i, j, n);
                    y[i] += v;
                }
            }
        }
        3 =>
        {
            #[omp::target(device(d), reduction(+: s))]
            for i in 0..n {
                for j in 0..4 {
                    *s += quotient(100, a[i * 4 + j]);
                }
            }
        }
        _ => {}
    }
}

#[test]
fn failures_in_functions_are_in_the_loops_that_call_them() {
    let mut a = vec![1; 400];
    a[14] = 0;
    for way in 0..4 {
        let text = told(|d| through(d, way, &a, &mut [0; 100], &mut 0));
        let j = if way == 0 { 3 } else { 2 };
        assert!(text.contains(&format!("in the iteration i = 3, j = {j}\n")), "{way}: {text}");
    }
}

#[omp::offload]
fn scanned(d: usize, rows: bool, a: &[i32], y: &mut [i32]) {
    if rows {
        let n = 10;
        #[omp::target(device(d), scan(+: y))]
        for row in 0..y.len() / n {
            for i in 1..n {
                y[row * n + i] = y[row * n + i - 1] + (a[row * n + i] - i32::MAX);
            }
        }
    } else {
        #[omp::target(device(d), scan(+: y))]
        for i in 1..y.len() {
            let mut e = 0;
            for j in 0..4 {
                e += quotient(12, a[i * 4 + j]);
            }
            y[i] = y[i - 1] + e;
        }
    }
}

#[test]
fn scans_tell_inner_loops() {
    let mut a = vec![1; 400];
    a[14] = 0;
    let text = told(|d| scanned(d, false, &a, &mut [0; 100]));
    assert!(text.contains("in the iteration i = 3, j = 2\n"), "{text}");
    a = vec![i32::MAX; 100];
    a[47] = -2;
    let text = told(|d| scanned(d, true, &a, &mut [0; 100]));
    assert!(text.contains("in the iteration row = 4, i = 7\n"), "{text}");
}
