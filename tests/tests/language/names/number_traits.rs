//! A user's trait whose methods are named as those of numbers: by the trait the user's run, on a number its own.
#![forbid(unsafe_code)]
#![allow(clippy::all, clippy::pedantic, reason = "bodies have all forms on purpose")]
use omp_tests::on_every_device;
use std::ops::{Add, Mul};

#[omp::declare_target]
trait Real: Copy + PartialOrd + Add<Output = Self> + Mul<Output = Self> {
    const ZERO: Self;
    fn sqrt(self) -> Self;
    /// Of the primitives it is another one than their own.
    fn abs(self) -> Self;
    fn max(self, other: Self) -> Self;
    fn powi(self, n: i32) -> Self;
    fn from_f64(v: f64) -> Self;
    fn half(self) -> Self;
}

macro_rules! real {
    ($($t:ty)*) => { $(
        #[omp::declare_target]
        impl Real for $t {
            const ZERO: $t = 0.0;
            fn sqrt(self) -> $t {
                <$t>::sqrt(self)
            }
            fn abs(self) -> $t {
                self.abs() + 100.0
            }
            fn max(self, other: $t) -> $t {
                <$t>::max(self, other)
            }
            fn powi(self, n: i32) -> $t {
                self.powi(n)
            }
            fn from_f64(v: f64) -> $t {
                v as $t
            }
            fn half(self) -> $t {
                0.5 * self
            }
        }
    )* };
}
real!(f64);

#[omp::declare_target]
impl Real for f32 {
    const ZERO: f32 = 0.0;
    fn sqrt(self) -> f32 {
        f32::sqrt(self)
    }
    fn abs(self) -> f32 {
        f32::abs(self) + 100.0
    }
    fn max(self, other: f32) -> f32 {
        f32::max(self, other)
    }
    fn powi(self, n: i32) -> f32 {
        f32::powi(self, n)
    }
    fn from_f64(v: f64) -> f32 {
        v as f32
    }
    fn half(self) -> f32 {
        0.5 * self
    }
}

/// A value and its derivative.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, omp::Device)]
struct Dual {
    v: f32,
    d: f32,
}

#[omp::declare_target]
impl Add for Dual {
    type Output = Dual;
    fn add(self, o: Dual) -> Dual {
        Dual { v: self.v + o.v, d: self.d + o.d }
    }
}

#[omp::declare_target]
impl Mul for Dual {
    type Output = Dual;
    fn mul(self, o: Dual) -> Dual {
        Dual { v: self.v * o.v, d: self.v * o.d + self.d * o.v }
    }
}

#[omp::declare_target]
impl Real for Dual {
    const ZERO: Dual = Dual { v: 0.0, d: 0.0 };
    fn sqrt(self) -> Dual {
        let s = f32::sqrt(self.v);
        Dual { v: s, d: self.d / (2.0 * s) }
    }
    fn abs(self) -> Dual {
        if self.v < 0.0 { Dual { v: -self.v, d: -self.d } } else { self }
    }
    fn max(self, other: Dual) -> Dual {
        if other.v > self.v { other } else { self }
    }
    fn powi(self, n: i32) -> Dual {
        let p = f32::powi(self.v, n - 1);
        Dual { v: p * self.v, d: n as f32 * p * self.d }
    }
    fn from_f64(v: f64) -> Dual {
        Dual { v: v as f32, d: 0.0 }
    }
    fn half(self) -> Dual {
        Dual { v: self.v.half(), d: self.d.half() }
    }
}

#[omp::declare_target]
trait Whole: Copy {
    fn abs(self) -> Self;
    fn pow(self, n: u32) -> Self;
}

#[omp::declare_target]
impl Whole for i32 {
    fn abs(self) -> i32 {
        i32::abs(self)
    }
    fn pow(self, n: u32) -> i32 {
        self.pow(n)
    }
}

