//! `lastprivate`: the loop leaves what its last iteration assigned, whatever ran it.
#![allow(clippy::cast_lossless, reason = "one body for many types")]
use omp_tests::on_every_device;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Pair {
    a: i32,
    b: f64,
}

#[omp::offload]
fn kinds(d: usize, x: &[i64], y: &mut [i64]) -> (i64, u8, bool, (i32, f32), Pair, [i16; 3]) {
    let (mut s, mut u, mut b, mut t) = (-1i64, 7u8, true, (3, 0.5f32));
    let (mut p, mut a) = (Pair { a: 1, b: 2.0 }, [9i16; 3]);
    #[omp::target(device(d), lastprivate(s, u, b), lastprivate(t, p, a))]
    for i in 0..x.len() {
        s = x[i] * 2;
        (u, b) = (i as u8, s > 10);
        t = (i as i32, s as f32);
        p.b = s as f64;
        for k in 0..2 {
            a[k] = i as i16 + k as i16;
        }
        y[i] = s + t.0 as i64;
        s += 1;
    }
    (s, u, b, t, p, a)
}

#[omp::offload]
fn leaves_early(d: usize, n: i32) -> (i32, i32) {
    let (mut last, mut other) = (-5, -6);
    #[omp::target(device(d), lastprivate(last, other), firstprivate(other))]
    'all: for i in (0..=n).rev().step_by(3) {
        last = i;
        other = 2 * i;
        if i % 2 == 0 {
            continue;
        }
        for k in 0..3 {
            if k == 1 {
                continue;
            }
            if k == 2 && i % 5 == 0 {
                continue 'all;
            }
            other += k;
        }
        last += 100;
    }
    (last, other)
}

fn leaves_early_serial(n: i32) -> (i32, i32) {
    let (mut last, mut other) = (-5, -6);
    'all: for i in (0..=n).rev().step_by(3) {
        last = i;
        other = 2 * i;
        if i % 2 == 0 {
            continue;
        }
        for k in 0..3 {
            if k == 1 {
                continue;
            }
            if k == 2 && i % 5 == 0 {
                continue 'all;
            }
            other += k;
        }
        last += 100;
    }
    (last, other)
}

#[omp::offload]
fn nests(d: usize, m: i32, n: usize) -> ((i32, usize), (i32, i32), i64) {
    let (mut cell, mut corner, mut sum) = ((-1, 0), (-1, -1), 0i64);
    #[omp::target(device(d), collapse(2), lastprivate(cell))]
    for i in 0..m {
        for j in (0..n).rev() {
            cell = (i, j);
        }
    }
    #[omp::target(device(d), collapse(2), lastprivate(corner), reduction(+: sum))]
    for i in 0..m {
        for j in 2 * i..m {
            corner = (i, j);
            sum += (i * j) as i64;
        }
    }
    (cell, corner, sum)
}

#[omp::offload]
fn of_items(d: usize, x: &[u32]) -> (u32, usize) {
    let (mut v, mut at) = (11, 12);
    #[omp::target(device(d), lastprivate(v, at))]
    for (i, &e) in x.iter().enumerate().rev() {
        (v, at) = (e, i);
    }
    (v, at)
}

#[omp::offload]
fn unnamed(d: usize, n: u8, k: i32) -> i32 {
    let mut last = 0;
    #[omp::target(device(d), lastprivate(last))]
    for _ in 0..n {
        last = k;
    }
    last
}

#[omp::offload]
fn sometimes(d: usize, x: &[i32], limit: i32) -> i32 {
    let mut found = -1;
    #[omp::target(device(d), lastprivate(found))]
    for i in 0..x.len() {
        if x[i] > limit {
            found = x[i];
        }
    }
    found
}

