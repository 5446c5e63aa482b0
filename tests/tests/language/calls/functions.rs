//! Device functions in every form: methods, traits, operators of user types, `&mut` and slices as arguments, orderings. What a
//! region computes is compared with the same functions on the host.
#![allow(clippy::all, clippy::pedantic)]
use omp_tests::on_every_device;
use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Not, Rem, Sub, SubAssign};

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct V2 {
    x: f32,
    y: f32,
}

#[omp::declare_target]
impl V2 {
    const ZERO: Self = V2 { x: 0.0, y: 0.0 };
    fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }
    fn dot(&self, o: &V2) -> f32 {
        self.x * o.x + self.y * o.y
    }
    fn norm2(self) -> f32 {
        Self::dot(&self, &self)
    }
    fn scale(&mut self, k: f32) {
        self.x *= k;
        self.y *= k;
    }
    fn turned(self) -> Self {
        let mut s = self;
        s.swap_axes();
        s
    }
    fn swap_axes(&mut self) {
        let t = self.x;
        self.x = self.y;
        self.y = -t;
    }
    fn step(&mut self) -> f32 {
        self.x += 1.0;
        self.x
    }
    fn added(&mut self, v: f32) -> f32 {
        self.x += v;
        self.x
    }
}
#[omp::declare_target]
impl Add for V2 {
    type Output = Self;
    fn add(self, o: Self) -> Self::Output {
        V2::new(self.x + o.x, self.y + o.y)
    }
}
#[omp::declare_target]
impl Sub for V2 {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        V2 { x: self.x - o.x, ..V2::new(0.0, self.y - o.y) }
    }
}
#[omp::declare_target]
impl Mul<f32> for V2 {
    type Output = V2;
    fn mul(self, k: f32) -> V2 {
        V2 { x: self.x * k, y: self.y * k }
    }
}
#[omp::declare_target]
impl Mul<V2> for f32 {
    type Output = V2;
    fn mul(self, v: V2) -> V2 {
        v * self
    }
}
#[omp::declare_target]
impl<'a> Mul<&'a V2> for &'a V2 {
    type Output = f32;
    fn mul(self, v: &'a V2) -> f32 {
        self.x * v.x
    }
}
#[omp::declare_target]
impl Neg for V2 {
    type Output = V2;
    fn neg(self) -> V2 {
        V2::new(-self.x, -self.y)
    }
}
#[omp::declare_target]
impl AddAssign for V2 {
    fn add_assign(&mut self, o: V2) {
        self.x += o.x;
        self.y += o.y;
    }
}
#[omp::declare_target]
impl SubAssign<f32> for V2 {
    fn sub_assign(&mut self, o: f32) {
        self.x -= o;
    }
}

#[derive(Clone, Copy, Debug, omp::Device)]
struct Mod7(u32);
#[omp::declare_target]
impl Mod7 {
    const M: u32 = 7;
}
#[omp::declare_target]
impl Mul for Mod7 {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Mod7(self.0 * o.0 % Self::M)
    }
}
#[omp::declare_target]
impl Div for Mod7 {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        let mut k = 0;
        while Mod7(k) * o != self {
            if k > 6 {
                panic!("no quotient by {}", o.0);
            }
            k += 1;
        }
        Mod7(k)
    }
}
#[omp::declare_target]
impl Rem<u32> for Mod7 {
    type Output = u32;
    fn rem(self, o: u32) -> u32 {
        self.0 % o
    }
}
#[omp::declare_target]
impl PartialEq for Mod7 {
    fn eq(&self, o: &Self) -> bool {
        self.0 % 7 == o.0 % 7
    }
}
#[omp::declare_target]
impl Not for Mod7 {
    type Output = bool;
    fn not(self) -> bool {
        self.0 == 0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Complex<T> {
    re: T,
    im: T,
}
#[omp::declare_target]
impl<T: omp::Device + Add<Output = T> + Mul<Output = T> + Sub<Output = T>> Complex<T> {
    fn new(re: T, im: T) -> Self {
        Complex { re, im }
    }
    fn norm2(&self) -> T {
        self.re * self.re + self.im * self.im
    }
    fn scaled<S: Mul<T, Output = T> + Copy>(self, s: S) -> Self
    where
        S: omp::Device,
    {
        Self::new(s * self.re, s * self.im)
    }
}
#[omp::declare_target]
impl<T: Copy + Add<Output = T>> Add for Complex<T> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Complex { re: self.re + o.re, im: self.im + o.im }
    }
}
#[omp::declare_target]
impl<T: Copy + Add<Output = T> + Mul<Output = T> + Sub<Output = T>> Mul for Complex<T> {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Complex { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
    }
}

