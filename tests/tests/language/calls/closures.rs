//! Closures and chains of iterators in bodies, and scans that store and count in one branch: each loop is compiled twice from the
//! same tokens, with its directive and without, and both run on the same data.
#![allow(clippy::all, clippy::cast_lossless, unused)]
use omp_tests::{Values, on_every_device};

/// What the loops work on.
#[derive(Clone, Debug, PartialEq)]
struct Data {
    x: Vec<i32>,
    f: Vec<f64>,
    y: Vec<i64>,
    g: Vec<f64>,
    z: Vec<[i32; 3]>,
    n: usize,
    k: i32,
}

impl Data {
    fn new(n: usize) -> Self {
        let mut r = Values((n * 31) as u64);
        let mut v = |n: usize| (0..n).map(|_| r.bits() as i32 >> 12).collect::<Vec<i32>>();
        let x = v(n * n);
        let y = v(n * n).iter().map(|v| i64::from(*v)).collect();
        let z = v(n).iter().map(|v| [*v, v >> 3, 7]).collect();
        // Sums of whole numbers are exact in any order.
        let f = v(n * n).iter().map(|v| f64::from(*v >> 8) - 100.0).collect();
        Self { x, f, y, g: vec![0.25; n * n], z, n, k: 3 }
    }
}

macro_rules! loops {
    (|$x:ident $f:ident $y:ident $g:ident $z:ident $n:ident $k:ident|
        $($name:ident ($($before:tt)*) { $($body:tt)* })*) => {
        loops!(@all ($x $f $y $g $z $n $k) $($name ($($before)*) { $($body)* })*);

        #[test]
        fn loops_are_those_of_rust() {
            for n in [0, 1, 2, 7, 33] {
                on_every_device(|d| {
                    $(
                        let (mut got, mut want) = (Data::new(n), Data::new(n));
                        $name::device(d, &mut got);
                        $name::serial(&mut want);
                        assert_eq!(got, want, "{}: {n}, device {d}", stringify!($name));
                    )*
                });
            }
        }
    };
    (@all $names:tt $($name:ident $before:tt $body:tt)*) => { $(loops!(@one $names $name $before $body);)* };
    (@one ($x:ident $f:ident $y:ident $g:ident $z:ident $n:ident $k:ident) $name:ident ($($before:tt)*) { $($body:tt)* }) => {
        mod $name {
            use super::*;

            #[omp::offload]
            pub fn device(d: usize, data: &mut Data) {
                let Data { x: $x, f: $f, y: $y, g: $g, z: $z, n: $n, k: $k } = data;
                let $x: &[i32] = $x;
                let $f: &[f64] = $f;
                let ($y, $g): (&mut [i64], &mut [f64]) = ($y, $g);
                let $z: &[[i32; 3]] = $z;
                let ($n, $k) = (*$n, *$k);
                $($before)*
                #[omp::target(device(d))]
                $($body)*
            }

            pub fn serial(data: &mut Data) {
                let Data { x: $x, f: $f, y: $y, g: $g, z: $z, n: $n, k: $k } = data;
                let $x: &[i32] = $x;
                let $f: &[f64] = $f;
                let ($y, $g): (&mut [i64], &mut [f64]) = ($y, $g);
                let $z: &[[i32; 3]] = $z;
                let ($n, $k) = (*$n, *$k);
                $($before)*
                $($body)*
            }
        }
    };
}

#[omp::declare_target]
fn twice(v: f64) -> f64 {
    v * 2.0
}

