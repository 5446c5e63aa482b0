//! Rows with loaded bounds and loaded subscripts: kernels load ahead of their checks, and fail where the loop fails.
#![forbid(unsafe_code)]
#![allow(clippy::needless_range_loop, reason = "as products of sparse matrices are written")]
use omp_tests::{Values, on_every_device, panic_of};

macro_rules! rows {
    ($name:ident $index:ty) => {
        mod $name {
            use super::*;

            #[omp::offload]
            pub fn device(d: usize, row: &[$index], col: &[$index], val: &[f32], x: &[f32], y: &mut [f32]) {
                #[omp::target(device(d), fp(strict))]
                for i in 0..y.len() {
                    let mut s = y[i];
                    let mut last = -1.0;
                    for k in row[i] as usize..row[i + 1] as usize {
                        let v = val[k] * x[col[k] as usize];
                        if v > 0.0 {
                            s += v;
                            last = v;
                        }
                    }
                    y[i] = s + last;
                }
            }

            fn serial(row: &[$index], col: &[$index], val: &[f32], x: &[f32], y: &mut [f32]) {
                for i in 0..y.len() {
                    let (mut s, mut last) = (y[i], -1.0);
                    for k in row[i] as usize..row[i + 1] as usize {
                        let v = val[k] * x[col[k] as usize];
                        if v > 0.0 {
                            s += v;
                            last = v;
                        }
                    }
                    y[i] = s + last;
                }
            }

            #[test]
            fn sums_and_failures_are_those_of_the_loop() {
                for (rows, most) in [(0usize, 3usize), (1, 0), (1, 9), (300, 17)] {
                    let mut r = Values(rows as u64 + 1);
                    let mut row = vec![0 as $index];
                    for i in 0..rows {
                        let len = if most == 0 { 0 } else { r.bits() as usize % most };
                        row.push(row[i] + len as $index);
                    }
                    let all = row[rows] as usize;
                    let columns = 50;
                    let x: Vec<f32> = (0..columns).map(|_| (r.bits() >> 20) as f32 - 2000.0).collect();
                    let val: Vec<f32> = (0..all).map(|_| (r.bits() >> 20) as f32 - 2000.0).collect();
                    let col: Vec<$index> = (0..all).map(|_| (r.bits() % columns) as $index).collect();
                    let mut want: Vec<f32> = (0..rows).map(|i| i as f32).collect();
                    serial(&row, &col, &val, &x, &mut want);
                    on_every_device(|d| {
                        let run = |row: &[$index], col: &[$index], x: &[f32]| {
                            let mut y: Vec<f32> = (0..rows).map(|i| i as f32).collect();
                            device(d, row, col, &val, x, &mut y);
                            y
                        };
                        assert_eq!(run(&row, &col, &x), want, "device {d}: {rows} rows");
                        if all < 20 {
                            return;
                        }
                        let mut wrong = col.clone();
                        wrong[all / 2] = 77;
                        let text = panic_of(|| drop(run(&row, &wrong, &x))).expect("a column is not there");
                        assert!(text.contains("the len is 50 but the index is 77"), "device {d}: {text}");
                        let mut beyond = row.clone();
                        beyond[rows] += 1;
                        let text = panic_of(|| drop(run(&beyond, &col, &x))).expect("a row is too long");
                        let says = format!("the len is {all} but the index is {all}");
                        assert!(text.contains(&says), "device {d}: {text}");
                        let text = panic_of(|| drop(run(&row, &col, &[]))).expect("there are no columns");
                        assert!(text.contains("the len is 0"), "device {d}: {text}");
                    });
                }
            }
        }
    };
}

rows!(words usize);
rows!(short u32);

/// Loop variables and columns of other types than subscripts have: one that is negative is no element.
#[omp::offload]
fn narrow(d: usize, row: &[u32], col: &[i32], val: &[f32], x: &[f32], y: &mut [f32]) {
    #[omp::target(device(d), fp(strict))]
    for i in 0..y.len() {
        let mut s = 0.0;
        for k in row[i]..row[i + 1] {
            let j = col[k as usize];
            s += val[k as usize] * x[j as usize];
        }
        y[i] = s;
    }
}

#[test]
fn columns_of_narrow_types_fail_where_they_are_negative() {
    let (row, val, x) = ([0, 2, 2, 5], [1.0, 2.0, 3.0, 4.0, 5.0], [10.0, 20.0, 30.0]);
    let col = [0, 2, 1, 0, 2];
    on_every_device(|d| {
        let mut y = [0.0; 3];
        narrow(d, &row, &col, &val, &x, &mut y);
        assert_eq!(y, [70.0, 0.0, 250.0], "device {d}");
        let text = panic_of(|| narrow(d, &row, &[0, 2, -1, 0, 2], &val, &x, &mut [0.0; 3]));
        let text = text.expect("a column is negative");
        assert!(
            text.contains(&format!("the index is {}", -1i64 as u64)) || text.contains("the index is -1"),
            "device {d}: {text}"
        );
        let text = panic_of(|| narrow(d, &[0, 2, 2, 6], &col, &val, &x, &mut [0.0; 3]));
        assert!(text.expect("a row is too long").contains("the index is 5"), "device {d}");
    });
}

/// Subscripts that conditions on a loaded one allow: what stands in the place of one that fails is none of those.
#[omp::offload]
fn neighbours(d: usize, row: &[usize], col: &[usize], x: &[f32], z: &[f32], y: &mut [f32]) {
    #[omp::target(device(d), fp(strict))]
    for i in 0..y.len() {
        let mut s = 0.0;
        for k in row[i]..row[i + 1] {
            let j = col[k];
            s += x[j];
            if j >= 1 && j <= z.len() {
                s += z[j - 1];
            }
            if j >= 40 && j < z.len() {
                s -= z[j - 40];
            }
        }
        y[i] = s;
    }
}

#[test]
fn conditions_on_subscripts_that_fail() {
    let (x, z): (Vec<f32>, Vec<f32>) =
        ((0..50).map(|v| v as f32).collect(), (0..45).map(|v| 0.5 * v as f32).collect());
    let row: Vec<usize> = (0..=30).map(|i| 3 * i).collect();
    let col: Vec<usize> = (0..90).map(|k| k * 17 % 50).collect();
    let term = |j: usize| {
        let mut s = vec![x[j]];
        if j >= 1 && j <= z.len() {
            s.push(z[j - 1]);
        }
        if j >= 40 && j < z.len() {
            s.push(-z[j - 40]);
        }
        s
    };
    let want: Vec<f32> = (0..30)
        .map(|i| col[3 * i..3 * i + 3].iter().flat_map(|j| term(*j)).fold(0.0, |s, v| s + v))
        .collect();
    on_every_device(|d| {
        let mut y = vec![-1.0; 30];
        neighbours(d, &row, &col, &x, &z, &mut y);
        assert_eq!(y, want, "device {d}");
        let mut wrong = col.clone();
        wrong[50] = 60;
        let text =
            panic_of(|| neighbours(d, &row, &wrong, &x, &z, &mut [0.0; 30])).expect("a column is not there");
        assert!(text.contains("the len is 50 but the index is 60"), "device {d}: {text}");
    });
}
