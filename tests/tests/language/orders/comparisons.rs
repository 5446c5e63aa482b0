//! Comparisons of what is no number: `Option`s, tuples, field-less enums with a derived order, a declared one, and one that
//! nobody declared. All devices, against plain Rust.
#![allow(clippy::all, clippy::pedantic)]
use omp_tests::on_every_device;
use std::cmp::Ordering;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, omp::Device)]
enum Level {
    Mid = 5,
    Low = -3,
    High = 10,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, omp::Device)]
#[repr(u64)]
enum Wide {
    Top = u64::MAX,
    One = 1,
    Half = 1 << 63,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, omp::Device)]
#[repr(u8)]
enum Byte {
    A = 3,
    B = 250,
}

/// A smaller number beats a larger one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
enum Rank {
    First = 1,
    Second,
    Third,
}

#[omp::declare_target]
impl PartialOrd for Rank {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        (*o as i32).partial_cmp(&(*self as i32))
    }
}

/// The same, but nobody declared it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
enum Hidden {
    First = 1,
    Second,
}

impl PartialOrd for Hidden {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        (*o as i32).partial_cmp(&(*self as i32))
    }
}

const LEVELS: [Level; 3] = [Level::Mid, Level::Low, Level::High];

#[omp::declare_target]
fn signs<T: omp::Device + PartialOrd>(a: T, b: T) -> u8 {
    (a < b) as u8 | ((a <= b) as u8) << 1 | ((a > b) as u8) << 2 | ((a >= b) as u8) << 3
}

#[omp::offload]
fn of_enums<T: omp::Device + PartialOrd>(d: usize, x: &[T], y: &mut [u8]) {
    let n = x.len();
    #[omp::target(device(d), collapse(2))]
    for i in 0..n {
        for j in 0..n {
            y[i * n + j] = signs(x[i], x[j]) | ((x[i] < x[j]) as u8) << 4;
        }
    }
}

#[omp::offload]
fn written_out(d: usize, x: &[Level], r: &[Rank], y: &mut [u32]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        let (a, b) = (x[i % 3], x[i / 3]);
        let mut bits = (a < b) as u32 | ((a >= b) as u32) << 1 | ((&a > &Level::Mid) as u32) << 2;
        if r[i % 3] < r[i / 3] {
            bits |= 8;
        }
        if (a as i32).cmp(&(b as i32)) < Ordering::Equal {
            bits |= 16;
        }
        y[i] = bits;
    }
}

fn check<T: omp::Device + PartialOrd>(d: usize, x: &[T]) {
    let n = x.len();
    let mut y = vec![0; n * n];
    of_enums(d, x, &mut y);
    for i in 0..n {
        for j in 0..n {
            let (a, b) = (x[i], x[j]);
            let want = (a < b) as u8 | ((a <= b) as u8) << 1 | ((a > b) as u8) << 2 | ((a >= b) as u8) << 3;
            assert_eq!(y[i * n + j], want | ((a < b) as u8) << 4, "{i} {j} on {d}");
        }
    }
}

#[test]
fn enums_are_ordered() {
    let ranks = [Rank::Third, Rank::First, Rank::Second];
    on_every_device(|d| {
        check(d, &LEVELS);
        check(d, &[Wide::Top, Wide::One, Wide::Half]);
        check(d, &[Byte::A, Byte::B]);
        check(d, &ranks);
        check(d, &[3.5, f64::NAN, -1.0]);
        let mut y = [0; 9];
        written_out(d, &LEVELS, &ranks, &mut y);
        for (i, y) in y.iter().enumerate() {
            let (a, b) = (LEVELS[i % 3], LEVELS[i / 3]);
            let want = (a < b) as u32
                | ((a >= b) as u32) << 1
                | ((a > Level::Mid) as u32) << 2
                | ((ranks[i % 3] < ranks[i / 3]) as u32) << 3
                | (((a as i32) < b as i32) as u32) << 4;
            assert_eq!(*y, want, "{i} on {d}");
        }
    });
}

