//! Reductions over the interior of a matrix, whose rows are neighbouring memory: a thread has several columns at a time where
//! overflow is not checked (`--config profile.dev.package.omp-tests.debug-assertions=false`), several rows where it is. Rows of
//! every length, starts at every place of a group, elements of four and of eight bytes.
#![forbid(unsafe_code)]
#![allow(clippy::needless_range_loop, clippy::assign_op_pattern, reason = "as stencils are written")]
use omp_tests::on_every_device;

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