#[test]
fn the_last_iteration_stays() {
    on_every_device(|d| {
        for n in [0usize, 1, 2, 33, 255, 1000] {
            let x: Vec<i64> = (0..n as i64).map(|i| i * 7 % 31).collect();
            let mut y = vec![0; n];
            let got = kinds(d, &x, &mut y);
            let want = match x.last() {
                None => (-1, 7, true, (3, 0.5), Pair { a: 1, b: 2.0 }, [9; 3]),
                Some(&v) => {
                    let i = n - 1;
                    let p = Pair { a: 1, b: v as f64 * 2.0 };
                    let t = (i as i32, v as f32 * 2.0);
                    (v * 2 + 1, i as u8, v * 2 > 10, t, p, [i as i16, n as i16, 9])
                }
            };
            assert_eq!(got, want, "{n} iterations, device {d}");
            assert!((0..n).all(|i| y[i] == x[i] * 2 + i as i64), "{n} iterations, device {d}");
            let m = n as i32;
            assert_eq!(leaves_early(d, m), leaves_early_serial(m), "0..={m}, device {d}");
            let items: Vec<u32> = (0..n as u32).map(|i| i + 5).collect();
            let want = if n == 0 { (11, 12) } else { (5, 0) };
            assert_eq!(of_items(d, &items), want, "{n} items, device {d}");
            assert_eq!(unnamed(d, n.min(200) as u8, 8), if n == 0 { 0 } else { 8 });
        }
        for (m, n) in [(0, 3usize), (3, 0), (1, 1), (5, 4), (40, 7)] {
            let (mut cell, mut corner, mut sum) = ((-1, 0), (-1, -1), 0i64);
            for i in 0..m {
                (0..n).rev().for_each(|j| cell = (i, j));
                (2 * i..m).for_each(|j| (corner, sum) = ((i, j), sum + i64::from(i * j)));
            }
            assert_eq!(nests(d, m, n), (cell, corner, sum), "{m} x {n}, device {d}");
        }
    });
}

#[test]
fn what_the_last_iteration_does_not_assign_is_an_error() {
    on_every_device(|d| {
        let mut x = vec![1, 5, 2, 9];
        assert_eq!(sometimes(d, &x, 3), 9);
        assert_eq!(sometimes(d, &[], 3), -1);
        x.push(0);
        let caught = catch_unwind(AssertUnwindSafe(|| sometimes(d, &x, 3)));
        let text = *caught.unwrap_err().downcast::<String>().unwrap();
        assert!(text.contains("does not assign `found`"), "{text}");
        assert_eq!(sometimes(d, &x[..4], 3), 9);
    });
}

#[derive(Clone, Copy, omp::Device)]
struct Two(i32, i32);

/// A tuple struct's fields, assigned at once; a name that is a keyword elsewhere, in a text.
#[omp::offload]
fn taken_apart(d: usize, n: i32) -> i32 {
    let (mut t, r#type) = (7, 9);
    #[omp::target(device(d), lastprivate(t))]
    for i in 0..n {
        assert!(i < r#type, "{type}");
        if i > 2 {
            Two(t, _) = Two(i, 3);
        }
    }
    t
}

#[test]
fn parts_of_a_struct_are_assigned() {
    on_every_device(|d| {
        assert_eq!(taken_apart(d, 6), 5);
        assert_eq!(taken_apart(d, 0), 7);
    });
}

/// What an iteration assigns whole covers what it assigns before or under conditions; elements that loops reach on different ways.
#[allow(unused_assignments, reason = "the first value is covered")]
#[omp::offload]
fn covered(d: usize, x: &[usize], at: &[usize], n: usize) -> ([usize; 4], [usize; 4], [usize; 6]) {
    let (mut a, mut b, mut c) = ([9; 4], [8; 4], [7; 6]);
    #[omp::target(device(d), lastprivate(a, b, c))]
    for i in 0..x.len() {
        a[x[i] % 4] = 1;
        a = [i; 4];
        if x[i] > 3 {
            a[x[i] % 4] = x[i];
        }
        b[n % 4] = x[i];
        for k in 0..n {
            if x[i] == k {
                c[2 * k] = 1;
                c[2 * k + 1] = k;
            } else {
                c[2 * k + 1] = 2;
                c[2 * k] = i;
            }
            for l in 0..k {
                c[at[k] ^ l] = k + l;
            }
        }
    }
    (a, b, c)
}

#[test]
fn parts_are_covered_by_what_every_iteration_assigns() {
    on_every_device(|d| {
        for (len, n) in [(0, 3), (1, 0), (7, 2), (500, 3)] {
            let x: Vec<usize> = (0..len).map(|i| i * 5 % 7).collect();
            let (mut a, mut b, mut c) = ([9; 4], [8; 4], [7; 6]);
            if let Some(&v) = x.last() {
                a = [len - 1; 4];
                if v > 3 {
                    a[v % 4] = v;
                }
                b[n % 4] = v;
                for k in 0..n {
                    (c[2 * k], c[2 * k + 1]) = if v == k { (1, k) } else { (len - 1, 2) };
                    (0..k).for_each(|l| c[[4, 2, 0][k] ^ l] = k + l);
                }
            }
            assert_eq!(covered(d, &x, &[4, 2, 0], n), (a, b, c), "{len} iterations, {n}, device {d}");
        }
    });
}
