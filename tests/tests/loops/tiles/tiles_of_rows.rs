//! Tiles of nests with other forms than products: sums over rows and columns that are few, several sums over one row, elements by
//! iterators over slices of rows, permutations of three axes, triangles of windows over several arrays, windows beside an element that is
//! read once. Sizes are odd, so that tiles are cut off. Results have the host's bits.
#![forbid(unsafe_code)]
#![allow(clippy::needless_range_loop, clippy::manual_memcpy, reason = "as sums are written")]
use omp_tests::{Values, on_every_device, panic_of};

fn numbers(len: usize, seed: u64) -> Vec<f32> {
    let mut r = Values(seed);
    (0..len).map(|_| (r.bits() >> 20) as f32 / 512.0 - 3.0).collect()
}

/// The last region had blocks of this many threads along the first axis of a grid of one axis, if it ran on a CUDA device.
fn in_tiles(threads: &[u32]) {
    let report = omp::last_region();
    if report.backend == "cuda" {
        let [x, y, z] = report.block;
        assert!(threads.contains(&x) && (y, z, report.grid[1], report.grid[2]) == (1, 1, 1, 1), "{report}");
    }
}

/// Regions from `$a` and `$b` into `$o`, and the same loops on the host.
macro_rules! loops {
    ($($name:ident $collapse:tt |$a:ident, $b:ident, $o:ident, [$($size:ident),*]| { $($loops:tt)* })*) => { $(
        mod $name {
            #[omp::offload]
            #[allow(unused_variables, reason = "some loops need fewer arrays and sizes")]
            pub(super) fn device(d: usize, $a: &[f32], $b: &[f32], $o: &mut [f32], s: [usize; 4]) {
                let [$($size),*] = s;
                #[omp::target(device(d), collapse $collapse, fp(strict))]
                $($loops)*
            }

            #[allow(unused_variables, reason = "some loops need fewer arrays and sizes")]
            pub(super) fn serial($a: &[f32], $b: &[f32], $o: &mut [f32], s: [usize; 4]) {
                let [$($size),*] = s;
                $($loops)*
            }

            /// Compares both for sizes, with arrays of so many elements.
            pub(super) fn compare(s: [usize; 4], lens: [usize; 3], threads: &[u32]) {
                let (a, b) = (super::numbers(lens[0], 1), super::numbers(lens[1], 2));
                let mut want = super::numbers(lens[2], 3);
                let start = want.clone();
                serial(&a, &b, &mut want, s);
                super::on_every_device(|d| {
                    let mut got = start.clone();
                    device(d, &a, &b, &mut got, s);
                    super::in_tiles(threads);
                    assert!(got == want, "device {d}: {s:?}");
                });
            }
        }
    )* };
}

#[omp::declare_target]
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sum = 0.0f32;
    for k in 0..a.len() {
        sum += a[k] * b[k];
    }
    sum
}

