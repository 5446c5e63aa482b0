//! What people write without thinking: characters, `(a..b).contains(&x)`, byte strings, conversions of their own types,
//! conditions of several parts, methods named as those of `Vec`. All devices, against plain Rust.
#![forbid(unsafe_code)]
#![allow(clippy::all, clippy::pedantic, reason = "bodies have all forms on purpose")]
use omp_tests::on_every_device;
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Shr};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A function once with its directives, and once without: `fn name(device, …)` and `plain::name(…)`.
macro_rules! both {
    ($(
        fn $name:ident($d:ident, $($arg:ident: $ty:ty),*) $(-> $ret:ty)? {
            $(let mut $var:ident = $init:expr;)*
            target($($clause:tt)*) for $pat:pat in $iter:expr; { $($body:tt)* }
            $($result:expr)?
        }
    )*) => {
        $(
            #[omp::offload]
            #[allow(unused_mut)]
            fn $name($d: usize, $($arg: $ty),*) $(-> $ret)? {
                $(let mut $var = $init;)*
                #[omp::target(device($d), $($clause)*)]
                for $pat in $iter { $($body)* }
                $($result)?
            }
        )*
        mod plain {
            use super::*;
            $(
                #[allow(unused_mut, dead_code)]
                pub fn $name($($arg: $ty),*) $(-> $ret)? {
                    $(let mut $var = $init;)*
                    for $pat in $iter { $($body)* }
                    $($result)?
                }
            )*
        }
    };
}

// ------------------------------------------------------------------------------------------------------- characters

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Token {
    first: char,
    n: u16,
    rest: [char; 3],
    odd: bool,
}

const VOWELS: [char; 5] = ['a', 'e', 'i', 'o', 'u'];

#[omp::declare_target]
static GREEK: [char; 4] = ['α', 'β', 'γ', '\u{10FFFF}'];

#[omp::declare_target]
fn swap_case(c: char) -> char {
    match c {
        'a'..='z' => c.to_ascii_uppercase(),
        'A'..='Z' => c.to_ascii_lowercase(),
        '0' | '1' => '?',
        other if other.is_ascii() => other,
        _ => GREEK[c as usize % 4],
    }
}

#[omp::declare_target]
fn same<T: omp::Device + PartialEq>(a: T, b: T) -> bool {
    a == b
}

// ------------------------------------------------------------------------------------------------------ conversions

#[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
struct Fix(i32);

#[omp::declare_target]
impl Fix {
    const ONE: Self = Self(1 << 16);
    const FRAC: u32 = 16;
}

#[omp::declare_target]
impl From<i16> for Fix {
    fn from(v: i16) -> Self {
        Self(i32::from(v) << Self::FRAC)
    }
}

#[omp::declare_target]
impl From<(u8, bool)> for Fix {
    fn from((v, half): (u8, bool)) -> Self {
        Self((i32::from(v) << 16) + i32::from(half) * 0x8000)
    }
}

#[omp::declare_target]
impl From<Fix> for f64 {
    fn from(v: Fix) -> Self {
        f64::from(v.0) / 65536.0
    }
}

#[omp::declare_target]
impl From<Fix> for [i32; 2] {
    fn from(v: Fix) -> Self {
        [v.0 >> 16, v.0 & 0xffff]
    }
}

#[omp::declare_target]
impl Mul for Fix {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Self(((i64::from(self.0) * i64::from(o.0)) >> Self::FRAC) as i32)
    }
}

#[omp::declare_target]
impl Add for Fix {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self(self.0.wrapping_add(o.0))
    }
}

#[omp::declare_target]
impl Div for Fix {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        Self(((i64::from(self.0) << 16) / i64::from(o.0)) as i32)
    }
}

#[omp::declare_target]
impl Shr<u32> for Fix {
    type Output = Self;
    fn shr(self, n: u32) -> Self {
        Self(self.0 >> n)
    }
}

#[omp::declare_target]
fn widened<T: omp::Device + From<u8> + Add<Output = T>>(a: u8, b: T) -> T {
    T::from(a) + b
}

// ------------------------------------------------------------------------------------------- a trait's own constants

#[omp::declare_target]
trait Real: omp::Device + PartialOrd + Add<Output = Self> + Mul<Output = Self> {
    const ZERO: Self;
    const ONE: Self;
    fn of(v: f64) -> Self;
}