/// A trait on top of another that bears the attribute, too.
#[omp::declare_target]
trait Solid: Shape {
    fn volume(&self, h: f64) -> f64 {
        self.twice() * h
    }
}
#[omp::declare_target]
impl Solid for Square {}
#[omp::declare_target]
impl Solid for Disc {
    fn volume(&self, h: f64) -> f64 {
        self.area() + h
    }
}
#[omp::declare_target]
trait Shape {
    const SIDES: u32;
    fn area(&self) -> f64;
    fn unit() -> Self;
    fn twice(&self) -> f64 {
        self.area() + self.area()
    }
    fn weighed<const N: usize>(&self, w: [f64; N]) -> f64 {
        let mut s = 0.0;
        for k in 0..N {
            s += w[k] * self.area();
        }
        s
    }
}
#[derive(Clone, Copy, omp::Device)]
struct Square {
    side: f64,
}
#[derive(Clone, Copy, omp::Device)]
struct Disc {
    r: f64,
}
#[omp::declare_target]
impl Shape for Square {
    const SIDES: u32 = 4;
    fn area(&self) -> f64 {
        self.side * self.side
    }
    fn unit() -> Self {
        Square { side: 1.0 }
    }
}
#[omp::declare_target]
impl Shape for Disc {
    const SIDES: u32 = 0;
    fn area(&self) -> f64 {
        3.0 * self.r * self.r
    }
    fn unit() -> Self {
        Disc { r: 1.0 }
    }
    fn twice(&self) -> f64 {
        2.0 * self.area() + 1.0
    }
}
#[omp::declare_target]
impl Shape for f64 {
    const SIDES: u32 = 9;
    fn area(&self) -> f64 {
        *self
    }
    fn unit() -> Self {
        1.5
    }
}

#[omp::declare_target]
fn total<S: Shape + omp::Device>(s: S) -> f64 {
    s.area() + S::unit().area() + S::SIDES as f64 + s.twice() + s.weighed([1.0, 2.0])
}

#[omp::declare_target]
fn bump(x: &mut f32, by: f32) -> f32 {
    let old = *x;
    *x += by;
    old
}
#[omp::declare_target]
fn both(a: &mut f32, b: &mut f32) {
    bump(a, 1.0);
    bump(&mut *b, 2.0);
    *a = *a * *b;
}
#[omp::declare_target]
fn fill(row: &mut [u32], from: u32) {
    for k in 0..row.len() {
        row[k] = from + k as u32;
    }
    tail(&mut row[1..], 100);
    row.swap(0, 1);
}
#[omp::declare_target]
fn tail(row: &mut [u32], by: u32) {
    if row.len() > 0 {
        row[0] += by;
    }
}
#[omp::declare_target]
fn sum(row: &[u32]) -> u32 {
    let mut s = 0;
    for k in 0..row.len() {
        s += row[k];
    }
    s
}
#[omp::declare_target]
fn inner(row: &[u32]) -> u32 {
    let part = &row[1..row.len() - 1];
    sum(part) + sum(&part[..1]) + part.len() as u32
}
#[omp::declare_target]
fn flag(b: &mut bool) {
    *b = !*b;
}
#[omp::declare_target]
fn set3(a: &mut [i64; 3], k: usize) {
    a[k] = 5;
    a.swap(0, 2);
}

