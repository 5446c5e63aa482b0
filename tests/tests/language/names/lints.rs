//! A crate that forbids and denies what lints it can: none finds anything in what the macros make, and nothing that they
//! make allows what is forbidden here.
#![forbid(
    dead_code,
    missing_debug_implementations,
    missing_docs,
    non_camel_case_types,
    non_snake_case,
    non_upper_case_globals,
    unreachable_code,
    unreachable_patterns,
    unreachable_pub,
    unsafe_code,
    unused_assignments,
    unused_braces,
    unused_imports,
    unused_labels,
    unused_must_use,
    unused_mut,
    unused_parens,
    unused_qualifications,
    unused_unsafe,
    unused_variables
)]
#![deny(warnings, unused, nonstandard_style, rust_2018_idioms, clippy::all, clippy::pedantic)]
use omp_tests::on_every_device;
use std::ops::{Add, AddAssign};

/// A point.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Point {
    x: f32,
    y: f32,
}

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
enum Side {
    Left,
    Right,
}

#[omp::declare_target]
impl Add for Point {
    type Output = Self;

    fn add(self, o: Self) -> Self {
        Self { x: self.x + o.x, y: self.y + o.y }
    }
}

#[omp::declare_target]
impl AddAssign for Point {
    fn add_assign(&mut self, o: Self) {
        self.x += o.x;
        self.y += o.y;
    }
}

#[omp::declare_target]
impl Point {
    #[must_use]
    fn twice(self) -> Self {
        Self { x: self.x * 2.0, y: self.y * 2.0 }
    }

    fn shift(&mut self, by: f32) {
        self.x += by;
    }
}

/// What has an area.
#[omp::declare_target]
trait Shape {
    /// The area.
    fn area(&self) -> f32;
}

#[omp::declare_target]
impl Shape for Point {
    fn area(&self) -> f32 {
        self.x * self.y
    }
}

#[omp::declare_target]
fn side(v: i32) -> Side {
    if v < 0 { Side::Left } else { Side::Right }
}

#[omp::declare_target]
fn sum(row: &[i32]) -> i32 {
    let mut sum = 0;
    for v in row {
        sum += v;
    }
    sum
}

