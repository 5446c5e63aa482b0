//! Short arrays of iterations in loops with bounds that depend on counters: sorts, factors, prefix sums. On devices the loops are unrolled, and
//! the elements are in registers. Each against the same without directives.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{panic_text, twice};
use std::panic::{AssertUnwindSafe, catch_unwind};

twice! {
    /// The window around each element, sorted in several ways.
    #[omp::offload]
    pub fn sorted<const N: usize>(x: &[i32], all: &mut [[i32; N]], down: &mut [[u8; N]], keys: &mut [[(i16, u16); N]], middle: &mut [i32]) {
        #[omp::target]
        for i in 0..all.len() {
            let mut v = [0; N];
            let mut bytes = [0u8; N];
            let mut pairs = [(0i16, 0u16); N];
            for k in 0..N {
                v[k] = x[i + k];
                bytes[k] = x[i + k] as u8;
                pairs[k] = ((x[i + k] % 3) as i16, k as u16);
            }
            v.sort();
            bytes.sort_unstable_by(|a, b| b.cmp(a));
            pairs.sort_by_key(|p| p.0);
            all[i] = v;
            down[i] = bytes;
            keys[i] = pairs;
            for (k, p) in v.iter().enumerate() {
                if k == N / 2 {
                    middle[i] = *p;
                }
            }
        }
    }
    /// Floats, a part of an array, an array behind a slice with a name, and the element that would be in a place.
    #[omp::offload]
    pub fn parts(x: &[f32], n: &[usize], out: &mut [[f32; 12]], third: &mut [f32], named: &mut [[f64; 5]]) {
        #[omp::target]
        for i in 0..out.len() {
            let mut v = [9.0f32; 12];
            for k in 0..12 {
                v[k] = x[i * 12 + k];
            }
            let mut w = v;
            v[..n[i]].sort_by(|a, b| b.partial_cmp(a).unwrap());
            w.select_nth_unstable_by(2, f32::total_cmp);
            out[i] = v;
            third[i] = w[2];
            let mut five = [0.0f64; 5];
            let all = &mut five[..];
            for k in 0..all.len() {
                all[k] = x[i * 12 + k] as f64;
                for j in 0..k {
                    all[k] += all[j] * 0.5;
                }
            }
            let first = &all[..2];
            let sum = first[0] + first[1];
            five[4] -= sum;
            named[i] = five;
        }
    }
    /// Factors of a matrix in local arrays and of elements in place; a triangle backwards, with an early end.
    #[omp::offload]
    pub fn triangles(a: &[f64], l: &mut [f64], lu: &mut [[[f32; 6]; 6]], ends: &mut [usize]) {
        #[omp::target]
        for m in 0..lu.len() {
            let mut t = [[0.0f64; 4]; 4];
            for i in 0..4 {
                for j in 0..=i {
                    let mut s = a[m * 16 + i * 4 + j];
                    for k in 0..j {
                        s -= t[i][k] * t[j][k];
                    }
                    t[i][j] = if i == j { s.sqrt() } else { s / t[j][j] };
                }
            }
            for i in 0..4 {
                for j in 0..4 {
                    l[m * 16 + i * 4 + j] = t[i][j];
                }
            }
            for k in 0..6 {
                for i in k + 1..6 {
                    lu[m][i][k] /= lu[m][k][k];
                    for j in k + 1..6 {
                        lu[m][i][j] -= lu[m][i][k] * lu[m][k][j];
                    }
                }
            }
            let mut end = 0;
            'all: for i in (1..4usize).rev() {
                for j in (0..i).rev() {
                    if t[i][j] > 0.2 {
                        continue 'all;
                    }
                    if t[j][0] < 1.0 {
                        break;
                    }
                    end += i * 10 + j;
                    if end > 50 {
                        break 'all;
                    }
                }
                t[i][i] = 0.0;
            }
            ends[m] = end + usize::from(t[3][3] == 0.0);
        }
    }
    /// A subscript that is wrong in one iteration.
    #[omp::offload]
    pub fn wrong(x: &[usize], out: &mut [usize]) {
        #[omp::target]
        for i in 0..out.len() {
            let mut v = [0usize; 7];
            for k in 1..7 {
                for j in 0..k {
                    v[x[i] + j] += v[k - j] + k;
                }
            }
            out[i] = v[0] + v[6];
        }
    }
}

