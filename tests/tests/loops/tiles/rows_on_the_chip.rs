//! Several loops over a row, one after the other: blocks of CUDA devices keep rows in shared memory from the first loop to the last.
//! Results have the host's bits, and failures stay those of the loops.
#![forbid(unsafe_code)]
#![allow(clippy::needless_range_loop, reason = "as such loops are written")]
use omp_tests::{Values, on_every_device, panic_of};

fn numbers(len: usize, seed: u64) -> Vec<f32> {
    let mut r = Values(seed);
    (0..len).map(|_| (r.bits() >> 20) as f32 / 512.0 - 3.0).collect()
}

/// The last region kept rows on the chip, if it ran on a CUDA device.
fn on_the_chip(threads: u32) {
    let report = omp::last_region();
    if report.backend == "cuda" {
        assert_eq!(report.block, [threads, 1, 1], "{report}");
    }
}

/// Loops with a directive and without, each as the function `device` or `serial` of a module.
macro_rules! both {
    ($($name:ident [$($clause:tt)*] ($($arg:ident: $ty:ty),*) { $($loops:tt)* })*) => { $(
        mod $name {
            #[omp::offload]
            #[allow(clippy::too_many_arguments)]
            pub(super) fn device(d: usize, $($arg: $ty),*) {
                #[omp::target(device(d), fp(strict), $($clause)*)]
                $($loops)*
            }

            pub(super) fn serial($($arg: $ty),*) {
                $($loops)*
            }
        }
    )* };
}

both! {
    standard_scores [] (w: usize, x: &[f32], y: &mut [f32]) {
        for (row, out) in x.chunks_exact(w).zip(y.chunks_exact_mut(w)) {
            let mean = row.iter().sum::<f32>() / w as f32;
            let mut squares = 0.0f32;
            for (o, v) in out.iter_mut().zip(row) {
                *o = v - mean;
                squares += *o * *o;
            }
            let deviation = (squares / w as f32).sqrt();
            for o in out.iter_mut() {
                *o /= deviation;
            }
        }
    }
    // What costs much is computed by all threads, and added up by one.
    roots_added_up [] (m: usize, w: usize, x: &[f32], g: &[f32], y: &mut [f32], least: &mut [f32]) {
        for i in 0..m {
            let mut low = x[i * w];
            for j in 1..w {
                low = low.min(x[i * w + j]);
            }
            let mut sum = 0.0f32;
            for j in 0..w {
                sum += (x[i * w + j] - low).sqrt();
            }
            least[i] = low;
            for j in 0..w {
                y[i * w + j] = (x[i * w + j] - low) / sum * g[j];
            }
        }
    }
    // Rows of two parallel loops, in place, with a running sum whose values are stored.
    layers [collapse(2)] (l: usize, m: usize, w: usize, x: &mut [f64]) {
        for h in 0..l {
            for i in 0..m {
                let mut most = 0.0f64;
                for j in 0..w {
                    most = most.max(x[(h * m + i) * w + j].abs());
                }
                let mut sum = 0.0f64;
                for j in 0..w {
                    sum += x[(h * m + i) * w + j] / most;
                    x[(h * m + i) * w + j] = sum;
                }
                for j in 0..w {
                    x[(h * m + i) * w + j] -= sum;
                }
            }
        }
    }
    // Bytes, of which the values of one row decide those of the same row alone.
    stretched_bytes [] (m: usize, w: usize, x: &[u8], y: &mut [u8]) {
        for i in 0..m {
            let row = &x[i * w..(i + 1) * w];
            let (mut low, mut high) = (255u8, 0u8);
            for &v in row {
                low = low.min(v);
                high = high.max(v);
            }
            let span = u32::from((high - low).max(1));
            for j in 0..w {
                y[i * w + j] = (u32::from(row[j] - low) * 255 / span) as u8;
            }
        }
    }
    // The first and the last element of a row besides, and an element that is stored before the loops.
    ends [] (m: usize, w: usize, x: &[f32], y: &mut [f32]) {
        for i in 0..m {
            y[i * w] = x[i * w + w - 1];
            let mut sum = 0.0f32;
            for j in 0..w {
                sum = sum * 0.5 + y[i * w + j];
            }
            for j in 0..w {
                y[i * w + j] = sum - x[i * w + j];
            }
            y[i * w + w - 1] = y[i * w] + sum;
        }
    }
    // One channel is no axis of its own.
    channels [collapse(2)] (m: usize, w: usize, channels: usize, x: &[f32], y: &mut [f32]) {
        for i in 0..m {
            for c in 0..channels {
                let (mut sum, mut all) = (0.0f32, 1.0f32);
                for k in 0..w {
                    sum += x[(i * w + k) * channels + c];
                }
                for k in 0..w {
                    y[(i * w + k) * channels + c] = x[(i * w + k) * channels + c] - sum;
                    all += y[(i * w + k) * channels + c];
                }
                for k in 0..w {
                    y[(i * w + k) * channels + c] /= all;
                }
            }
        }
    }
    // The first row has no row before it: all others run away from the border.
    rows_before [] (m: usize, w: usize, x: &[f32], y: &mut [f32]) {
        for i in 0..m {
            let p = i.saturating_sub(1);
            let (mut sum, mut all) = (0.0f32, 1.0f32);
            for k in 0..w {
                sum += x[p * w + k];
            }
            for k in 0..w {
                y[i * w + k] = x[p * w + k] - sum;
                all += y[i * w + k];
            }
            for k in 0..w {
                y[i * w + k] /= all;
            }
        }
    }
    // A variable with two values, each of which is added up.
    two_values [] (m: usize, w: usize, x: &[f32], y: &mut [f32]) {
        for i in 0..m {
            let (mut sum, mut all) = (0.0f32, 1.0f32);
            for k in 0..w {
                let mut e = x[i * w + k].abs().sqrt();
                sum += e;
                e = 1.0 / (e + 1.0);
                all += e;
            }
            for k in 0..w {
                y[i * w + k] = sum - x[i * w + k] * all;
            }
        }
    }
    of_four_rows [tile(4), vector(1)] (m: usize, w: usize, x: &[f32], y: &mut [f32]) {
        for i in 0..m {
            let mut sum = 0.0f32;
            for j in 0..w {
                sum += x[i * w + j];
            }
            for j in 0..w {
                y[i * w + j] = x[i * w + j] / sum;
            }
        }
    }
    of_128_threads [block(128)] (m: usize, w: usize, x: &[f32], y: &mut [f32]) {
        for i in 0..m {
            let mut sum = 0.0f32;
            for j in 0..w {
                sum += x[i * w + j];
            }
            for j in 0..w {
                y[i * w + j] = x[i * w + j] / sum;
            }
        }
    }
    // Sums that may overflow, and an assertion.
    checked [] (m: usize, w: usize, most: i32, x: &[i32], y: &mut [i32]) {
        for i in 0..m {
            let mut sum = 0i32;
            for j in 0..w {
                sum += x[i * w + j];
            }
            for j in 0..w {
                assert!(x[i * w + j] <= most, "{i}, {j}: more than {most}");
                y[i * w + j] = sum - x[i * w + j] * 3;
            }
        }
    }
}