#[derive(Clone, Copy, omp::Device)]
struct Rng {
    s: u32,
}
#[omp::declare_target]
impl Rng {
    fn next(&mut self) -> u32 {
        self.s = self.s.wrapping_mul(1664525).wrapping_add(1013904223);
        self.s >> 16
    }
}

#[omp::offload]
fn vectors(d: usize, a: &[V2], out: &mut [V2], n: &mut [f32]) {
    #[omp::target(device(d))]
    for i in 0..a.len() {
        let v = a[i];
        let mut w = v + V2::new(1.0, 2.0) - -v * 2.0;
        w += 0.5 * v;
        w -= 3.0;
        w.scale(2.0);
        let s = w.step() + w.step();
        out[i] = w.turned() + V2::ZERO;
        n[i] = v.norm2() + a[i].dot(&w) + s + &v * &w;
    }
}
#[omp::offload]
fn elements(d: usize, p: &mut [V2]) {
    #[omp::target(device(d))]
    for i in 0..p.len() {
        p[i].scale(2.0);
        p[i] += V2::new(i as f32, 1.0);
        let e = (&mut p[i]).step();
        p[i].y += e;
        // What a call makes is its method's to change.
        p[i].x += V2::new(1.0, e).step() + (V2::ZERO + p[i]).step();
        let mut q = V2::new(0.5, 0.25);
        p[i].y += V2::new(q.step(), 1.0).added(q.step()) + q.x;
    }
}
#[omp::offload]
fn fields(d: usize, m: &[Mod7], r: &mut [u32]) {
    #[omp::target(device(d))]
    for i in 0..m.len() {
        let q = m[i] / Mod7(3);
        r[i] = q % 5 + (q == m[i]) as u32 * 10 + (q != m[i]) as u32 * 20 + !q as u32 * 100;
    }
}
#[omp::offload]
fn complex(d: usize, z: &[Complex<f64>], w: &mut [Complex<f64>], n: &mut [f64]) {
    #[omp::target(device(d))]
    for i in 0..z.len() {
        let t = z[i] * z[i] + Complex::new(1.0, 0.0).scaled(2.0);
        w[i] = t;
        n[i] = t.norm2();
    }
}
#[omp::offload]
fn power<T: omp::Device + Mul<Output = T>>(d: usize, x: &[T], one: T, y: &mut [T]) {
    #[omp::target(device(d))]
    for i in 0..x.len() {
        let mut p = one;
        for _ in 0..3 {
            p = p * x[i];
        }
        y[i] = p;
    }
}
#[omp::offload]
fn shapes(d: usize, s: &[Square], discs: &[Disc], y: &mut [f64]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[i] = total(s[i])
            + total(discs[i])
            + total(0.5)
            + <Disc as Shape>::unit().area()
            + Square::unit().twice();
    }
}
#[omp::offload]
fn solids<S: Solid + omp::Device>(d: usize, s: &[S], y: &mut [f64]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[i] = s[i].volume(0.5) + s[i].area();
    }
}
#[omp::offload]
fn generic_shapes<S: Shape + omp::Device>(d: usize, s: &[S], y: &mut [f64]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[i] = s[i].twice() + S::unit().area() + total(s[i]);
    }
}
#[omp::offload]
fn refs(
    d: usize,
    x: &mut [f32],
    rows: &mut [u32],
    n: usize,
    s: &mut [u32],
    b: &mut [bool],
    t: &mut [[i64; 3]],
) {
    #[omp::target(device(d))]
    for i in 0..x.len() {
        let (mut p, mut q) = (x[i], 1.0);
        both(&mut p, &mut q);
        bump(&mut x[i], q);
        x[i] += p;
        let mut tmp = [0u32; 4];
        fill(&mut tmp, i as u32);
        fill(&mut tmp[1..], 7);
        s[i] = sum(&tmp) + tmp[1] * 3 + inner(&tmp);
        flag(&mut b[i]);
        let mut l = b[i];
        flag(&mut l);
        if l {
            s[i] += 1;
        }
        set3(&mut t[i], 1);
        let mut rng = Rng { s: i as u32 };
        s[i] = s[i].wrapping_add(rng.next() + rng.next() * 2);
    }
    #[omp::target(device(d))]
    for i in 0..s.len() {
        fill(&mut rows[i * n..(i + 1) * n], s[i] % 50);
    }
}

