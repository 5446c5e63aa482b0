//! Type parameters without the bound `omp::Device`, where regions use values of them: the macro adds it. All devices, against known results.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::on_every_device;
use std::ops::{Add, Mul};

#[omp::declare_target]
trait Real: Copy + Add<Output = Self> + Mul<Output = Self> + PartialOrd {
    const HALF: Self;
    fn of(v: f64) -> Self;
}
macro_rules! real {
    ($($t:ident)*) => { $(
        #[omp::declare_target]
        impl Real for $t {
            const HALF: $t = 0.5;
            fn of(v: f64) -> $t {
                v as $t
            }
        }
    )* };
}
real!(f32 f64);

/// Its `impl` shows that its types are device types: callers need no bound.
#[omp::declare_target]
trait Generator: Copy {
    fn stream(number: u64) -> Self;
    fn next(&mut self) -> u64;
}
#[derive(Clone, Copy, omp::Device)]
struct Weyl(u64);
#[omp::declare_target]
impl Generator for Weyl {
    fn stream(number: u64) -> Self {
        Weyl(number * 7)
    }
    fn next(&mut self) -> u64 {
        self.0 += 12345;
        self.0 >> 3
    }
}

/// The types that the file shows are device types.
#[omp::declare_target]
trait Source: Sized {
    fn from_seed(seed: u64) -> Self;
    fn number(&mut self) -> u64;
    fn pair(&mut self) -> u64 {
        self.number() * 3 + self.number()
    }
}
#[omp::declare_target]
impl Source for Weyl {
    fn from_seed(seed: u64) -> Self {
        Weyl(seed + 1)
    }
    fn number(&mut self) -> u64 {
        self.0 += 5;
        self.0
    }
}
#[omp::declare_target]
impl Source for u64 {
    fn from_seed(seed: u64) -> u64 {
        seed
    }
    fn number(&mut self) -> u64 {
        *self = *self * 5 + 1;
        *self
    }
}

#[omp::offload]
fn numbers<S: Source>(d: usize, out: &mut [u64]) {
    #[omp::target(device(d))]
    for (i, o) in out.iter_mut().enumerate() {
        let mut s = S::from_seed(i as u64);
        *o = s.number() + s.pair();
    }
}
fn numbers_of_host<S: Source>(d: usize) -> Vec<u64> {
    let mut out = vec![0; 3];
    numbers::<S>(d, &mut out);
    out
}

#[omp::declare_target]
trait Activation {
    const K: f32;
    fn f(x: f32) -> f32;
}
/// No device type: it only selects behaviour.
struct Relu;
#[omp::declare_target]
impl Activation for Relu {
    const K: f32 = 2.0;
    fn f(x: f32) -> f32 {
        x.max(0.0)
    }
}

#[omp::offload]
fn marker<A: Activation>(d: usize, x: &[f32], y: &mut [f32]) {
    #[omp::target(device(d))]
    for i in 0..x.len() {
        y[i] = A::f(x[i]) * A::K;
    }
}

#[omp::offload]
fn made<T: Real>(d: usize, n: usize) -> u32 {
    let mut above = 0u32;
    #[omp::target(device(d), reduction(+: above))]
    for i in 0..n {
        above += if T::of(i as f64) * T::HALF > T::of(1.5) { 1 } else { 0 };
    }
    above
}

#[omp::offload]
fn slices<T: Real>(d: usize, x: &[T], k: T, y: &mut Vec<T>) {
    #[omp::target(device(d))]
    for i in 0..x.len() {
        y[i] = x[i] * k + y[i];
    }
}

#[omp::offload]
fn drawn<G: Generator>(d: usize, out: &mut [u64]) {
    #[omp::target(device(d))]
    for (i, o) in out.iter_mut().enumerate() {
        let mut g = G::stream(i as u64);
        *o = g.next() ^ g.next();
    }
}
fn of_host<G: Generator>(d: usize) -> Vec<u64> {
    let mut out = vec![0; 5];
    drawn::<G>(d, &mut out);
    out
}

struct Solver<T> {
    cells: Vec<T>,
}
impl<T: Real> Solver<T> {
    #[omp::offload]
    fn step(&mut self, d: usize, by: T) {
        #[omp::target(device(d))]
        for i in 0..self.cells.len() {
            self.cells[i] = self.cells[i] * by;
        }
    }
}

#[derive(Clone, Copy, omp::Device)]
struct Scaled<T> {
    k: T,
}
#[omp::offload]
impl<T: Real> Scaled<T> {
    fn apply(&self, d: usize, x: &[T], y: &mut [T]) {
        #[omp::target(device(d))]
        for i in 0..x.len() {
            y[i] = x[i] * self.k;
        }
    }
}

#[test]
fn bounds_are_added() {
    let x = [-1.0f32, 2.0, 3.0, -4.0];
    on_every_device(|d| {
        let mut y = vec![0.0; 4];
        marker::<Relu>(d, &x, &mut y);
        assert_eq!(y, [0.0, 4.0, 6.0, 0.0]);
        slices(d, &x, 2.0, &mut y);
        assert_eq!(y, [-2.0, 8.0, 12.0, -8.0]);
        assert_eq!((made::<f32>(d, 10), made::<f64>(d, 4)), (6, 0));
        let mut expected = vec![0; 5];
        for (i, o) in expected.iter_mut().enumerate() {
            let mut g = Weyl::stream(i as u64);
            *o = g.next() ^ g.next();
        }
        assert_eq!(of_host::<Weyl>(d), expected);
        assert_eq!(numbers_of_host::<Weyl>(d), [55, 60, 65]);
        assert_eq!(numbers_of_host::<u64>(d), [50, 255, 460]);
        let mut solver = Solver { cells: vec![1.0f64, 2.0] };
        solver.step(d, 3.0);
        assert_eq!(solver.cells, [3.0, 6.0]);
        Scaled { k: 3.0 }.apply(d, &x, &mut y);
        assert_eq!(y, [-3.0, 6.0, 9.0, -12.0]);
    });
}

#[derive(Clone, Copy, Debug, PartialEq, Default, omp::Device)]
struct Pair(i32, i32);
#[omp::declare_target]
impl Add for Pair {
    type Output = Pair;
    fn add(self, other: Pair) -> Pair {
        Pair(self.0 + other.0, self.1 * 3 - other.1)
    }
}

/// An operator of a type by its name, as the argument of a method.
#[test]
#[omp::offload]
fn operators_by_name() {
    let x = [1, 2, 3, 4];
    on_every_device(|d| {
        let mut y = [Pair::default(); 4];
        #[omp::target(device(d))]
        for i in 0..4 {
            let pairs = x[..i].iter().map(|&v| Pair(v, 1));
            y[i] =
                if i % 2 == 0 { pairs.fold(Pair(1, 1), Pair::add) } else { pairs.reduce(Add::add).unwrap() };
        }
        assert_eq!(y, [Pair(1, 1), Pair(1, 1), Pair(4, 5), Pair(6, 5)]);
    });
}