loops! {
    row_sums (1) |a, b, o, [m, n, p, q]| {
        for i in 0..m {
            o[i] = 0.0;
            for j in 0..n {
                o[i] += a[i * n + j] * b[j];
            }
        }
    }
    column_sums (1) |a, b, o, [m, n, p, q]| {
        for j in 0..m {
            for i in 0..n {
                o[j] += a[i * m + j] * b[i];
            }
        }
    }
    sums_of_slices (1) |a, b, o, [m, n, p, q]| {
        for i in 0..m {
            o[i] = a[i * n..(i + 1) * n].iter().sum::<f32>();
        }
    }
    maxima_of_slices (1) |a, b, o, [m, n, p, q]| {
        for i in 0..m {
            o[i] = a[i * n..(i + 1) * n].iter().copied().fold(f32::NEG_INFINITY, f32::max);
        }
    }
    means_and_variances (1) |a, b, o, [m, n, p, q]| {
        for j in 0..m {
            let mut sum = 0.0f32;
            for i in 0..n {
                sum += a[i * m + j];
            }
            let mean = sum / n as f32;
            let mut squares = 0.0f32;
            for i in 0..n {
                let d = a[i * m + j] - mean;
                squares += d * d;
            }
            let mut weighted = 0.0f32;
            for k in 0..p {
                weighted += b[j * p + k] * mean;
            }
            o[j] = squares + weighted;
        }
    }
    dots_of_a_function (2) |a, b, o, [m, n, p, q]| {
        for i in 0..m {
            for j in 0..n {
                o[i * n + j] = super::dot(&a[i * p..(i + 1) * p], &b[j * p..(j + 1) * p]);
            }
        }
    }
    rows_added_up (1) |a, b, o, [m, n, p, q]| {
        for i in 0..m {
            let row = &mut o[i * n..(i + 1) * n];
            for j in 0..n {
                row[j] *= a[i * n + j];
            }
            let half = &mut row[1..];
            let mut sum = b[i];
            for x in half.iter_mut() {
                sum += *x;
                *x = sum;
            }
        }
    }
    softmax (1) |a, b, o, [m, n, p, q]| {
        for i in 0..m {
            let mut most = f32::NEG_INFINITY;
            for j in 0..n {
                most = most.max(a[i * n + j]);
            }
            let mut sum = 1.0f32;
            for j in 0..n {
                let e = a[i * n + j] - most;
                o[i * n + j] = e;
                sum += e;
            }
            for j in 0..n {
                o[i * n + j] /= sum;
            }
        }
    }
    stored_and_loaded_again (1) |a, b, o, [m, n, p, q]| {
        for i in 0..m {
            let mut sum = b[i];
            for j in 0..n {
                o[i * n + j] += a[i * n + j] * 0.5;
                sum += a[i * n + j] * o[i * n + j];
            }
            for j in 0..n {
                o[i * n + j] = if sum > 0.0 { o[i * n + j] } else { -a[i * n + j] };
                sum -= a[i * n + j];
                sum += o[i * n + j] * a[i * n + j];
            }
            o[i * n] += sum;
        }
    }
    running_products (1) |a, b, o, [m, n, p, q]| {
        for i in 0..m {
            let mut sum = b[i];
            for j in 0..n {
                o[i * n + j] += a[i * n + j] * 0.5;
                sum += a[i * n + j] * o[i * n + j];
            }
            for j in 0..n {
                o[i * n + j] -= sum * 0.001;
                sum -= a[i * n + j];
                sum += o[i * n + j] * a[i * n + j];
            }
        }
    }
    normalised_rows (1) |a, b, o, [m, n, p, q]| {
        for i in 0..m {
            let row = &a[i * n..(i + 1) * n];
            let mean = row.iter().sum::<f32>() / n as f32;
            let var = row.iter().map(|v| (v - mean) * (v - mean)).sum::<f32>() / n as f32;
            let inv = 1.0 / (var + 1e-5).sqrt();
            for j in 0..n {
                o[i * n + j] = (row[j] - mean) * inv * b[j] + b[n + j];
            }
        }
    }
    sums_up_to_each_column (1) |a, b, o, [m, n, p, q]| {
        for j in 0..m {
            let mut sum = b[j];
            for i in 0..n {
                sum += o[i * m + j] * a[j * n + i];
                o[i * m + j] = sum;
            }
        }
    }
    means_of_channels (1) |a, b, o, [m, n, p, q]| {
        for k in 0..m {
            let mut sum = 0.0f32;
            for i in 0..n {
                for j in 0..p {
                    sum += a[(i * m + k) * p + j] * b[i];
                }
            }
            o[k] = sum / (n * p) as f32;
        }
    }
    means_of_slices (1) |a, b, o, [m, n, p, q]| {
        for k in 0..m {
            let mut sum = b[k];
            for i in 0..n {
                let at = (i * m + k) * p;
                for v in &a[at..at + p] {
                    sum += v;
                }
            }
            o[k] += sum;
        }
    }
    dots_of_slices (2) |a, b, o, [m, n, p, q]| {
        for i in 0..m {
            for j in 0..n {
                let dot = a[i * p..(i + 1) * p].iter().zip(&b[j * p..(j + 1) * p]).map(|(x, y)| x * y).sum::<f32>();
                o[i * n + j] = dot;
            }
        }
    }
    scores (3) |a, b, o, [m, n, p, q]| {
        for h in 0..m {
            for i in 0..n {
                for j in 0..n {
                    let mut dot = 0.0f32;
                    for e in 0..p {
                        dot += a[(h * n + i) * p + e] * b[(h * n + j) * p + e];
                    }
                    o[(h * n + i) * n + j] = dot * 0.125;
                }
            }
        }
    }
    reversed_axes (3) |a, b, o, [m, n, p, q]| {
        for i in 0..m {
            for j in 0..n {
                for k in 0..p {
                    o[(k * n + j) * m + i] = a[(i * n + j) * p + k];
                }
            }
        }
    }
    swapped_last_axes (3) |a, b, o, [m, n, p, q]| {
        for i in 0..m {
            for j in 0..n {
                for k in 0..p {
                    o[(i * p + k) * n + j] = a[(i * n + j) * p + k] + b[j];
                }
            }
        }
    }
    channels (3) |a, b, o, [m, n, p, q]| {
        for c in 0..m {
            for y in 0..p {
                for x in 0..q {
                    let mut sum = 0.5f32;
                    for i in 0..n {
                        for u in 0..3 {
                            for v in 0..3 {
                                sum += a[(i * (p + 2) + y + u) * (q + 2) + x + v] * b[((c * n + i) * 3 + u) * 3 + v];
                            }
                        }
                    }
                    o[(c * p + y) * q + x] = sum;
                }
            }
        }
    }
    a_kernel_for_each_layer (3) |a, b, o, [m, n, p, q]| {
        for c in 0..m {
            for y in 0..p {
                for x in 0..q {
                    let mut sum = 0.0f32;
                    for u in 0..3 {
                        for v in 0..3 {
                            sum += a[(c * (p + 2) + y + u) * (q + 2) + x + v] * b[(c * 3 + u) * 3 + v];
                        }
                    }
                    o[(c * p + y) * q + x] = sum;
                }
            }
        }
    }
    beside_the_middle (2) |a, b, o, [m, n, p, q]| {
        for y in 0..m {
            for x in 0..n {
                let middle = a[(y + 2) * (n + 4) + x + 2];
                let mut sum = o[y * n + x];
                for u in 0..5 {
                    for v in 0..5 {
                        if u != 2 || v != 2 {
                            let other = a[(y + u) * (n + 4) + x + v];
                            sum += if other > middle { other - middle } else { b[0] };
                        }
                    }
                }
                o[y * n + x] = sum;
            }
        }
    }
}

