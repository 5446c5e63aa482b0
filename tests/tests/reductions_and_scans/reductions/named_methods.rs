//! Updates by methods that have the name of an operation and are a trait's of the program, and by operators that assign: what computes the operation is right, anything
//! else is an error of the launch, on every device and on the host's threads.
#![allow(clippy::manual_clamp, clippy::needless_range_loop, clippy::should_implement_trait)]
use omp_tests::{on_every_device, panic_of};
use std::ops::{Add, AddAssign, Mul, MulAssign};

#[omp::declare_target]
trait Pick: Copy {
    fn max(self, o: Self) -> Self;
    fn min(self, o: Self) -> Self;
    fn wrapping_add(self, o: Self) -> Self;
}

#[omp::declare_target]
impl Pick for f64 {
    fn max(self, o: f64) -> f64 {
        if o.abs() > self.abs() { o } else { self }
    }
    fn min(self, o: f64) -> f64 {
        f64::min(self, o)
    }
    fn wrapping_add(self, o: f64) -> f64 {
        self + o
    }
}

#[omp::declare_target]
impl Pick for f32 {
    fn max(self, o: f32) -> f32 {
        if o > self { o } else { self }
    }
    fn min(self, o: f32) -> f32 {
        // A NaN would be kept or not, depending on the order.
        if self < o { self } else { o }
    }
    fn wrapping_add(self, o: f32) -> f32 {
        self * 0.5 + o
    }
}

#[omp::declare_target]
impl Pick for i32 {
    fn max(self, o: i32) -> i32 {
        if o >= self { o } else { self }
    }
    fn min(self, o: i32) -> i32 {
        if self < o { self } else { o }
    }
    fn wrapping_add(self, o: i32) -> i32 {
        i32::wrapping_add(o, self)
    }
}

#[omp::offload]
fn largest<T: Pick + omp::Device>(d: usize, x: &[T]) -> T {
    let mut m = x[0];
    #[omp::target(device(d), reduction(max: m))]
    for i in 0..x.len() {
        m = m.max(x[i]);
    }
    m
}

#[omp::offload]
fn smallest<T: Pick + omp::Device>(d: usize, x: &[T]) -> T {
    let mut m = x[0];
    #[omp::target(device(d), reduction(min: m))]
    for v in x {
        m = m.min(*v);
    }
    m
}

#[omp::offload]
fn sum<T: Pick + omp::Device>(d: usize, x: &[T]) -> T {
    let mut s = x[0];
    #[omp::target(device(d), reduction(+: s))]
    for v in x {
        s = s.wrapping_add(*v);
    }
    s
}

#[omp::offload]
fn rows<T: Pick + omp::Device>(d: usize, x: &[T], y: &mut [T]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        let mut m = x[i];
        #[omp::parallel_for(reduction(max: m))]
        for k in 0..x.len() {
            m = m.max(x[k]);
        }
        y[i] = m;
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
struct Pair {
    a: i64,
    b: [i32; 2],
}

#[omp::declare_reduction(+: Pair, identity = Pair { a: 0, b: [0; 2] })]
impl Add for Pair {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self { a: self.a + o.a, b: [self.b[0] + o.b[0], self.b[1] + o.b[1]] }
    }
}

/// By fields, one of them by the other operator that assigns.
#[omp::declare_target]
impl AddAssign for Pair {
    fn add_assign(&mut self, o: Self) {
        self.b[1] += o.b[1];
        let b = self.b[0];
        self.b[0] = b + o.b[0];
        self.a += o.a;
    }
}

/// A product of 2 x 2 matrices does not commute.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Turn([u32; 4]);

#[omp::declare_reduction(*: Turn, identity = Turn([1, 0, 0, 1]))]
impl Mul for Turn {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        let mut product = [0u32; 4];
        for k in 0..4 {
            let (row, column) = (k / 2 * 2, k % 2);
            let (a, b) =
                (self.0[row].wrapping_mul(o.0[column]), self.0[row + 1].wrapping_mul(o.0[column + 2]));
            product[k] = a.wrapping_add(b);
        }
        Self(product)
    }
}

#[omp::declare_target]
impl MulAssign for Turn {
    fn mul_assign(&mut self, o: Self) {
        *self = *self * o;
    }
}

/// Its `+=` is not its `+`.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Lossy(u32);

#[omp::declare_reduction(+: Lossy, identity = Lossy(0))]
impl Add for Lossy {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self(self.0 + o.0)
    }
}

#[omp::declare_target]
impl AddAssign for Lossy {
    fn add_assign(&mut self, o: Self) {
        self.0 = if o.0 > self.0 { o.0 } else { self.0 };
    }
}

#[omp::offload]
fn assigned<T: Copy + Add<Output = T> + AddAssign + omp::Device>(d: usize, x: &[T], zero: T) -> T {
    let mut s = zero;
    #[omp::target(device(d), reduction(+: s))]
    for i in 0..x.len() {
        s += x[i];
    }
    s
}

#[omp::offload]
fn pairs(d: usize, x: &[Pair], sums: &mut [Pair; 3]) -> Pair {
    let mut s = Pair::default();
    #[omp::target(device(d), reduction(+: s, sums))]
    for (i, v) in x.iter().enumerate() {
        s += *v;
        sums[i % 3] += *v;
    }
    s
}

#[omp::offload]
fn running_pairs(d: usize, x: &[Pair], y: &mut [Pair]) -> Pair {
    let mut s = Pair::default();
    #[omp::target(device(d), scan(+: s))]
    for i in 0..x.len() {
        s += x[i];
        y[i] = s;
    }
    s
}

