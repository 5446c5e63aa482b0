//! Small nests in a loop with a directive: products of many small matrices, with vectors and of bytes. Blocks have several of them, and
//! threads an element each. Results have the host's bits, and failures stay those of the loops.
#![forbid(unsafe_code)]
#![allow(clippy::needless_range_loop, clippy::manual_memcpy, reason = "as products are written")]
use omp_tests::{Values, on_every_device, panic_of, twice};

fn numbers(len: usize, seed: u64) -> Vec<f32> {
    let mut r = Values(seed);
    (0..len).map(|_| (r.bits() >> 20) as f32 / 512.0 - 3.0).collect()
}

/// The last region had a thread for at most four elements if it ran on a CUDA device.
fn spread(results: usize) {
    let report = omp::last_region();
    if report.backend == "cuda" {
        let threads = report.block[0] as usize * report.grid[0] as usize;
        assert!(threads * 4 >= results && report.block[1..] == [1, 1], "{report}");
    }
}

twice! {
    pub fn products(d: usize, s: [usize; 4], a: &[f32], x: &[f32], y: &mut [f32]) {
        let [all, m, n, p] = s;
        #[omp::target(device(d), fp(strict))]
        for b in 0..all {
            for i in 0..m {
                for k in 0..n {
                    let mut sum = 0.5f32;
                    for j in 0..p {
                        sum += a[(b * m + i) * p + j] * x[(b * p + j) * n + k];
                    }
                    y[(b * m + i) * n + k] += sum;
                }
            }
        }
    }

    pub fn wide_products(d: usize, s: [usize; 4], a: &[f64], x: &[f64], y: &mut [f64]) {
        let [all, m, n, p] = s;
        #[omp::target(device(d), fp(strict))]
        for b in 0..all {
            for i in 0..m {
                for k in 0..n {
                    y[(b * m + i) * n + k] = 0.0;
                    for j in 0..p {
                        y[(b * m + i) * n + k] += a[(b * p + j) * m + i] * x[(b * p + j) * n + k];
                    }
                }
            }
        }
    }

    pub fn times_vectors(d: usize, s: [usize; 4], a: &[f32], x: &[f32], y: &mut [f32]) {
        let [all, m, _, p] = s;
        #[omp::target(device(d), fp(strict))]
        for b in 0..all {
            for i in 0..m {
                let mut sum = 0.0f32;
                for j in 0..p {
                    sum += a[(b * m + i) * p + j] * x[b * p + j];
                }
                y[b * m + i] = sum;
            }
        }
    }

    pub fn masks(d: usize, w: usize, x: &[u8], key: &[u8], y: &mut [u8]) {
        #[omp::target(device(d))]
        for (i, (y, x)) in y.chunks_exact_mut(w).zip(x.chunks_exact(w)).enumerate() {
            for j in 0..w {
                y[j] = x[j] ^ key[j] ^ (i as u8);
            }
        }
    }

    /// A result of one iteration is read by another: no order but the loop's is right.
    pub fn running(d: usize, s: [usize; 4], a: &[f32], y: &mut [f32]) {
        let [all, m, n, _] = s;
        #[omp::target(device(d), fp(strict))]
        for b in 0..all {
            for i in 1..m {
                for k in 0..n {
                    y[(b * m + i) * n + k] = y[(b * m + i - 1) * n + k] + a[(b * m + i) * n + k];
                }
            }
        }
    }

    pub fn sums_of_integers(d: usize, s: [usize; 4], a: &[i32], x: &[i32], most: i32, y: &mut [i32]) {
        let [all, m, n, p] = s;
        #[omp::target(device(d))]
        for b in 0..all {
            for i in 0..m {
                for k in 0..n {
                    let mut sum = 0i32;
                    for j in 0..p {
                        sum += a[(b * m + i) * p + j] * x[(b * p + j) * n + k];
                    }
                    assert!(sum < most, "{b}, {i}, {k}: not below {most}");
                    y[(b * m + i) * n + k] = sum;
                }
            }
        }
    }
}

const SIZES: [[usize; 4]; 6] =
    [[1031, 8, 8, 8], [2100, 3, 5, 7], [4097, 4, 4, 4], [400, 12, 20, 5], [5000, 2, 9, 3], [263, 16, 16, 16]];
/// So many sets of sizes have kernels of their own, the first ones of a region.
const KERNELS: usize = 4;
/// These are few, or have other forms.
const OTHERS: [[usize; 4]; 8] = [
    [0, 8, 8, 8],
    [1, 8, 8, 8],
    [9000, 1, 8, 8],
    [9000, 8, 1, 8],
    [9000, 8, 8, 0],
    [9000, 8, 0, 8],
    [70000, 1, 1, 1],
    [300, 4, 4, 100],
];

