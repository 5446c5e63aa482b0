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
    /// The smallest elements of each row by insertion, with their places; the rank of the last that fits.
    #[omp::offload]
    pub fn smallest<const K: usize>(n: usize, x: &[f32], best: &mut [[f32; K]], at: &mut [[u16; K]], rank: &mut [usize]) {
        #[omp::target]
        for r in 0..best.len() {
            let mut b = [f32::INFINITY; K];
            let mut c = [0u16; K];
            let mut last = 0;
            for j in 0..n {
                let d = x[r * n + j];
                if d < b[K - 1] {
                    let mut p = K - 1;
                    while p > 0 && b[p - 1] > d {
                        b[p] = b[p - 1];
                        c[p] = c[p - 1];
                        p -= 1;
                    }
                    b[p] = d;
                    c[p] = j as u16;
                    last = p;
                }
            }
            best[r] = b;
            at[r] = c;
            rank[r] = last;
        }
    }
    /// Insertions of other forms: from behind the end, sorts with a variable from outside of the loop, a condition in another order, a helper,
    /// and a start that data give.
    #[omp::offload]
    pub fn inserted(n: usize, x: &[i32], kept: &mut [[i32; 5]], sorted: &mut [[i64; 11]], by: &mut [[u8; 6]], from: &mut [[i32; 7]]) {
        #[omp::target]
        for r in 0..kept.len() {
            let mut k = [i32::MIN; 5];
            for j in 0..n {
                let v = x[r * n + j];
                let mut p = 5;
                while 0 != p && v > k[p - 1] {
                    if p < 5 {
                        k[p] = k[p - 1];
                    }
                    p -= 1;
                }
                if p < 5 {
                    k[p] = v;
                }
            }
            kept[r] = k;
            let mut s = [0i64; 11];
            for j in 0..11 {
                s[j] = x[(r * n + j) % x.len()] as i64;
            }
            let mut p;
            for a in 1..s.len() {
                let t = s[a];
                p = a;
                while p >= 1 && s[p - 1] < t {
                    s[p] = s[p - 1];
                    p -= 1;
                }
                s[p] = t;
            }
            sorted[r] = s;
            let mut b = [200u8; 6];
            for j in 0..n {
                insert(&mut b, (x[r * n + j] & 127) as u8);
            }
            by[r] = b;
            let mut f = [9; 7];
            let mut p = (x[r * n] & 3) as usize + 3;
            while p > 0 && f[p - 1] > x[r * n + 1] {
                f[p] = f[p - 1] + 1;
                p -= 1;
            }
            f[p] = x[r * n + 1];
            from[r] = f;
        }
    }
    /// What follows an insertion, or stands before its condition, fails or counts as it is written.
    #[omp::offload]
    pub fn around(form: usize, m: usize, x: &[i32], e: &[i32], out: &mut [[i32; 8]], info: &mut [i32]) {
        #[omp::target]
        for r in 0..out.len() {
            let mut s = [0i32; 8];
            let mut c = [0i32; 3];
            let mut n = 0;
            for k in 0..8usize {
                let t = x[r * 8 + k];
                let mut p = 7;
                if form == 0 {
                    while p > 0 && s[p - 1] > t {
                        s[p] = s[p - 1];
                        p -= 1;
                    }
                    s[p] = t;
                    if p == 0 {
                        c[m] = t;
                    }
                } else if form == 1 {
                    let mut p = k;
                    while p > 0 && s[p - 1] > t {
                        s[p] = s[p - 1];
                        p -= 1;
                    }
                    s[p] = t + e[p];
                } else if form == 2 {
                    loop {
                        n += 1;
                        if !(p > 0 && t < 60) {
                            break;
                        }
                        s[p] = s[p - 1];
                        p -= 1;
                    }
                    s[p] = t;
                } else {
                    let mut p = (k as i32 - 3) as usize;
                    while p > 0 && p < 8 && s[p - 1] > t {
                        s[p] = s[p - 1];
                        p -= 1;
                    }
                    if p < 8 {
                        s[p] = t;
                    }
                }
            }
            out[r] = s;
            info[r] = n + c[0];
        }
    }
    /// Rows of an array, which are sorted in place.
    #[omp::offload]
    pub fn rows(n: usize, x: &mut [i32]) {
        #[omp::target]
        for row in x.chunks_exact_mut(n) {
            row.sort();
        }
    }
    #[omp::declare_target]
    pub fn insert(b: &mut [u8; 6], v: u8) {
        let mut p = b.len() - 1;
        if v >= b[p] {
            return;
        }
        while p > 0 && b[p - 1] > v {
            b[p] = b[p - 1];
            p -= 1;
        }
        b[p] = v;
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

fn find_smallest<const K: usize>(d: usize) {
    for (rows, n) in [(0, 3), (1, 0), (1, 1), (67, 40), (300, 9)] {
        let mut x: Vec<f32> = numbers(rows * n).iter().map(|v| (*v % 50) as f32).collect();
        x.iter_mut().skip(5).step_by(17).for_each(|v| *v = f32::NAN);
        let mut of = (vec![[0.0; K]; rows], vec![[0; K]; rows], vec![0; rows]);
        let mut expected = of.clone();
        plain::smallest(n, &x, &mut expected.0, &mut expected.1, &mut expected.2);
        device::smallest(n, &x, &mut of.0, &mut of.1, &mut of.2);
        assert!(of == expected, "{K} of {n}, {rows} rows on {d}");
    }
}

#[test]
fn smallest_elements() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        find_smallest::<1>(d);
        find_smallest::<2>(d);
        find_smallest::<8>(d);
        find_smallest::<32>(d);
        find_smallest::<33>(d);
    });
}

#[test]
fn insertions_of_other_forms() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for (rows, n) in [(0, 2), (1, 2), (33, 12), (400, 30)] {
            let x = numbers(rows * n);
            let mut of = (vec![[0; 5]; rows], vec![[0; 11]; rows], vec![[0; 6]; rows], vec![[0; 7]; rows]);
            let mut expected = of.clone();
            plain::inserted(n, &x, &mut expected.0, &mut expected.1, &mut expected.2, &mut expected.3);
            device::inserted(n, &x, &mut of.0, &mut of.1, &mut of.2, &mut of.3);
            assert!(of == expected, "{rows} rows of {n} on {d}");
        }
    });
}

#[test]
fn statements_around_insertions() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for n in [1, 100] {
            let x = numbers(n * 8);
            for (form, m, len) in
                [(0, 2, 8), (0, 3, 8), (1, 0, 8), (1, 0, 0), (1, 0, 5), (2, 0, 8), (3, 0, 8)]
            {
                let e: Vec<i32> = (0..len).collect();
                let mut of = (vec![[0; 8]; n], vec![0; n]);
                let mut expected = of.clone();
                let plain = catch_unwind(AssertUnwindSafe(|| {
                    plain::around(form, m, &x, &e, &mut expected.0, &mut expected.1);
                }));
                let run = catch_unwind(AssertUnwindSafe(|| {
                    device::around(form, m, &x, &e, &mut of.0, &mut of.1);
                }));
                assert_eq!(plain.is_err(), run.is_err(), "{form}, {m}, {len} on {d}");
                assert!(run.is_err() || of == expected, "{form}, {m}, {len} on {d}");
            }
        }
        for (n, len) in [(1, 5), (30, 3000), (7, 700)] {
            let (mut x, mut expected) = (numbers(len), numbers(len));
            plain::rows(n, &mut expected);
            device::rows(n, &mut x);
            assert!(x == expected, "{len} by {n} on {d}");
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