loops! {
    |x f y g z n k|
    in_the_body () { for i in 0..y.len() { let f = |v: i64| v * 3 + k as i64; y[i] = f(y[i]) - f(1); } }
    before (let at = |i: usize, j: usize| i * n + j;) { for i in 0..n { for j in 0..n { y[at(i, j)] += x[at(j, i)] as i64; } } }
    untyped () { for i in 0..n { let f = |a, b| a + b; y[i] = f(y[i], 5) + f(1, 2); } }
    one_type_for_all_calls () { for i in 0..n { let f = |v| v * v; let a = f(x[i] as u8 as u32); y[i] = (a + f(3)) as i64; } }
    early () { for i in 0..n { let f = |v: i32| { if v < 0 { return 7; } v * 2 }; y[i] = f(x[i]) as i64; } }
    changes_a_local () { for i in 0..n {
        let mut sum = 0;
        let mut add = |v: i32| { sum += v; };
        add(x[i]);
        add(2);
        y[i] = sum as i64;
    } }
    moved () { for i in 0..n {
        let mut c = 1;
        let mut next = move || { c += 1; c };
        let a = next() * 10 + next();
        y[i] = (a + c) as i64;
    } }
    shadowed () { for i in 0..n {
        let a = 10;
        let f = |v: i32| v + a;
        let a = x[i];
        let b = f(a);
        y[i] = (a + b) as i64;
    } }
    shadows () { for i in 0..n {
        let a = 10;
        let f = |v: i32| { let a = v * a; a + 1 };
        y[i] = f(a) as i64;
    } }
    swapped () { for i in 0..n { let (a, b) = (3, x[i]); let f = |b: i32, a: i32| a * 2 - b; y[i] = f(a, b) as i64; } }
    patterns () { for i in 0..n { let f = |(a, b): (i32, i32), &c: &i32| a - b + c; y[i] = f((x[i], 2), &x[i]) as i64; } }
    by_reference () { for i in 0..n { let f = |v: &i32, w: &[i32; 3]| *v + w[1]; y[i] = f(&x[i], &z[i]) as i64; } }
    closure_in_closure () { for i in 0..n {
        let f = |v: i32| v + 1;
        let g = |v: i32| f(v) * f(2);
        y[i] = g(x[i]) as i64;
    } }
    sums () { for i in 0..n { y[i] = (0..n).map(|j| x[i * n + j] as i64 * 2).sum::<i64>(); } }
    sum_of_rows () { for i in 0..n {
        let row = &f[i * n..(i + 1) * n];
        g[i] = row.iter().zip(f.iter()).map(|(p, q)| p * q).sum();
        g[i] += row.iter().sum::<f64>() + row.iter().copied().map(twice).sum::<f64>();
    } }
    products () { for i in 0..n { y[i] = (1..=i as i64 % 20).product(); } }
    sum_of_nothing () { for i in 0..n { g[i] = f[..0].iter().sum(); } }
    folds () { for i in 0..n {
        let row = &f[i * n..(i + 1) * n];
        g[i] = row.iter().fold(f64::MIN, |m, &v| m.max(v)) - row.iter().copied().fold(f64::MAX, f64::min);
        let (a, b) = row.iter().fold((0.0, 0), |(s, c), v| (s + v, c + 1));
        g[i] += a / b as f64;
    } }
    counts () { for i in 0..n {
        let row = &x[i * n..(i + 1) * n];
        y[i] = row.iter().filter(|v| **v > 0).count() as i64;
        y[i] += row.iter().filter(|&&v| v > 0).map(|v| *v as i64).sum::<i64>();
    } }
    short_circuits () { for i in 0..n {
        let row = &x[i * n..(i + 1) * n];
        let (a, b) = (row.iter().any(|&v| v > 3), row.iter().all(|v| *v < 100));
        y[i] = a as i64 * 2 + b as i64;
    } }
    positions () { for i in 0..n {
        let row = &x[i * n..(i + 1) * n];
        y[i] = row.iter().position(|&v| v < 0).unwrap_or(n) as i64;
        y[i] += row.iter().filter(|v| **v > 0).position(|v| *v > 9).unwrap_or(n) as i64 * 100;
    } }
    extremes () { for i in 0..n {
        y[i] = (0..n).map(|j| x[i * n + j] % 7).max().unwrap_or(0) as i64;
        y[i] += (0..n).map(|j| x[i * n + j] % 7).min().unwrap_or(0) as i64 * 100;
    } }
    ties () { for i in 0..n {
        y[i] = (0..n).max_by(|a, b| (x[*a] % 3).cmp(&(x[*b] % 3))).unwrap() as i64;
        y[i] += (0..n).min_by(|a, b| (x[*a] % 3).cmp(&(x[*b] % 3))).unwrap() as i64 * 100;
        y[i] += (0..n).min_by_key(|a| x[*a] % 3).unwrap() as i64 * 10000;
        y[i] += (0..n).max_by_key(|a| x[*a] % 3).unwrap() as i64 * 1000000;
    } }
    for_each () { for i in 0..n {
        let mut s = 0i64;
        x.iter().zip(z.iter()).for_each(|(a, b)| s += *a as i64 * b[1] as i64);
        y[i] = s;
    } }
    adapted_for () { for i in 0..n {
        for v in x.iter().map(|v| v * 2).filter(|v| *v > 1) { y[i] += v as i64; }
        for (j, v) in x.iter().filter(|v| **v > 0).enumerate() { if j > 3 { break; } y[i] += *v as i64; }
    } }
    numbered () { for i in 0..n {
        y[i] = x.iter().enumerate().map(|(j, v)| j as i64 * *v as i64).sum::<i64>();
        y[i] += x.iter().map(|v| *v as i64).enumerate().map(|(j, v)| j as i64 * v).sum::<i64>();
        y[i] += x.iter().map(|v| *v as i64).rev().zip(x.iter()).map(|(a, b)| a - *b as i64).sum::<i64>();
    } }
    parts () { for i in 0..n {
        y[i] = x.iter().skip(2).take(5).map(|v| *v as i64).sum::<i64>();
        y[i] += x.iter().take(9).skip(1).rev().step_by(2).map(|v| *v as i64).sum::<i64>();
        y[i] += x.iter().take_while(|v| **v > 0).count() as i64;
        y[i] += x.iter().skip_while(|v| **v > 0).count() as i64;
        y[i] += x.iter().filter(|v| **v > 0).skip(1).take(2).map(|v| *v as i64).sum::<i64>();
        y[i] += x.windows(3).map(|w| (w[0] - w[2]) as i64).sum::<i64>();
        y[i] += x.chunks(4).map(|c| c.len() as i64 * c[0] as i64).sum::<i64>();
        y[i] += x.chunks_exact(4).map(|c| c[3] as i64).sum::<i64>();
    } }
    options () { for i in 0..n {
        y[i] = x.get(i + 1).copied().unwrap_or(4) as i64 + x.first().map_or(3, |v| *v) as i64;
        if let Some(v) = x.get(i * 2) { y[i] += *v as i64; }
        if let Some(&v) = x.last() { y[i] += v as i64; }
        match x.get(i * 3) { Some(v) if *v > 0 => y[i] += 7, Some(_) => y[i] += 5, None => y[i] -= 1 }
        y[i] += *x.iter().max().unwrap() as i64 * 3;
        let m = x.iter().min_by_key(|v| **v % 5).unwrap();
        y[i] += *m as i64;
        y[i] += x.iter().find(|v| **v % 3 == 0).map_or(0, |v| *v) as i64;
        let (at, most) = f.iter().enumerate().max_by(|a, b| a.1.partial_cmp(b.1).unwrap()).unwrap();
        y[i] += at as i64 + *most as i64;
        let Some(w) = x.get(i).filter(|v| **v > 0).map(|v| *v as i64) else { continue };
        y[i] += w + Some(w).and_then(|v| v.checked_mul(2)).unwrap_or_else(|| 3);
    } }
    filter_maps () { for i in 0..n {
        y[i] = x.iter().filter_map(|v| if *v > 0 { Some(*v as i64) } else { None }).sum::<i64>();
    } }
    heads_with_parts () { for v in y.iter_mut().skip(1).take(5) { *v += 1; } }
    heads_with_windows () { for (v, w) in y.iter_mut().zip(x.windows(2)) { *v += (w[0] - w[1]) as i64; } }
    heads_with_chunks () { for (i, row) in y.chunks_exact_mut(4).enumerate() { for j in 0..4 { row[j] += (i * j) as i64; } } }
    uneven_heads () { for (i, row) in y.chunks_mut(5).enumerate() { for j in 0..row.len() { row[j] += (i * j) as i64; } } }
}