#[test]
fn an_order_that_nobody_declared_stays_on_the_host() {
    let x = [Hidden::Second, Hidden::First];
    let devices = omp::get_num_devices();
    if devices == 0 {
        return;
    }
    let ran = std::panic::catch_unwind(|| {
        check(0, &x);
        omp::last_region().fallback.expect("no device has it")
    });
    match ran {
        Ok(why) => assert!(why.contains("derive(PartialOrd)"), "{why}"),
        Err(e) => assert!(e.downcast_ref::<String>().expect("a text").contains("derive(PartialOrd)")),
    }
}

#[omp::offload]
fn of_options(d: usize, x: &[f32], k: &[i8], y: &mut [u32]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        let (i1, i2) = (i % x.len(), i / x.len());
        let a = if k[i1] > 0 { Some((k[i1], x[i1])) } else { None };
        let b = if k[i2] > 0 { Some((k[i2], x[i2])) } else { None };
        let c = k[i1].checked_mul(50);
        let e = k[i2].checked_mul(50);
        let nested = (Some(c) > Some(e)) as u32 | ((Some(c) <= None) as u32) << 1;
        y[i] = (a < b) as u32
            | ((a <= b) as u32) << 1
            | ((a > b) as u32) << 2
            | ((a >= b) as u32) << 3
            | ((c < e) as u32) << 4
            | ((c >= Some(50)) as u32) << 5
            | nested << 6;
    }
}

#[test]
fn options_are_ordered() {
    let x = [1.5, f32::NAN, 1.5, -2.0, 0.0];
    let k = [3i8, 3, 3, 1, -1];
    on_every_device(|d| {
        let mut y = [0; 25];
        of_options(d, &x, &k, &mut y);
        for (i, y) in y.iter().enumerate() {
            let at = |i: usize| (k[i] > 0).then(|| (k[i], x[i]));
            let (a, b) = (at(i % 5), at(i / 5));
            let (c, e) = (k[i % 5].checked_mul(50), k[i / 5].checked_mul(50));
            let want = (a < b) as u32
                | ((a <= b) as u32) << 1
                | ((a > b) as u32) << 2
                | ((a >= b) as u32) << 3
                | ((c < e) as u32) << 4
                | ((c >= Some(50)) as u32) << 5
                | ((Some(c) > Some(e)) as u32) << 6
                | ((Some(c) <= None) as u32) << 7;
            assert_eq!(*y, want, "{i} on {d}");
        }
    });
}

/// An enum whose `==` is not the derived one: a device would compare wrongly, so the region stays on the host.
#[derive(Clone, Copy, omp::Device)]
enum Parity {
    Two,
    Three,
    Four,
}

impl PartialEq for Parity {
    fn eq(&self, other: &Self) -> bool {
        (*self as u8) % 2 == (*other as u8) % 2
    }
}

#[omp::offload]
fn same_parity(d: usize, x: &[Parity], y: &mut [bool]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[i] = x[i] == Parity::Two;
    }
}

#[omp::offload]
fn same_variant(d: usize, x: &[Parity], y: &mut [bool]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[i] = matches!(x[i], Parity::Two) || matches!(&x[i], &Parity::Three);
    }
}

#[omp::offload]
fn counted_by_parity(d: usize, x: &[Parity], y: &mut [u32; 2]) {
    for i in 0..x.len() {
        #[omp::target(device(d), disjoint(y))]
        for _ in 0..1 {
            y[(x[i] == x[0]) as usize] += 1;
        }
    }
}

#[test]
fn an_enums_own_equality_is_not_replaced() {
    let x = [Parity::Two, Parity::Three, Parity::Four];
    for d in 0..=omp::get_num_devices() {
        let mut y = [false; 3];
        same_parity(d, &x, &mut y);
        assert_eq!(y, [true, false, true]);
        let reason = omp::last_region().fallback;
        assert_eq!(reason.is_some(), d < omp::get_num_devices());
        assert!(reason.is_none_or(|r| r.contains("`==` on") && r.contains("Parity")));
        let mut n = [0; 2];
        counted_by_parity(d, &x, &mut n);
        assert_eq!(n, [1, 2], "in a subscript, on {d}");
    }
    on_every_device(|d| {
        let mut y = [false; 3];
        same_variant(d, &x, &mut y);
        assert_eq!(y, [true, true, false]);
    });
}
