//! Triangles of pairs, and products whose loop along rows stands in the one of the terms, as PolyBench and CPU codes have them. Sizes are
//! odd, so that tiles are cut off. Results have the bits of the loops without directives.
#![allow(clippy::needless_range_loop, reason = "as sums are written")]
use omp_tests::{Values, on_every_device, panic_of, twice};

twice! {
    pub fn syrk(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        #[omp::target(device(d), collapse(2), fp(strict))]
        for i in 0..n {
            for j in 0..=i {
                let mut sum = 0.0f32;
                for k in 0..m {
                    sum += a[i * m + k] * a[j * m + k];
                }
                c[i * n + j] = sum;
            }
        }
    }

    /// As PolyBench has it.
    pub fn scaled_syrk(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        let (alpha, beta) = (1.5f32, 1.2f32);
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            for j in 0..=i {
                c[i * n + j] *= beta;
            }
            for k in 0..m {
                for j in 0..=i {
                    c[i * n + j] += alpha * a[i * m + k] * a[j * m + k];
                }
            }
        }
    }

    /// Two products in one sum.
    pub fn syr2k(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            for k in 0..m {
                for j in i..n {
                    c[i * n + j] += a[j * m + k] * 1.5 * a[i * m + m - 1 - k] + a[j * m + m - 1 - k] * 1.5 * a[i * m + k];
                }
            }
        }
    }

    /// Both halves get the sum.
    pub fn covariance(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        #[omp::target(device(d), collapse(2), fp(strict))]
        for i in 0..n {
            for j in i..n {
                c[i * n + j] = 0.0;
                for k in 0..m {
                    c[i * n + j] += a[k * n + i] * a[k * n + j];
                }
                c[i * n + j] /= (m - 1) as f32;
                c[j * n + i] = c[i * n + j];
            }
        }
    }

    /// Distances of all pairs above the diagonal; the outer loop is the parallel one.
    pub fn pairs(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            for j in i + 1..n {
                let mut far = 0.0f32;
                for k in 0..m {
                    let x = a[i * m + k] - a[j * m + k];
                    far += x * x;
                }
                c[i * n + j] = far.sqrt();
            }
        }
    }

    /// Antidiagonals: the upper bound falls.
    pub fn left(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        #[omp::target(device(d), collapse(2), fp(strict))]
        for i in 0..n {
            for j in 0..n - i {
                let mut sum = c[i * n + j];
                for k in 0..m {
                    sum += a[i * m + k] * a[j * m + k];
                }
                c[i * n + j] = sum;
            }
        }
    }

    /// Rows begin at steps of two.
    pub fn stepped(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        #[omp::target(device(d), collapse(2), fp(strict))]
        for i in (1..n).step_by(2) {
            for j in i - 1..i {
                let mut sum = 0.0f32;
                for k in 0..m {
                    sum += a[i * m + k] * a[j * m + k];
                }
                c[i * n + j] = sum;
            }
        }
    }

    /// A product with a triangle: terms up to the row's number.
    pub fn trmm(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        #[omp::target(device(d), collapse(2), fp(strict))]
        for i in 0..n {
            for j in 0..n {
                let mut sum = 0.0f32;
                for k in 0..=i {
                    sum += a[i * n + k] * a[k * n + j];
                }
                c[i * n + j] = 1.5 * sum;
            }
        }
    }

    /// Terms from the row's number on, added up in the element.
    pub fn upper(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        #[omp::target(device(d), collapse(2), fp(strict))]
        for i in 0..n {
            for j in 0..n {
                for k in i + 1..n {
                    c[i * n + j] += a[k * n + i] * a[k * n + j];
                }
            }
        }
    }

    /// Limits by both loops.
    pub fn both(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        #[omp::target(device(d), collapse(2), fp(strict))]
        for i in 0..n {
            for j in 0..n {
                let mut sum = 0.0f32;
                for k in 0..2 * n - 1 - i - j {
                    sum += a[k % 7] * a[i * n + j];
                }
                c[i * n + j] = sum;
            }
        }
    }

    /// A triangle times a vector.
    pub fn rows_to_the_diagonal(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            let mut sum = 0.0f32;
            for k in 0..=i {
                sum += a[i * n + k] * a[k];
            }
            c[i] = sum;
        }
    }

    /// Rows up to the diagonal are stored, and read again.
    pub fn stored_rows(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            let mut sum = 0.0f32;
            for k in 0..=i {
                c[i * n + k] = a[i * n + k] * 0.5;
                sum += c[i * n + k];
            }
            for k in 0..=i {
                c[i * n + k] /= sum + 1.0;
            }
        }
    }

    /// The other triangle, by columns.
    pub fn columns_from_the_diagonal(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            let mut sum = 0.0f32;
            for k in i..n {
                sum += a[k * n + i] * a[k];
            }
            c[i] = sum;
        }
    }

    /// The sums are integers, which overflow checks may find wrong.
    pub fn whole(d: usize, (n, m): (usize, usize), a: &[i32], c: &mut [i32]) {
        #[omp::target(device(d), collapse(2))]
        for i in 0..n {
            for j in 0..=i {
                let mut sum = 0i32;
                for k in 0..m {
                    sum += a[i * m + k] * a[j * m + k];
                }
                c[i * n + j] = sum;
            }
        }
    }

    /// Inside of the triangle, no divisor is 0.
    pub fn divided(d: usize, (n, m): (usize, usize), a: &[i32], c: &mut [i32]) {
        #[omp::target(device(d), collapse(2))]
        for i in 0..n {
            for j in 0..i {
                let mut sum = 0i32;
                for k in 0..m {
                    sum ^= a[i * m + k] ^ a[j * m + k];
                }
                c[i * n + j] = sum / (i - j) as i32;
            }
        }
    }

    /// Triangles packed row by row are no affine subscripts.
    pub fn packed(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        #[omp::target(device(d), collapse(2), fp(strict))]
        for i in 0..n {
            for j in 0..=i {
                let mut sum = 0.0f32;
                for k in 0..m {
                    sum += a[i * m + k] * a[j * m + k];
                }
                c[i * (i + 1) / 2 + j] = sum;
            }
        }
    }

    pub fn rows(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            for k in 0..m {
                let x = a[i * m + k];
                for j in 0..n {
                    c[i * n + j] += x * a[k * n + j];
                }
            }
        }
    }

    /// The same over slices of rows.
    pub fn row_slices(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            let row = &mut c[i * n..(i + 1) * n];
            row.fill(0.0);
            for k in 0..m {
                let x = a[i * m + k];
                for (out, y) in row.iter_mut().zip(&a[k * n..(k + 1) * n]) {
                    *out += x * y;
                }
            }
        }
    }

    /// Two sums, with a condition, and an end that is not the beginning's.
    pub fn two_rows(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            for j in 0..n {
                c[i * n + j] = 0.5;
            }
            for k in 0..m {
                let x = a[i * m + k];
                for j in 0..n {
                    let y = x * a[k * n + j];
                    if y > 0.0 {
                        c[i * n + j] += y;
                    }
                }
            }
            for j in 0..n {
                c[i * n + j] = c[i * n + j].max(1.0);
            }
        }
    }

    /// Terms under a condition, without which the vector has no elements.
    pub fn short_vector(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        let w = m.min(n) / 2;
        let x = &a[..w];
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            let mut sum = 0.0f32;
            for k in 0..=i {
                if k < w {
                    sum += a[i * n + k] * x[k];
                }
            }
            c[i] = sum;
        }
    }

    /// The last element has no term, and is another iteration's.
    pub fn without_terms(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            if i == n / 2 {
                c[n - 1] = 7.0;
            }
            for k in i + 1..n {
                c[i] += a[i * n + k];
            }
        }
    }

    /// An element before the pair's sum.
    pub fn from_norms(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            for j in i + 1..n {
                let mut sum = a[j];
                for k in 0..m {
                    sum += a[i * m + k] * a[j * m + k];
                }
                c[i * n + j] = sum;
            }
        }
    }

    /// The inner loop begins where the outer one is: the order stays.
    pub fn from_the_term(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            for k in 0..m.min(n) {
                let x = a[i * m + k];
                for j in k..n {
                    c[i * n + j] += x * a[k * n + j];
                }
            }
        }
    }

    /// The inner loop runs backwards, in steps, or over another type.
    pub fn other_ranges(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            for k in 0..m {
                for j in (0..n).rev() {
                    c[i * n + j] += a[i * m + k] * a[k * n + j];
                }
            }
            for j in 0..n as i32 {
                c[i * n + j as usize] *= 0.5;
            }
            for k in 0..m {
                for j in (0..n).step_by(3) {
                    c[i * n + j] += a[i * m + k] * a[k * n + j];
                }
            }
        }
    }

    /// A triangle of signed numbers, some of which are negative.
    pub fn signed(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        let w = n as i32;
        #[omp::target(device(d), collapse(2), fp(strict))]
        for i in -3..w - 3 {
            for j in -3..=i {
                let mut sum = 0.0f32;
                for k in 0..m {
                    sum += a[(i + 3) as usize * m + k] * a[(j + 3) as usize * m + k];
                }
                c[((i + 3) * w + j + 3) as usize] = sum;
            }
        }
    }

    /// Iterations of the inner loop meet: the order stays.
    pub fn shifted(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            for k in 0..m.min(n) {
                for j in 1..n {
                    c[i * n + j] = c[i * n + j - 1] * 0.5 + a[k * n + j];
                }
            }
        }
    }

    /// The element depends on both loops: the order stays.
    pub fn convolved(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            for k in 0..n / 2 {
                for j in 0..n / 2 {
                    c[i * n + j + k] = c[i * n + j + k] * 0.75 + a[k * n + j];
                }
            }
        }
    }

    /// A sum over the inner loop goes on in the next term.
    pub fn carried(d: usize, (n, m): (usize, usize), a: &[f32], c: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            let mut sum = 0.0f32;
            for k in 0..m {
                for j in 0..n {
                    sum = sum * 0.5 + a[k * n + j];
                    c[i * n + j] = sum;
                }
            }
        }
    }
}

