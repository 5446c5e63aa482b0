//! `std::cmp::Reverse` as a key, in tuples, in arrays of structs and under comparisons; keys of a single item. All devices,
//! against the same functions without directives.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{on_every_device, panic_of, twice};

twice! {
    use std::cmp::{Ordering, Reverse};

    pub fn keys(d: usize, x: &[u32], out: &mut [(u32, usize, usize)]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let row = &x[i..(i * 2 + 1).min(x.len())];
            let least = row.iter().copied().max_by_key(|&v| Reverse(v)).unwrap();
            // The first of the greatest, and the last of the least.
            let first = row.iter().enumerate().max_by_key(|&(j, v)| (v, Reverse(j))).unwrap().0;
            let last = (0..row.len()).min_by_key(|&j| (row[j], Reverse(j))).unwrap();
            out[i] = (least, first, last);
        }
    }

    pub fn compared(d: usize, x: &[(i16, Reverse<f32>)], out: &mut [u32]) {
        let n = x.len();
        #[omp::target(device(d))]
        for i in 0..n * n {
            let (a, b) = (x[i / n], x[i % n]);
            let order = match a.1.partial_cmp(&b.1) {
                Some(Ordering::Less) => 1,
                Some(Ordering::Equal) => 2,
                Some(Ordering::Greater) => 3,
                None => 4,
            };
            let total = (Reverse(a.0).cmp(&Reverse(b.0)) as i8 + 1) as u32;
            let bits = [a < b, a <= b, a == b, a.1 > b.1, a.1 >= b.1, Some(Reverse(a.0)) < Some(Reverse(b.0))];
            out[i] = bits.iter().fold(order + 8 * total, |s, &bit| s * 2 + u32::from(bit));
        }
    }

    pub fn kept(d: usize, x: &[u64], out: &mut [Reverse<u64>]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut best = Reverse(u64::MAX);
            for j in 0..=i {
                best = best.max(Reverse(x[j]));
            }
            let Reverse(least) = best;
            out[i] = Reverse(least * 2).min(Reverse(40));
        }
    }

    pub fn single(d: usize, x: &[u32], out: &mut [u32]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            out[i] = x[i..=i].iter().copied().max_by_key(|v| 100 / v).unwrap();
        }
    }
}

#[test]
fn keys() {
    let x: Vec<u32> = (0..60).map(|i| i * i * 7 % 11).collect();
    let mut wanted = [(0, 0, 0); 45];
    plain::keys(0, &x, &mut wanted);
    on_every_device(|d| {
        let mut out = [(9, 9, 9); 45];
        device::keys(d, &x, &mut out);
        assert_eq!(out, wanted);
    });
}

#[test]
fn compared() {
    use std::cmp::Reverse;
    let floats = [0.0, -0.0, 1.5, -2.0, f32::NAN, f32::INFINITY];
    let x: Vec<(i16, Reverse<f32>)> = (0..18).map(|i| ((i / 6) as i16 - 1, Reverse(floats[i % 6]))).collect();
    let mut wanted = [0; 18 * 18];
    plain::compared(0, &x, &mut wanted);
    on_every_device(|d| {
        let mut out = [77; 18 * 18];
        device::compared(d, &x, &mut out);
        assert_eq!(out, wanted);
    });
}

#[test]
fn kept() {
    let x: Vec<u64> = (0..33).map(|i| (i * 29 + 17) % 41 + 5).collect();
    let mut wanted = [std::cmp::Reverse(0); 33];
    plain::kept(0, &x, &mut wanted);
    on_every_device(|d| {
        let mut out = [std::cmp::Reverse(1); 33];
        device::kept(d, &x, &mut out);
        assert_eq!(out, wanted);
    });
}

/// The key of a single item is evaluated, too.
#[test]
fn single() {
    on_every_device(|d| {
        let mut out = [0; 3];
        device::single(d, &[5, 7, 9], &mut out);
        assert_eq!(out, [5, 7, 9]);
        let failed = panic_of(|| device::single(d, &[5, 0, 9], &mut out)).expect("it divides by zero");
        assert!(failed.contains("divide by zero"), "{failed}");
    });
}
