//! Nests large enough that a thread runs several iterations of the outer loop jointly: whatever the body does, results are
//! those of the plain loops to the bit, and failures name their iteration.
#![forbid(unsafe_code)]
#![allow(
    clippy::needless_range_loop,
    clippy::assign_op_pattern,
    reason = "every spelling that users may choose"
)]
use omp_tests::on_every_device;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Neither divides by a block's sides or by what a thread runs; together they fill a large GPU.
const ROWS: usize = 919;
const COLUMNS: usize = 907;
const TERMS: usize = 5;

/// Each body sets `out[i * COLUMNS + j]` from `a` (rows by terms) and `b` (terms by columns).
macro_rules! nests {
    (|$a:ident $b:ident $m:ident $out:ident $i:ident $j:ident| $($name:ident { $($body:tt)* })*) => {
        $(mod $name {
            use super::*;

            #[omp::offload]
            #[allow(unused)]
            pub fn device(d: usize, $a: &[f32], $b: &[f32], $m: usize, $out: &mut [f32]) {
                #[omp::target(device(d), collapse(2), fp(strict))]
                for $i in 0..ROWS {
                    for $j in 0..COLUMNS {
                        $($body)*
                    }
                }
            }

            #[allow(unused)]
            pub fn serial($a: &[f32], $b: &[f32], $m: usize, $out: &mut [f32]) {
                for $i in 0..ROWS {
                    for $j in 0..COLUMNS {
                        $($body)*
                    }
                }
            }
        })*

        #[test]
        fn nests_are_those_of_rust() {
            let value = |i: usize| ((i * 7919) % 1009) as f32 / 64.0 - 7.0;
            let a: Vec<f32> = (0..ROWS * TERMS).map(value).collect();
            let b: Vec<f32> = (0..TERMS * COLUMNS).map(|i| value(i + 31)).collect();
            $(
                let mut want = vec![f32::NAN; ROWS * COLUMNS];
                $name::serial(&a, &b, TERMS, &mut want);
                on_every_device(|d| {
                    let mut got = vec![f32::NAN; ROWS * COLUMNS];
                    $name::device(d, &a, &b, TERMS, &mut got);
                    let wrong = got.iter().zip(&want).position(|(g, w)| g.to_bits() != w.to_bits());
                    assert_eq!(wrong, None, "{}, device {d}", stringify!($name));
                });
            )*
        }
    };
}

nests! {
    |a b m out i j|
    product {
        let mut sum = 0.0;
        for k in 0..m {
            sum += a[i * m + k] * b[k * COLUMNS + j];
        }
        out[i * COLUMNS + j] = sum;
    }
    branches {
        let mut sum = 0.0;
        for k in 0..TERMS {
            let (x, y) = (a[i * TERMS + k], b[k * COLUMNS + j]);
            if k % 2 == 0 && m > 2 {
                sum += x * y;
            } else if x > y {
                sum -= x;
            }
            if (i + j + k) % 3 == 0 {
                sum *= 0.5;
            }
        }
        out[i * COLUMNS + j] = sum;
    }
    left_early {
        let mut sum = 0.0;
        for k in 0..m {
            let y = b[k * COLUMNS + j];
            if a[i * m + k] > 5.0 {
                break;
            }
            if y < 0.0 {
                continue;
            }
            sum += y;
        }
        out[i * COLUMNS + j] = sum;
    }
    own_bounds {
        let (mut sum, last) = (0.0, i % m);
        let end = m - 1;
        for k in 0..end {
            for l in k..end {
                sum += b[l * COLUMNS + j];
            }
            for l in 0..last {
                sum -= b[l * COLUMNS + j] * a[i * m + k];
            }
            let mut l = 0;
            while l < m && a[i * m + l] < 1.0 {
                sum += b[l * COLUMNS + j];
                l += 1;
            }
        }
        out[i * COLUMNS + j] = sum;
    }
    skipped {
        if (i + j) % 5 == 0 {
            out[i * COLUMNS + j] = -1.0;
            continue;
        }
        let mut sum = 0.0;
        for k in 0..m {
            sum += b[k * COLUMNS + j];
        }
        out[i * COLUMNS + j] = sum;
    }
    arrays {
        let mut last = [0.0f32; 3];
        for k in (0..m).rev() {
            last[k % 3] = last[(k + 1) % 3] + b[k * COLUMNS + j] * a[i * m + k];
        }
        out[i * COLUMNS + j] = last[0] - last[1] + last[2];
    }
    kept {
        out[i * COLUMNS + j] = a[i * m];
        for k in 1..m {
            let before = out[i * COLUMNS + j];
            out[i * COLUMNS + j] = before.max(b[k * COLUMNS + j]) + a[i * m + k];
        }
    }
}

#[omp::offload]
fn three(d: usize, weights: &[i64], out: &mut [i64]) {
    #[omp::target(device(d), collapse(3))]
    for h in 0..7 {
        for i in 0..ROWS / 7 {
            for j in 0..COLUMNS {
                let mut sum = 0;
                for k in 0..2 {
                    for l in 0..3 {
                        sum += weights[(h + k + l) * COLUMNS + j] * (3 - 8 * k as i64) + i as i64;
                    }
                }
                out[(h * (ROWS / 7) + i) * COLUMNS + j] = sum;
            }
        }
    }
}

