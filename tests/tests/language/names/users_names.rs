//! Names of the user's that built-in ones have, too, and arguments of methods that become what the parameter is.
#![allow(
    non_upper_case_globals,
    clippy::all,
    clippy::pedantic,
    reason = "the code has every form on purpose"
)]
use omp_tests::on_every_device;
use std::cmp::Ordering;

const limit: i32 = 3;

mod bounds {
    pub const low: i32 = 1;
}

#[derive(Clone, Copy, PartialEq, omp::Device)]
#[repr(u8)]
enum Flag {
    None,
    Some,
    Both,
}

/// Compared with numbers where no region is.
struct Width(usize);

impl PartialEq<Width> for usize {
    fn eq(&self, other: &Width) -> bool {
        *self == other.0
    }
}

impl PartialOrd<Width> for usize {
    fn partial_cmp(&self, other: &Width) -> Option<Ordering> {
        self.partial_cmp(&other.0)
    }
}

/// Found after a slice's own.
trait Len {
    fn len(self) -> usize;
}

impl Len for &Vec<f32> {
    fn len(self) -> usize {
        7
    }
}

impl Len for &[f32] {
    fn len(self) -> usize {
        8
    }
}

#[omp::offload]
fn patterns(d: usize, x: &[i32], flags: &[Flag], y: &mut [i32], width: Width) {
    let mut n = 0;
    while n < width {
        n += 1;
    }
    #[omp::target(device(d))]
    for i in 0..y.len() {
        let flag = match flags[i] {
            Flag::None => 100,
            Flag::Some => 200,
            Flag::Both => 300,
        };
        y[i] = flag
            + match x[i] {
                limit => 40,
                bounds::low => 50,
                other if i < n => other,
                _ => 0,
            };
    }
}

#[omp::offload]
fn lengths(d: usize, x: &[f32], y: &mut [usize]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[i] = x.len() + x[i..].len();
    }
}

#[omp::declare_target]
trait Shape {
    fn area(&self) -> f32;
    fn abs(&self) -> f32;
    fn sqrt(self) -> f32;
    fn grow(&mut self, by: f32);
}

#[omp::declare_target]
trait Made {
    fn made(v: f32) -> Self;
}

#[omp::declare_target]
impl Made for f32 {
    fn made(v: f32) -> f32 {
        v
    }
}

#[omp::declare_target]
impl Made for f64 {
    fn made(v: f32) -> f64 {
        v as f64
    }
}

#[derive(Clone, Copy, omp::Device)]
struct P {
    x: f32,
}

#[omp::declare_target]
impl Shape for P {
    fn area(&self) -> f32 {
        self.x
    }
    fn abs(&self) -> f32 {
        self.x.abs()
    }
    fn sqrt(self) -> f32 {
        self.x / 2.0
    }
    fn grow(&mut self, by: f32) {
        self.x += by;
    }
}

#[omp::declare_target]
impl P {
    fn new(x: f32) -> P {
        P { x }
    }
    fn get<T: Made + omp::Device>(&self) -> T {
        T::made(self.x)
    }
    fn same<T: omp::Device>(&self, t: &T) -> T {
        *t
    }
    fn first<T: omp::Device>(self, a: T, _b: T) -> T {
        a
    }
    fn total(&self, v: &[f32]) -> f32 {
        let mut s = self.x;
        for i in 0..v.len() {
            s += v[i];
        }
        s
    }
    fn length<T: omp::Device>(&self, v: &[T]) -> usize {
        v.len()
    }
    fn moved(&mut self, v: &mut f32, by: f32) {
        self.x += by;
        *v += 1.0;
    }
    fn max(&self, a: f32, b: f32, c: f32) -> f32 {
        self.x.max(a).max(b).max(c)
    }
    fn max_with_other_arguments(&self, a: f32, b: f32, c: f32) -> f32 {
        self.x + a + b + c
    }
    fn or(&self, v: Option<f32>) -> f32 {
        v.unwrap_or(self.x)
    }
    fn part(&self, v: (f32, usize), w: [f32; 2]) -> f32 {
        v.0 + w[v.1]
    }
    fn count(&self, i: usize, j: u8) -> usize {
        i + j as usize
    }
}