#[test]
fn sums_over_few_rows() {
    for [rows, len] in [[64, 512], [67, 700], [131, 513], [290, 641], [300, 70]] {
        row_sums::compare([rows, len, 0, 0], [rows * len, len, rows], &[32, 64]);
        sums_of_slices::compare([rows, len, 0, 0], [rows * len, 1, rows], &[32, 64]);
        maxima_of_slices::compare([rows, len, 0, 0], [rows * len, 1, rows], &[32, 64]);
        column_sums::compare([rows, len, 0, 0], [rows * len, len, rows], &[32, 64]);
    }
    for [rows, len] in [[0, 5], [1, 1], [1, 600], [63, 9], [64, 0]] {
        row_sums::compare([rows, len, 0, 0], [rows * len, len, rows], &[32, 64, 128, 256]);
        sums_of_slices::compare([rows, len, 0, 0], [rows * len, 1, rows], &[32, 64, 128, 256]);
    }
}

#[test]
fn several_sums_over_rows() {
    for [columns, rows, more] in [[64, 64, 64], [97, 531, 600], [300, 71, 515]] {
        let lens = [columns * rows, columns * more, columns];
        means_and_variances::compare([columns, rows, more, 0], lens, &[32, 64]);
    }
    means_and_variances::compare([97, 531, 3, 0], [97 * 531, 97 * 3, 97], &[32, 64, 128, 256]);
}

