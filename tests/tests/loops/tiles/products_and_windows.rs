//! Nests that run in tiles on GPUs: products and windows, as programs have them, large enough that tiles pay. Tests are built with
//! overflow checks, which sizes prove or kernels make.
#![forbid(unsafe_code)]
#![allow(clippy::needless_range_loop, reason = "as products are written")]
use omp_tests::{Values, on_every_device, panic_of};
use std::ops::{Add, Mul};

/// The last region ran in tiles if it ran on a CUDA device, and checked so many operators.
fn in_tiles(checks: usize) {
    let report = omp::last_region();
    if report.backend == "cuda" {
        let [_, y, z] = report.block;
        assert_eq!((y, z, report.grid[1], report.residual_checks), (1, 1, 1, checks), "{report}");
    }
}

fn numbers(len: usize, seed: u64) -> Vec<f32> {
    let mut r = Values(seed);
    (0..len).map(|_| (r.bits() >> 20) as f32 / 512.0 - 3.0).collect()
}

#[omp::offload]
#[allow(clippy::too_many_arguments)]
fn layer(
    d: usize,
    a: &[f32],
    b: &[f32],
    bias: &[f32],
    c: &mut [f32],
    q: &mut [f32],
    sizes: [usize; 3],
    low: f32,
) {
    let [m, n, p] = sizes;
    #[omp::target(device(d), collapse(2), fp(strict))]
    for i in 0..m {
        for j in 0..n {
            let mut s = bias[j];
            let mut squares = 0.0;
            for k in 0..p {
                let x = a[i * p + k] * b[k * n + j];
                if x > low {
                    s += x;
                } else {
                    s -= 0.5 * x;
                }
                squares += x * x;
            }
            c[i * n + j] = if s < 0.0 { 0.0 } else { s.min(100.0) };
            if i > 0 && j + 1 < n {
                q[i * n + j] = squares;
            }
        }
    }
}

/// What `layer` computes.
fn plain_layer(a: &[f32], b: &[f32], bias: &[f32], [m, n, p]: [usize; 3], low: f32) -> [Vec<f32>; 2] {
    let [mut c, mut q] = [vec![-1.0; m * n], vec![-1.0; m * n]];
    for i in 0..m {
        for j in 0..n {
            let (mut s, mut squares) = (bias[j], 0.0);
            for k in 0..p {
                let x = a[i * p + k] * b[k * n + j];
                s = if x > low { s + x } else { s - 0.5 * x };
                squares += x * x;
            }
            c[i * n + j] = if s < 0.0 { 0.0 } else { s.min(100.0) };
            if i > 0 && j + 1 < n {
                q[i * n + j] = squares;
            }
        }
    }
    [c, q]
}

#[test]
fn products_of_few_rows_or_columns() {
    for [m, n, p] in [
        [8, 4000, 70],
        [3000, 8, 90],
        [15, 1000, 257],
        [999, 31, 100],
        [17, 9, 20_000],
        [31, 31, 4096],
        [7, 5000, 64],
    ] {
        let (a, b, bias) = (numbers(m * p, 1), numbers(p * n, 2), numbers(n, 3));
        let [c, q] = plain_layer(&a, &b, &bias, [m, n, p], 0.25);
        on_every_device(|d| {
            let [mut cs, mut qs] = [vec![-1.0; m * n], vec![-1.0; m * n]];
            layer(d, &a, &b, &bias, &mut cs, &mut qs, [m, n, p], 0.25);
            assert!(cs == c && qs == q, "{m} x {n} x {p} on {d}");
        });
    }
}

#[test]
fn products_with_conditions() {
    let [m, n, p] = [129, 130, 131];
    let (a, b, bias) = (numbers(m * p, 1), numbers(p * n, 2), numbers(n, 3));
    let [c, q] = plain_layer(&a, &b, &bias, [m, n, p], 0.5);
    on_every_device(|d| {
        let (mut got, mut seen) = (vec![-1.0; m * n], vec![-1.0; m * n]);
        layer(d, &a, &b, &bias, &mut got, &mut seen, [m, n, p], 0.5);
        in_tiles(0);
        assert!(got == c && seen == q, "device {d}");
        for [m, n, p] in [[0, 5, 5], [1, 1, 1], [3, 2, 0], [1, 130, 1]] {
            layer(d, &a, &b, &bias, &mut got, &mut seen, [m, n, p], 0.5);
        }
    });
}