#[omp::offload]
fn arguments(d: usize, x: &[f32], list: &Vec<f32>, y: &mut [f32], z: &mut [f64]) {
    #[omp::target(device(d))]
    for i in 0..x.len() {
        let wide: f64 = P::new(x[i]).get();
        let late = P::new(x[i]).get();
        z[i] = late;
        z[i] += wide;
        let (mut a, mut f, mut p) = ([1.0f32, x[i]], x[i], P::new(x[i]));
        let mut s = p.total(&a) + p.total(&mut a) + p.total(x) + p.total(list) + p.total(&list[..i]);
        s += p.same(&mut a)[0] + p.same(&mut f) + P::new(1.0).same(&a)[1];
        s += (p.length(&a) + p.length(&mut a) + p.length(&[1.0, 2.0])) as f32;
        s += p.first(1.0, x[i]) + p.first(x[i], 2.0) + P::new(2.0).first(1.0, 2.0);
        p.moved(&mut f, 2.0);
        P::moved(&mut p, &mut f, 2.0);
        s += p.x + f;
        s += p.max(1.0, x[i], -3.0) + P::new(x[i]).max(x[i] * 2.0, 1.0, 2.0);
        s += p.max_with_other_arguments(1.0, 2.0, 3.0);
        s += p.or(None) + p.or(Some(2.0)) + p.or(if x[i] > 2.0 { Some(1.0) } else { None });
        s += p.part((1.0, 1), [1.0, x[i]]) + p.part((2.0, 0), if i > 1 { [1.0, 2.0] } else { [0.0; 2] });
        s += P::new(1.0).count(p.count(i, 3), 4) as f32 + (a[0] as i32).pow(2).max(i as i32) as f32;
        s += x[i].max(1.0).clamp(0.0, 3.0).mul_add(2.0, 1.0) + x[i].r#abs() + f32::max(1.0, a[1].max(a[0]));
        y[i] = s;
    }
}

#[omp::offload]
fn shapes<T: Shape + omp::Device>(d: usize, s: &[T], p: &[P], y: &mut [f32]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        let (mut t, mut q) = (s[i], p[i]);
        t.grow(1.0);
        T::grow(&mut t, 2.0);
        P::grow(&mut q, 3.0);
        Shape::grow(&mut q, 4.0);
        let r = &mut q;
        r.grow(5.0);
        y[i] = r.x + r.area() + t.area() + s[i].abs() + t.sqrt();
        y[i] += P::area(&p[i]) + P::abs(&p[i]) + <P as Shape>::abs(&p[i]) + P::sqrt(p[i]) + p[i].sqrt();
    }
}

#[test]
fn names_in_patterns_and_comparisons() {
    let x = [1, 2, 3, 4, 5];
    let flags = [Flag::None, Flag::Some, Flag::Both, Flag::None, Flag::Some];
    on_every_device(|d| {
        let mut y = [0; 5];
        patterns(d, &x, &flags, &mut y, Width(4));
        assert_eq!(y, [150, 202, 340, 104, 200]);
    });
}

#[test]
fn lengths_are_those_of_slices() {
    assert_eq!(Len::len(&[1.0f32][..]) + Len::len(&vec![1.0f32]), 15);
    on_every_device(|d| {
        let mut y = [0; 4];
        lengths(d, &[0.5; 4], &mut y);
        assert_eq!(y, [8, 7, 6, 5]);
    });
}