#[test]
fn sums_over_channels() {
    for [channels, images, places] in [[64, 3, 64], [17, 5, 131], [33, 1, 517], [70, 4, 200], [16, 7, 67]] {
        let lens = [channels * images * places, images, channels];
        means_of_channels::compare([channels, images, places, 0], lens, &[32, 64]);
        let lens = [lens[0], channels, channels];
        means_of_slices::compare([channels, images, places, 0], lens, &[32, 64]);
    }
    for [channels, images, places] in [[1, 1, 1], [0, 4, 70], [3, 4, 600], [64, 9, 1], [64, 1, 4]] {
        let lens = [channels * images * places, images, channels];
        means_of_channels::compare([channels, images, places, 0], lens, &[32, 64, 128, 256]);
    }
}

#[test]
fn rows_that_are_stored() {
    for [rows, len] in [[64, 640], [97, 531], [300, 171], [257, 130]] {
        softmax::compare([rows, len, 0, 0], [rows * len, 1, rows * len], &[256]);
        normalised_rows::compare([rows, len, 0, 0], [rows * len, 2 * len, rows * len], &[256]);
        sums_up_to_each_column::compare([rows, len, 0, 0], [rows * len, rows, rows * len], &[32, 64]);
        rows_added_up::compare([rows, len, 0, 0], [rows * len, rows, rows * len], &[32, 64, 256]);
        let lens = [rows * len, rows, rows * len];
        running_products::compare([rows, len, 0, 0], lens, &[32, 64, 128, 256]);
        stored_and_loaded_again::compare([rows, len, 0, 0], lens, &[32, 64, 128, 256]);
    }
    for [rows, len] in [[0, 5], [1, 1], [1, 600], [63, 9], [64, 0]] {
        softmax::compare([rows, len, 0, 0], [rows * len, 1, rows * len], &[32, 64, 128, 256]);
        normalised_rows::compare([rows, len, 0, 0], [rows * len, 2 * len, rows * len], &[32, 64, 128, 256]);
    }
}

#[test]
fn products_of_slices_and_of_layers() {
    for [m, n, p] in [[130, 131, 133], [128, 128, 128]] {
        dots_of_slices::compare([m, n, p, 0], [m * p, n * p, m * n], &[64, 128, 256]);
        dots_of_a_function::compare([m, n, p, 0], [m * p, n * p, m * n], &[64, 128, 256]);
    }
    // Of the outermost loop, a block has one iteration: results that lie far apart there still fit 32 bits.
    for [h, n, e] in [[3, 130, 64], [2, 129, 131]] {
        scores::compare([h, n, e, 0], [h * n * e, h * n * e, h * n * n], &[64, 128, 256]);
    }
}

#[test]
fn axes_are_permuted() {
    for s in [[101, 103, 107], [64, 300, 70], [130, 65, 129]] {
        let len: usize = s.iter().product();
        reversed_axes::compare([s[0], s[1], s[2], 0], [len, 1, len], &[64, 256]);
        swapped_last_axes::compare([s[0], s[1], s[2], 0], [len, s[1], len], &[64, 256]);
    }
}

#[test]
fn windows_over_several_arrays() {
    for [c, i, h, w] in [[8, 32, 64, 64], [11, 33, 37, 70], [1, 65, 64, 65]] {
        let lens = [i * (h + 2) * (w + 2), c * i * 9, c * h * w];
        channels::compare([c, i, h, w], lens, &[128]);
    }
    for [c, h, w] in [[7, 130, 261], [64, 70, 64]] {
        let lens = [c * (h + 2) * (w + 2), c * 9, c * h * w];
        a_kernel_for_each_layer::compare([c, 0, h, w], lens, &[128]);
    }
}

