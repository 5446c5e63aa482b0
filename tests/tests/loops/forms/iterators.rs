//! Loops over iterators, parallel ones and those in bodies: each loop is compiled twice from the same tokens, with its
//! directive and without, and both run on the same data.
#![allow(
    clippy::identity_op,
    clippy::redundant_slicing,
    clippy::explicit_iter_loop,
    reason = "every spelling that users may choose"
)]
#![allow(clippy::cast_lossless, reason = "one body for many types")]
use omp_tests::{Values, on_every_device};

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Point {
    at: [i32; 2],
    mass: i64,
}

/// What the loops work on.
#[derive(Clone, Debug, PartialEq)]
struct Data {
    x: Vec<i32>,
    w: Vec<u8>,
    y: Vec<i64>,
    z: Vec<[i32; 3]>,
    p: Vec<Point>,
    a: usize,
    b: usize,
    lo: i8,
    hi: i8,
}

impl Data {
    fn new(n: usize, m: usize) -> Self {
        let mut r = Values((n * 31 + m) as u64);
        let mut v = |n: usize| (0..n).map(|_| r.bits() as i32 >> 8).collect::<Vec<i32>>();
        let (x, w) = (v(n), v(m).iter().map(|v| *v as u8).collect());
        let y = v(n).iter().map(|v| i64::from(*v)).collect();
        let z = v(m).iter().map(|v| [*v, v >> 3, 7]).collect();
        let p = v(n).iter().map(|v| Point { at: [*v, 5], mass: 3 }).collect();
        let (a, b) = (n / 3, n - n / 4);
        Self { x, w, y, z, p, a, b, lo: -(n.min(100) as i8), hi: (n.min(27)) as i8 }
    }
}

macro_rules! loops {
    (|$x:ident $w:ident $y:ident $z:ident $p:ident $a:ident $b:ident $lo:ident $hi:ident $s:ident|
        $($name:ident [$($clause:tt)*] { $($body:tt)* })*) => {
        loops!(@all ($x $w $y $z $p $a $b $lo $hi $s) $($name [$($clause)*] { $($body)* })*);

        #[test]
        fn loops_are_those_of_rust() {
            for (n, m) in [(0, 0), (0, 3), (1, 1), (1, 0), (2, 5), (33, 33), (257, 100), (100, 257), (1000, 1001)] {
                on_every_device(|d| {
                    $(
                        let (mut got, mut want) = (Data::new(n, m), Data::new(n, m));
                        let (s, t) = ($name::device(d, &mut got), $name::serial(&mut want));
                        assert_eq!((s, &got), (t, &want), "{}: {n}, {m}, device {d}", stringify!($name));
                        let (s, t) = ($name::device(d, &mut got), $name::serial(&mut want));
                        assert_eq!((s, &got), (t, &want), "{} again: {n}, {m}, device {d}", stringify!($name));
                    )*
                });
            }
        }
    };
    (@all $names:tt $($name:ident $clauses:tt $body:tt)*) => { $(loops!(@one $names $name $clauses $body);)* };
    (@one ($x:ident $w:ident $y:ident $z:ident $p:ident $a:ident $b:ident $lo:ident $hi:ident $s:ident)
        $name:ident [$($clause:tt)*] { $($body:tt)* }) => {
        mod $name {
            use super::*;

            #[omp::offload]
            #[allow(unused)]
            pub fn device(d: usize, data: &mut Data) -> i64 {
                let Data { x: $x, w: $w, y: $y, z: $z, p: $p, a: $a, b: $b, lo: $lo, hi: $hi } = data;
                let ($a, $b, $lo, $hi) = (*$a, *$b, *$lo, *$hi);
                let mut $s = 5i64;
                #[omp::target(device(d), $($clause)*)]
                $($body)*
                $s
            }

            #[allow(unused)]
            pub fn serial(data: &mut Data) -> i64 {
                let Data { x: $x, w: $w, y: $y, z: $z, p: $p, a: $a, b: $b, lo: $lo, hi: $hi } = data;
                let ($a, $b, $lo, $hi) = (*$a, *$b, *$lo, *$hi);
                let mut $s = 5i64;
                $($body)*
                $s
            }
        }
    };
}

