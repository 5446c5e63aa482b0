//! Variables that loops increment once in every iteration: on devices they are formulas of the counters. Each program against the same
//! without directives.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{panic_text, twice};
use std::panic::{AssertUnwindSafe, catch_unwind};

twice! {
    /// Sums of rows and columns, by running subscripts; one is used after its loop.
    #[omp::offload]
    pub fn sums(m: usize, x: &[u32], rows: &mut [u32], columns: &mut [u32], ends: &mut [usize]) {
        #[omp::target]
        for r in 0..rows.len() {
            let mut k = r * m;
            let mut s = 0u32;
            for _ in 0..m {
                s = s.wrapping_mul(3).wrapping_add(x[k]);
                k += 1;
            }
            rows[r] = s;
            ends[r] = k;
            let mut p = r;
            let mut t = 7u32;
            for c in 0..m {
                p = p + rows.len();
                t = t.wrapping_add(x[p - rows.len()] * c as u32);
            }
            columns[r] = t;
        }
    }
    /// Counters of nests, in loops that start elsewhere, before and after their increments, in one loop after the other.
    #[omp::offload]
    pub fn nests(lo: usize, hi: usize, x: &[i32], table: &mut [[i32; 12]], out: &mut [i32], last: &mut [usize]) {
        #[omp::target]
        for r in 0..out.len() {
            let mut v = [0i32; 12];
            let mut k = 0;
            for a in 0..3 {
                for b in 0..4 {
                    v[k] = x[r] + a * 10 + b;
                    k += 1;
                    v[k - 1] -= 1;
                }
            }
            let mut s = 0;
            let mut q = 0;
            for i in lo..hi {
                s += x[q] * i as i32;
                for _ in 0..2 {
                    q += 2;
                    s -= x[q];
                }
                q += 1;
            }
            let mut at = 3;
            for i in 1..4 {
                s += v[at] * i;
                at += 2;
            }
            for i in 0..3 {
                at += 1;
                s -= v[at - 1] * i;
            }
            table[r] = v;
            out[r] = s;
            last[r] = at + k;
        }
    }
    /// Increments that are none in every iteration, or more than one, or by what the loop changes; loops that end early.
    #[omp::offload]
    pub fn others(m: usize, x: &[usize], out: &mut [usize], ends: &mut [usize]) {
        #[omp::target]
        for r in 0..out.len() {
            let (mut a, mut b, mut c, mut d, mut e) = (0, 0, 0, 0, 0);
            let mut f = 1;
            let mut by = 1;
            let mut s = 0;
            for i in 0..m {
                s += x[a % x.len()] + x[b % x.len()] + x[c % x.len()];
                if x[(i + r) % x.len()] % 3 == 0 {
                    a += 1;
                }
                b += 1;
                s += x[b % x.len()];
                b += 1;
                c += by;
                s += x[f % x.len()];
                f += i;
                by = i % 2;
            }
            for i in 0..m {
                s += x[d % x.len()];
                if i > 5 && x[d % x.len()] % 7 == 1 {
                    break;
                }
                d += 1;
            }
            for i in 0..m {
                if i % 4 == 3 {
                    continue;
                }
                s += x[e % x.len()];
                e += 1;
            }
            out[r] = s;
            ends[r] = a + b + c + f + d * 100 + e * 10000;
        }
    }
    /// A bound with a sign, also below zero; a counter of another type; a helper.
    #[omp::offload]
    pub fn signed(n: i32, x: &[i64], out: &mut [i64], ends: &mut [usize]) {
        #[omp::target]
        for r in 0..out.len() {
            let mut k = r;
            let mut s = 0i64;
            for j in 0..n {
                s += x[k] * j as i64;
                k += 2;
            }
            ends[r] = k;
            let mut q = 1;
            for _ in 0..5u8 {
                s += x[q];
                q += 3;
            }
            let mut from = 0;
            for j in n - 3..n {
                s += x[from] * j as i64;
                from += 1;
            }
            out[r] = s + strided(x, r, 4);
        }
    }
    #[omp::declare_target]
    pub fn strided(x: &[i64], from: usize, n: usize) -> i64 {
        let mut k = from;
        let mut s = 0;
        for _ in 0..n {
            s += x[k];
            k += 3;
        }
        s + k as i64
    }
    /// Decrements, loops that go down, inclusive ends and steps.
    #[omp::offload]
    pub fn down(m: usize, lo: usize, x: &[u32], out: &mut [u32], ends: &mut [usize]) {
        #[omp::target]
        for r in 0..out.len() {
            let mut s = 1u32;
            let mut k = (r + 1) * m;
            for j in 0..m {
                k -= 1;
                s = s.wrapping_mul(3).wrapping_add(x[k] * j as u32);
            }
            let mut q = r * m;
            for j in (0..m).rev() {
                s = s.wrapping_mul(5).wrapping_add(x[q] ^ j as u32);
                q += 1;
            }
            let mut p = m;
            for j in (lo..m).rev() {
                p -= 1;
                s = s.wrapping_mul(7).wrapping_add(x[r * m + p] + j as u32);
            }
            let mut a = 0;
            for j in (0..m).step_by(3) {
                s = s.wrapping_mul(11).wrapping_add(x[r * m + a] + x[j]);
                a += 3;
                s ^= a as u32;
            }
            let mut b = 20;
            for j in (2..=9).step_by(2) {
                s = s.wrapping_mul(13).wrapping_add(x[b] + j);
                b -= 4;
            }
            let mut c = 6;
            for j in 1..=m {
                s = s.wrapping_mul(17).wrapping_add(x[c] + j as u32);
                c += 1;
            }
            let mut d = 9;
            for _ in 0..4 {
                s += x[d];
                d -= 3 - 1;
            }
            out[r] = s;
            ends[r] = k + q * 3 + p * 5 + b * 7 + d;
        }
    }
    /// A decrement that may overflow, after the last use.
    #[omp::offload]
    pub fn below(m: usize, x: &[u32], out: &mut [u32]) {
        #[omp::target]
        for r in 0..out.len() {
            let mut k = m - 1;
            let mut s = 0;
            for _ in 0..m {
                s += x[k] % 7;
                k -= 1;
            }
            out[r] = s;
        }
    }
    /// An increment that can't be computed where no iteration needs it.
    #[omp::offload]
    pub fn computed(m: usize, w: usize, x: &[u8], out: &mut [usize]) {
        #[omp::target]
        for r in 0..out.len() {
            let mut k = r;
            let mut s = 0;
            for _ in 0..m {
                s += x[k % 5] as usize;
                k += w - 1;
            }
            out[r] = s + k;
        }
    }
    /// An increment that may overflow.
    #[omp::offload]
    pub fn large(m: usize, by: usize, x: &[u8], out: &mut [usize]) {
        #[omp::target]
        for r in 0..out.len() {
            let mut k = r;
            let mut s = 0;
            for _ in 0..m {
                s += x[k % 5] as usize;
                k += by;
            }
            out[r] = s;
        }
    }
}

