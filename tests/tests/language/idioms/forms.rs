//! What directives expand to, in every form that the language has, against plain Rust. The unsafe code that
//! expansions contain may stand in a crate that forbids it, and warnings about it are nobody's.
#![forbid(unsafe_code)]
#![deny(warnings, unused, nonstandard_style, missing_debug_implementations, unreachable_pub)]
#![allow(unused_qualifications, reason = "all spellings of a path are to be found")]
#![allow(clippy::cast_lossless, reason = "bodies have `as`")]
use std::ops::{Add, AddAssign, Mul};

mod geometry {
    pub(crate) mod deep {
        #[omp::declare_target]
        pub(crate) fn mix(a: i64, b: i64) -> i64 {
            super::super::twice(a) * 1000 + b % 7
        }
        #[omp::declare_target]
        pub(crate) fn prime(k: usize) -> u16 {
            k as u16
        }
    }
    pub(crate) use self::deep::mix as blend;
    pub(crate) use deep::*;
}
use geometry::deep::{self, prime};

#[omp::declare_target]
const fn twice(v: i64) -> i64 {
    v + v
}

#[omp::declare_target]
fn middle<T: PartialOrd + Copy>(a: T, b: T, c: T) -> T {
    let (low, high) = ordered(a, b);
    if c < low {
        low
    } else if c > high {
        high
    } else {
        c
    }
}

#[omp::declare_target]
fn ordered<T: PartialOrd + Copy>(a: T, b: T) -> (T, T) {
    if a < b { (a, b) } else { (b, a) }
}

#[omp::declare_target]
fn causal<const N: usize>(taps: [i32; N], x: &[i16], at: usize) -> i64 {
    let mut sum = 0i64;
    for k in 0..N {
        if k > at {
            break;
        }
        sum += taps[k] as i64 * x[at - k] as i64;
    }
    sum
}

#[omp::offload]
fn calls(x: &[i16], out: &mut [i64], n: usize) {
    #[omp::target]
    for i in 0..n {
        let m = middle(x[i], 3, 4) as i64 + middle(i as i64, 5, 9);
        let c = causal([1, 2, 3], x, i) + causal::<2>([1, 2], &x[0..i + 1], i);
        let k = deep::mix(m, c) + crate::idioms::forms::geometry::blend(1, 2) + geometry::mix(m, 2);
        out[i] = k + prime(i) as i64;
    }
}

#[test]
fn device_functions_are_found_by_any_path() {
    let n = 300;
    let x: Vec<i16> = (0..n as i16).collect();
    let mut out = vec![0; n];
    calls(&x, &mut out, n);
    for (i, &got) in out.iter().enumerate() {
        let i = i as i64;
        let m = i.clamp(3, 4) + i.clamp(5, 9);
        let at = |back: i64| if back > i { 0 } else { i - back };
        let c = 2 * at(0) + 4 * at(1) + 3 * at(2);
        assert_eq!(got, 4000 * m + c % 7 + 2004 + i, "at {i}");
    }
}

#[omp::declare_target]
fn fib(n: u32) -> u64 {
    match n {
        0 => 0,
        1 => 1,
        _ => fib(n - 1) + fib(n - 2),
    }
}

#[omp::offload]
fn fibs(y: &mut [u64]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = fib(i as u32);
    }
}

#[test]
fn recursion_ends() {
    let mut y = [9; 12];
    fibs(&mut y);
    assert_eq!(y, [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]);
}

mod shadow {
    #[omp::declare_target]
    pub(crate) fn scaled(v: f32) -> f32 {
        v * 2.0
    }
}
#[allow(unused_imports)]
use shadow::*;

/// The function that rustc calls; the companion is that of `shadow::scaled`.
fn scaled(v: f32) -> f32 {
    v * 3.0
}

#[omp::offload]
fn not_the_declared(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = scaled(y[i]);
    }
}