#[omp::declare_target]
fn total(row: &[i32]) -> i64 {
    let mut s = 0;
    for (i, v) in row.iter().rev().enumerate() {
        s += *v as i64 * (i as i64 + 1);
    }
    s
}

#[omp::declare_target]
fn scaled(v: &i32, k: i64) -> i64 {
    (*v as i64).wrapping_mul(k)
}

loops! {
    |x w y z p a b lo hi s|
    each [] { for v in y.iter_mut() { *v = v.wrapping_mul(3) - 1; } }
    backwards [] { for (i, v) in y.iter_mut().enumerate().rev() { *v += i as i64; } }
    numbered_backwards [] { for (i, v) in y.iter_mut().rev().enumerate() { *v -= i as i64 * 2; } }
    by_reference [] { for v in &mut y[..] { *v ^= 5; } }
    pairs [] { for (v, &e) in y.iter_mut().zip(x.iter()) { *v += e as i64; } }
    unequal [] { for (v, e) in y.iter_mut().zip(w.iter()) { *v += *e as i64; } }
    unequal_backwards [] { for (v, e) in y.iter_mut().zip(w.iter()).rev() { *v += *e as i64; } }
    one_backwards [] { for (v, e) in y.iter_mut().rev().zip(w.iter()) { *v -= *e as i64; } }
    other_backwards [] { for (v, e) in y.iter_mut().zip(w.iter().rev()) { *v -= *e as i64; } }
    three [] { for (i, ((v, e), &k)) in y.iter_mut().zip(x.iter()).zip(w.iter()).enumerate() {
        *v += (*e as i64) * (k as i64) + i as i64;
    } }
    left_nested [] { for ((i, v), e) in y.iter_mut().enumerate().zip(&w[..]) { *v += (i as i64) << (*e & 7); } }
    whole_pair [] { for pair in y.iter_mut().zip(x.iter()) { *pair.0 += *pair.1 as i64; } }
    section [] { for (i, v) in y[a..b].iter_mut().enumerate() { *v = i as i64 - *v; } }
    section_backwards [] { for v in y[a..].iter_mut().rev() { *v *= 2; } }
    two_sections [] { for (v, e) in y[a + 0..b].iter_mut().zip(x[..b].iter()) { *v += *e as i64; } }
    every_other [] { for (i, v) in y.iter_mut().step_by(3).enumerate() { *v = i as i64; } }
    every_other_numbered [] { for (i, v) in y.iter_mut().enumerate().step_by(2) { *v = i as i64; } }
    every_other_backwards [] { for (i, v) in y.iter_mut().enumerate().step_by(5).rev() { *v = i as i64; } }
    counted_range [] { for (k, i) in (a..b).enumerate() { y[k] += i as i64; } }
    counted_range_backwards [] { for (k, i) in (a..b).rev().enumerate() { y[i] += k as i64; } }
    counted_range_of_all [] { for (k, i) in (a..b).enumerate().rev() { y[i] += k as i64; } }
    counted_steps [] { for (k, i) in (a..b).step_by(2).enumerate() { y[k] += i as i64; } }
    counted_steps_backwards [] { for (k, i) in (a..b).step_by(2).rev().enumerate() { y[i] += k as i64; } }
    counted_steps_numbered [] { for (k, i) in (a..b).enumerate().step_by(2) { y[i] += k as i64; } }
    counted_narrow [] { for (v, (k, i)) in y.iter_mut().zip((lo..hi).enumerate()) { *v += k as i64 * 1000 + i as i64; } }
    counted_inclusive [] { for (v, i) in y.iter_mut().zip((lo..=hi).rev()) { *v += i as i64; } }
    open_range [] { for (v, i) in y.iter_mut().zip(3u16..) { *v += i as i64; } }
    range_first [] { for (i, v) in (0i16..).zip(y.iter_mut()) { *v += i as i64; } }
    range_between [] { for ((i, v), j) in (0..b).zip(y.iter_mut()).zip((0..a).rev()) { *v += (i * 10 + j) as i64; } }
    values [reduction(+: s)] { for v in x.iter().copied() { s += v as i64; } }
    values_numbered [reduction(+: s)] { for (i, v) in x.iter().copied().enumerate() { s += v as i64 * i as i64; } }
    arrays [] { for row in z.iter_mut() { row[2] = row[0] - row[1]; row.swap(0, 1); } }
    arrays_apart [] { for [first, _, third] in z.iter_mut() { *third += *first; } }
    structs [] { for q in p.iter_mut() { q.at[0] += q.at[1]; q.mass += q.at[0] as i64; } }
    structs_apart [] { for Point { at, mass } in p.iter_mut() { *mass += at[0] as i64; at[1] = 2; } }
    structs_copied [reduction(+: s)] { for &Point { at, mass } in p.iter() { s += at[0] as i64 * mass; } }
    nested [] { for row in z.iter_mut() { for c in row.iter_mut() { *c = c.abs() + 1; } } }
    nested_numbered [] { for (i, row) in z.iter_mut().enumerate() {
        for (j, c) in row.iter_mut().enumerate().rev() { *c += (i * 10 + j) as i32; }
    } }
    nested_sum [reduction(+: s)] { for row in z.iter() {
        for (c, k) in row.iter().rev().zip(1..) { s += *c as i64 * k; }
    } }
    inner_other [] { for v in y.iter_mut() {
        let mut t = 0i64;
        for (e, k) in x.iter().zip(w.iter()) { t += *e as i64 - *k as i64; }
        for q in p.iter().step_by(2) { t ^= q.mass; }
        *v += t;
    } }
    inner_section [] { for (i, v) in y.iter_mut().enumerate() {
        let mut t = 0i64;
        for (j, e) in x[i / 2..=i].iter().enumerate() { t += *e as i64 * (j as i64 + 1); }
        for e in &x[..i] { t -= *e as i64; }
        *v = t;
    } }
    inner_ranges [] { for v in y.iter_mut() {
        for (k, i) in (lo..hi).step_by(3).rev().enumerate() { *v += k as i64 * i as i64; }
        for (k, i) in (0i32..4).enumerate().rev() { *v -= k as i64 * 3 + i as i64; }
    } }
    // More than 2^63 values, and all of a type.
    spans [] { for ((v, i), k) in y.iter_mut().zip(lo as i64..i64::MAX).zip((1u64 << 63) - 5..u64::MAX) { *v ^= i ^ (k >> 3) as i64; } }
    spans_backwards [] { for ((v, i), k) in y.iter_mut().zip((i64::MIN..=hi as i64).rev()).zip((b as u64..=u64::MAX).rev()) { *v ^= i ^ (k >> 3) as i64; } }
    of_all_numbers [] { for ((v, i), k) in y.iter_mut().zip(i64::MIN..=i64::MAX).zip((0..=u64::MAX).rev()) { *v ^= i ^ (k >> 3) as i64; } }
    inner_spans [] { for v in y.iter_mut() {
        for ((e, i), k) in w.iter().zip(lo as i64..i64::MAX).zip((1u64 << 63) - 5..u64::MAX) { *v ^= i ^ (k >> (*e % 7)) as i64; }
        for ((e, i), k) in w.iter().zip((i64::MIN..=hi as i64).rev()).zip((b as u64..=u64::MAX).rev()) { *v ^= i ^ (k >> (*e % 7)) as i64; }
        for ((e, i), k) in w.iter().zip(i64::MIN..=i64::MAX).zip((0..=u64::MAX).rev()) { *v ^= i ^ (k >> (*e % 7)) as i64; }
    } }
    inner_local [] { for v in y.iter_mut() {
        let mut t = [1i64, 2, 3, 4];
        for (k, e) in t.iter_mut().enumerate() { *e *= *v + k as i64; if k == 2 { continue; } *e += 1; }
        'out: for e in t.iter().rev() { for f in t.iter() { if *e == *f + 1 { break 'out; } *v += *e ^ *f; } }
    } }
    shadowed [reduction(+: s)] { for x in x.iter() { let y = *x as i64; { let x = 2; s += y * x; } s -= *x as i64; } }
    hidden_array [] { for (i, v) in y.iter_mut().enumerate() { let y = i as i64; *v += y; if let Some(y) = Some(2i64) { *v *= y; } } }
    crossed [reduction(+: s)] { for (&x, y) in y.iter().zip(x.iter()) { s += x - *y as i64; } }
    passed [] { for (v, e) in y.iter_mut().zip(x.iter()) { *v = v.wrapping_add(scaled(e, *v)); } }
    passed_rows [] { for (v, row) in y.iter_mut().zip(z.iter()) { *v = total(row); } }
    compared [reduction(max: s)] { for (a, b) in x.iter().zip(x.iter().rev()) { if a > b { s = s.max(*a as i64); } } }
    asserted [] { for (v, e) in y.iter_mut().zip(x.iter()) { assert!(*e < i32::MAX, "{e} at {v}"); *v -= 1; } }
    skipping [] { for v in y.iter_mut() { if *v % 2 == 0 { continue; } *v += 1; } }
    collapsed [collapse(2)] { for (i, row) in z.iter_mut().enumerate() { for c in row.iter_mut() { *c += i as i32; } } }
    collapsed_values [collapse(2), reduction(+: s)] { for (i, &v) in x.iter().enumerate() { for j in 0..3 { s += v as i64 * (i as i64 - j); } } }
    collapsed_numbers [collapse(3), reduction(+: s)] { for (i, k) in (a..b).rev().enumerate() { for (&e, j) in x.iter().zip(0u8..4) { for c in 0..2 { s += e as i64 ^ (k as i64 * 4 + i as i64 + j as i64 * c); } } } }
    numbered_twice [reduction(+: s)] { for (i, (j, v)) in x.iter().enumerate().enumerate() { s += *v as i64 ^ (i * 3 + j) as i64; } }
    numbered_both [] { for ((i, v), (j, e)) in y.iter_mut().enumerate().zip(w.iter().enumerate()) { *v += (*e as usize + i * j) as i64; } }
    collapsed_sum [collapse(2), reduction(+: s)] { for e in x.iter() { for (k, c) in w.iter().enumerate() { s += *e as i64 * (*c as i64 + k as i64); } } }
}