fn numbers(n: usize) -> Vec<u32> {
    (0..n as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as u32 % 1000).collect()
}

#[test]
fn rows_and_columns() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for (n, m) in [(0, 3), (1, 0), (1, 1), (33, 70), (500, 41)] {
            let x = numbers(n * m);
            let mut of = (vec![0; n], vec![0; n], vec![0; n]);
            let mut expected = of.clone();
            plain::sums(m, &x, &mut expected.0, &mut expected.1, &mut expected.2);
            device::sums(m, &x, &mut of.0, &mut of.1, &mut of.2);
            assert!(of == expected, "{n} of {m} on {d}");
        }
    });
}

#[test]
fn counters_of_nests() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for (n, lo, hi) in [(0, 0, 1), (1, 3, 3), (65, 2, 9), (300, 9, 2), (300, 0, 20)] {
            let x: Vec<i32> = numbers(n.max(200)).iter().map(|v| *v as i32).collect();
            let mut of = (vec![[0; 12]; n], vec![0; n], vec![0; n]);
            let mut expected = of.clone();
            plain::nests(lo, hi, &x, &mut expected.0, &mut expected.1, &mut expected.2);
            device::nests(lo, hi, &x, &mut of.0, &mut of.1, &mut of.2);
            assert!(of == expected, "{n}, {lo}..{hi} on {d}");
        }
    });
}

