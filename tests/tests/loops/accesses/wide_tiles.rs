//! Stencils over the interior of a matrix, whose rows are neighbouring memory, with reductions and without: a thread has several
//! columns at a time where overflow is not checked (`--config profile.dev.package.omp-tests.overflow-checks=false`), several rows where it is. Rows of
//! every length, starts at every place of a group, elements of four and of eight bytes.
#![forbid(unsafe_code)]
#![allow(
    clippy::needless_range_loop,
    clippy::assign_op_pattern,
    clippy::cast_lossless,
    reason = "as stencils are written"
)]
use omp_tests::on_every_device;
use std::panic::catch_unwind;

macro_rules! stencil {
    ($name:ident $ty:ty) => {
        mod $name {
            use super::*;

            #[omp::offload]
            pub fn device(d: usize, a: &[$ty], new: &mut [$ty], n: usize, ends: [usize; 4]) -> ($ty, i64) {
                let (mut most, mut count) = (0 as $ty, 0i64);
                let (top, bottom, left, right) = (ends[0], ends[1], ends[2], ends[3]);
                #[omp::target(device(d), collapse(2), reduction(max: most), reduction(+: count))]
                for i in top..bottom {
                    for j in left..right {
                        let at = i * n + j;
                        new[at] = (a[at - 1] + a[at + 1] + a[at - n] + a[at + n]) / 4 as $ty;
                        most = most.max(new[at] - a[at]);
                        if new[at] > a[at] {
                            count += j as i64;
                        }
                    }
                }
                (most, count)
            }

            fn serial(a: &[$ty], new: &mut [$ty], n: usize, ends: [usize; 4]) -> ($ty, i64) {
                let (mut most, mut count) = (0 as $ty, 0i64);
                for i in ends[0]..ends[1] {
                    for j in ends[2]..ends[3] {
                        let at = i * n + j;
                        new[at] = (a[at - 1] + a[at + 1] + a[at - n] + a[at + n]) / 4 as $ty;
                        most = most.max(new[at] - a[at]);
                        if new[at] > a[at] {
                            count += j as i64;
                        }
                    }
                }
                (most, count)
            }

            pub fn compare(rows: usize, n: usize, left: usize, right: usize) {
                let a: Vec<$ty> = (0..rows * n).map(|i| (i * 7919 % 1009) as $ty).collect();
                let ends = [1, rows - 1, left, right];
                let mut want = vec![3 as $ty; rows * n];
                let result = serial(&a, &mut want, n, ends);
                on_every_device(|d| {
                    let mut got = vec![3 as $ty; rows * n];
                    assert_eq!(
                        device(d, &a, &mut got, n, ends),
                        result,
                        "device {d}: {rows} x {n}, {left}..{right}"
                    );
                    assert!(got == want, "device {d}: {rows} x {n}, {left}..{right}");
                });
            }
        }
    };
}
stencil!(ints i32);
stencil!(floats f32);
stencil!(doubles f64);

/// Large enough that each processor of a GPU has its threads.
#[test]
fn every_start_and_every_length() {
    for (n, left, right) in
        [(1024, 1, 1023), (1024, 4, 1020), (1024, 2, 1021), (1028, 3, 1026), (1022, 1, 1021), (1027, 5, 1003)]
    {
        ints::compare(880, n, left, right);
    }
    floats::compare(880, 1024, 1, 1023);
    doubles::compare(880, 1024, 1, 1022);
    doubles::compare(880, 1026, 2, 1025);
}

/// Nothing but the ends of rows.
#[test]
fn narrow_matrices() {
    for (left, right) in [(1, 4), (3, 4), (1, 2), (2, 7), (4, 8), (5, 5)] {
        ints::compare(400_000, 8, left, right.min(7));
    }
}