#[omp::declare_target]
impl Real for f32 {
    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;
    fn of(v: f64) -> f32 {
        v as f32
    }
}

#[omp::declare_target]
impl Real for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
    fn of(v: f64) -> f64 {
        v
    }
}

#[omp::declare_target]
fn clipped<R: Real>(x: R) -> R {
    if x < R::ZERO {
        R::ZERO
    } else if x > R::ONE {
        R::ONE
    } else {
        R::of(0.5) * x + R::ONE
    }
}

// --------------------------------------------------------------------------------------------- methods named as Vec's

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Ring<T, const N: usize> {
    held: [T; N],
    at: usize,
}

#[omp::declare_target]
impl<T: omp::Device, const N: usize> Ring<T, N> {
    fn new(v: T) -> Self {
        Self { held: [v; N], at: 0 }
    }
    fn push(&mut self, v: T) {
        self.held[self.at] = v;
        self.at = (self.at + 1) % N;
    }
    fn insert(&mut self, v: T) -> T {
        let old = self.held[self.at];
        self.push(v);
        old
    }
}

both! {
    fn tokens(d, cs: &[char], out: &mut [Token], k: char) -> (u32, usize, u64) {
        let mut digits = 0u32;
        let mut vowels = 0usize;
        let mut sum = 0u64;
        target(reduction(+: digits, vowels, sum)) for (i, &c) in cs.iter().enumerate(); {
            for v in VOWELS {
                if v == c {
                    vowels += 1;
                }
            }
            digits += c.to_digit(16).unwrap_or(0) + c.is_digit(2 + i as u32 % 35) as u32 * 100;
            let up = swap_case(c);
            sum += u64::from(up) + (up < k) as u64 * 3 + (c as u8) as u64 + (c as i16 as i64 & 0xff) as u64;
            let made = char::from_u32(0xD7F0 + i as u32 * 8).unwrap_or('!');
            let digit = char::from_digit((i % 40) as u32, 36).unwrap_or_default();
            let order = match c.cmp(&k) {
                Ordering::Less => 'l',
                Ordering::Equal => '=',
                _ => 'g',
            };
            let odd = ((c, i) < ('m', 3)) ^ ('a'..='f').contains(&c) ^ same(c, k) ^ c.eq_ignore_ascii_case(&'Q');
            out[i] = Token { first: up, n: i as u16, rest: [made, digit, char::from((i * 7) as u8)], odd };
            if i % 3 == 0 {
                out[i].rest = [(i as u8).wrapping_mul(3) as char, order, char::default()];
            }
            assert!(c != '\u{7f}', "bad {c} {:?}", c);
        }
        (digits, vowels, sum)
    }

    fn classes(d, cs: &[char], out: &mut [u32]) {
        target() for i in 0..cs.len(); {
            let c = cs[i];
            let flags = [
                c.is_ascii(), c.is_ascii_alphabetic(), c.is_ascii_alphanumeric(), c.is_ascii_control(),
                c.is_ascii_digit(), c.is_ascii_graphic(), c.is_ascii_hexdigit(), c.is_ascii_lowercase(),
                c.is_ascii_punctuation(), c.is_ascii_uppercase(), c.is_ascii_whitespace(),
            ];
            let mut bits = 0;
            for flag in flags {
                bits = bits << 1 | flag as u32;
            }
            out[i] = bits;
        }
    }

    fn inside(d, x: &[f32], n: &[i64], out: &mut [u8]) {
        target() for i in 0..x.len(); {
            let (lo, hi) = (n[i] - 2, n[i] / 2);
            out[i] = (0.25..0.75).contains(&x[i]) as u8
                | ((lo..=hi).contains(&(i as i64)) as u8) << 1
                | ((..hi).contains(&lo) as u8) << 2
                | ((lo + 1..).contains(&n[i]) as u8) << 3
                | ((..=3).contains(&n[i]) as u8) << 4;
            if (1..=x.len() - 2).contains(&i) && !(3..5).contains(&i) {
                out[i] |= 32;
            }
        }
    }

    fn hexed(d, bytes: &[u8], out: &mut [[u8; 2]]) {
        target() for (o, &b) in out.iter_mut().zip(bytes); {
            let digits = *b"0123456789abcdef";
            *o = [digits[(b >> 4) as usize], b"0123456789ABCDEF"[usize::from(b & 15)]];
        }
    }

    fn converted(d, xs: &[i16], ys: &mut [f64], zs: &mut [[i32; 2]]) {
        target() for i in 0..xs.len(); {
            let x = Fix::from(xs[i]) >> 3;
            let half: Fix = Fix::ONE / 2i16.into();
            let y: Fix = (i as u8, i % 2 == 0).into();
            ys[i] = (x * half + y).into();
            let named: Fix = From::from(xs[i]);
            ys[i] += f64::from(named * half) + widened(i as u8, ys[i]);
            ys[i] = ys[i] + f64::from(widened::<f32>(3, 0.25)) + <f64 as From<f32>>::from(0.5);
            zs[i] = y.into();
        }
    }

    fn halves(d, x: &[f64], y: &mut [f64], z: &mut [f32]) {
        target() for i in 0..x.len(); {
            y[i] = clipped(x[i]);
            z[i] = clipped(x[i] as f32);
        }
    }

    fn rings(d, x: &[i32], out: &mut [i32], w: usize) {
        target() for b in 0..out.len() / w; {
            let mut ring = Ring::<i32, 4>::new(-1);
            for k in 0..w {
                ring.push(x[b * w + k]);
                out[b * w + k] = ring.insert(k as i32) + ring.held[0];
            }
        }
    }

    fn shortest(d, dist: &mut [u32], n: usize, k: usize) {
        target(collapse(2)) for i in 0..n; {
            for j in 0..n {
                let via = dist[i * n + k].saturating_add(dist[k * n + j]);
                if i != k && j != k && via < dist[i * n + j] {
                    dist[i * n + j] = via;
                }
            }
        }
    }

    fn asserted(d, x: &[i32], bad: usize, y: &mut [i32]) {
        target() for i in 0..x.len(); {
            let (low, high) = (x[i] as u8, if i == bad { 7 } else { i });
            assert_eq!((low, [i; 2]), (x[i] as u8, [i, high]), "at {i}");
            assert_ne!([x[i]; 12], [-1; 12]);
            assert_eq!(Some(x[i]), Some(x[i]));
            y[i] = x[i] + 1;
        }
    }
}