fn numbers(len: usize, seed: u64) -> Vec<f32> {
    let mut r = Values(seed);
    (0..len).map(|_| (r.bits() >> 20) as f32 / 512.0 - 3.0).collect()
}

macro_rules! compare {
    ($($name:ident)*) => { $(
        #[test]
        fn $name() {
            for (n, m) in [(197, 133), (33, 40), (2, 5), (1, 2)] {
                let a = numbers(n.max(m) * n.max(m), 1);
                let mut want = numbers(n * n, 2);
                let start = want.clone();
                plain::$name(0, (n, m), &a, &mut want);
                on_every_device(|d| {
                    let mut got = start.clone();
                    device::$name(d, (n, m), &a, &mut got);
                    assert!(got == want, "device {d}: {n} x {m}");
                });
            }
        }
    )* };
}
compare! {
    syrk scaled_syrk syr2k covariance pairs left stepped packed rows row_slices two_rows shifted convolved carried
    trmm upper both stored_rows short_vector without_terms from_norms from_the_term other_ranges signed rows_to_the_diagonal columns_from_the_diagonal
}

#[test]
fn integers() {
    for (n, m) in [(1, 2), (197, 133)] {
        let a: Vec<i32> = (0..n * m).map(|i| (i * 37 % 201) as i32 - 100).collect();
        let [mut sums, mut quotients] = [vec![7; n * n], vec![7; n * n]];
        plain::whole(0, (n, m), &a, &mut sums);
        plain::divided(0, (n, m), &a, &mut quotients);
        on_every_device(|d| {
            let [mut got, mut divided] = [vec![7; n * n], vec![7; n * n]];
            device::divided(d, (n, m), &a, &mut divided);
            device::whole(d, (n, m), &a, &mut got);
            assert!(got == sums && divided == quotients, "device {d}: {n} x {m}");
        });
    }
}