// An unsigned integer has no `abs` of its own: a call by name runs the trait's.
#[omp::declare_target]
impl Whole for u32 {
    fn abs(self) -> u32 {
        self
    }
    fn pow(self, n: u32) -> u32 {
        u32::pow(self, n) + 7
    }
}

#[omp::offload]
fn norm<T: Real + omp::Device>(a: &[T], n: usize, out: &mut [T], device: usize) {
    #[omp::target(device(device))]
    for i in 0..out.len() {
        let mut s = T::ZERO;
        for x in &a[i * n..(i + 1) * n] {
            s = s + x.abs().powi(2).max(T::ZERO);
        }
        out[i] = s.sqrt().half() + T::from_f64(0.5);
    }
}

#[test]
fn generic_code_runs_the_traits_methods() {
    on_every_device(|device| {
        let a = [1.0f32, -2.0, 3.0, 4.0];
        let (mut f, mut d, mut q) = ([0.0f32; 2], [0.0f64; 2], [Dual::ZERO; 2]);
        norm(&a, 2, &mut f, device);
        norm(&a.map(f64::from), 2, &mut d, device);
        norm(&a.map(|v| Dual { v, d: 1.0 }), 2, &mut q, device);
        let of = |x: f64, y: f64| (x * x + y * y).sqrt() * 0.5 + 0.5;
        for (i, (x, y)) in [(1.0, 2.0), (3.0, 4.0)].into_iter().enumerate() {
            assert!((d[i] - of(x + 100.0, y + 100.0)).abs() < 1e-9, "{d:?}");
            assert!((f64::from(f[i]) - d[i]).abs() < 1e-3, "{f:?}");
            assert!((f64::from(q[i].v) - of(x, y)).abs() < 1e-5, "{q:?}");
        }
        // The derivative of half a root of 1 + 4, where the second value was negated.
        assert!((f64::from(q[0].d) - 0.5 * (1.0 - 2.0) / 5.0f64.sqrt()).abs() < 1e-6, "{q:?}");
    });
}

#[omp::offload]
fn on_numbers(a: &[f32], out: &mut [f32], device: usize) {
    #[omp::target(device(device))]
    for i in 0..out.len() {
        let (x, own) = (a[i], f32::abs(a[i]));
        // Its own, and the trait's where it has none.
        out[i] = <f32>::abs(x) + own + f32::max(own, 0.25).half();
    }
}

#[omp::offload]
fn by_the_trait(a: &[f32], out: &mut [f32], device: usize) {
    #[omp::target(device(device))]
    for (o, x) in out.iter_mut().zip(a) {
        *o = Real::abs(*x) + <f32 as Real>::max(*x, 1.0) + f32::abs(*x);
    }
}

#[omp::offload]
fn whole(a: &[i32], b: &[u32], x: &mut [i32], y: &mut [u32], device: usize) {
    #[omp::target(device(device))]
    for i in 0..x.len() {
        x[i] = Whole::abs(a[i]) + i32::abs(a[i]) * i32::pow(a[i], 2);
        y[i] = b[i].abs() + u32::pow(b[i], 2) + Whole::pow(b[i], 1);
    }
}

#[test]
fn numbers_have_their_own_by_their_paths() {
    on_every_device(|device| {
        let a = [1.0f32, -2.0, 3.0, 0.0];
        let mut out = [0.0; 4];
        on_numbers(&a, &mut out, device);
        assert_eq!(out, [2.5, 5.0, 7.5, 0.125], "{device}");
        by_the_trait(&a, &mut out, device);
        assert_eq!(out, [103.0, 105.0, 109.0, 101.0]);
        let (mut x, mut y) = ([0; 3], [0; 3]);
        whole(&[-3, 2, 9], &[3, 2, 9], &mut x, &mut y, device);
        assert_eq!((x, y), ([3 + 27, 2 + 8, 9 + 729], [3 + 9 + 10, 2 + 4 + 9, 9 + 81 + 16]));
    });
}
