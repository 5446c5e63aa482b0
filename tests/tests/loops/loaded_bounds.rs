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
