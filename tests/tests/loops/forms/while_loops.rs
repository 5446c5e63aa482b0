//! `while` loops that count: on devices they are counted loops. Each program against the same without directives.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{panic_text, twice};
use std::panic::{AssertUnwindSafe, catch_unwind};

twice! {
    /// Rows by counters that go up and down, with steps, in nests, with the increment first, in the middle and last.
    #[omp::offload]
    pub fn rows(m: usize, x: &[u32], up: &mut [u32], down: &mut [u32], ends: &mut [usize]) {
        #[omp::target]
        for r in 0..up.len() {
            let row = &x[r * m..(r + 1) * m];
            let mut s = 1u32;
            let mut j = 0;
            while j < m {
                s = s.wrapping_mul(31).wrapping_add(row[j]);
                j += 1;
            }
            j = 0;
            while j < row.len() {
                s = s.wrapping_mul(3).wrapping_add(row[j]);
                j += 3;
            }
            let mut k = 0;
            while k < m {
                let v = x[r * m + k];
                k += 1;
                if v % 3 == 0 {
                    continue;
                }
                s = s.wrapping_mul(7).wrapping_add(v + k as u32);
            }
            let mut a = 0;
            while a != 4 {
                let mut b = a;
                while b <= 6 {
                    s = s.wrapping_add((a * b) as u32);
                    b += 2;
                }
                a += 1;
            }
            up[r] = s;
            let mut t = 1u32;
            let mut k = m;
            while k > 0 {
                k -= 1;
                t = t.wrapping_mul(31).wrapping_add(row[k]);
            }
            let mut q = m;
            while q > 1 {
                t = t.wrapping_mul(5).wrapping_add(row[q - 1]);
                q -= 1;
            }
            let mut p = m as isize - 1;
            while p >= 0 {
                t = t.wrapping_mul(17).wrapping_add(row[p as usize]);
                p -= 1;
            }
            let mut o = m;
            while o != 0 {
                t ^= row[o - 1] + o as u32;
                o -= 1;
            }
            down[r] = t;
            ends[r] = j + 1000 * q + 100 * k + (p + 1) as usize;
        }
    }
    /// Loops that end early, and counters that are used after them and by the next.
    #[omp::offload]
    pub fn found(m: usize, x: &[u32], wanted: &[u32], at: &mut [usize], rest: &mut [u32]) {
        #[omp::target]
        for r in 0..at.len() {
            let mut j = 0;
            while j < m {
                if x[r * m + j] == wanted[r] {
                    break;
                }
                j += 1;
            }
            at[r] = j;
            let mut s = 0;
            while j < m {
                s = s * 3 + x[r * m + j] % 5;
                if s > 1000 {
                    s = 1;
                }
                j += 1;
            }
            let mut k = 0;
            'rows: while k < 3 {
                let mut i = k;
                while i < m {
                    if x[r * m + i] % 7 == 0 {
                        k += 2;
                        continue 'rows;
                    }
                    if x[r * m + i] % 11 == 0 {
                        break 'rows;
                    }
                    i += 1;
                }
                s += i as u32;
                k += 1;
            }
            rest[r] = s + 100000 * k as u32;
        }
    }
    /// Bounds that the body changes, counters that it moves otherwise, and types that end.
    #[omp::offload]
    pub fn others(m: usize, x: &[u8], out: &mut [u32], ends: &mut [u8]) {
        #[omp::target]
        for r in 0..out.len() {
            let mut s = 0u32;
            let mut end = m;
            let mut j = 0;
            while j < end {
                s += x[j] as u32;
                if x[j] > 200 && end > 2 {
                    end -= 1;
                }
                j += 1;
            }
            let mut i = 0;
            while i < m {
                i += if x[i] % 2 == 0 { 1 } else { 2 };
                s += 3;
            }
            let mut k = 0;
            while k < m {
                if x[k] % 5 == 0 {
                    k += 1;
                    continue;
                }
                s += 7;
                k += 1;
            }
            let mut b = 250u8;
            while b < 255 {
                s += b as u32;
                b += 1;
            }
            let mut c = -128i8;
            while c <= -100 {
                s += 1;
                c += 9;
            }
            let mut h = 100i32;
            while h > -3 {
                h -= 7;
                s += 1;
            }
            let mut g = 1;
            while g < m {
                g *= 2;
                s += 1;
            }
            ends[r] = b.wrapping_add(c as u8 / 2).wrapping_add(h as u8 / 4);
            out[r] = s + g as u32 * (r as u32 % 3);
        }
    }
    /// The last increment may overflow.
    #[omp::offload]
    pub fn overflows(end: u8, start: u8, by: u8, out: &mut [u32]) {
        #[omp::target]
        for r in 0..out.len() {
            let mut s = 0;
            let mut b = start;
            while b <= end {
                s += 1;
                b += by;
                if s > 300 {
                    break;
                }
            }
            let mut c = start;
            while c < end {
                s += 1;
                c += 3;
                if s > 700 {
                    break;
                }
            }
            out[r] = s;
        }
    }
    /// In functions and generic ones.
    #[omp::offload]
    pub fn called(x: &[f32], m: usize, out: &mut [f32]) {
        #[omp::target]
        for r in 0..out.len() {
            out[r] = dot(x, r, m) + largest(x, m);
        }
    }
    /// Last values that jumps carry past a new value, and bounds that a conversion makes large.
    #[omp::offload]
    pub fn skipped(m: usize, n: i32, x: &[u32], out: &mut [u32], at: &mut [usize]) {
        #[omp::target]
        for i in 0..out.len() {
            let mut s = i as u32;
            let mut j = 0;
            for r in 0..4u32 {
                s = s.wrapping_mul(31).wrapping_add(j as u32);
                while j < m {
                    s ^= x[j];
                    j += 1;
                }
                if s % 2 == 0 {
                    continue;
                }
                j = r as usize % 2;
            }
            let mut p = 1;
            'found: {
                while p < m {
                    if x[p] == i as u32 {
                        break 'found;
                    }
                    p += 1;
                }
                p = m + 7;
            }
            let mut q = 2;
            for r in 0..3 {
                while q < m {
                    s += x[q];
                    q += 1;
                }
                if s % 3 == r {
                    break;
                }
                q = 0;
            }
            let mut k = 0;
            while k < n as usize {
                if k >= 8 {
                    break;
                }
                s = s.wrapping_mul(3).wrapping_add(k as u32);
                k += 2;
            }
            let mut k = 0;
            while k <= n as usize {
                if k >= 8 {
                    break;
                }
                s = s.wrapping_mul(5).wrapping_add(k as u32);
                k += 1;
            }
            out[i] = s;
            at[i] = p + q * 1000;
        }
    }
    #[omp::declare_target]
    pub fn dot(x: &[f32], from: usize, m: usize) -> f32 {
        let (mut s, mut i) = (0.0, 0);
        while i < m {
            s += x[from + i] * x[i];
            i += 1;
        }
        s
    }
    #[omp::declare_target]
    pub fn largest(x: &[f32], mut m: usize) -> f32 {
        let mut most = f32::MIN;
        while m > 0 {
            m -= 1;
            if x[m] > most {
                most = x[m];
            }
        }
        most + m as f32
    }
}