#[omp::declare_target]
fn largest(row: &[f64]) -> f64 {
    let better = |a: f64, b: f64| if a > b { a } else { b };
    row.iter().copied().fold(f64::NEG_INFINITY, |a, b| better(a, b))
}

#[omp::declare_target]
fn quotient(a: i32, b: i32) -> Option<i32> {
    if b == 0 { None } else { Some(a / b) }
}

#[omp::declare_target]
fn two(a: i32, b: i32) -> Option<i32> {
    let q = quotient(a, b)?;
    Some(quotient(q, b - 1)? + 1)
}

#[omp::offload]
fn by_functions(d: usize, f: &[f64], x: &[i32], g: &mut [f64], n: usize) {
    #[omp::target(device(d))]
    for i in 0..n {
        g[i] = largest(&f[i * n..(i + 1) * n]) + f64::from(two(x[i], x[i] % 3).map_or(7, |v| v + 1));
    }
}

#[test]
fn device_functions_have_closures() {
    on_every_device(|d| {
        let data = Data::new(9);
        let mut g = vec![0.0; 9];
        by_functions(d, &data.f, &data.x, &mut g, 9);
        for (i, g) in g.iter().enumerate() {
            let most = data.f[i * 9..(i + 1) * 9].iter().copied().fold(f64::MIN, f64::max);
            let other = two(data.x[i], data.x[i] % 3).map_or(7, |v| v + 1);
            assert_eq!(*g, most + f64::from(other), "{i} on {d}");
        }
    });
}