#[test]
fn arguments_become_what_parameters_are() {
    let x = [1.0f32, 2.0, 3.0];
    let (mut want, mut wide) = ([0.0f32; 3], [0.0f64; 3]);
    for i in 0..3 {
        wide[i] = 2.0 * x[i] as f64;
        let v = x[i];
        let (mut a, mut f, mut p) = ([1.0f32, v], v, P::new(v));
        let mut s = p.total(&a) + p.total(&mut a) + p.total(&x) + p.total(&x) + p.total(&x[..i]);
        s += 1.0 + f + v;
        s += 6.0;
        s += 1.0 + v + 1.0;
        p.moved(&mut f, 2.0);
        p.moved(&mut f, 2.0);
        s += p.x + f;
        s += p.x.max(v) + (2.0 * v).max(2.0);
        s += p.x + 6.0;
        s += p.x + 2.0 + if v > 2.0 { 1.0 } else { p.x };
        s += 1.0 + v + 2.0 + if i > 1 { 1.0 } else { 0.0 };
        s += (i + 7) as f32 + 1.max(i as i32) as f32;
        s += v.max(1.0).clamp(0.0, 3.0) * 2.0 + 1.0 + v + v;
        want[i] = s;
    }
    on_every_device(|d| {
        let (mut y, mut z) = ([0.0; 3], [0.0; 3]);
        arguments(d, &x, &x.to_vec(), &mut y, &mut z);
        assert_eq!((y, z), (want, wide));
    });
}

#[test]
fn methods_of_traits_by_name_and_by_path() {
    let p = [P { x: 4.0 }, P { x: -2.0 }];
    on_every_device(|d| {
        let mut y = [0.0; 2];
        shapes(d, &p, &p, &mut y);
        assert_eq!(y, [16.0 * 2.0 + 7.0 + 4.0 + 3.5 + 16.0, 10.0 * 2.0 + 1.0 + 2.0 + 0.5 - 2.0 + 4.0 - 2.0]);
    });
}

/// Has a length, and is no array.
#[derive(Clone, Copy, omp::Device)]
struct Span {
    from: u32,
    to: u32,
}

#[omp::declare_target]
impl Span {
    fn len(&self) -> u32 {
        self.to - self.from
    }

    fn is_empty(&self) -> bool {
        self.to == self.from
    }
}

#[omp::declare_target]
trait Extent {
    fn len(&self) -> u32;
}

#[derive(Clone, Copy, omp::Device)]
struct Fixed([u8; 4]);

#[omp::declare_target]
impl Extent for Fixed {
    fn len(&self) -> u32 {
        40 + u32::from(self.0[0])
    }
}

struct Table {
    spread: Span,
    values: Vec<u32>,
}

impl Table {
    #[omp::offload]
    fn fill(&mut self, d: usize) {
        #[omp::target(device(d))]
        for i in 0..self.values.len() {
            self.values[i] = self.spread.len() + self.values.len() as u32;
        }
    }
}

#[omp::offload]
fn spans(d: usize, y: &mut [u32], spread: Span, other: &Span) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[i] = 100 * spread.len() + 10 * u32::from(spread.is_empty()) + u32::from(other.is_empty());
    }
}

#[omp::offload]
fn extents<T: Extent + omp::Device>(d: usize, y: &mut [u32], extent: T) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[i] = extent.len() + i as u32;
    }
}

#[test]
fn lengths_of_captured_values() {
    on_every_device(|d| {
        let mut y = vec![0; 3];
        spans(d, &mut y, Span { from: 3, to: 9 }, &Span { from: 1, to: 1 });
        assert_eq!(y, [601; 3]);
        extents(d, &mut y, Fixed([2, 0, 0, 0]));
        assert_eq!(y, [42, 43, 44]);
        let mut table = Table { spread: Span { from: 3, to: 9 }, values: vec![0; 4] };
        table.fill(d);
        assert_eq!(table.values, [10; 4]);
    });
}

#[omp::offload]
fn of_another_type(d: usize, y: &mut [u32], apart: Span) {
    let (apart, _) = (vec![apart.from; 5], 1);
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[i] = apart.len() as u32;
    }
}

#[test]
fn a_name_of_a_value_and_of_an_array() {
    on_every_device(|d| {
        let mut y = vec![0; 3];
        of_another_type(d, &mut y, Span { from: 3, to: 9 });
        assert_eq!(y, [5; 3]);
    });
}