#[test]
fn windows_beside_an_element_that_is_read_once() {
    for [h, w] in [[301, 300], [512, 515]] {
        beside_the_middle::compare([h, w, 0, 0], [(h + 4) * (w + 4), 1, h * w], &[64, 128]);
    }
}

/// What data decides is somewhere in the row, which no other iteration touches.
#[omp::offload]
fn histogram_of_rows(d: usize, bins: usize, x: &[u32], counts: &mut [u32]) {
    let rows = counts.len() / bins;
    let each = x.len() / rows;
    #[omp::target(device(d), map(to: x), map(tofrom: counts))]
    for i in 0..rows {
        let row = &mut counts[i * bins..(i + 1) * bins];
        for k in 0..each {
            row[x[i * each + k] as usize] += 1;
        }
    }
}

#[test]
fn data_chooses_in_rows() {
    for (rows, bins, each) in [(5, 7, 100), (300, 64, 1000)] {
        let mut r = Values(4);
        let x: Vec<u32> = (0..rows * each).map(|_| (r.bits() >> 20) % bins as u32).collect();
        let mut want = vec![0u32; rows * bins];
        for (i, v) in x.iter().enumerate() {
            want[i / each * bins + *v as usize] += 1;
        }
        on_every_device(|d| {
            let mut got = vec![0; rows * bins];
            histogram_of_rows(d, bins, &x, &mut got);
            assert!(got == want, "device {d}");
            let mut cut = x.clone();
            cut[each - 1] = bins as u32;
            let text = panic_of(|| histogram_of_rows(d, bins, &cut, &mut got)).expect("it is beyond the row");
            assert!(text.contains("row") && text.contains(&bins.to_string()), "device {d}: {text}");
        });
    }
}

/// A slice of a row that ends beyond the array is an error in the iteration that takes it.
#[test]
fn slices_beyond_the_end_fail() {
    let (rows, len) = (70, 600);
    let a = numbers(rows * len - 1, 1);
    on_every_device(|d| {
        let mut o = vec![0.0; rows];
        let text = panic_of(|| sums_of_slices::device(d, &a, &[0.0], &mut o, [rows, len, 0, 0]))
            .expect("the last row is cut");
        assert!(text.contains("41999") || text.contains("range"), "device {d}: {text}");
    });
}

/// Running sums of integers, which are no numbers for subscripts: the loop over a row is none of independent iterations.
#[omp::offload]
fn running_sums(d: usize, len: usize, x: &[i32], y: &mut [i32]) {
    #[omp::target(device(d), map(to: x), map(from: y))]
    for i in 0..x.len() / len {
        let mut sum = 0;
        for k in 0..len {
            sum += x[i * len + k];
            y[i * len + k] = sum;
        }
    }
}

#[test]
fn integers_of_rows_run_on() {
    for (rows, len) in [(70, 1), (64, 8), (300, 16), (65, 20), (2000, 31), (128, 64), (64, 300)] {
        let mut r = Values(7);
        let x: Vec<i32> = (0..rows * len).map(|_| (r.bits() >> 20) as i32 - 2000).collect();
        let want: Vec<i32> = x
            .chunks(len)
            .flat_map(|row| {
                row.iter().scan(0, |sum, v| {
                    *sum += v;
                    Some(*sum)
                })
            })
            .collect();
        on_every_device(|d| {
            let mut got = vec![0; rows * len];
            running_sums(d, len, &x, &mut got);
            assert!(got == want, "device {d}, {rows} rows of {len}");
        });
        // The last element of the first row overflows.
        let mut cut = x.clone();
        cut[len - 1] = i32::MAX;
        cut[0] = if len > 1 { i32::MAX } else { cut[0] };
        on_every_device(|d| {
            let mut got = vec![0; rows * len];
            let failed = panic_of(|| running_sums(d, len, &cut, &mut got));
            assert_eq!(failed.is_some(), len > 1 && cfg!(debug_assertions), "device {d}: {failed:?}");
        });
    }
}