fn numbers(n: usize) -> Vec<i32> {
    (0..n as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as i32 % 1000 - 500).collect()
}

fn sort_windows<const N: usize>(d: usize) {
    for n in [0, 1, 67, 1000] {
        let x = numbers(n + N);
        let mut of = (vec![[0; N]; n], vec![[0; N]; n], vec![[(0, 0); N]; n], vec![0; n]);
        let mut expected = of.clone();
        plain::sorted(&x, &mut expected.0, &mut expected.1, &mut expected.2, &mut expected.3);
        device::sorted(&x, &mut of.0, &mut of.1, &mut of.2, &mut of.3);
        assert!(of == expected, "{N} of {n} on {d}");
    }
}

#[test]
fn sorts_of_every_length() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        sort_windows::<1>(d);
        sort_windows::<2>(d);
        sort_windows::<9>(d);
        sort_windows::<25>(d);
        sort_windows::<32>(d);
        sort_windows::<33>(d);
    });
}

#[test]
fn parts_and_named_slices() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for n in [0, 1, 65, 500] {
            let x: Vec<f32> = numbers(n * 12).iter().map(|v| *v as f32 * 0.25).collect();
            let ends: Vec<usize> = (0..n).map(|i| i % 13).collect();
            let mut of = (vec![[0.0; 12]; n], vec![0.0; n], vec![[0.0; 5]; n]);
            let mut expected = of.clone();
            plain::parts(&x, &ends, &mut expected.0, &mut expected.1, &mut expected.2);
            device::parts(&x, &ends, &mut of.0, &mut of.1, &mut of.2);
            assert!(of == expected, "{n} on {d}");
        }
    });
}

#[test]
fn factors_and_early_ends() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for n in [0, 1, 33, 700] {
            let value = |m: usize, i: usize, j: usize| {
                ((m + i * j) % 7) as f64 * 0.25 + if i == j { 4.0 + m as f64 % 5.0 } else { 0.0 }
            };
            let a: Vec<f64> = (0..n * 16).map(|k| value(k / 16, k % 16 / 4, k % 4)).collect();
            let element = |m: usize| {
                std::array::from_fn(|i| {
                    std::array::from_fn(|j| value(m, i, j) as f32 + if i == j { 5.0 } else { 0.0 })
                })
            };
            let mut of = (vec![0.0; n * 16], (0..n).map(element).collect::<Vec<[[f32; 6]; 6]>>(), vec![0; n]);
            let mut expected = of.clone();
            plain::triangles(&a, &mut expected.0, &mut expected.1, &mut expected.2);
            device::triangles(&a, &mut of.0, &mut of.1, &mut of.2);
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-5 * (1.0 + b.abs());
            assert!(of.0.iter().zip(&expected.0).all(|(a, b)| close(*a, *b)), "{n} on {d}");
            let lus = |v: &[[[f32; 6]; 6]]| v.as_flattened().as_flattened().to_vec();
            let near = lus(&of.1).iter().zip(&lus(&expected.1)).all(|(a, b)| close(*a as f64, *b as f64));
            assert!(near && of.2 == expected.2, "{n} on {d}");
        }
    });
}

#[test]
fn wrong_subscripts_of_short_arrays() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        let mut x = vec![1; 300];
        let (mut out, mut expected) = (vec![0; 300], vec![0; 300]);
        plain::wrong(&x, &mut expected);
        device::wrong(&x, &mut out);
        assert_eq!(out, expected, "on {d}");
        x[123] = 2;
        let run = AssertUnwindSafe(|| device::wrong(&x, &mut out));
        let panic = catch_unwind(run).expect_err("a subscript is 7");
        let text = panic_text(&*panic);
        assert!(text.contains("the len is 7 but the index is 7") && text.contains("i = 123"), "{text}");
    });
}
