//! Functions, methods and operators whose own type parameters the call determines; methods and operators that the file shows.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    use std::ops::{Add, Mul, Sub};
    #[omp::declare_target]
    fn apply<T: Copy + omp::Device, U: Copy + omp::Device>(v: T, f: impl Fn(T) -> U) -> U { let r: U = f(v); r }
    #[omp::declare_target]
    fn again<T: Copy + omp::Device, F: Fn(T) -> T>(v: T, f: F) -> T { f(f(v)) }
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Rgb<T> { pub r: T, pub g: T }
    #[omp::declare_target]
    impl<T: Copy + omp::Device> Rgb<T> {
        fn map<U: Copy + omp::Device>(self, f: impl Fn(T) -> U) -> Rgb<U> { Rgb { r: f(self.r), g: f(self.g) } }
        fn zip<U: Copy + omp::Device, V: Copy + omp::Device>(self, o: Rgb<U>, f: impl Fn(T, U) -> V) -> Rgb<V> {
            let r: V = f(self.r, o.r);
            Rgb { r, g: f(self.g, o.g) }
        }
    }
    pub fn colours(x: &[Rgb<u16>], t: &[u8], y: &mut [Rgb<u8>], z: &mut [Rgb<f32>]) {
        #[omp::target]
        for i in 0..x.len() {
            y[i] = x[i].map(|v| t[v as usize]);
            z[i] = x[i].zip(y[i], |a, b| a as f32 + b as f32 * 0.5);
            z[i].g += apply(x[i].r, |v| v as f32 * 0.25) + again(x[i].g, |v| v + 1) as f32;
        }
    }
    #[omp::declare_target]
    pub trait Real: omp::Device + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
        fn of(v: f64) -> Self;
    }
    #[omp::declare_target]
    impl Real for f32 { fn of(v: f64) -> f32 { v as f32 } }
    #[omp::declare_target]
    impl Real for f64 { fn of(v: f64) -> f64 { v } }
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Point<T> { pub x: T, pub y: T }
    #[omp::declare_target]
    impl<T: Real> Add for Point<T> { type Output = Point<T>; fn add(self, o: Point<T>) -> Point<T> { Point { x: self.x + o.x, y: self.y + o.y } } }
    #[omp::declare_target]
    impl<T: Real> Mul<T> for Point<T> { type Output = Point<T>; fn mul(self, s: T) -> Point<T> { Point { x: self.x * s, y: self.y * s } } }
    #[omp::declare_target]
    fn along<T: Real>(p: Point<T>, i: usize, step: T) -> Point<T> { p + Point { x: T::of(i as f64), y: T::of(2.0) } * step }
    pub fn points<T: Real>(p: Point<T>, step: T, y: &mut [Point<T>]) {
        #[omp::target]
        for i in 0..y.len() { y[i] = along(p, i, step) * step; }
    }
}

/// The file shows the operator with a number, which generic code uses.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Wind {
    u: f64,
    v: f64,
}

#[omp::declare_target]
impl std::ops::Add for Wind {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Wind { u: self.u + o.u, v: self.v + o.v }
    }
}

#[omp::declare_target]
impl std::ops::Mul<f64> for Wind {
    type Output = Self;
    fn mul(self, k: f64) -> Self {
        Wind { u: self.u * k, v: self.v * k }
    }
}

#[omp::declare_target]
fn between<T>(x: &[T], i: usize, f: f64) -> T
where
    T: omp::Device + Copy + std::ops::Add<Output = T> + std::ops::Mul<f64, Output = T>,
{
    x[i] * (1.0 - f) + x[i + 1] * f
}

/// Its `contains` takes a value.
#[derive(Clone, Copy, omp::Device)]
struct Box1 {
    lo: f64,
    hi: f64,
}

#[omp::declare_target]
impl Box1 {
    fn contains(&self, p: f64) -> bool {
        self.lo <= p && p < self.hi
    }
}

#[omp::offload]
fn winds(d: usize, x: &[Wind], y: &mut [Wind], s: &mut [f64], boxes: &[Box1], at: &mut [usize]) {
    let n = s.len();
    #[omp::target(device(d))]
    for i in 0..n {
        y[i] = between(x, i, 0.25);
        s[i] = between(&[1.0, 3.0], 0, 0.5) + y[i].u;
        let p = s[i];
        at[i] =
            boxes.iter().zip(x.windows(2)).position(|(b, w)| b.contains(p) && w[0].u >= 0.0).unwrap_or(99);
    }
}

#[test]
fn shown_by_the_file() {
    let x: Vec<Wind> = (0..9).map(|i| Wind { u: f64::from(i), v: 1.0 - f64::from(i) }).collect();
    let boxes: Vec<Box1> = (0..7).map(|i| Box1 { lo: f64::from(i), hi: f64::from(i) + 1.0 }).collect();
    omp_tests::on_every_device(|d| {
        let (mut y, mut s, mut at) = (vec![Wind { u: 0.0, v: 0.0 }; 8], vec![0.0; 8], vec![0; 8]);
        winds(d, &x, &mut y, &mut s, &boxes, &mut at);
        for i in 0..8 {
            let u = i as f64 + 0.25;
            assert_eq!((y[i], s[i]), (Wind { u, v: 1.0 - u }, 2.0 + u));
            assert_eq!(at[i], if i + 2 < 7 { i + 2 } else { 99 });
        }
    });
}

#[test]
fn at_the_call() {
    compare!(m, d => {
        omp::set_default_device(d);
        let x: Vec<m::Rgb<u16>> = (0..40).map(|i| m::Rgb { r: i, g: 39 - i }).collect();
        let t: Vec<u8> = (0..40).map(|i| i * 3).collect();
        let mut y = vec![m::Rgb { r: 0, g: 0 }; 40];
        let mut z = vec![m::Rgb { r: 0.0, g: 0.0 }; 40];
        m::colours(&x, &t, &mut y, &mut z);
        let mut a = vec![m::Point { x: 0.0f32, y: 0.0 }; 9];
        let mut b = vec![m::Point { x: 0.0f64, y: 0.0 }; 9];
        m::points(m::Point { x: 1.0, y: 2.0 }, 0.5, &mut a);
        m::points(m::Point { x: 1.0, y: 2.0 }, 0.25, &mut b);
        (y.iter().map(|c| (c.r, c.g)).collect::<Vec<_>>(), z.iter().map(|c| (c.r, c.g)).collect::<Vec<_>>(),
            a.iter().map(|p| (p.x, p.y)).collect::<Vec<_>>(), b.iter().map(|p| (p.x, p.y)).collect::<Vec<_>>())
    });
}
