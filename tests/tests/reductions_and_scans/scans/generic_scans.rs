//! Scans and reductions of a function's type parameter, which is a number or a type of the user's, stay on the device.
use omp_tests::{Values, on_every_device};
use std::ops::Add;

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Pair {
    a: u32,
    b: u64,
}

#[omp::declare_reduction(+: Pair, identity = Pair { a: 0, b: 0 })]
impl Add for Pair {
    type Output = Pair;
    fn add(self, other: Pair) -> Pair {
        Pair { a: self.a.wrapping_add(other.a), b: self.b.wrapping_add(other.b) }
    }
}

/// With a parameter of its own, and operators of one instance or of all.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Both<X> {
    a: X,
    b: X,
}

#[omp::declare_reduction(+: Both<f32>, identity = Both { a: 0.0, b: 0.0 })]
impl Add for Both<f32> {
    type Output = Both<f32>;
    fn add(self, other: Both<f32>) -> Both<f32> {
        Both { a: self.a + other.a, b: self.b + other.b }
    }
}

#[omp::declare_reduction(+: Both<u64>, identity = Both { a: 0, b: 0 })]
impl Add for Both<u64> {
    type Output = Both<u64>;
    fn add(self, other: Both<u64>) -> Both<u64> {
        Both { a: self.a.wrapping_add(other.a), b: self.b.max(other.b) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Complex<X> {
    re: X,
    im: X,
}

#[omp::declare_target]
impl<X: Copy + Add<Output = X>> Add for Complex<X> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Complex { re: self.re + other.re, im: self.im + other.im }
    }
}

#[omp::declare_target]
impl<X: Copy + std::ops::Neg<Output = X>> std::ops::Neg for Complex<X> {
    type Output = Self;
    fn neg(self) -> Self {
        Complex { re: -self.re, im: -self.im }
    }
}

#[omp::offload]
fn less<T: omp::Device + Add<Output = T> + std::ops::Neg<Output = T>>(d: usize, x: &[T], y: &mut [T]) {
    #[omp::target(device(d))]
    for i in 0..x.len() {
        y[i] = -x[i] + y[i];
    }
}

#[omp::offload]
fn inclusive<T: omp::Device + Copy + Add<Output = T>>(d: usize, x: &[T], y: &mut [T]) {
    y[0] = x[0];
    #[omp::scan(+, T, device(d))]
    for i in 1..x.len() {
        y[i] = y[i - 1] + x[i];
    }
}

#[omp::offload]
fn carried<T: omp::Device + Copy + Add<Output = T>>(d: usize, start: T, x: &[T], y: &mut [T]) -> T {
    let mut s = start;
    #[omp::scan(+, T, device(d))]
    for i in 0..x.len() {
        y[i] = s;
        s = s + x[i];
    }
    s
}

#[omp::offload]
fn total<T: omp::Device + Copy + Add<Output = T>>(d: usize, start: T, x: &[T]) -> T {
    let mut s = start;
    #[omp::target(device(d), reduction(+: s))]
    for i in 0..x.len() {
        s = s + x[i];
    }
    s
}

fn check<T: omp::Device + Copy + Add<Output = T> + PartialEq + std::fmt::Debug>(
    d: usize,
    zero: T,
    of: impl Fn(u64) -> T,
) {
    for n in [1usize, 2, 1000, 40_001] {
        let mut r = Values(n as u64);
        let x: Vec<T> = (0..n).map(|_| of(r.wide() % 1000)).collect();
        let mut sums = Vec::new();
        let mut s = zero;
        for v in &x {
            s = s + *v;
            sums.push(s);
        }
        let mut y = vec![zero; n];
        inclusive(d, &x, &mut y);
        assert_eq!(y, sums, "{n} on {d}");
        assert_eq!(carried(d, zero, &x, &mut y), s, "{n} on {d}");
        assert!(y[0] == zero && y[1..] == sums[..n - 1], "{n} on {d}");
        assert_eq!(total(d, zero, &x), s, "{n} on {d}");
    }
}

#[test]
fn of_numbers_and_of_types_of_the_users() {
    on_every_device(|d| {
        check(d, 0u64, |v| v);
        check(d, 0.0f64, |v| v as f64);
        check(d, Pair { a: 0, b: 0 }, |v| Pair { a: v as u32, b: v << 20 });
        check(d, Both { a: 0.0, b: 0.0 }, |v| Both { a: (v % 8) as f32, b: (v % 4) as f32 });
        check(d, Both { a: 0, b: 0u64 }, |v| Both { a: v, b: v << 20 });
    });
}

#[test]
fn operators_of_generic_types_behind_a_type_parameter() {
    on_every_device(|d| {
        let mut y = vec![7i32; 1000];
        less(d, &(0..1000).collect::<Vec<_>>(), &mut y);
        assert!((0..1000).all(|i| y[i as usize] == 7 - i), "on {d}");
        let x: Vec<_> = (0..1000).map(|i| Complex { re: f64::from(i), im: 0.5 }).collect();
        let mut y = vec![Complex { re: 1.0, im: 2.0 }; 1000];
        less(d, &x, &mut y);
        assert!((0..1000).all(|i| y[i as usize] == Complex { re: 1.0 - f64::from(i), im: 1.5 }), "on {d}");
    });
}