const SIZES: [[usize; 2]; 6] = [[64, 64], [97, 531], [300, 171], [257, 130], [64, 1030], [71, 65]];
/// These are not worth rows on the chip, or have none.
const SMALL: [[usize; 2]; 5] = [[0, 5], [1, 1], [1, 600], [63, 9], [130, 1]];

#[test]
fn rows_have_the_bits_of_the_loops() {
    for (n, [m, w]) in SIZES.into_iter().chain(SMALL).enumerate() {
        let kept = n < SIZES.len();
        let (x, g) = (numbers(m * w, 1), numbers(w, 2));
        let start = numbers(m * w, 3);
        let wide: Vec<f64> = start.iter().map(|v| f64::from(*v)).collect();
        let bytes: Vec<u8> = x.iter().map(|v| (v * 40.0) as i32 as u8).collect();
        let mut want =
            (start.clone(), start.clone(), vec![0.0; m], wide.clone(), bytes.clone(), start.clone());
        standard_scores::serial(w, &x, &mut want.0);
        roots_added_up::serial(m, w, &x, &g, &mut want.1, &mut want.2);
        layers::serial(usize::from(m > 0), m, w, &mut want.3);
        stretched_bytes::serial(m, w, &bytes, &mut want.4);
        ends::serial(m, w, &x, &mut want.5);
        on_every_device(|d| {
            let mut got =
                (start.clone(), start.clone(), vec![0.0; m], wide.clone(), bytes.clone(), start.clone());
            let kept = || {
                if kept {
                    on_the_chip(256);
                }
            };
            standard_scores::device(d, w, &x, &mut got.0);
            kept();
            roots_added_up::device(d, m, w, &x, &g, &mut got.1, &mut got.2);
            kept();
            layers::device(d, usize::from(m > 0), m, w, &mut got.3);
            kept();
            stretched_bytes::device(d, m, w, &bytes, &mut got.4);
            ends::device(d, m, w, &x, &mut got.5);
            kept();
            // (Devices have another NaN for 0 / 0.)
            let bits = |v: &f32| if v.is_nan() { f32::NAN.to_bits() } else { v.to_bits() };
            let same = |a: &[f32], b: &[f32]| a.iter().map(bits).eq(b.iter().map(bits));
            assert!(same(&got.0, &want.0), "{m} x {w}, device {d}");
            assert!(same(&got.1, &want.1) && same(&got.2, &want.2), "{m} x {w}, device {d}");
            let wide = |v: &f64| if v.is_nan() { f64::NAN.to_bits() } else { v.to_bits() };
            assert!(got.3.iter().map(wide).eq(want.3.iter().map(wide)), "{m} x {w}, device {d}");
            assert!(got.4 == want.4 && same(&got.5, &want.5), "{m} x {w}, device {d}");
        });
    }
}