fn text() -> Vec<char> {
    let mut text: Vec<char> =
        "The quick Brown fox 0123456789 abcdefABCDEF äöü ßé→ 😀 @[`{/:\t\n".chars().collect();
    text.extend(['\0', '\u{80}', '\u{ff}', '\u{161}', '\u{10FFFF}', '\u{D7FF}', '\u{E000}']);
    text
}

#[test]
fn characters() {
    for n in [0, 1, text().len()] {
        let cs = text()[..n].to_vec();
        let fresh = vec![Token { first: 'x', n: 0, rest: ['y'; 3], odd: false }; n];
        let (mut want, mut flags) = (fresh.clone(), vec![0; n]);
        let counted = plain::tokens(&cs, &mut want, 'q');
        plain::classes(&cs, &mut flags);
        on_every_device(|d| {
            let (mut got, mut bits) = (fresh.clone(), vec![0; n]);
            assert_eq!(tokens(d, &cs, &mut got, 'q'), counted);
            assert_eq!(got, want);
            classes(d, &cs, &mut bits);
            assert_eq!(bits, flags);
        });
    }
}

#[test]
fn ranges_and_texts_of_bytes() {
    let x: Vec<f32> = (0..23).map(|i| i as f32 * 0.05).collect();
    let n: Vec<i64> = (0..23).map(|i| i * 5 % 11 - 3).collect();
    let bytes: Vec<u8> = (0..23).map(|i| i * 11).collect();
    let (mut want, mut text) = (vec![0; 23], vec![[0; 2]; 23]);
    plain::inside(&x, &n, &mut want);
    plain::hexed(&bytes, &mut text);
    on_every_device(|d| {
        let (mut got, mut hex) = (vec![0; 23], vec![[0; 2]; 23]);
        inside(d, &x, &n, &mut got);
        assert_eq!(got, want);
        hexed(d, &bytes, &mut hex);
        assert_eq!(hex, text);
    });
}