#[test]
fn three_loops() {
    let weights: Vec<i64> = (0..11 * COLUMNS as i64).map(|i| i * 37 % 101).collect();
    on_every_device(|d| {
        let mut out = vec![0; 7 * (ROWS / 7) * COLUMNS];
        three(d, &weights, &mut out);
        for (at, got) in out.iter().enumerate() {
            let (h, i, j) = (at / COLUMNS / (ROWS / 7), at / COLUMNS % (ROWS / 7), at % COLUMNS);
            let term = |k: usize, c: i64| {
                (0..3).map(|l| weights[(h + k + l) * COLUMNS + j] * c + i as i64).sum::<i64>()
            };
            assert_eq!(*got, term(0, 3) + term(1, -5), "{h}, {i}, {j}");
        }
    });
}

#[omp::offload]
fn looked_up(d: usize, at: &[u32], table: &[f32], weights: &[f32], out: &mut [f32]) {
    #[omp::target(device(d), collapse(2))]
    for i in 0..ROWS {
        for j in 0..COLUMNS {
            let mut sum = 0.0;
            for k in 0..TERMS {
                sum += table[at[i * COLUMNS + j] as usize + k] * weights[k];
            }
            out[i * COLUMNS + j] = sum;
        }
    }
}

#[omp::offload]
fn reduced(d: usize, a: &[i32], b: &mut [i32], skip: i32) -> (i64, i32, f32, i32) {
    let (mut sum, mut most, mut total, mut bits) = (5i64, -3i32, 0.25f32, 7i32);
    #[omp::target(device(d), collapse(2), reduction(+: sum, total), reduction(max: most), reduction(^: bits))]
    for i in 1..ROWS - 1 {
        for j in 1..COLUMNS - 1 {
            let at = i * COLUMNS + j;
            b[at] = a[at - 1] + a[at + 1] + a[at - COLUMNS] + a[at + COLUMNS];
            sum += i64::from(b[at]) * (i as i64);
            most = most.max(b[at] - a[at]);
            if b[at] != skip {
                total += 0.5;
                bits ^= a[at] ^ j as i32;
            }
        }
    }
    (sum, most, total, bits)
}

#[test]
fn reductions_over_rows_and_columns() {
    let a: Vec<i32> = (0..ROWS * COLUMNS).map(|i| (i as i32).wrapping_mul(7919) % 1009).collect();
    let inside = |i: usize, j: usize| i > 0 && j > 0 && i < ROWS - 1 && j < COLUMNS - 1;
    let (mut want, mut b) = ((5i64, -3i32, 0u32, 7i32), vec![1; ROWS * COLUMNS]);
    for (i, j) in (0..ROWS * COLUMNS).map(|at| (at / COLUMNS, at % COLUMNS)).filter(|(i, j)| inside(*i, *j)) {
        let at = i * COLUMNS + j;
        b[at] = a[at - 1] + a[at + 1] + a[at - COLUMNS] + a[at + COLUMNS];
        want.0 += i64::from(b[at]) * i as i64;
        want.1 = want.1.max(b[at] - a[at]);
        if b[at] != 17 {
            want.2 += 1;
            want.3 ^= a[at] ^ j as i32;
        }
    }
    on_every_device(|d| {
        let mut got = vec![1; ROWS * COLUMNS];
        let (sum, most, total, bits) = reduced(d, &a, &mut got, 17);
        assert!(got == b, "device {d}");
        assert_eq!((sum, most, bits), (want.0, want.1, want.3), "device {d}");
        // Halves are exact as far as here.
        assert_eq!(total, 0.25 + 0.5 * want.2 as f32, "device {d}");
    });
}

/// Every place in a group of iterations, and the last rows, which have none to go with.
#[test]
fn failures_name_their_iteration() {
    let (table, weights) = (vec![1.5f32; 64], [1.0f32; TERMS]);
    let mut out = vec![0.0; ROWS * COLUMNS];
    for (row, column) in [(0, 0), (401, 33), (402, 906), (403, 500), (ROWS - 1, 906), (ROWS - 3, 0)] {
        let mut at = vec![3u32; ROWS * COLUMNS];
        at[row * COLUMNS + column] = 61;
        for d in 0..=omp::get_num_devices() {
            let run = || looked_up(d, &at, &table, &weights, &mut out);
            let payload = catch_unwind(AssertUnwindSafe(run)).expect_err("the body fails");
            let text = payload.downcast::<String>().expect("the payload is a String");
            let said =
                text.contains("the len is 64 but the index is 64") && text.contains(&format!("i = {row}"));
            assert!(said && text.contains(&format!("j = {column}")), "{row}, {column}, device {d}: {text}");
        }
    }
    let at = vec![3u32; ROWS * COLUMNS];
    on_every_device(|d| {
        looked_up(d, &at, &table, &weights, &mut out);
        assert!(out.iter().all(|v| *v == 1.5 * TERMS as f32), "device {d}");
    });
}