#[test]
fn increments_of_other_kinds() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for (n, m) in [(0, 3), (1, 0), (1, 1), (90, 35)] {
            let x: Vec<usize> = numbers(n + 17).iter().map(|v| *v as usize).collect();
            let mut of = (vec![0; n], vec![0; n]);
            let mut expected = of.clone();
            plain::others(m, &x, &mut expected.0, &mut expected.1);
            device::others(m, &x, &mut of.0, &mut of.1);
            assert!(of == expected, "{n} of {m} on {d}");
        }
    });
}

#[test]
fn bounds_with_a_sign() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for (n, m) in [(1, 0), (1, -5), (40, 12), (130, 1)] {
            let x: Vec<i64> = numbers(n + 40).iter().map(|v| *v as i64).collect();
            let mut of = (vec![0; n], vec![0; n]);
            let mut expected = of.clone();
            plain::signed(m, &x, &mut expected.0, &mut expected.1);
            device::signed(m, &x, &mut of.0, &mut of.1);
            assert!(of == expected, "{n}, {m} on {d}");
        }
    });
}

#[test]
fn decrements_and_ways_down() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for (n, m, lo) in [(0, 3, 0), (1, 0, 0), (1, 1, 1), (33, 70, 2), (200, 41, 60)] {
            let x = numbers((n * m).max(100));
            let mut of = (vec![0; n], vec![0; n]);
            let mut expected = of.clone();
            plain::down(m, lo, &x, &mut expected.0, &mut expected.1);
            device::down(m, lo, &x, &mut of.0, &mut of.1);
            assert!(of == expected, "{n} of {m} on {d}");
        }
        let x = numbers(9);
        let (mut out, mut expected) = (vec![0; 5], vec![0; 5]);
        let checked = catch_unwind(|| std::hint::black_box(u8::MAX) + std::hint::black_box(1)).is_err();
        if checked {
            let run = AssertUnwindSafe(|| device::below(9, &x, &mut out));
            let panic = catch_unwind(run).expect_err("a subtraction overflows");
            assert!(panic_text(&*panic).contains("attempt to subtract with overflow"), "on {d}");
        } else {
            plain::below(9, &x, &mut expected);
            device::below(9, &x, &mut out);
            assert_eq!(out, expected, "on {d}");
        }
    });
}

#[test]
fn increments_that_overflow() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        let x = [1u8, 2, 3, 4, 5];
        let (mut out, mut expected) = (vec![0; 70], vec![0; 70]);
        for (m, by) in [(9, 3), (0, usize::MAX), (1, usize::MAX - 69)] {
            plain::large(m, by, &x, &mut expected);
            device::large(m, by, &x, &mut out);
            assert_eq!(out, expected, "{m} by {by} on {d}");
        }
        for (m, w) in [(0, 0), (0, 4), (3, 1), (6, 9)] {
            plain::computed(m, w, &x, &mut expected);
            device::computed(m, w, &x, &mut out);
            assert_eq!(out, expected, "{m} by {w} on {d}");
        }
        let checked = catch_unwind(|| std::hint::black_box(u8::MAX) + std::hint::black_box(1)).is_err();
        if checked {
            // The last increment overflows in one iteration, another earlier.
            for (m, by) in [(1, usize::MAX - 68), (3, usize::MAX / 2)] {
                let run = AssertUnwindSafe(|| device::large(m, by, &x, &mut out));
                let panic = catch_unwind(run).expect_err("an addition overflows");
                let text = panic_text(&*panic);
                assert!(text.contains("overflow"), "{m} by {by} on {d}: {text}");
            }
        }
    });
}