#[test]
fn another_function_of_the_name_is_not_taken_for_it() {
    let mut y = [1.0; 5];
    not_the_declared(&mut y);
    assert_eq!(y, [3.0; 5]);
}

mod hiding {
    #[omp::declare_target]
    pub(crate) trait Get {
        fn get(&self) -> f32;
    }
    pub(crate) mod private {
        use super::Get;
        #[derive(Clone, Copy, Debug, omp::Device)]
        pub(crate) struct S {
            pub(crate) v: f32,
        }
        impl S {
            /// Nothing outside sees it: the declared `impl` of the trait compiles.
            fn get(&self) -> f32 {
                self.v * 3.0
            }
        }
        #[omp::offload]
        pub(crate) fn by_path(d: usize, x: &[S], y: &mut [f32]) {
            #[omp::target(device(d))]
            for i in 0..y.len() {
                y[i] = S::get(&x[i]) + <S as Get>::get(&x[i]);
            }
        }
    }
    #[omp::declare_target]
    impl Get for private::S {
        fn get(&self) -> f32 {
            self.v * 2.0
        }
    }
}

#[test]
fn a_private_method_is_not_taken_for_a_declared_one() {
    for d in 0..=omp::get_num_devices() {
        let mut y = [0.0; 5];
        hiding::private::by_path(d, &[hiding::private::S { v: 1.0 }; 5], &mut y);
        assert_eq!(y, [5.0; 5]);
        let fallback = omp::last_region().fallback.unwrap_or_default();
        assert!(d == omp::get_num_devices() || fallback.contains("declared under its name"), "{fallback}");
    }
}

#[omp::offload]
fn axpby<T: omp::Device + Add<Output = T> + Mul<Output = T>>(a: T, x: &[T], b: T, y: &mut [T]) {
    #[omp::target(map(to: x), map(tofrom: y))]
    for i in 0..x.len() {
        y[i] = a * x[i] + b * y[i];
    }
}

#[omp::offload]
fn dot<T: omp::Device + Mul<Output = T> + AddAssign>(x: &[T], y: &[T], zero: T) -> T {
    let mut sum = zero;
    #[omp::target(map(to: x, y), reduction(+: sum))]
    for i in 0..x.len() {
        sum += x[i] * y[i];
    }
    sum
}

#[omp::offload]
fn times<const N: usize>(x: &mut [u64]) {
    #[omp::target]
    for i in 0..x.len() {
        x[i] *= N as u64;
    }
}

#[test]
fn generic_functions_have_their_own_kernels() {
    let (mut a, mut b) = (vec![1.0f32; 100], vec![2i64; 100]);
    axpby(2.0, &[3.0; 100], 0.5, &mut a);
    axpby(2, &[3; 100], 5, &mut b);
    assert!(a.iter().all(|v| *v == 6.5) && b.iter().all(|v| *v == 16));
    assert_eq!((dot(&a, &a, 1.0), dot(&b, &b, 7)), (4226.0, 25607));
    let mut u = vec![1; 9];
    times::<3>(&mut u);
    times::<5>(&mut u);
    assert_eq!(u, [15; 9]);
}

#[derive(Debug)]
struct Grid {
    cells: Vec<f64>,
    old: Vec<f64>,
    width: usize,
    gain: f64,
    total: f64,
}

#[omp::offload]
impl Grid {
    fn step(&mut self) {
        let (h, w) = (self.cells.len() / self.width, self.width);
        #[omp::target(collapse(2), map(to: self.old))]
        for i in 1..h - 1 {
            for j in 1..w - 1 {
                self.cells[i * w + j] = self.gain * (self.old[(i - 1) * w + j] + self.old[(i + 1) * w + j]);
            }
        }
        #[omp::target(reduction(+: self.total))]
        for k in 0..self.cells.len() {
            self.total += self.cells[k];
        }
    }
}