#[omp::offload]
fn asserted(d: usize, n: usize, a: &[f32], c: &mut [f32], most: usize) {
    #[omp::target(device(d))]
    for i in 0..n {
        assert!(n <= most, "{n} are too many");
        for k in 0..n {
            for j in 0..n {
                c[i * n + j] += a[i * n + k] * a[k * n + j];
            }
        }
    }
}

#[omp::offload]
fn shifted_bounds(d: usize, n: usize, a: &[f32], c: &mut [f32]) {
    #[omp::target(device(d), collapse(2))]
    for i in 0..n {
        for j in 0..i - 3 + n {
            let mut sum = 0.0f32;
            for k in 0..n {
                sum += a[i * n + k] * a[k];
            }
            c[i * 2 * n + j] = sum;
        }
    }
}

#[test]
fn failures_stay_those_of_the_loops() {
    let n = 160;
    let a = numbers(n * n, 1);
    on_every_device(|d| {
        let mut c = vec![0.0; n * n];
        asserted(d, n, &a, &mut c, n);
        let failure = panic_of(|| asserted(d, n, &a, &mut c, 9)).expect("the assertion fails");
        assert!(failure.contains("160 are too many"), "{failure}");
        if cfg!(debug_assertions) {
            let mut c = vec![0.0; 2 * n * n];
            let failure = panic_of(|| shifted_bounds(d, n, &a, &mut c)).expect("the bound overflows");
            assert!(failure.contains("overflow"), "{failure}");
        }
    });
}

/// What overflows only outside of the triangle does not fail; what does inside, fails.
#[test]
#[cfg(debug_assertions)]
fn overflow_inside_of_the_triangle() {
    let (n, m) = (160, 128);
    let row = |i: usize, x: i32| vec![if i == 0 { 1 } else { x }; m];
    let a: Vec<i32> = (0..n).flat_map(|i| row(i, 2)).collect();
    let wrong: Vec<i32> = (0..n).flat_map(|i| row(i, 1 << 20)).collect();
    on_every_device(|d| {
        let mut c = vec![0; n * n];
        device::whole(d, (n, m), &a, &mut c);
        assert_eq!((c[0], c[n], c[n + 1], c[1]), (m as i32, 2 * m as i32, 4 * m as i32, 0));
        let failure = panic_of(|| device::whole(d, (n, m), &wrong, &mut c)).expect("a product overflows");
        assert!(failure.contains("overflow"), "{failure}");
    });
}