#[test]
fn conversions() {
    let xs: Vec<i16> = (-20..21).collect();
    let (mut ys, mut zs) = (vec![0.0; 41], vec![[0; 2]; 41]);
    plain::converted(&xs, &mut ys, &mut zs);
    on_every_device(|d| {
        let (mut y, mut z) = (vec![0.0; 41], vec![[0; 2]; 41]);
        converted(d, &xs, &mut y, &mut z);
        assert_eq!((y, z), (ys.clone(), zs.clone()));
    });
}

#[test]
fn constants_of_type_parameters_and_own_methods() {
    let x: Vec<f64> = (-5..12).map(|i| f64::from(i) * 0.25).collect();
    let (mut ys, mut zs) = (vec![0.0; 17], vec![0.0; 17]);
    plain::halves(&x, &mut ys, &mut zs);
    let n: Vec<i32> = (0..24).map(|i| i * i % 17).collect();
    let mut rung = vec![0; 24];
    plain::rings(&n, &mut rung, 6);
    on_every_device(|d| {
        let (mut y, mut z) = (vec![0.0; 17], vec![0.0; 17]);
        halves(d, &x, &mut y, &mut z);
        assert_eq!((y, z), (ys.clone(), zs.clone()));
        let mut out = vec![0; 24];
        rings(d, &n, &mut out, 6);
        assert_eq!(out, rung);
    });
}

#[test]
fn a_condition_of_three_parts_excludes() {
    let n = 9;
    let from: Vec<u32> = (0..81).map(|i| i * 37 % 50 + 1).collect();
    let mut want = from.clone();
    (0..n).for_each(|k| plain::shortest(&mut want, n, k));
    on_every_device(|d| {
        let mut got = from.clone();
        (0..n).for_each(|k| shortest(d, &mut got, n, k));
        assert_eq!(got, want);
    });
}

#[test]
fn tuples_and_arrays_in_assertions() {
    let x: Vec<i32> = (0..10).collect();
    on_every_device(|d| {
        let mut y = vec![0; 10];
        asserted(d, &x, 7, &mut y);
        assert_eq!(y[9], 10);
    });
    for d in 0..=omp::get_num_devices() {
        let failed =
            catch_unwind(AssertUnwindSafe(|| asserted(d, &x, 4, &mut [0; 10]))).expect_err("it fails");
        let text = failed.downcast::<String>().expect("a text");
        let shown = "at 4\n  left: (4, [4, 4])\n right: (4, [4, 7])";
        assert!(text.contains(shown), "{text}");
    }
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Even {
    half: u32,
}

#[omp::declare_target]
impl Even {
    fn try_from(n: u32) -> Option<Self> {
        if n % 2 == 0 { Some(Even { half: n / 2 }) } else { None }
    }
}

#[omp::offload]
fn halves_of(d: usize, x: &[u32], y: &mut [u32]) {
    #[omp::target(device(d))]
    for i in 0..x.len() {
        y[i] = match Even::try_from(x[i]) {
            Some(even) => even.half,
            None => 0,
        };
    }
}

/// Only std's gives a `Result`.
#[test]
fn a_function_of_ones_own_may_be_called_try_from() {
    on_every_device(|d| {
        let mut y = [9; 6];
        halves_of(d, &[0, 1, 2, 3, 4, 5], &mut y);
        assert_eq!(y, [0, 0, 1, 0, 2, 0]);
    });
}

#[omp::offload]
fn shows_what_it_was_given(d: usize, x: &[u32], w: [u32; 3], y: &mut [u32]) {
    #[omp::target(device(d))]
    for i in 0..x.len() {
        assert!(x[i] < 100, "{} of {:?}", i, w);
        y[i] = match (&w, x[i]) {
            (v, n) => v[1] + n,
        };
    }
}

#[test]
fn an_array_of_the_caller_in_a_message() {
    on_every_device(|d| {
        let mut y = [0; 3];
        shows_what_it_was_given(d, &[1, 2, 3], [5, 6, 7], &mut y);
        assert_eq!(y, [7, 8, 9]);
        assert_eq!(omp::last_region().fallback, None);
    });
}

#[path = "habits/conditions.rs"]
mod conditions;