fn numbers(n: usize) -> Vec<u32> {
    (0..n as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as u32 % 1000).collect()
}

#[test]
fn up_and_down() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for (n, m) in [(0, 3), (1, 1), (1, 2), (70, 9), (300, 64)] {
            let x = numbers(n * m);
            let mut of = (vec![0; n], vec![0; n], vec![0; n]);
            let mut expected = of.clone();
            plain::rows(m, &x, &mut expected.0, &mut expected.1, &mut expected.2);
            device::rows(m, &x, &mut of.0, &mut of.1, &mut of.2);
            assert!(of == expected, "{n} of {m} on {d}");
        }
    });
}

#[test]
fn early_ends_and_last_values() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for (n, m) in [(0, 3), (1, 0), (1, 1), (70, 9), (300, 64)] {
            let x = numbers(n * m);
            let wanted: Vec<u32> = (0..n)
                .map(|r| x.get(r * m + r % m.max(1)).copied().unwrap_or(9) + (r % 5 == 0) as u32)
                .collect();
            let mut of = (vec![0; n], vec![0; n]);
            let mut expected = of.clone();
            plain::found(m, &x, &wanted, &mut expected.0, &mut expected.1);
            device::found(m, &x, &wanted, &mut of.0, &mut of.1);
            assert!(of == expected, "{n} of {m} on {d}");
        }
    });
}

#[test]
fn loops_of_other_kinds() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for (n, m) in [(0, 3), (1, 0), (1, 1), (70, 90)] {
            let x: Vec<u8> = numbers(m + 1).iter().map(|v| *v as u8).collect();
            let mut of = (vec![0; n], vec![0; n]);
            let mut expected = of.clone();
            plain::others(m, &x, &mut expected.0, &mut expected.1);
            device::others(m, &x, &mut of.0, &mut of.1);
            assert!(of == expected, "{n} of {m} on {d}");
        }
    });
}

#[test]
fn jumps_past_new_values() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for (m, n) in [(0, 0), (1, 3), (5, -1), (9, 100)] {
            let x: Vec<u32> = numbers(m + 1).iter().map(|v| v % 40).collect();
            let mut of = (vec![0; 77], vec![0; 77]);
            let mut expected = of.clone();
            plain::skipped(m, n, &x, &mut expected.0, &mut expected.1);
            device::skipped(m, n, &x, &mut of.0, &mut of.1);
            assert!(of == expected, "{m}, {n} on {d}");
        }
    });
}

#[test]
fn in_functions() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for (n, m) in [(0, 3), (1, 0), (1, 1), (70, 90)] {
            let x: Vec<f32> = numbers(n + m).iter().map(|v| (*v % 16) as f32).collect();
            let (mut of, mut expected) = (vec![0.0; n], vec![0.0; n]);
            plain::called(&x, m, &mut expected);
            device::called(&x, m, &mut of);
            assert!(of == expected, "{n} of {m} on {d}");
        }
    });
}

#[test]
fn increments_that_overflow() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        let (mut out, mut expected) = (vec![0; 33], vec![0; 33]);
        for (end, start, by) in [(250, 3, 4), (9, 10, 200), (251, 0, 1)] {
            plain::overflows(end, start, by, &mut expected);
            device::overflows(end, start, by, &mut out);
            assert_eq!(out, expected, "{start}..={end} by {by} on {d}");
        }
        let checked = catch_unwind(|| std::hint::black_box(u8::MAX) + std::hint::black_box(1)).is_err();
        for (end, start, by) in [(255, 250, 1), (254, 1, 2), (254, 0, 100)] {
            if checked {
                let run = AssertUnwindSafe(|| device::overflows(end, start, by, &mut out));
                let panic = catch_unwind(run).expect_err("an addition overflows");
                let text = panic_text(&*panic);
                assert!(
                    text.contains("attempt to add with overflow"),
                    "{start}..={end} by {by} on {d}: {text}"
                );
            } else {
                plain::overflows(end, start, by, &mut expected);
                device::overflows(end, start, by, &mut out);
                assert_eq!(out, expected, "{start}..={end} by {by} on {d}");
            }
        }
    });
}