#[test]
fn products_of_small_matrices() {
    for (n, s) in SIZES.into_iter().chain(OTHERS).enumerate() {
        let [all, m, k, p] = s;
        let (a, x, start) = (numbers(all * m * p, 1), numbers(all * p * k, 2), numbers(all * m * k, 3));
        let wide = |v: &[f32]| v.iter().map(|v| f64::from(*v) * 1.1).collect::<Vec<_>>();
        let (a64, x64) = (wide(&a), wide(&x));
        let (mut want, mut want64) = (start.clone(), wide(&start));
        plain::products(0, s, &a, &x, &mut want);
        plain::wide_products(0, s, &a64, &x64, &mut want64);
        on_every_device(|d| {
            let (mut got, mut got64) = (start.clone(), wide(&start));
            device::products(d, s, &a, &x, &mut got);
            if n < KERNELS {
                spread(all * m * k);
            }
            assert!(got == want, "{s:?}, device {d}");
            device::wide_products(d, s, &a64, &x64, &mut got64);
            assert!(got64 == want64, "{s:?}, device {d}");
        });
    }
}

#[test]
fn small_matrices_times_vectors() {
    for (n, s) in SIZES.into_iter().chain(OTHERS).enumerate() {
        let [all, m, _, p] = s;
        let (a, x) = (numbers(all * m * p, 4), numbers(all * p, 5));
        let mut want = vec![0.0; all * m];
        plain::times_vectors(0, s, &a, &x, &mut want);
        on_every_device(|d| {
            let mut got = vec![0.0; all * m];
            device::times_vectors(d, s, &a, &x, &mut got);
            if n < KERNELS && all * m * p > 1 << 16 {
                spread(all * m);
            }
            assert!(got == want, "{s:?}, device {d}");
        });
    }
}

#[test]
fn bytes_of_records() {
    for (w, all) in [(16, 5000), (17, 4001), (48, 3000), (3, 30000), (1, 70000), (16, 1), (16, 0)] {
        let mut r = Values(6);
        let x: Vec<u8> = (0..w * all).map(|_| r.bits() as u8).collect();
        let key: Vec<u8> = (0..w).map(|_| r.bits() as u8).collect();
        let mut want = vec![0; w * all];
        plain::masks(0, w, &x, &key, &mut want);
        on_every_device(|d| {
            let mut got = vec![0; w * all];
            device::masks(d, w, &x, &key, &mut got);
            assert!(got == want, "{all} x {w}, device {d}");
        });
    }
}

#[test]
fn elements_of_other_iterations_keep_the_order() {
    for s in SIZES {
        let len = s[0] * s[1] * s[2];
        let (a, start) = (numbers(len, 7), numbers(len, 8));
        let mut want = start.clone();
        plain::running(0, s, &a, &mut want);
        on_every_device(|d| {
            let mut got = start.clone();
            device::running(d, s, &a, &mut got);
            assert!(got == want, "{s:?}, device {d}");
        });
    }
}

/// What a nest asserts, and overflow, fail where the loops fail.
#[test]
fn small_nests_fail() {
    let s = [1500, 5, 6, 7];
    let small = |len: usize| numbers(len, 9).into_iter().map(|v| v as i32).collect::<Vec<_>>();
    let (a, x) = (small(1500 * 35), small(1500 * 42));
    let mut want = vec![0; 1500 * 30];
    plain::sums_of_integers(0, s, &a, &x, i32::MAX, &mut want);
    let most = *want.iter().max().expect("there are some");
    on_every_device(|d| {
        let mut got = vec![0; 1500 * 30];
        device::sums_of_integers(d, s, &a, &x, i32::MAX, &mut got);
        assert!(got == want, "device {d}");
        let text =
            panic_of(|| device::sums_of_integers(d, s, &a, &x, most, &mut got)).expect("one is not below");
        assert!(text.contains(&format!("not below {most}")), "device {d}: {text}");
        // The last nest is cut.
        let text = panic_of(|| device::sums_of_integers(d, s, &a[1..], &x, i32::MAX, &mut got))
            .expect("it is short");
        assert!(text.contains("52499"), "device {d}: {text}");
        let mut large = a.clone();
        large[777] = i32::MAX;
        if cfg!(debug_assertions) {
            let text = panic_of(|| device::sums_of_integers(d, s, &large, &x, i32::MAX, &mut got));
            assert!(text.is_some_and(|text| text.contains("overflow")), "device {d}");
        }
    });
}