#[omp::offload]
fn integers(d: usize, a: &[i32], b: &[i32], c: &mut [i32], n: usize) {
    #[omp::target(device(d), collapse(2))]
    for i in 0..n {
        for j in 0..n {
            let mut s = 0;
            for k in 0..n {
                s += a[i * n + k] * b[k * n + j];
            }
            c[i * n + j] = s;
        }
    }
}

#[test]
fn products_of_integers_fail_where_they_overflow() {
    let n = 128;
    let a: Vec<i32> = (0..n * n).map(|i| (i % 251) as i32 - 100).collect();
    let mut wrong = a.clone();
    wrong[70 * n + 9] = i32::MAX;
    let mut want = vec![0; n * n];
    for i in 0..n {
        for j in 0..n {
            want[i * n + j] = (0..n).map(|k| a[i * n + k] * a[k * n + j]).sum();
        }
    }
    on_every_device(|d| {
        let mut got = vec![0; n * n];
        integers(d, &a, &a, &mut got, n);
        in_tiles(2);
        assert!(got == want, "device {d}");
        let text = panic_of(|| integers(d, &wrong, &a, &mut got, n)).expect("it overflows");
        assert!(text.contains("overflow"), "device {d}: {text}");
        if omp::last_region().backend == "cuda" {
            assert!(text.contains("i = 70"), "device {d}: {text}");
        }
    });
}

#[omp::offload]
fn batches(d: usize, a: &[[f32; 64]], b: &[[f32; 96]], c: &mut [[f32; 96]], batches: usize) {
    #[omp::target(device(d), collapse(3), fp(strict), tile(32, 32), unroll(8))]
    for e in 0..batches {
        for i in 0..96 {
            for j in 0..96 {
                let mut s = 0.0;
                for k in 0..64 {
                    s += a[e * 96 + i][k] * b[e * 64 + k][j];
                }
                c[e * 96 + i][j] = s;
            }
        }
    }
}

#[test]
fn batches_of_nested_arrays_with_pins() {
    let of = 4;
    let (x, y) = (numbers(of * 96 * 64, 5), numbers(of * 64 * 96, 6));
    let a: Vec<[f32; 64]> = x.chunks(64).map(|row| row.try_into().unwrap()).collect();
    let b: Vec<[f32; 96]> = y.chunks(96).map(|row| row.try_into().unwrap()).collect();
    let mut want = vec![[0.0; 96]; of * 96];
    for e in 0..of {
        for i in 0..96 {
            for j in 0..96 {
                let mut s = 0.0;
                for k in 0..64 {
                    s += a[e * 96 + i][k] * b[e * 64 + k][j];
                }
                want[e * 96 + i][j] = s;
            }
        }
    }
    on_every_device(|d| {
        let mut got = vec![[1.0; 96]; of * 96];
        batches(d, &a, &b, &mut got, of);
        in_tiles(0);
        if omp::last_region().backend == "cuda" {
            assert_eq!(omp::last_region().grid[0], 4 * 9, "tiles of 32 x 32");
        }
        assert!(got == want, "device {d}");
    });
}

/// The rows of `b` by parts of one length, whose places are formulas of a loop that counts parts.
#[omp::offload]
fn rows_by_parts(d: usize, a: &[f32], b: &[f32], c: &mut [f32], n: usize) {
    #[omp::target(device(d), fp(strict))]
    for i in 0..n {
        let row = &mut c[i * n..(i + 1) * n];
        for (x, other) in a[i * n..(i + 1) * n].iter().zip(b.chunks_exact(n)) {
            for (out, y) in row.iter_mut().zip(other) {
                *out += x * y;
            }
        }
    }
}

