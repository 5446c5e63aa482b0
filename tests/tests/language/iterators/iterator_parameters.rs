//! Device functions that take iterators, and sums of types with `impl Sum`: their bodies stand in the place of the calls.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{compare, twice};

twice! {
    use std::iter::{Product, Sum};
    use std::ops::Add;

    #[omp::declare_target]
    fn mean(values: impl Iterator<Item = f64>) -> f64 {
        let (mut sum, mut n) = (0.0, 0);
        for x in values { sum += x; n += 1; }
        if n == 0 { return 0.0; }
        sum / n as f64
    }
    #[omp::declare_target]
    fn norm<I: Iterator<Item = f64>>(items: I) -> f64 { items.map(|v| v * v).sum::<f64>().sqrt() }
    #[omp::declare_target]
    fn largest<I>(first: f64, it: I) -> f64
    where
        I: Iterator<Item = f64>,
    {
        let x = first + 1.0;
        it.fold(x, f64::max)
    }
    /// The parameter's name is bound again.
    #[omp::declare_target]
    fn chances(p: impl Iterator<Item = f64>) -> [f64; 5] {
        let mut d = [0.0; 5];
        d[0] = 1.0;
        for (done, p) in p.take(4).enumerate() {
            for k in (1..=done + 1).rev() { d[k] = d[k] * (1.0 - p) + d[k - 1] * p; }
            d[0] *= 1.0 - p;
        }
        d
    }
    #[omp::declare_target]
    fn pairs(t: &[f64], k: usize) -> impl Iterator<Item = f64> + '_ {
        t.windows(k).map(move |w| w.iter().sum::<f64>() / k as f64)
    }
    #[omp::declare_target]
    fn of_pairs(t: &[f64]) -> f64 { let sum = 3.0; mean(pairs(t, 2).map(|w| w + sum)) }

    /// Names of the caller's that the functions bind, too.
    pub fn statistics(d: usize, x: &[f64], y: &mut [f64]) {
        #[omp::target(device(d))]
        for k in 0..y.len() {
            let row = &x[k * 4..k * 4 + 4];
            let sum = 2.0;
            let n = 3.0;
            let d = chances(row.iter().map(|v| v / 5000.0));
            y[k] = mean(row.iter().map(|x| x * sum + n)) + norm(row.iter().copied())
                + largest(1.0, row.iter().map(|v| v - sum)) + d[2] + d.iter().sum::<f64>() + of_pairs(row);
        }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct V3 { pub x: f64, pub y: f64, pub z: f64 }
    #[omp::declare_target]
    impl Add for V3 {
        type Output = Self;
        fn add(self, o: Self) -> Self { V3 { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z } }
    }
    #[omp::declare_target]
    impl Sum for V3 {
        fn sum<I: Iterator<Item = Self>>(iter: I) -> Self { iter.fold(Self::default(), |a, b| a + b) }
    }
    impl<'a> Sum<&'a V3> for V3 {
        fn sum<I: Iterator<Item = &'a V3>>(iter: I) -> Self { iter.fold(V3::default(), |a, b| a + *b) }
    }
    impl Product for V3 {
        fn product<I: Iterator<Item = V3>>(iter: I) -> V3 {
            iter.fold(V3 { x: 1.0, y: 1.0, z: 1.0 }, |a, b| V3 { x: a.x * b.x, y: a.y * b.y, z: a.z * b.z })
        }
    }
    #[omp::declare_target]
    impl V3 {
        fn dot(self, o: Self) -> f64 { self.x * o.x + self.y * o.y + self.z * o.z }
        fn total(v: &[V3]) -> Self { v.iter().sum() }
    }
    #[omp::declare_target]
    fn doubled(x: &[V3]) -> V3 { x.iter().filter(|v| v.x > 2.0).map(|v| *v + *v).sum() }

    /// Of two, tokens don't show which one is meant; a type may have a method of the name.
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Tri { pub a: V3, pub b: V3 }
    #[omp::declare_target]
    impl Tri {
        fn sum(&self) -> V3 { self.a + self.b }
    }
    #[omp::declare_target]
    fn corner(t: &Tri) -> V3 { t.sum() }

    pub fn methods(d: usize, x: &[Tri], y: &mut [f64]) {
        #[omp::target(device(d))]
        for k in 0..y.len() {
            let c: V3 = x[k].sum();
            y[k] = c.x + corner(&x[k]).y;
        }
    }

    pub fn sums(d: usize, x: &[V3], y: &mut [f64]) {
        #[omp::target(device(d))]
        for k in 0..y.len() {
            let s: V3 = x[k..k + 3].iter().copied().sum();
            let iter = 5.0;
            let t = x[k..k + 3].iter().sum::<V3>();
            let u = x.iter().take(4).map(|v| *v).sum::<V3>().dot(s);
            let p: V3 = x[k..k + 2].iter().copied().product();
            y[k] = s.x + s.y + s.z + t.x + u * iter + doubled(&x[k..k + 2]).z + V3::total(&x[k..k + 2]).x + p.x;
        }
    }
}

#[test]
fn functions_take_iterators() {
    compare!(m, d => {
        let x: Vec<f64> = (0..400).map(|i| (i * 7 % 1001) as f64).collect();
        let mut y = vec![0.0; 100];
        m::statistics(d as _, &x, &mut y);
        y
    });
}

#[test]
fn types_have_sums() {
    compare!(m, d => {
        let x: Vec<m::V3> = (0..103).map(|i| m::V3 { x: i as f64, y: 1.0, z: 0.5 }).collect();
        let mut y = vec![0.0; 100];
        m::sums(d as _, &x, &mut y);
        y
    });
}

#[test]
fn types_have_methods_named_sum() {
    compare!(m, d => {
        let v = |i: i32| m::V3 { x: f64::from(i), y: 2.0, z: 3.0 };
        let x: Vec<m::Tri> = (0..9).map(|i| m::Tri { a: v(i), b: v(i * i) }).collect();
        let mut y = vec![0.0; 9];
        m::methods(d as _, &x, &mut y);
        y
    });
}