/// The largest of what neighbours differ by; parts of the arrays are present, which begin anywhere. `lens` is asked for its
/// length alone.
#[omp::offload]
fn present(d: usize, a: &[i32], new: &mut [i32], lens: &[i32], n: usize, starts: [usize; 3]) -> i32 {
    let (rows, mut most) = (a.len() / n, i32::MIN);
    let (from, to, of) = (starts[0], starts[1], starts[2]);
    #[omp::target_data(device(d), map(to: a[from..]), map(tofrom: new[to..]), map(to: lens[of..]))]
    {
        #[omp::target(device(d), collapse(2), reduction(max: most))]
        for i in 1..rows {
            for j in 1..n - 1 {
                new[i * n + j] = a[i * n + j + 1] - a[i * n + j - 1] + lens.len() as i32;
                most = most.max(new[i * n + j]);
            }
        }
    }
    most
}

#[test]
fn parts_that_are_present_begin_anywhere() {
    let (n, rows) = (1024, 880);
    let a: Vec<i32> = (0..rows * n).map(|i| (i * 7919 % 1009) as i32).collect();
    let (mut want, mut result) = (vec![3; rows * n], i32::MIN);
    for i in 1..rows {
        for j in 1..n - 1 {
            want[i * n + j] = a[i * n + j + 1] - a[i * n + j - 1] + 9;
            result = result.max(want[i * n + j]);
        }
    }
    on_every_device(|d| {
        for starts in [[0, 0, 3], [4, 8, 5], [16, 4, 8], [3, 0, 0], [0, 6, 1], [1, 1, 1], [256, 1024, 2]] {
            let mut got = vec![3; rows * n];
            assert_eq!(present(d, &a, &mut got, &[0; 9], n, starts), result, "device {d}: {starts:?}");
            assert!(got == want, "device {d}: {starts:?}");
        }
    });
}

/// Whether threads had groups of neighbouring iterations, where the device is a GPU and nothing is checked for overflow.
fn in_groups(n: usize, grouped: bool) {
    let report = omp::last_region();
    let checked = catch_unwind(|| std::hint::black_box(u8::MAX) + 1).is_err();
    if report.backend == "cuda" && !checked {
        let along_a_row = (report.grid[0] * report.block[0]) as usize;
        assert_eq!(along_a_row < n * 3 / 4, grouped, "{report}");
    }
}

/// Nests that reduce nothing, as a region and as a plain loop: `$a` and `$b` are read, `$o` is written.
macro_rules! nests {
    ($($name:ident <$in:ty, $out:ty> $clause:tt |$a:ident, $b:ident, $o:ident, $n:ident, $top:ident, $bottom:ident, $left:ident, $right:ident| { $($loops:tt)* })*) => {
        $(
            #[allow(unused_variables, reason = "some bodies need fewer arrays")]
            mod $name {
                #[omp::offload]
                pub(super) fn device(d: usize, $a: &[$in], $b: &[$in], $o: &mut [$out], $n: usize, ends: [usize; 4]) {
                    let ($top, $bottom, $left, $right) = (ends[0], ends[1], ends[2], ends[3]);
                    #[omp::target(device(d), collapse $clause, fp(strict))]
                    $($loops)*
                }

                pub(super) fn serial($a: &[$in], $b: &[$in], $o: &mut [$out], $n: usize, ends: [usize; 4]) {
                    let ($top, $bottom, $left, $right) = (ends[0], ends[1], ends[2], ends[3]);
                    $($loops)*
                }

                pub(super) fn compare(len: usize, n: usize, ends: [usize; 4], grouped: bool) {
                    let a: Vec<$in> = (0..len).map(|i| (i * 7919 % 1009) as $in).collect();
                    let b: Vec<$in> = (0..len).map(|i| (i * 31 % 97) as $in).collect();
                    let mut want = vec![3 as $out; len];
                    serial(&a, &b, &mut want, n, ends);
                    super::on_every_device(|d| {
                        let mut got = vec![3 as $out; len];
                        device(d, &a, &b, &mut got, n, ends);
                        super::in_groups(n, grouped);
                        assert!(got == want, "device {d}: {len}, {n}, {ends:?}");
                    });
                }
            }
        )*
    };
}
nests! {
    copied<f32, f32> (2) |a, b, o, n, top, bottom, left, right| {
        for i in top..bottom {
            for j in left..right {
                o[i * n + j] = a[i * n + j];
            }
        }
    }
    cross<f32, f32> (2) |a, b, o, n, top, bottom, left, right| {
        for i in top..bottom {
            for j in left..right {
                let at = i * n + j;
                let sum = a[at - 1] + a[at + 1] + a[at - n] + a[at + n];
                o[at] = 2.0 * a[at] - b[at] + b[i] * (sum - 4.0 * a[at]);
            }
        }
    }
    doubles_and_rows<f64, f64> (2) |a, b, o, n, top, bottom, left, right| {
        for i in top..bottom {
            for j in left..right {
                let at = i * n + j;
                o[at] += a[at + 2] * b[i + 1] - a[at] * j as f64;
            }
        }
    }
    bytes<u8, u8> (2) |a, b, o, n, top, bottom, left, right| {
        for i in top..bottom {
            for j in left..right {
                let at = i * n + j;
                o[at] = (a[at - 1] as u32 + a[at + 1] as u32 + b[at - n] as u32) as u8 / 3;
            }
        }
    }
    bytes_to_floats<u8, f32> (2) |a, b, o, n, top, bottom, left, right| {
        for i in top..bottom {
            for j in left..right {
                o[i * n + j + 1] = a[i * n + j] as f32 * 0.5 + b[i * n + j + 3] as f32;
            }
        }
    }
    cube<f32, f32> (3) |a, b, o, n, top, bottom, left, right| {
        for z in top..bottom {
            for y in 1..n - 1 {
                for x in left..right {
                    let at = (z * n + y) * n + x;
                    let sum = a[at - 1] + a[at + 1] + a[at - n] + a[at + n] + a[at - n * n] + a[at + n * n];
                    o[at] = 0.1 * sum + b[z] * a[at];
                }
            }
        }
    }
    two_stores<i32, i32> (2) |a, b, o, n, top, bottom, left, right| {
        for i in top..bottom {
            for j in left..right {
                let at = i * n + j;
                o[at] = a[at].wrapping_mul(3);
                if b[at] > 40 {
                    continue;
                }
                o[at] = b[at] - a[at - 1];
            }
        }
    }
}