#[omp::offload]
fn names_alone(d: usize, x: &[i32], y: &mut [i64], w: [i32; 3]) -> (i64, i64) {
    let (mut s, mut t) = (0i64, 0i64);
    #[omp::target(device(d), reduction(+: s))]
    for (a, &b) in y.iter_mut().zip(x) {
        for k in w {
            *a += (k * b) as i64;
        }
        // A name that a loop binds anew is the array's in what it iterates.
        for (&e, w) in x.iter().zip(w) {
            s += (e * w) as i64;
        }
    }
    #[omp::target(device(d), reduction(+: t))]
    for &x in x {
        t += x as i64;
    }
    #[omp::target(device(d))]
    for y in y {
        *y += 1;
    }
    (s, t)
}

/// The loops under directives of their own, inside regions and on the host.
#[omp::offload]
fn directives_inside(d: usize, z: &mut [[i32; 40]], x: &[i32]) -> i64 {
    let mut s = 0i64;
    #[omp::target(device(d), reduction(+: s))]
    for (row, &e) in z.iter_mut().zip(x.iter()) {
        #[omp::parallel_for]
        for (k, c) in row.iter_mut().enumerate() {
            *c = e + k as i32;
        }
        let mut t = 0i64;
        #[omp::simd(reduction(+: t))]
        for c in row.iter() {
            t += *c as i64;
        }
        s += t;
    }
    #[omp::parallel_for(schedule(static, 2))]
    for row in z.iter_mut() {
        row[0] -= 1;
    }
    #[omp::target(device(d))]
    {
        #[omp::parallel_for]
        for row in z.iter_mut() {
            row[1] = 5;
        }
        #[omp::parallel_for]
        for (row, e) in z.iter_mut().zip(x.iter().rev()) {
            row[2] = *e;
        }
    }
    s
}