#[omp::declare_target]
fn largest<T: omp::Device + PartialOrd, const N: usize>(of: [T; N]) -> T {
    let mut most = of[0];
    for &v in &of {
        if v > most {
            most = v;
        }
    }
    most
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Best {
    value: i32,
    at: usize,
}

#[omp::declare_reduction(best: Best, identity = Best { value: i32::MIN, at: usize::MAX })]
fn best(a: Best, b: Best) -> Best {
    if b.value > a.value { b } else { a }
}

#[omp::offload]
fn structs(d: usize, p: &mut [Point], sides: &mut [Side], v: &[i32]) -> f32 {
    let mut total = 0.0;
    #[omp::target(device(d), reduction(+: total))]
    for i in 0..p.len() {
        let mut q = p[i] + p[i].twice();
        q += p[i];
        q.shift(1.0);
        p[i] = q;
        sides[i] = side(v[i]);
        total += q.area();
        if sides[i] == Side::Left && largest([v[i], 3]) > 4 {
            p[i].x = 0.0;
        }
    }
    total
}

#[omp::offload]
fn sharing(d: usize, y: &mut [i32], k: i32) -> (i32, i32) {
    let (mut a, mut pair) = (0, (k, k));
    let mut last = a - pair.0;
    #[omp::target(device(d), private(a), lastprivate(last), firstprivate(pair), default(none), map(tofrom: y), shared(k))]
    for i in 0..y.len() {
        a = k;
        pair = (a, y[i]);
        last = pair.1;
        y[i] = pair.0 + last;
    }
    (last, k)
}

#[omp::offload]
fn loops(d: usize, y: &mut [i32], x: &[i32], at: &[usize]) -> Best {
    let len = y.len();
    let mut top = Best { value: i32::MIN, at: 0 };
    #[omp::target(device(d), reduction(best: top))]
    for (at, &value) in x.iter().enumerate() {
        top = best(top, Best { value, at });
    }
    #[omp::target(device(d))]
    for (v, w) in y.iter_mut().zip(x.iter()) {
        *v += w;
    }
    #[omp::target(device(d))]
    for v in y.iter_mut().rev() {
        *v += 1;
    }
    #[omp::target(device(d), disjoint(y))]
    for i in 0..at.len() {
        y[at[i]] = x[i];
    }
    #[omp::target(device(d), collapse(2))]
    for i in 0..2 {
        for j in 0..len / 2 {
            y[i * (len / 2) + j] += sum(&x[..j]);
        }
    }
    #[omp::target(device(d))]
    for i in 0..len {
        let mut t = 0;
        #[omp::parallel_for(reduction(+: t))]
        for j in 0..x.len() {
            t += x[j];
        }
        #[omp::atomic]
        y[i] += t;
    }
    #[omp::parallel_for(schedule(dynamic, 2))]
    for v in &mut *y {
        *v += 1;
    }
    #[omp::scan(+)]
    for i in 1..len {
        y[i] += y[i - 1];
    }
    top
}

#[omp::offload]
fn running(d: usize, x: &[i32], y: &mut [i32]) -> (i32, i32) {
    let mut sum = 0;
    #[omp::target(device(d), scan(+: sum))]
    for i in 0..x.len() {
        sum += x[i];
        y[i] = sum;
    }
    let mut total = 0;
    #[omp::target(device(d), reduction(inscan, +: total))]
    for i in 0..x.len() {
        y[i] += total;
        omp::scan!(exclusive(total));
        total += x[i];
    }
    (sum, total)
}

#[omp::offload(try)]
fn data(d: usize, y: &mut [i32], mut x: Vec<i32>) -> Result<i32, omp::Error> {
    let mut sum = 0;
    #[omp::target_data(device(d), map(tofrom: y), map(to: x), use_device_ptr(y))]
    {
        #[omp::target(device(d), is_device_ptr(y))]
        for i in 0..y.len() {
            y[i] += 1;
        }
    }
    #[omp::target(device(d), nowait)]
    for i in 0..x.len() {
        x[i] *= 2;
    }
    omp::taskwait!();
    #[omp::taskgroup]
    {
        #[omp::target(device(d), nowait, reduction(+: sum))]
        for i in 0..y.len() {
            sum += y[i];
        }
    }
    #[omp::target(device(d), map(tofrom: y))]
    {
        let mut rounds = 0;
        while rounds < 2 {
            #[omp::parallel_for]
            for i in 0..y.len() {
                y[i] -= 1;
            }
            rounds += 1;
        }
        y[0] = rounds;
    }
    x.push(sum);
    Ok(sum + x[0])
}

/// Owns what it works on.
#[derive(Debug)]
struct Work {
    values: Vec<f64>,
    gain: f64,
}

#[omp::offload]
impl Work {
    fn run<T: omp::Device + Add<Output = T>>(&mut self, d: usize, of: &[T], to: &mut [T]) {
        #[omp::target(device(d))]
        for i in 0..self.values.len() {
            self.values[i] *= self.gain;
        }
        #[omp::target(device(d))]
        for i in 0..to.len() {
            to[i] = of[i] + of[i];
        }
    }
}

/// A struct that owns an array, with methods that loops have in the place of their calls.
#[derive(omp::Mapper)]
struct Table {
    values: Vec<u32>,
    width: usize,
}

#[omp::offload]
impl Table {
    fn at(&self, i: usize) -> u32 {
        self.values[i % self.width]
    }
    #[omp::declare_target]
    fn twice(&self, i: usize) -> u32 {
        2 * self.at(i)
    }
    fn read(&self, d: usize, to: &mut [u32]) {
        #[omp::target(device(d))]
        for i in 0..to.len() {
            to[i] = self.at(i) + self.twice(i + 1);
        }
    }
}

/// An array that is named in a reduction alone.
#[omp::offload]
fn counts(d: usize, x: &[u32], of: &mut [u64; 4]) {
    #[omp::target(device(d), reduction(+: of))]
    for i in 0..x.len() {
        of[x[i] as usize % 4] += 1;
    }
}

#[test]
fn nothing_is_found() {
    on_every_device(|d| {
        let mut of = [0; 4];
        counts(d, &[1, 5, 2], &mut of);
        assert_eq!(of, [0, 2, 1, 0]);
        let (mut p, mut sides) = ([Point { x: 1.0, y: 2.0 }; 3], [Side::Right; 3]);
        let total = structs(d, &mut p, &mut sides, &[-1, 0, 7]);
        assert_eq!((sides, total), ([Side::Left, Side::Right, Side::Right], 3.0 * 5.0 * 8.0));
        let mut y = [1, 2, 3, 4];
        assert_eq!(sharing(d, &mut y, 10), (4, 10));
        assert_eq!(y, [11, 12, 13, 14]);
        assert_eq!(loops(d, &mut y, &[5, 9, 7, 1], &[3, 0]), Best { value: 9, at: 1 });
        assert_eq!(data(d, &mut y, vec![4, 5]).ok().map(|s| s > 0), Some(true));
        let mut sums = [0; 3];
        assert_eq!(running(d, &[1, 2, 3], &mut sums), (6, 6));
        assert_eq!(sums, [1, 4, 9]);
        let mut work = Work { values: vec![1.0, 2.0], gain: 2.0 };
        let mut to = [0; 2];
        work.run(d, &[1, 2], &mut to);
        assert_eq!((work.values, to), (vec![2.0, 4.0], [2, 4]));
        let mut read = [0; 3];
        Table { values: vec![3, 5], width: 2 }.read(d, &mut read);
        assert_eq!(read, [13, 11, 13]);
    });
}