#[test]
fn nests_without_reductions() {
    for (n, left, right) in
        [(1024, 1, 1023), (1024, 4, 1020), (1024, 2, 1021), (1028, 3, 1026), (1022, 1, 1021), (1027, 5, 1003)]
    {
        let (len, ends, whole) = (880 * n, [1, 879, left, right], n % 4 == 0);
        copied::compare(len, n, ends, whole);
        cross::compare(len, n, ends, whole);
        doubles_and_rows::compare(len, n, ends, whole);
        bytes::compare(len, n, ends, whole);
        bytes_to_floats::compare(len, n, ends, whole);
        two_stores::compare(len, n, ends, false);
    }
    for (n, left, right) in [(100, 1, 99), (100, 2, 98), (96, 3, 95), (99, 1, 98)] {
        cube::compare(n * n * n, n, [1, n - 1, left, right], n % 4 == 0);
    }
}

#[test]
fn nests_with_nothing_but_the_ends_of_rows() {
    for (left, right) in [(1, 4), (3, 4), (1, 2), (2, 7), (5, 5)] {
        let (rows, n) = (400_000, 8);
        let (a, b) = (vec![1.5; rows * n], vec![0.5; rows * n]);
        let (mut want, ends) = (vec![3.0; rows * n], [1, rows - 1, left, right]);
        cross::serial(&a, &b, &mut want, n, ends);
        on_every_device(|d| {
            let mut got = vec![3.0; rows * n];
            cross::device(d, &a, &b, &mut got, n, ends);
            assert!(got == want, "device {d}: {left}..{right}");
        });
    }
}

/// Parts of arrays are present, which begin anywhere.
#[omp::offload]
fn moved(d: usize, a: &[i32], new: &mut [i32], n: usize, starts: [usize; 2]) {
    let (rows, from, to) = (a.len() / n, starts[0], starts[1]);
    #[omp::target_data(device(d), map(to: a[from..]), map(tofrom: new[to..]))]
    {
        #[omp::target(device(d), collapse(2))]
        for i in 1..rows {
            for j in 1..n - 1 {
                new[i * n + j] = a[i * n + j + 1] - a[i * n + j - 1];
            }
        }
    }
}