#[omp::offload]
fn without_checks(d: usize, x: &[u32], y: &mut [u32]) -> [usize; 4] {
    let mut s = 0u32;
    #[omp::target(device(d))]
    for (a, b) in y.iter_mut().zip(x.iter()) {
        *a = a.wrapping_add(*b);
    }
    let zip = omp::last_region().residual_checks;
    #[omp::target(device(d))]
    for (a, b) in y.iter_mut().rev().zip(x.iter().step_by(2)) {
        *a = a.wrapping_add(*b);
    }
    // In a debug build, the subtraction in `x.len() - 1 - k` is one.
    let crossed = if cfg!(debug_assertions) { 0 } else { omp::last_region().residual_checks };
    #[omp::target(device(d), reduction(^: s))]
    for (i, &b) in x.iter().enumerate() {
        s ^= b.wrapping_mul(i as u32);
    }
    let reduced = omp::last_region().residual_checks;
    #[omp::target(device(d))]
    for a in y.iter_mut() {
        for b in x.iter() {
            *a ^= *b;
        }
    }
    [zip, crossed, reduced, omp::last_region().residual_checks]
}

#[test]
fn other_places_of_iterators() {
    on_every_device(|d| {
        for n in [0usize, 1, 2, 33, 500] {
            let x: Vec<i32> = (0..n as i32).map(|i| i * 7 % 31 - 9).collect();
            let mut y: Vec<i64> = (0..n as i64).collect();
            let (s, t) = names_alone(d, &x, &mut y, [2, 3, 5]);
            let of_two: i64 = x.iter().zip([2, 3, 5]).map(|(e, f)| i64::from(e * f)).sum();
            assert_eq!((s, t), (n as i64 * of_two, x.iter().map(|v| i64::from(*v)).sum()), "{n}, device {d}");
            assert!((0..n).all(|i| y[i] == i as i64 + 10 * i64::from(x[i]) + 1), "{n}, device {d}");

            let mut z = vec![[9; 40]; n];
            let sum = directives_inside(d, &mut z, &x);
            assert_eq!(sum, x.iter().map(|e| i64::from(*e) * 40 + 780).sum::<i64>(), "{n}, device {d}");
            for (i, row) in z.iter().enumerate() {
                let want = |k: usize| match k {
                    0 => x[i] - 1,
                    1 => 5,
                    2 => x[n - 1 - i],
                    _ => x[i] + k as i32,
                };
                assert!((0..40).all(|k| row[k] == want(k)), "row {i} of {n}, device {d}: {row:?}");
            }
            let mut y = vec![1; n];
            let x: Vec<u32> = (0..n as u32 + 3).collect();
            if d < omp::get_num_devices() && n > 0 {
                assert_eq!(without_checks(d, &x, &mut y), [0; 4], "{n}, device {d}");
            }
        }
    });
}