#[omp::offload]
fn turns(d: usize, x: &[Turn], y: &mut [Turn]) -> Turn {
    let mut s = Turn([1, 0, 0, 1]);
    #[omp::target(device(d), reduction(*: s))]
    for i in 0..x.len() {
        s *= x[i];
    }
    #[omp::target(device(d))]
    for i in 0..y.len() {
        let mut s = x[i];
        #[omp::parallel_for(reduction(*: s))]
        for k in 0..x.len() {
            s *= x[k];
        }
        y[i] = s;
    }
    s
}

#[omp::offload]
fn lossy(d: usize, x: &[Lossy]) -> Lossy {
    let mut s = Lossy(0);
    #[omp::target(device(d), reduction(+: s))]
    for i in 0..x.len() {
        s += x[i];
    }
    s
}

#[omp::offload]
fn lossy_later(d: usize, x: &[Lossy]) -> Lossy {
    let mut s = Lossy(0);
    #[omp::target(nowait, device(d), reduction(+: s))]
    for i in 0..x.len() {
        s += x[i];
    }
    s
}

#[omp::offload]
fn on_threads<T: Pick + omp::Device>(x: &[T]) -> T {
    let mut m = x[0];
    #[omp::parallel_for(reduction(max: m))]
    for i in 0..x.len() {
        m = m.max(x[i]);
    }
    m
}

#[test]
fn what_computes_the_operation_is_right() {
    let x: Vec<i32> = (0..3000).map(|i| (i * 7919) % 4001 - 1000).collect();
    let f: Vec<f32> = x.iter().map(|v| *v as f32).collect();
    let wide: Vec<f64> = x.iter().map(|v| f64::from(*v)).collect();
    let (most, least) = (x.iter().copied().max().unwrap(), x.iter().copied().min().unwrap());
    on_every_device(|d| {
        assert_eq!((largest(d, &x), smallest(d, &x)), (most, least));
        assert_eq!(sum(d, &x), x.iter().sum::<i32>() + x[0]);
        assert_eq!((largest(d, &f), smallest(d, &wide)), (most as f32, f64::from(least)));
        assert_eq!(sum(d, &wide), wide.iter().sum::<f64>() + wide[0]);
        let mut y = vec![0; 3];
        rows(d, &x, &mut y);
        assert_eq!(y, [most; 3]);
    });
    assert_eq!((on_threads(&x), on_threads(&f)), (most, most as f32));
}

#[test]
fn operators_that_assign() {
    let pairs_of =
        |n: i32| (0..n).map(|i| Pair { a: i64::from(i) * 7 - 100, b: [i % 5, -i] }).collect::<Vec<_>>();
    let turns_of: Vec<Turn> = (0..700u32).map(|i| Turn([i, 1, i % 3, 7])).collect();
    let product = turns_of.iter().fold(Turn([1, 0, 0, 1]), |a, b| a * *b);
    on_every_device(|d| {
        for n in [0, 1, 1000] {
            let x = pairs_of(n);
            let (mut of_each, mut sum) = ([Pair::default(); 3], Pair::default());
            let running: Vec<Pair> = x
                .iter()
                .enumerate()
                .map(|(i, v)| {
                    of_each[i % 3] += *v;
                    sum += *v;
                    sum
                })
                .collect();
            let (mut sums, mut y) = ([Pair::default(); 3], vec![Pair::default(); x.len()]);
            assert_eq!(pairs(d, &x, &mut sums), sum);
            assert_eq!(sums, of_each);
            assert_eq!(running_pairs(d, &x, &mut y), sum);
            assert_eq!(y, running);
            assert_eq!(assigned(d, &x, Pair::default()), sum);
        }
        let mut y = [Turn([0; 4]); 3];
        assert_eq!(turns(d, &turns_of, &mut y), product);
        assert_eq!(y, [0, 1, 2].map(|i| turns_of[i] * product));
        assert_eq!(assigned(d, &[1.5f64, 2.5], 1.0), 5.0);
    });
}

#[test]
fn anything_else_is_an_error() {
    let wide: Vec<f64> = (0..100).map(|i| f64::from(i) - 70.0).collect();
    let f: Vec<f32> = wide.iter().map(|v| *v as f32).collect();
    let fails = |run: &mut dyn FnMut(), words: [&str; 2]| {
        let text = panic_of(run).expect("it is no such operation");
        for word in words.iter().chain(&["is a trait's of the program", "named_methods.rs:"]) {
            assert!(text.contains(word), "{text}");
        }
    };
    on_every_device(|d| {
        fails(&mut || _ = largest(d, &wide), ["reduction(max: …)", "`max`"]);
        fails(&mut || _ = smallest(d, &f), ["reduction(min: …)", "`min`"]);
        fails(&mut || _ = sum(d, &f), ["reduction(+: …)", "`wrapping_add`"]);
        fails(&mut || rows(d, &wide, &mut [0.0; 3]), ["reduction(max: …)", "`max`"]);
        let generic = |d: usize, x: &[Lossy]| assigned(d, x, Lossy(0));
        for run in [lossy, lossy_later, generic as fn(usize, &[Lossy]) -> Lossy] {
            let text = panic_of(|| _ = run(d, &[Lossy(1), Lossy(2)])).expect("`+=` is not `+`");
            assert!(text.contains("the operator `+=`") && text.contains("named_methods.rs:"), "{text}");
        }
    });
    fails(&mut || _ = on_threads(&wide), ["reduction(max: …)", "`max`"]);
}