/// Stores and counts in one branch.
#[omp::offload]
fn compacted(d: usize, v: &[f32], kept: &mut [f32], limit: f32) -> usize {
    let mut n = 0;
    #[omp::scan(+, device(d))]
    for i in 0..v.len() {
        if v[i] > limit {
            kept[n] = v[i];
            n += 1;
        }
    }
    n
}

/// The same in the form that says so.
#[omp::offload]
fn compacted_apart(d: usize, v: &[f32], kept: &mut [f32], limit: f32) -> usize {
    let mut n = 0;
    #[omp::target(device(d), scan(+: n), disjoint(kept))]
    for i in 0..v.len() {
        let keep = v[i] > limit;
        if keep {
            kept[n] = v[i];
        }
        n += usize::from(keep);
    }
    n
}

/// Two counters, with variables of the branches.
#[omp::offload]
fn parted(
    d: usize,
    v: &[i32],
    lo: &mut [i32],
    hi: &mut [i32],
    at: &mut [usize],
    pivot: i32,
) -> (usize, usize) {
    let (mut a, mut b) = (0, 0);
    #[omp::scan(+, device(d))]
    for i in 0..v.len() {
        let w = v[i];
        if w < pivot {
            let s = w * 2;
            lo[a] = s;
            a += 1;
        } else {
            hi[b] = w;
            at[b] = i;
            b += 1;
        }
    }
    (a, b)
}

#[test]
fn a_branch_may_store_and_count() {
    on_every_device(|d| {
        for len in [0, 1, 31, 1000, 40_000] {
            let v: Vec<f32> = (0..len).map(|v| ((v * 7919) % 1000) as f32).collect();
            let want: Vec<f32> = v.iter().copied().filter(|v| *v > 500.0).collect();
            for run in [compacted, compacted_apart] {
                let mut kept = vec![0.0; len];
                let n = run(d, &v, &mut kept, 500.0);
                assert_eq!(kept[..n], want, "{len} on {d}");
            }
            let v: Vec<i32> = v.iter().map(|v| *v as i32).collect();
            let (mut lo, mut hi, mut at) = (vec![0; len], vec![0; len], vec![0; len]);
            let (a, b) = parted(d, &v, &mut lo, &mut hi, &mut at, 300);
            let below: Vec<i32> = v.iter().filter(|v| **v < 300).map(|v| v * 2).collect();
            let above: Vec<i32> = v.iter().copied().filter(|v| *v >= 300).collect();
            assert_eq!((&lo[..a], &hi[..b]), (&below[..], &above[..]), "{len} on {d}");
            assert!(at[..b].iter().all(|i| v[*i] >= 300), "{len} on {d}");
        }
    });
}