#[omp::offload]
fn numbered(d: usize, y: &mut [u32]) {
    #[omp::target(device(d))]
    for (v, k) in y.iter_mut().zip(200u8..) {
        *v = k.into();
    }
}

#[omp::offload]
fn numbers_first(d: usize, x: &[u8], y: &mut [u32]) {
    #[omp::target(device(d))]
    for v in y.iter_mut() {
        let mut sum = 0;
        for (k, x) in (250..).zip(x.iter()) {
            let k: u8 = k;
            sum += u32::from(k ^ x);
        }
        *v += sum;
    }
}

/// A range without an end has its next value before the loop has this one: in a debug build it panics where that is too
/// large, and if it is the first of two, also when the second has ended.
#[test]
fn ranges_without_an_end_overflow_as_in_rust() {
    fn same<R: PartialEq + std::fmt::Debug>(
        what: &str,
        plain: impl FnOnce() -> R,
        device: impl FnOnce() -> R,
    ) {
        use std::panic::{AssertUnwindSafe, catch_unwind};
        let (plain, device) = (catch_unwind(AssertUnwindSafe(plain)), catch_unwind(AssertUnwindSafe(device)));
        match (plain, device) {
            (Ok(plain), Ok(device)) => assert_eq!(plain, device, "{what}"),
            (Err(_), Err(device)) => {
                let text = *device.downcast::<String>().expect("a text");
                assert!(
                    text.contains("attempt to add with overflow") && text.contains("iterators.rs"),
                    "{text}"
                );
            }
            (plain, device) => panic!("{what}: {:?} {:?}", plain.ok(), device.ok()),
        }
    }
    on_every_device(|d| {
        for n in [0, 54, 55, 56, 57, 100] {
            let plain = || {
                let mut y = vec![0u32; n];
                for (v, k) in y.iter_mut().zip(200u8..) {
                    *v = k.into();
                }
                y
            };
            let device = || {
                let mut y = vec![0u32; n];
                numbered(d, &mut y);
                y
            };
            same(&format!("{n} on {d}"), plain, device);
        }
        for n in 0..8 {
            let x = vec![3; n];
            let plain = || {
                let mut sum = 0;
                for (k, x) in (250u8..).zip(x.iter()) {
                    sum += u32::from(k ^ x);
                }
                sum
            };
            let device = || {
                let mut y = [0];
                numbers_first(d, &x, &mut y);
                y[0]
            };
            same(&format!("{n} first on {d}"), plain, device);
        }
        // The last region may have failed.
        numbered(d, &mut [0]);
    });
}