#[test]
fn rows_of_two_loops_have_the_bits_of_the_loops() {
    for [l, m, w] in [[3, 41, 67], [2, 64, 256], [64, 2, 100], [1, 64, 64], [5, 1, 64], [0, 9, 64]] {
        let start: Vec<f64> = numbers(l * m * w, 4).into_iter().map(f64::from).collect();
        let mut want = start.clone();
        layers::serial(l, m, w, &mut want);
        on_every_device(|d| {
            let mut got = start.clone();
            layers::device(d, l, m, w, &mut got);
            assert!(got == want, "{l} x {m} x {w}, device {d}");
        });
    }
}

/// Compares what `$name` leaves in `m * w * $more` elements.
macro_rules! compare {
    ($name:ident, $m:expr, $w:expr, $more:expr, ($($arg:expr),*)) => {{
        let len = $m * $w * $more;
        let (x, start) = (numbers(len, 7), numbers(len, 8));
        let mut want = start.clone();
        $name::serial($m, $w, $($arg,)* &x, &mut want);
        on_every_device(|d| {
            let mut got = start.clone();
            $name::device(d, $m, $w, $($arg,)* &x, &mut got);
            assert!(got == want, "{} x {} x {}, device {d}", $m, $w, $more);
        });
    }};
}

#[test]
fn other_rows_have_the_bits_of_the_loops() {
    for [m, w] in [[68, 70], [516, 64], [130, 531], [1, 64], [2, 80]] {
        compare!(channels, m, w, 1, (1));
        compare!(channels, m, w, 2, (2));
        compare!(rows_before, m, w, 1, ());
        compare!(two_values, m, w, 1, ());
    }
}

#[test]
fn clauses_set_the_numbers_of_rows() {
    let (m, w) = (130, 77);
    let x = numbers(m * w, 5);
    let mut want = vec![0.0; m * w];
    of_four_rows::serial(m, w, &x, &mut want);
    let mut other = vec![0.0; m * w];
    of_128_threads::serial(m, w, &x, &mut other);
    assert!(want == other, "the loops are the same");
    on_every_device(|d| {
        let mut got = vec![0.0; m * w];
        of_four_rows::device(d, m, w, &x, &mut got);
        on_the_chip(256);
        if omp::last_region().backend == "cuda" {
            assert_eq!(omp::last_region().grid, [33, 1, 1]);
        }
        assert!(got == want, "device {d}");
        of_128_threads::device(d, m, w, &x, &mut got);
        on_the_chip(128);
        assert!(got == want, "device {d}");
    });
}

#[test]
fn failures_in_rows_stay_those_of_the_loops() {
    let (m, w) = (96, 70);
    let small: Vec<i32> = (0..m * w).map(|k| (k % 100) as i32).collect();
    let mut want = vec![0; m * w];
    checked::serial(m, w, 100, &small, &mut want);
    on_every_device(|d| {
        let mut got = vec![0; m * w];
        checked::device(d, m, w, 100, &small, &mut got);
        assert!(got == want, "device {d}");
        let mut high = small.clone();
        high[57 * w + 3] = 101;
        let failure =
            panic_of(|| checked::device(d, m, w, 100, &high, &mut got)).expect("an assertion fails");
        assert!(failure.contains("57, 3: more than 100"), "{failure}");
        if cfg!(debug_assertions) {
            high[57 * w + 3] = i32::MAX;
            let run = || checked::device(d, m, w, i32::MAX, &high, &mut got);
            let failure = panic_of(run).expect("a sum overflows");
            assert!(failure.contains("overflow"), "{failure}");
        }
    });
}