#[omp::offload]
fn rows_by_slices(d: usize, a: &[f32], b: &[f32], c: &mut [f32], n: usize) {
    #[omp::target(device(d), fp(strict))]
    for i in 0..n {
        let row = &mut c[i * n..(i + 1) * n];
        for k in 0..b.len() / n {
            let x = a[i * n + k];
            let other = &b[k * n..(k + 1) * n];
            for (out, y) in row.iter_mut().zip(other) {
                *out += x * y;
            }
        }
    }
}

#[test]
fn products_by_parts_of_rows() {
    let n = 320;
    let (a, b) = (numbers(n * n, 8), numbers(n * n, 9));
    let mut want = vec![0.5; n * n];
    for i in 0..n {
        for k in 0..n {
            for j in 0..n {
                want[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
    on_every_device(|d| {
        for of in [rows_by_parts, rows_by_slices] {
            let mut got = vec![0.5; n * n];
            of(d, &a, &b, &mut got, n);
            if omp::last_region().backend == "cuda" {
                assert_eq!(omp::last_region().grid, [25, 1, 1], "tiles of 64 x 64");
            }
            assert!(got == want, "device {d}");
            for n in [0, 1, 3] {
                of(d, &a[..n * n], &b[..n * n], &mut got[..n * n], n);
            }
        }
    });
}

#[omp::offload]
fn window(d: usize, image: &[u8], weights: &[f32; 25], out: &mut [f32], rows: usize, columns: usize) {
    let pitch = columns + 4;
    #[omp::target(device(d), collapse(2), fp(strict))]
    for i in 0..rows {
        for j in 0..columns {
            let mut s = 0.0;
            for a in 0..5 {
                for b in 0..5 {
                    let w = weights[a * 5 + b];
                    if w != 0.0 {
                        s += f32::from(image[(i + a) * pitch + j + b]) * w;
                    }
                }
            }
            out[i * columns + j] = s;
        }
    }
}

#[test]
fn windows_over_bytes() {
    let (rows, columns) = (290, 301);
    let pitch = columns + 4;
    let image: Vec<u8> = (0..(rows + 4) * pitch).map(|i| (i * 7919 % 251) as u8).collect();
    let weights: [f32; 25] = std::array::from_fn(|i| (i % 4) as f32 - 1.0);
    let mut want = vec![0.0; rows * columns];
    for i in 0..rows {
        for j in 0..columns {
            let mut s = 0.0;
            for (k, w) in weights.iter().enumerate().filter(|(_, w)| **w != 0.0) {
                s += f32::from(image[(i + k / 5) * pitch + j + k % 5]) * w;
            }
            want[i * columns + j] = s;
        }
    }
    on_every_device(|d| {
        let mut got = vec![1.0; rows * columns];
        window(d, &image, &weights, &mut got, rows, columns);
        in_tiles(0);
        assert!(got == want, "device {d}");
    });
}

#[omp::offload]
fn weighed<const K: usize>(
    d: usize,
    image: &[f32],
    weights: &[f32],
    out: &mut [f32],
    (rows, columns, pitch): (usize, usize, usize),
) {
    #[omp::target(device(d), collapse(2), fp(strict))]
    for i in 0..rows {
        for j in 0..columns {
            let mut s = 0.0;
            for a in 0..K {
                for b in 0..K {
                    s += image[(i + a) * pitch + j + b] * weights[a * K + b];
                }
            }
            out[i * columns + j] = s;
        }
    }
}

/// Threads load windows themselves where there are many weights: in whole tiles from rows that begin anywhere, in others
/// element by element or by whole accesses.
fn check_windows<const K: usize>([rows, columns, more]: [usize; 3]) {
    let pitch = columns + K - 1 + more;
    let (image, weights) = (numbers((rows + K - 1) * pitch, 3), numbers(K * K, 4));
    let mut want = vec![0.0; rows * columns];
    for (at, sum) in want.iter_mut().enumerate() {
        let (i, j) = (at / columns, at % columns);
        for k in 0..K * K {
            *sum += image[(i + k / K) * pitch + j + k % K] * weights[k];
        }
    }
    on_every_device(|d| {
        let mut got = vec![1.0; rows * columns];
        weighed::<K>(d, &image, &weights, &mut got, (rows, columns, pitch));
        in_tiles(0);
        assert!(got == want, "{rows} x {columns}, rows of {pitch} on device {d}");
    });
}

#[test]
fn windows_of_many_weights_over_rows_of_any_length() {
    for more in 0..4 {
        check_windows::<7>([128, 384, more]);
    }
    check_windows::<6>([160, 384, 0]);
    for columns in [381, 382, 388] {
        check_windows::<7>([129, columns, 0]);
        check_windows::<7>([128, columns, 1]);
    }
}

#[omp::offload]
fn filter(d: usize, h: &[f32], x: &[f32], y: &mut [f32]) {
    #[omp::target(device(d), fp(strict))]
    for i in 0..y.len() {
        let mut sum = 0.0;
        for k in 0..h.len() {
            sum += h[k] * x[i + k];
        }
        y[i] = sum;
    }
}

/// Vectors of what is read end beyond the last element that the loop reads, or with it.
#[test]
fn filters_read_to_the_end_of_their_input() {
    for (taps, len, more) in [(63, 40_000, 0), (63, 40_003, 2), (64, 33_000, 5), (21, 100_001, 64)] {
        let (h, x) = (numbers(taps, 7), numbers(len + taps - 1 + more, 8));
        let want: Vec<f32> = (0..len).map(|i| (0..taps).fold(0.0, |sum, k| sum + h[k] * x[i + k])).collect();
        on_every_device(|d| {
            let mut got = vec![9.0; len];
            filter(d, &h, &x, &mut got);
            in_tiles(0);
            assert!(got == want, "device {d}: {taps} taps of {len}");
        });
    }
}

/// Two rows of weights, behind other elements and apart from each other, of which every `STEP`-th counts.
#[omp::offload]
fn weighted<const STEP: usize, T: omp::Device + Add<Output = T> + Mul<Output = T>>(
    d: usize,
    (h, first, apart): (&[T], usize, usize),
    x: &[T],
    y: &mut [T],
    zero: T,
) {
    #[omp::target(device(d), fp(strict), map(to: h[first..]))]
    for i in 0..y.len() {
        let mut sum = zero;
        for r in 0..2 {
            for k in 0..33 {
                sum = sum + h[first + r * apart + STEP * k] * x[i + 3 * r + k];
            }
        }
        y[i] = sum;
    }
}

fn check_weighted<const STEP: usize, T>(of: impl Fn(u32) -> T, [first, apart]: [usize; 2], len: usize)
where
    T: omp::Device + Default + PartialEq + Add<Output = T> + Mul<Output = T>,
{
    let mut r = Values(7);
    let h: Vec<T> = (0..first + apart + 33 * STEP).map(|_| of(r.bits())).collect();
    let x: Vec<T> = (0..len + 37).map(|_| of(r.bits())).collect();
    let each = |i: usize| {
        let terms =
            (0..66).map(|n| h[first + n / 33 * apart + STEP * (n % 33)] * x[i + 3 * (n / 33) + n % 33]);
        terms.fold(T::default(), |sum, term| sum + term)
    };
    let want: Vec<T> = (0..len).map(each).collect();
    on_every_device(|d| {
        let mut got = want.clone();
        got.fill(x[0]);
        weighted::<STEP, T>(d, (&h, first, apart), &x, &mut got, T::default());
        assert!(got == want, "device {d}: every {STEP}th from {first} on, rows {apart} apart, of {len}");
    });
}

#[test]
fn weights_of_all_types_and_strides() {
    let small = |bits: u32| (bits >> 20) as i32 % 100;
    check_weighted::<1, f32>(|bits| small(bits) as f32 * 0.25, [0, 33], 65_536);
    check_weighted::<1, f32>(|bits| small(bits) as f32 * 0.25, [3, 34], 65_539);
    check_weighted::<2, f64>(|bits| f64::from(small(bits)) * 0.125, [5, 40], 66_001);
    check_weighted::<3, i32>(small, [1, 1], 70_000);
    check_weighted::<1, i64>(|bits| small(bits).into(), [2, 300], 65_600);
    // Beyond what constant memory is for, and of a type that it is not for.
    check_weighted::<1, i64>(|bits| small(bits).into(), [2, 3000], 65_600);
    check_weighted::<1, i16>(|bits| (bits % 7) as i16, [4, 20], 65_600);
}

/// A bank of filters as tasks of one region: they run at the same time, each with weights of its own, which then change.
#[omp::offload]
fn bank(d: usize, h: &mut [f32], x: &[f32], y: &mut [f32], len: usize, rounds: usize) {
    #[omp::target_data(device(d), map(tofrom: h), map(to: x), map(from: y))]
    {
        for _ in 0..rounds {
            for f in 0..h.len() / 80 {
                #[omp::target(nowait, device(d), fp(strict), depend(in: h[f * 80..f * 80 + 80]), depend(out: y[f * len..f * len + len]))]
                for i in 0..len {
                    let mut sum = 0.0;
                    for k in 0..80 {
                        sum += h[f * 80 + k] * x[i + k];
                    }
                    y[f * len + i] = sum;
                }
            }
            #[omp::target(nowait, device(d), depend(inout: h))]
            for k in 0..h.len() {
                h[k] = 1.0 - h[k];
            }
        }
        omp::taskwait!();
    }
}

#[test]
fn filters_of_one_kernel_at_the_same_time() {
    let (len, filters, rounds) = (65_536, 5, 4);
    let (first, x) = (numbers(80 * filters, 17), numbers(len + 79, 18));
    let weight = |k: usize, turns: usize| (0..turns).fold(first[k], |h, _| 1.0 - h);
    let h: Vec<f32> = (0..first.len()).map(|k| weight(k, rounds - 1)).collect();
    let each = |i: usize| (0..80).fold(0.0, |sum, k| sum + h[i / len * 80 + k] * x[i % len + k]);
    let want: Vec<f32> = (0..filters * len).map(each).collect();
    on_every_device(|d| {
        let (mut h, mut got) = (first.clone(), vec![9.0; filters * len]);
        bank(d, &mut h, &x, &mut got, len, rounds);
        assert!(got == want, "device {d}");
        assert!((0..h.len()).all(|k| h[k] == weight(k, rounds)), "device {d}");
    });
}

#[omp::offload]
fn quotients(d: usize, a: &[i32], q: &[i32], c: &mut [i32], n: usize) {
    #[omp::target(device(d), collapse(2))]
    for i in 0..n {
        for j in 0..n {
            let mut s = 0;
            for k in 0..n {
                s += a[i * n + k] * a[k * n + j];
            }
            assert!(q[j] != 0, "column {} has no divisor", j);
            c[i * n + j] = s / q[j];
        }
    }
}

/// The thread whose assertion fails goes on, and divides all the same.
#[test]
fn divisors_after_assertions() {
    let n = 128;
    let a: Vec<i32> = (0..n * n).map(|i| (i % 23) as i32 - 10).collect();
    let mut q: Vec<i32> = (0..n).map(|j| j as i32 + 1).collect();
    let mut want = vec![0; n * n];
    for i in 0..n {
        for j in 0..n {
            want[i * n + j] = (0..n).map(|k| a[i * n + k] * a[k * n + j]).sum::<i32>() / q[j];
        }
    }
    on_every_device(|d| {
        let mut got = vec![1; n * n];
        quotients(d, &a, &q, &mut got, n);
        assert!(got == want, "device {d}");
    });
    q[77] = 0;
    on_every_device(|d| {
        let text = panic_of(|| quotients(d, &a, &q, &mut vec![1; n * n], n)).expect("a divisor is 0");
        assert!(text.contains("column 77 has no divisor"), "device {d}: {text}");
    });
}
