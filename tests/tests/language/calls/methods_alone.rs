//! `#[omp::declare_target]` on single methods, in `impl`s without it: generic and const ones, without a receiver, that change `self`, and
//! that stand at their calls.
#![allow(unused_qualifications, clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::on_every_device;
use std::ops::{Add, Mul};

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct V<T> {
    x: T,
    y: T,
}
impl<T: omp::Device + Add<Output = T> + Mul<Output = T>> V<T> {
    const TWO: usize = 2;
    pub fn new(x: T, y: T) -> Self {
        V { x, y }
    }
    #[omp::declare_target]
    fn make(x: T, y: T) -> Self {
        Self { x, y }
    }
    /// Doc.
    #[omp::declare_target]
    #[inline]
    pub fn dot(&self, o: &Self) -> T {
        self.x * o.x + self.y * o.y
    }
    #[omp::declare_target]
    fn twice(self) -> Self {
        let n = Self::TWO;
        if n == 2 { V::make(self.x + self.x, self.y + self.y) } else { self }
    }
    #[omp::declare_target]
    fn bump(&mut self, by: T) {
        self.x = self.x + by;
    }
    #[omp::declare_target]
    fn zip<U: omp::Device>(self, u: U) -> (V<T>, U) {
        (self, u)
    }
}
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Ring {
    at: [u32; 4],
    n: u32,
}
impl Ring {
    fn host_only(&self) -> String {
        format!("{:?}", self)
    }
    #[omp::declare_target]
    const fn mask(k: u32) -> u32 {
        k & 3
    }
    #[omp::declare_target]
    fn push(&mut self, v: u32) -> Option<u32> {
        let k = Self::mask(self.n) as usize;
        let old = self.at[k];
        self.at[k] = v;
        self.n += 1;
        if self.n > 4 { Some(old) } else { None }
    }
    #[omp::declare_target]
    fn items(&self) -> impl Iterator<Item = u32> + '_ {
        self.at.iter().map(|v| v + 1)
    }
    #[omp::declare_target]
    fn each<F: FnMut(u32)>(&self, mut f: F) {
        for k in 0..4 {
            f(self.at[k]);
        }
    }
    #[omp::declare_target]
    fn tail(&self) -> &[u32] {
        &self.at[1..]
    }
    #[omp::declare_target]
    fn with(mut self, n: u32) -> Self {
        self.n = n;
        self
    }
}
fn mask(k: u32) -> u32 {
    k
}
mod inner {
    #[derive(Clone, Copy, omp::Device)]
    pub struct P(pub i32);
    impl P {
        #[omp::declare_target]
        pub fn get(&self) -> i32 {
            self.0 + helper(1)
        }
    }
    #[omp::declare_target]
    fn helper(k: i32) -> i32 {
        k * 10
    }
}
use inner::P;

#[omp::offload]
fn on_device(d: usize, x: &[f32], y: &mut [f32], z: &mut [u32]) {
    #[omp::target(device(d))]
    for i in 0..x.len() {
        let mut v = V::make(x[i], 1.0).twice();
        v.bump(0.5);
        let (w, k) = v.zip(i as u32);
        y[i] = w.dot(&V { x: 1.0, y: 2.0 });
        let mut r = Ring { at: [k; 4], n: 0 }.with(1);
        let mut s = 0;
        for j in 0..7 {
            s += r.push(j + k).unwrap_or(100);
        }
        for v in r.items() {
            s = s * 3 % 1000003 + v;
        }
        r.each(|v| s ^= v);
        s += r.tail().iter().sum::<u32>() + Ring::mask(k) + P(i as i32).get() as u32;
        z[i] = s;
    }
}

fn serial(x: &[f32], y: &mut [f32], z: &mut [u32]) {
    for i in 0..x.len() {
        let mut v = V::make(x[i], 1.0).twice();
        v.bump(0.5);
        let (w, k) = v.zip(i as u32);
        y[i] = w.dot(&V { x: 1.0, y: 2.0 });
        let mut r = Ring { at: [k; 4], n: 0 }.with(1);
        let mut s = 0;
        for j in 0..7 {
            s += r.push(j + k).unwrap_or(100);
        }
        for v in r.items() {
            s = s * 3 % 1000003 + v;
        }
        r.each(|v| s ^= v);
        s += r.tail().iter().sum::<u32>() + Ring::mask(k) + P(i as i32).get() as u32;
        z[i] = s;
    }
}

/// The same names and bodies in two types, and in an `impl` with directives.
mod alike {
    #[derive(Clone, Copy, omp::Device)]
    pub struct A(pub i32);
    #[derive(Clone, Copy, omp::Device)]
    pub struct B(pub i32);
    impl A {
        const N: i32 = 2;
        #[omp::declare_target]
        pub fn f(self) -> i32 {
            self.0 * Self::N
        }
    }
    impl B {
        const N: i32 = 30;
        #[omp::declare_target]
        pub fn f(self) -> i32 {
            self.0 * Self::N
        }
    }
    #[omp::offload]
    impl B {
        #[omp::declare_target]
        pub fn g(&self, k: i32) -> i32 {
            self.f() + k
        }
        pub fn own(&self, d: usize, y: &mut [i32]) {
            #[omp::target(device(d))]
            for i in 0..y.len() {
                y[i] = self.g(i as i32);
            }
        }
    }
}

#[omp::offload]
fn of_both(d: usize, y: &mut [i32]) {
    /// Declared here, beside a method of this signature.
    #[omp::declare_target]
    fn f(x: i32) -> i32 {
        x + 1000
    }
    #[omp::target(device(d))]
    for i in 0..y.len() {
        let k = i as i32;
        y[i] = alike::A(k).f() + alike::B(k).f() + alike::B(1).g(k) + f(k);
    }
}

#[test]
fn methods_belong_to_the_impl_around_them() {
    on_every_device(|d| {
        let mut y = [0; 9];
        of_both(d, &mut y);
        assert_eq!(y, [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|k| 2 * k + 30 * k + 30 + k + k + 1000), "on {d}");
        alike::B(2).own(d, &mut y);
        assert_eq!(y, [60, 61, 62, 63, 64, 65, 66, 67, 68], "on {d}");
    });
}

#[test]
fn single_methods_are_device_functions() {
    let x: Vec<f32> = (0..100).map(|k| k as f32).collect();
    let (mut y, mut z) = (vec![0.0; 100], vec![0; 100]);
    serial(&x, &mut y, &mut z);
    assert_eq!((mask(7), V::new(1, 2).x, Ring { at: [1; 4], n: 0 }.host_only().len() > 3), (7, 1, true));
    on_every_device(|d| {
        let (mut a, mut b) = (vec![0.0; 100], vec![0; 100]);
        on_device(d, &x, &mut a, &mut b);
        assert_eq!(a, y, "on {d}");
        assert_eq!(b, z, "on {d}");
    });
}