#[test]
fn fields_are_arrays_scalars_and_items() {
    let old = (0..60).map(f64::from).collect();
    let mut g = Grid { cells: vec![0.0; 60], old, width: 6, gain: 0.5, total: 10.0 };
    g.step();
    assert_eq!(g.cells[13], 13.0);
    assert_eq!(g.total, 10.0 + g.cells.iter().sum::<f64>());
}

#[omp::offload(try)]
fn tried(x: &mut [i32], at: usize) -> Result<(), Box<dyn std::error::Error>> {
    #[omp::target]
    for i in 0..x.len() {
        assert!(i != at, "hit {}", i);
        x[i] += 1;
    }
    Ok(())
}

#[test]
fn failures_leave_through_the_result() {
    let mut x = [0; 50];
    assert!(tried(&mut x, 1000).is_ok());
    assert_eq!(x, [1; 50]);
    let e = tried(&mut x, 17).unwrap_err().to_string();
    assert!(e.contains("hit 17") && e.contains("tried"), "{e}");
}

#[omp::offload]
fn medians(x: &[u8], y: &mut [u8]) {
    let mut w = [0u8; 5];
    let mut t = 7u8;
    #[omp::target(private(w), firstprivate(t))]
    for i in 0..y.len() {
        for k in 0..5 {
            w[k] = x[i + k];
        }
        for a in 1..5 {
            let mut b = a;
            while b > 0 && w[b - 1] > w[b] {
                w.swap(b - 1, b);
                b -= 1;
            }
        }
        t = 8;
        y[i] = w[2] + t;
    }
}

#[test]
fn private_variables_are_each_iterations_own() {
    let x: Vec<u8> = (0..104u32).map(|i| (i * 7 % 31) as u8).collect();
    let mut y = [0; 100];
    medians(&x, &mut y);
    for (i, got) in y.iter().enumerate() {
        let mut w = x[i..i + 5].to_vec();
        w.sort_unstable();
        assert_eq!(*got, w[2] + 8, "at {i}");
    }
}

#[omp::offload]
fn statistics(x: &[f64], n: i32) -> (f64, f64, f64, u32, bool, i64) {
    let (mut sum, mut low, mut high, mut count, mut any, mut nest) =
        (1.0, f64::MAX, f64::MIN, 0u32, false, 0i64);
    #[omp::target(reduction(+: sum, count), reduction(min: low), reduction(max: high), reduction(||: any))]
    for i in 0..x.len() {
        sum += x[i];
        low = low.min(x[i]);
        if x[i] > high {
            high = x[i];
        }
        count += 1;
        if x[i] > 900.0 {
            any = true;
        }
    }
    #[omp::target(collapse(3), reduction(+: nest))]
    for i in 0..n {
        for j in 0..=i {
            for k in (j..=i).rev().step_by(2) {
                nest += (i - k) as i64;
            }
        }
    }
    (sum, low, high, count, any, nest)
}

#[test]
fn reductions_of_every_kind_side_by_side() {
    let x: Vec<f64> = (0..1000).map(|i| f64::from(i * 7 % 997)).collect();
    let nest = |i: i64| (0..=i).map(|j| (j..=i).rev().step_by(2).map(|k| i - k).sum::<i64>()).sum::<i64>();
    let want = (1.0 + x.iter().sum::<f64>(), 0.0, 996.0, 1000, true, (0..20).map(nest).sum());
    assert_eq!(statistics(&x, 20), want);
}

#[omp::offload]
fn sections(y: &mut Vec<u32>, g: &Grid, a: usize, b: usize) -> f64 {
    #[omp::target(map(tofrom: y[a..b]))]
    for i in a..b {
        y[i] = i as u32;
    }
    let mut s = 0.0;
    #[omp::target(reduction(+: s), num_teams(4u8), thread_limit(64), if(a < b), name("every third"))]
    for i in (0..g.cells.len()).step_by(3) {
        s += g.cells[i] * g.gain;
    }
    s
}

