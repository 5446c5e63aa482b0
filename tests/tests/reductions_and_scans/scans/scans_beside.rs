//! Scans with reductions beside them, and along any loop of nests, on every device against plain Rust.
#![allow(
    clippy::assign_op_pattern,
    clippy::needless_range_loop,
    reason = "every spelling that users may choose"
)]
use omp_tests::{Values, on_every_device};

fn numbers(n: usize) -> Vec<i64> {
    let mut v = Values(11);
    (0..n).map(|_| i64::from(v.bits() % 201) - 100).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Best {
    value: i64,
    index: usize,
}

#[omp::declare_reduction(best: Best, identity = Best { value: i64::MIN, index: usize::MAX })]
fn best(a: Best, b: Best) -> Best {
    if b.value > a.value { b } else { a }
}

#[omp::offload]
fn beside(d: usize, x: &[i64], y: &mut [i64], found: &mut (i64, u32, Best, i64)) {
    let (mut top, mut count, mut at, mut s) = *found;
    let mut sum = top;
    #[omp::target(device(d), scan(+: s), reduction(max: top), reduction(+: count, sum), reduction(best: at))]
    for i in 0..x.len() {
        let v = 2 * x[i];
        s += v;
        y[i] = s;
        top = top.max(v);
        sum += x[i];
        if x[i] > 50 {
            count += 1;
        }
        at = best(at, Best { value: x[i], index: i });
    }
    *found = (top + 1000 * sum, count, at, s);
}

#[test]
fn reductions_beside_a_scan() {
    on_every_device(|d| {
        for n in [0, 1, 2, 63, 1000, 4097] {
            let x = numbers(n);
            let start = (3, 5, Best { value: -7, index: 9 }, 11);
            let (mut y, mut found) = (vec![0; n], start);
            beside(d, &x, &mut y, &mut found);
            let mut s = start.3;
            let sums: Vec<i64> = x
                .iter()
                .map(|v| {
                    s += 2 * v;
                    s
                })
                .collect();
            assert_eq!(y, sums);
            let top = x.iter().fold(3, |t, v| t.max(2 * v));
            let sum = 3 + x.iter().sum::<i64>();
            let count = 5 + x.iter().filter(|v| **v > 50).count() as u32;
            let at = x.iter().enumerate().fold(start.2, |b, (index, &value)| best(b, Best { value, index }));
            assert_eq!(found, (top + 1000 * sum, count, at, s), "n = {n}");
        }
    });
}

#[omp::offload]
fn nests(d: usize, (a, b, c): (usize, usize, usize), x: &mut [i64], y: &mut [i64], z: &mut [i64]) {
    #[omp::target(device(d), scan(+: x))]
    for k in 0..a {
        for i in 0..b {
            for j in 1..c {
                x[(k * b + i) * c + j] += x[(k * b + i) * c + j - 1];
            }
        }
    }
    #[omp::target(device(d), scan(max: y))]
    for k in 0..a {
        for i in 1..b {
            for j in 0..c {
                y[(k * b + i) * c + j] = y[(k * b + i - 1) * c + j].max(y[(k * b + i) * c + j]);
            }
        }
    }
    #[omp::target(device(d), scan(+: z))]
    for k in 1..a {
        for i in 0..b {
            for j in 0..c {
                z[(k * b + i) * c + j] = z[((k - 1) * b + i) * c + j] + z[(k * b + i) * c + j];
            }
        }
    }
}

#[test]
fn along_each_loop_of_three() {
    on_every_device(|d| {
        for (a, b, c) in [(1, 1, 1), (0, 3, 4), (2, 0, 5), (3, 4, 5), (7, 2, 33), (2, 40, 3), (65, 3, 2)] {
            let given = numbers(a * b * c);
            let (mut x, mut y, mut z) = (given.clone(), given.clone(), given.clone());
            nests(d, (a, b, c), &mut x, &mut y, &mut z);
            let at = |k: usize, i: usize, j: usize| (k * b + i) * c + j;
            let (mut p, mut q, mut r) = (given.clone(), given.clone(), given);
            for k in 0..a {
                for i in 0..b {
                    for j in 0..c {
                        if j > 0 {
                            p[at(k, i, j)] += p[at(k, i, j - 1)];
                        }
                        if i > 0 {
                            q[at(k, i, j)] = q[at(k, i, j)].max(q[at(k, i - 1, j)]);
                        }
                        if k > 0 {
                            r[at(k, i, j)] += r[at(k - 1, i, j)];
                        }
                    }
                }
            }
            assert_eq!((x, y, z), (p, q, r), "{a} x {b} x {c}");
        }
    });
}

#[omp::offload]
fn triangles(d: usize, n: usize, x: &mut [i64], y: &mut [i64]) -> i64 {
    let mut top = 0;
    #[omp::target(device(d), scan(+: x), reduction(max: top))]
    for i in 0..n {
        for j in 1..i {
            x[i * n + j] += x[i * n + j - 1];
            top = top.max(x[i * n + j]);
        }
    }
    #[omp::target(device(d), scan(+: y))]
    for k in 0..n {
        for i in 1..k {
            for j in 0..i {
                y[(k * n + i) * n + j] += y[(k * n + i - 1) * n + j];
            }
        }
    }
    top
}

#[test]
fn loops_that_depend_on_each_other() {
    on_every_device(|d| {
        for n in [0, 1, 2, 3, 9] {
            let given = numbers(n * n * n);
            let (mut x, mut y) = (given.clone(), given.clone());
            let top = triangles(d, n, &mut x, &mut y);
            let (mut p, mut q, mut most) = (given.clone(), given, 0);
            for i in 0..n {
                for j in 1..i {
                    p[i * n + j] += p[i * n + j - 1];
                    most = most.max(p[i * n + j]);
                }
            }
            for k in 0..n {
                for i in 1..k {
                    for j in 0..i {
                        q[(k * n + i) * n + j] += q[(k * n + i - 1) * n + j];
                    }
                }
            }
            assert_eq!((top, x, y), (most, p, q), "n = {n}");
        }
    });
}