#[derive(Clone, Copy, Debug, omp::Device)]
struct Score {
    value: f32,
    index: u32,
}
#[omp::declare_target]
impl PartialEq for Score {
    fn eq(&self, o: &Self) -> bool {
        self.value == o.value && self.index == o.index
    }
}
#[omp::declare_target]
impl PartialOrd for Score {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        match self.value.partial_cmp(&o.value) {
            Some(Ordering::Equal) => o.index.partial_cmp(&self.index),
            other => other,
        }
    }
}
#[omp::declare_target]
fn largest<T: PartialOrd + Copy>(a: T, b: T) -> T {
    if b > a { b } else { a }
}
#[omp::offload]
fn compare(d: usize, x: &[Score], y: &mut [Score], r: &mut [i8], k: &mut [u32]) {
    #[omp::target(device(d))]
    for i in 0..x.len() {
        let next = x[(i + 1) % x.len()];
        y[i] = largest(x[i], next);
        k[i] = (x[i] < next) as u32
            + 2 * (x[i] <= next) as u32
            + 4 * (x[i] > next) as u32
            + 8 * (x[i] >= next) as u32
            + 16 * (x[i] == next) as u32;
        r[i] = match x[i].index.cmp(&next.index) {
            Ordering::Less => -1,
            Ordering::Equal => 0,
            Ordering::Greater => 1,
        };
        let v = &next.value;
        if v.abs() > 2.5 {
            r[i] += 10;
        }
    }
}