#[test]
fn nests_over_parts_that_begin_anywhere() {
    let (n, rows) = (1024, 880);
    let a: Vec<i32> = (0..rows * n).map(|i| (i * 7919 % 1009) as i32).collect();
    let mut want = vec![3; rows * n];
    for i in 1..rows {
        for j in 1..n - 1 {
            want[i * n + j] = a[i * n + j + 1] - a[i * n + j - 1];
        }
    }
    on_every_device(|d| {
        for starts in [[0, 0], [4, 8], [16, 4], [3, 0], [0, 6], [1, 1], [256, 1024]] {
            let mut got = vec![3; rows * n];
            moved(d, &a, &mut got, n, starts);
            assert!(got == want, "device {d}: {starts:?}");
        }
    });
}

/// A step of elimination: the rows below and right of an element, from its own row and column of the same matrix. `k` is an integer
/// that rows don't depend on.
#[omp::offload]
fn eliminate(d: usize, n: usize, k: usize, a: &mut [f32]) {
    #[omp::target(device(d), collapse(2))]
    for i in k + 1..n {
        for j in k + 1..n {
            a[i * n + j] -= a[i * n + k] * a[k * n + j];
        }
    }
}

/// `offset` moves what is read away from the places that the rows' lengths tell.
#[omp::offload]
fn offset_by(d: usize, n: usize, offset: usize, a: &[f32], b: &mut [f32]) {
    #[omp::target(device(d), collapse(2))]
    for i in 0..n - 8 {
        for j in 0..n - 8 {
            b[i * n + j] = a[i * n + j + offset] + a[(i + offset) * n + j];
        }
    }
}

#[test]
fn steps_of_elimination() {
    for (n, steps) in [(916, [3, 4, 9]), (913, [0, 2, 5])] {
        let start: Vec<f32> = (0..n * n).map(|i| (i * 7919 % 1009) as f32 / 1024.0).collect();
        for k in steps {
            let mut want = start.clone();
            for i in k + 1..n {
                for j in k + 1..n {
                    want[i * n + j] = start[i * n + j] - start[i * n + k] * start[k * n + j];
                }
            }
            on_every_device(|d| {
                let mut got = start.clone();
                eliminate(d, n, k, &mut got);
                let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-5;
                assert!(got.iter().zip(&want).all(near), "device {d}: {n}, {k}");
            });
        }
    }
}

/// Rows whose length is a power of two, as a shift.
#[omp::offload]
fn shifted_rows(d: usize, rows: usize, columns: usize, a: &[f32], b: &mut [f32]) {
    #[omp::target(device(d), collapse(2))]
    for i in 0..rows {
        for j in 0..columns {
            b[(i << 10) + j] = a[(i << 10) + j] + a[(i << 10) + j + 1];
        }
    }
}

#[test]
fn rows_by_shifts() {
    let rows = 850;
    let a: Vec<f32> = (0..rows << 10).map(|i| (i * 7919 % 1009) as f32).collect();
    for columns in [1, 1000, 1023] {
        on_every_device(|d| {
            let mut b = vec![-1.0; rows << 10];
            shifted_rows(d, rows, columns, &a, &mut b);
            for (at, got) in b.iter().enumerate() {
                let want = if at % 1024 < columns { a[at] + a[at + 1] } else { -1.0 };
                assert_eq!(*got, want, "device {d}: {columns}, {at}");
            }
        });
    }
}

#[test]
fn offsets_that_are_captured() {
    let n = 912;
    let a: Vec<f32> = (0..n * n).map(|i| (i * 7919 % 1009) as f32).collect();
    for offset in [0, 1, 3, 4, 8] {
        on_every_device(|d| {
            let mut b = vec![0.0; n * n];
            offset_by(d, n, offset, &a, &mut b);
            for (i, j) in (0..n - 8).flat_map(|i| (0..n - 8).map(move |j| (i, j))) {
                let want = a[i * n + j + offset] + a[(i + offset) * n + j];
                assert_eq!(b[i * n + j], want, "device {d}: {offset}, {i}, {j}");
            }
        });
    }
}
