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
    });
}