#[test]
fn methods_operators_and_references() {
    on_every_device(|d| {
        for n in [0usize, 1, 2, 33, 257] {
            let a: Vec<V2> = (0..n).map(|i| V2 { x: i as f32, y: 3.0 - (i % 5) as f32 }).collect();
            let (mut out, mut len) = (vec![V2::ZERO; n], vec![0.0; n]);
            vectors(d, &a, &mut out, &mut len);
            for i in 0..n {
                let v = a[i];
                let mut w = v + V2::new(1.0, 2.0) - -v * 2.0;
                w += 0.5 * v;
                w -= 3.0;
                w.scale(2.0);
                let s = w.step() + w.step();
                assert_eq!(out[i], w.turned());
                assert_eq!(len[i], v.norm2() + v.dot(&w) + s + &v * &w);
            }
            let mut p = a.clone();
            elements(d, &mut p);
            for i in 0..n {
                let mut v = a[i];
                v.scale(2.0);
                v += V2::new(i as f32, 1.0);
                let e = v.step();
                v.y += e;
                v.x += V2::new(1.0, e).step() + (V2::ZERO + v).step();
                v.y += 1.5 + 2.5 + 2.5;
                assert_eq!(p[i], v);
            }
            let m: Vec<Mod7> = (0..n).map(|i| Mod7((i % 7) as u32)).collect();
            let mut r = vec![0; n];
            fields(d, &m, &mut r);
            for i in 0..n {
                let q = m[i] / Mod7(3);
                assert_eq!(r[i], q % 5 + (q == m[i]) as u32 * 10 + (q != m[i]) as u32 * 20 + !q as u32 * 100);
            }
            let z: Vec<Complex<f64>> = (0..n).map(|i| Complex { re: i as f64, im: 1.0 }).collect();
            let (mut w, mut nn) = (z.clone(), vec![0.0; n]);
            complex(d, &z, &mut w, &mut nn);
            for i in 0..n {
                let t = z[i] * z[i] + Complex::new(2.0, 0.0);
                assert_eq!(w[i], t);
                assert_eq!(nn[i], t.norm2());
            }
            let x: Vec<i32> = (0..n as i32).collect();
            let mut y = x.clone();
            power(d, &x, 1, &mut y);
            assert!((0..n).all(|i| y[i] == x[i].pow(3)));
            let mut y = m.clone();
            power(d, &m, Mod7(1), &mut y);
            assert!((0..n).all(|i| y[i] == m[i] * m[i] * m[i]));
            let (s, discs): (Vec<_>, Vec<_>) =
                (0..n).map(|i| (Square { side: i as f64 }, Disc { r: 0.5 * i as f64 })).unzip();
            let mut y = vec![0.0; n];
            shapes(d, &s, &discs, &mut y);
            for i in 0..n {
                assert_eq!(y[i], total(s[i]) + total(discs[i]) + total(0.5) + 3.0 + 2.0);
            }
            generic_shapes(d, &discs, &mut y);
            for i in 0..n {
                assert_eq!(y[i], discs[i].twice() + 3.0 + total(discs[i]));
            }
            solids(d, &s, &mut y);
            assert!((0..n).all(|i| y[i] == 2.0 * s[i].area()), "{y:?}");
            solids(d, &discs, &mut y);
            assert!((0..n).all(|i| y[i] == 2.0 * discs[i].area() + 0.5), "{y:?}");
            let k = 5;
            let mut x: Vec<f32> = (0..n).map(|i| i as f32).collect();
            let (mut rows, mut sums, mut b, mut t) =
                (vec![0u32; k * n], vec![0u32; n], vec![false; n], vec![[1i64, 2, 3]; n]);
            refs(d, &mut x, &mut rows, k, &mut sums, &mut b, &mut t);
            for i in 0..n {
                let (mut p, mut q) = (i as f32, 1.0);
                both(&mut p, &mut q);
                assert_eq!(x[i], i as f32 + q + p);
                let mut tmp = [0u32; 4];
                fill(&mut tmp, i as u32);
                fill(&mut tmp[1..], 7);
                let mut rng = Rng { s: i as u32 };
                let s = (sum(&tmp) + tmp[1] * 3 + inner(&tmp)).wrapping_add(rng.next() + rng.next() * 2);
                assert_eq!(sums[i], s, "{i}");
                assert!(b[i]);
                assert_eq!(t[i], [3, 5, 1]);
                let mut row = [0; 5];
                fill(&mut row, s % 50);
                assert_eq!(rows[i * k..(i + 1) * k], row);
            }
        }
    });
}

#[test]
fn orderings_of_user_types() {
    on_every_device(|d| {
        for n in [0usize, 1, 2, 37, 300] {
            let x: Vec<Score> = (0..n)
                .map(|i| Score {
                    value: if i % 11 == 0 { f32::NAN } else { (i % 4) as f32 },
                    index: (i * 7 % 5) as u32,
                })
                .collect();
            let (mut y, mut r, mut k) = (x.clone(), vec![0i8; n], vec![0u32; n]);
            compare(d, &x, &mut y, &mut r, &mut k);
            for i in 0..n {
                let next = x[(i + 1) % n];
                let l = largest(x[i], next);
                assert_eq!((y[i].value.to_bits(), y[i].index), (l.value.to_bits(), l.index));
                assert_eq!(
                    k[i],
                    (x[i] < next) as u32
                        + 2 * (x[i] <= next) as u32
                        + 4 * (x[i] > next) as u32
                        + 8 * (x[i] >= next) as u32
                        + 16 * (x[i] == next) as u32
                );
                assert_eq!(
                    r[i],
                    x[i].index.cmp(&next.index) as i8 + if next.value.abs() > 2.5 { 10 } else { 0 }
                );
            }
        }
    });
}