struct Owner {
    a: Vec<i32>,
    b: Box<[u8]>,
}

#[omp::offload]
impl Owner {
    fn count_down(&mut self, d: usize) {
        #[omp::target(device(d))]
        for v in &mut self.a {
            *v -= 1;
        }
        #[omp::target(device(d))]
        for (v, w) in self.a.iter_mut().zip(&mut self.b) {
            *v -= 2;
            *w += 1;
        }
    }
}

#[omp::offload]
fn by_references(d: usize, rows: &[std::ops::Range<usize>]) -> (Vec<i32>, [u8; 5]) {
    let mut a = vec![1, 2, 3];
    let mut b = [0; 5];
    #[omp::target(device(d))]
    for v in &mut a {
        *v *= 2;
    }
    #[omp::parallel_for]
    for (v, w) in b.iter_mut().zip(&mut a) {
        *v += 1;
        *w += 1;
    }
    let row: std::ops::Range<usize> = rows[1].clone();
    #[omp::target(device(d))]
    for i in row.clone() {
        b[i] += 10;
    }
    (a, b)
}

#[test]
fn arrays_are_iterated_by_references_to_what_owns_them() {
    on_every_device(|d| {
        let mut owner = Owner { a: vec![5, 6, 7], b: vec![0; 2].into() };
        owner.count_down(d);
        assert_eq!((owner.a, &*owner.b), (vec![2, 3, 6], &[1, 1][..]));
        assert_eq!(by_references(d, &[0..1, 1..4]), (vec![3, 5, 7], [1, 11, 11, 10, 0]));
    });
}

/// Items whose `Clone` is std's, and copies.
#[omp::offload]
#[allow(clippy::cloned_instead_of_copied, reason = "the other spelling")]
fn clones(d: usize, y: &mut [f32]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        let orders = [1.0f32.total_cmp(&y[i]), y[i].total_cmp(&1.5)];
        for o in orders.iter().cloned() {
            y[i] += if o.is_lt() { 2.0 } else { 3.0 };
        }
    }
}

#[test]
fn orderings_are_cloned() {
    on_every_device(|d| {
        let mut y = [1.0, 2.0];
        clones(d, &mut y);
        assert_eq!(y, [6.0, 7.0]);
    });
}

/// Arrays, parts of them and ranges beside others, in loops of a target block; `from` says where parts begin.
#[omp::offload]
fn in_a_block(d: usize, x: &[u64], y: &mut [u8], from: &[usize]) {
    #[omp::target(device(d))]
    {
        #[omp::parallel_for]
        for (v, &w) in y.iter_mut().zip(x) {
            *v = w as u8;
        }
        #[omp::parallel_for]
        for (v, &w) in y[from[0]..].iter_mut().zip(&x[from[1]..]) {
            *v += w as u8 * 5;
        }
        #[omp::parallel_for]
        for (v, w) in y[1..3].iter_mut().zip((from[0]..from[2]).rev()) {
            *v += w as u8 * 10;
        }
    }
}

#[test]
fn arrays_stand_beside_others_in_blocks() {
    on_every_device(|d| {
        let mut y = [0; 5];
        in_a_block(d, &[1, 2, 3, 4, 5], &mut y, &[1, 2, 4]);
        assert_eq!(y, [1, 2 + 15 + 30, 3 + 20 + 20, 4 + 25, 5]);
    });
}