#[test]
fn sections_and_clauses_take_expressions() {
    let cells: Vec<f64> = (0..50).map(f64::from).collect();
    let g = Grid { cells, old: vec![], width: 5, gain: 0.5, total: 0.0 };
    let mut y = vec![0; 40];
    assert_eq!(sections(&mut y, &g, 3, 30), g.cells.iter().step_by(3).sum::<f64>() * 0.5);
    assert!((0..40).all(|i| y[i] == if (3..30).contains(&i) { i as u32 } else { 0 }));
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Point {
    x: f32,
    y: f32,
}

#[omp::offload]
fn nested(y: &mut [[i64; 3]], s: &mut [Point; 8]) {
    #[omp::target(collapse(2))]
    for i in 0..y.len() {
        for f in 0..3 {
            y[i][f] = (i * 10 + f) as i64;
        }
    }
    #[omp::target]
    for i in 0..8 {
        s[i].x = i as f32;
        s[i].y = s[i].x * 2.0;
    }
}

#[test]
fn places_reach_into_elements() {
    let (mut y, mut s) = (vec![[0; 3]; 50], [Point { x: 0.0, y: 0.0 }; 8]);
    nested(&mut y, &mut s);
    assert!(y.iter().enumerate().all(|(i, row)| (0..3).all(|f| row[f] == (i * 10 + f) as i64)));
    assert!(s.iter().enumerate().all(|(i, p)| *p == Point { x: i as f32, y: 2.0 * i as f32 }));
}

#[omp::offload]
fn empty_outer(rows: usize, starts: &[usize], y: &mut [u8]) {
    #[omp::target(collapse(2))]
    for i in 0..rows {
        for j in starts[0]..starts[0] + 2 {
            y[2 * i + j] = 1;
        }
    }
}

#[test]
fn bounds_that_no_iteration_reaches_are_not_evaluated() {
    empty_outer(0, &[], &mut []);
}

macro_rules! made_by_a_macro {
    ($function:ident, $plain:ident, $y:ident, $i:ident, $sum:ident, $e:expr, $item:expr) => {
        #[omp::offload]
        fn $function($y: &mut [i64]) -> i64 {
            let (mut $sum, own) = (0, $e);
            #[omp::target(reduction(+: $sum), map(tofrom: $y))]
            for $i in 0..$y.len() {
                let k = $y[$i] * $e - $e + own * $item;
                assert!($e * 2 != 11, "{} {}", k, $i);
                $y[$i] = k;
                $sum += $y[$i] - $item.abs();
            }
            $sum
        }

        fn $plain($y: &mut [i64]) -> i64 {
            let (mut $sum, own) = (0, $e);
            for $i in 0..$y.len() {
                let k = $y[$i] * $e - $e + own * $item;
                $y[$i] = k;
                $sum += $y[$i] - $item.abs();
            }
            $sum
        }
    };
}
made_by_a_macro!(made, made_plain, y, i, s, 2 + 3, -y[i]);

#[test]
fn expressions_that_a_macro_is_given_stay_whole() {
    let (mut y, mut z): (Vec<i64>, Vec<i64>) = ((0..100).collect(), (0..100).collect());
    assert_eq!(made(&mut y), made_plain(&mut z));
    assert_eq!(y, z);
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Keyword {
    r#type: u16,
    r#in: [u8; 2],
}

#[omp::offload]
fn keywords(d: usize, y: &mut [Keyword]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        let Keyword { r#type, .. } = y[i];
        y[i].r#in[1] = 3;
        y[i] = Keyword { r#type: r#type + 1, ..y[i] };
    }
}

#[test]
fn raw_names_are_those_of_the_device_too() {
    omp_tests::on_every_device(|d| {
        let mut y = [Keyword { r#type: 1, r#in: [2; 2] }; 3];
        keywords(d, &mut y);
        assert_eq!(y, [Keyword { r#type: 2, r#in: [2, 3] }; 3]);
        assert_eq!(omp::last_region().fallback, None);
    });
}

#[omp::offload]
fn rows(d: usize, z: &mut [[u32; 4]], k: usize) {
    #[omp::target(device(d))]
    for i in 0..z.len() {
        z[i].swap(0, k);
        z[i][k] = 1;
    }
}

#[test]
fn messages_show_what_the_user_wrote() {
    omp_tests::on_every_device(|d| {
        let caught = std::panic::catch_unwind(|| rows(d, &mut [[0; 4]; 3], 4)).unwrap_err();
        let text = caught.downcast::<String>().unwrap();
        assert!(!text.contains("__omp"), "{text}");
    });
}

const SHIFT: usize = 3;

#[allow(non_snake_case)]
#[omp::offload]
fn capitals(d: usize, A: &[i64], B: &mut [i64], N: usize, alpha: Option<i64>) -> i64 {
    let (K, mut S) = (N / 2, 0);
    let M = alpha.unwrap_or(1);
    #[omp::target(device(d), map(to: A), map(from: B), reduction(+: S))]
    for I in 0..N {
        let T = A[N - 1 - I] * M;
        let kind = match I % 7 {
            SHIFT => 5,
            _ => 1,
        };
        let mut sum = 0;
        for J in 0..K.min(SHIFT) {
            sum += A[J] * J as i64;
        }
        B[I] = T + sum + kind + A.len() as i64;
        S += B[I];
    }
    S
}

#[test]
fn variables_may_be_capitals() {
    let n = 200;
    let a: Vec<i64> = (0..n as i64).collect();
    let kind = |i: usize| if i % 7 == SHIFT { 5 } else { 1 };
    let expected: Vec<i64> = (0..n).map(|i| a[n - 1 - i] * 4 + 5 + kind(i) + n as i64).collect();
    omp_tests::on_every_device(|d| {
        let mut b = vec![0; n];
        let sum = capitals(d, &a, &mut b, n, Some(4));
        assert_eq!(omp::last_region().fallback, None);
        assert_eq!((&b, sum), (&expected, expected.iter().sum()));
    });
}

macro_rules! capitals_of_a_macro {
    ($name:ident, $n:ident, $y:ident) => {
        #[allow(non_snake_case)]
        #[omp::offload]
        fn $name($y: &mut [usize], $n: usize) {
            let K = $n * 2;
            #[omp::target]
            for I in 0..$n {
                $y[I] = K + $n - I;
            }
        }
    };
}
capitals_of_a_macro!(capitals_with_marks, N, Y);

#[test]
fn capitals_in_macros_are_variables_too() {
    let mut y = [0; 5];
    capitals_with_marks(&mut y, 5);
    assert_eq!(y, [15, 14, 13, 12, 11]);
}

/// A declared trait of this crate with a default method, and an `impl` beside another trait with one of this name.
mod defaults {
    #[omp::declare_target]
    pub(crate) trait Round {
        fn side(&self) -> f32;
        fn area(&self) -> f32 {
            3.0 * self.side()
        }
    }
    #[omp::declare_target]
    pub(crate) trait Angular {
        fn width(&self) -> f32;
        fn area(&self) -> f32 {
            self.width()
        }
    }
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub(crate) struct Shape(pub(crate) f32);
    #[omp::declare_target]
    impl Round for Shape {
        fn side(&self) -> f32 {
            self.0
        }
    }
    #[omp::declare_target]
    impl Angular for Shape {
        fn width(&self) -> f32 {
            self.0
        }
    }
    #[omp::offload]
    pub(crate) fn areas(p: &[Shape], y: &mut [f32]) {
        #[omp::target]
        for i in 0..y.len() {
            y[i] = Round::area(&p[i]) + Angular::area(&p[i]);
        }
    }
}

#[test]
fn generated_names_of_default_methods() {
    let mut y = [0.0; 2];
    defaults::areas(&[defaults::Shape(2.0); 2], &mut y);
    assert_eq!(y, [8.0; 2]);
}
