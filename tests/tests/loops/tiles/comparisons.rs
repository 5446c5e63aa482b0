//! Each of many elements is compared with few others: nearest centres, classes of largest score. The loop over the few stands around the
//! sum. Results have the bits of the loops without directives.
#![allow(clippy::needless_range_loop, reason = "as sums are written")]
use omp_tests::{Values, on_every_device, twice};

twice! {
    pub fn nearest(d: usize, [n, k, w]: [usize; 3], x: &[f32], centres: &[f32], label: &mut [u32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            let mut best = f32::MAX;
            let mut at = 0;
            for c in 0..k {
                let mut s = 0.0f32;
                for e in 0..w {
                    let t = x[i * w + e] - centres[c * w + e];
                    s += t * t;
                }
                if s < best {
                    best = s;
                    at = c as u32;
                }
            }
            label[i] = at;
        }
    }

    /// Points and centres are rows of slices.
    pub fn rows(d: usize, [n, k, w]: [usize; 3], x: &[f32], centres: &[f32], label: &mut [u32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            let point = &x[i * w..(i + 1) * w];
            let (mut best, mut at) = (f32::INFINITY, u32::MAX);
            for c in 0..k {
                let s: f32 = point.iter().zip(&centres[c * w..(c + 1) * w]).map(|(a, b)| (a - b) * (a - b)).sum();
                if s < best {
                    (best, at) = (s, c as u32);
                }
            }
            label[i] = at;
        }
    }

    /// The largest score, with a weight of each class, and the second one.
    pub fn classes(d: usize, [n, k, w]: [usize; 3], x: &[f32], weights: &[f32], label: &mut [u32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            let (mut best, mut second, mut at) = (f32::MIN, f32::MIN, 0u32);
            for c in 0..k {
                let mut score = weights[c];
                for e in 0..w {
                    score += x[i * w + e] * weights[c * w + e];
                }
                if score > best {
                    second = best;
                    best = score;
                    at = c as u32;
                } else if score > second {
                    second = score;
                }
            }
            label[i] = if best - second > 0.5 { at } else { at + 1000 };
        }
    }

    /// Every distance is stored.
    pub fn distances(d: usize, [n, k, w]: [usize; 3], x: &[f32], centres: &[f32], label: &mut [u32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            for c in 0..k {
                let mut s = 0.0f32;
                for e in 0..w {
                    s += (x[i * w + e] - centres[c * w + e]).abs();
                }
                label[i * k + c] = s.to_bits();
            }
        }
    }

    /// A sum begins with the least one so far: their order stays.
    pub fn begun(d: usize, [n, k, w]: [usize; 3], x: &[f32], centres: &[f32], label: &mut [u32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            let mut best = 1e4f32;
            for c in 0..k {
                let mut s = best * 0.001;
                for e in 0..w {
                    s += (x[i * w + e] - centres[c * w + e]).abs();
                }
                best = best.min(s);
            }
            label[i] = best.to_bits();
        }
    }

    /// What was found is looked up in an array that the loop has written before.
    pub fn marked(d: usize, [n, k, w]: [usize; 3], x: &[f32], centres: &[f32], label: &mut [u32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            label[i] = 0;
            for c in 0..k {
                let before = label[i];
                let mut s = before as f32;
                for e in 0..w {
                    s += (x[i * w + e] - centres[c * w + e]).abs();
                }
                label[i] = before + (s > 30.0) as u32;
            }
        }
    }

    /// Sums of integers, which overflow checks look at.
    pub fn whole(d: usize, [n, k, w]: [usize; 3], x: &[i32], centres: &[i32], label: &mut [u32]) {
        #[omp::target(device(d))]
        for i in 0..n {
            let (mut best, mut at) = (i32::MAX, 0);
            for c in 0..k {
                let mut s = 0;
                for e in 0..w {
                    s += (x[i * w + e] - centres[c * w + e]).abs();
                }
                if s < best {
                    (best, at) = (s, c as u32);
                }
            }
            label[i] = at;
        }
    }
}

const SIZES: [[usize; 3]; 6] =
    [[2999, 32, 24], [4096, 24, 16], [2001, 11, 100], [1500, 1, 9], [1, 8, 8], [33, 16, 1]];

macro_rules! compare {
    ($($name:ident)*) => { $(
        #[test]
        fn $name() {
            for size in SIZES {
                let [n, k, w] = size;
                let mut r = Values(n as u64);
                let mut numbers = |len: usize| (0..len).map(|_| (r.bits() >> 20) as f32 / 512.0 - 3.0).collect::<Vec<_>>();
                let (x, centres) = (numbers(n * w), numbers(k * w));
                let mut want = vec![7; n * k];
                plain::$name(0, size, &x, &centres, &mut want);
                on_every_device(|d| {
                    let mut got = vec![7; n * k];
                    device::$name(d, size, &x, &centres, &mut got);
                    assert!(got == want, "device {d}: {size:?}");
                });
            }
        }
    )* };
}
compare! { nearest rows classes distances begun marked }

#[test]
fn integers() {
    for size in SIZES {
        let [n, k, w] = size;
        let mut r = Values(n as u64);
        let mut numbers = |len: usize| (0..len).map(|_| (r.bits() % 1000) as i32 - 500).collect::<Vec<_>>();
        let (x, centres) = (numbers(n * w), numbers(k * w));
        let mut want = vec![7; n];
        plain::whole(0, size, &x, &centres, &mut want);
        on_every_device(|d| {
            let mut got = vec![7; n];
            device::whole(d, size, &x, &centres, &mut got);
            assert!(got == want, "device {d}: {size:?}");
        });
    }
}
