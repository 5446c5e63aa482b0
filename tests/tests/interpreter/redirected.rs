//! Directives mean what they mean elsewhere, although `::core` and `::alloc` are those of this crate (`main.rs`).
#![allow(clippy::needless_range_loop, reason = "every spelling that users may choose")]
use omp_runtime::device::registry::add_interpreter;
use omp_tests::on_every_device;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
struct Pair {
    a: u32,
    b: u32,
}

#[omp::declare_target]
impl Pair {
    fn turned(mut self) -> Self {
        std::mem::swap(&mut self.a, &mut self.b);
        self
    }
}

#[omp::declare_target]
impl std::ops::Add for Pair {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Pair { a: self.a + other.a, b: self.b + other.b }
    }
}

#[omp::declare_target]
fn checked(i: usize, n: usize) -> usize {
    if i >= n {
        panic!("no {i}");
    }
    i
}

#[omp::offload]
fn fill(d: usize, n: usize, y: &mut [u32]) {
    #[omp::target(device(d))]
    for i in 0..n {
        if i >= y.len() {
            panic!("no {i}");
        }
        y[i] = 7;
    }
}

#[omp::offload]
fn fill_by_assert(d: usize, n: usize, y: &mut [u32]) {
    #[omp::target(device(d))]
    for i in 0..n {
        assert!(i < y.len(), "no {i}");
        y[i] = 7;
    }
}

#[omp::offload]
fn fill_by_path(d: usize, n: usize, y: &mut [u32]) {
    #[omp::target(device(d))]
    for i in 0..n {
        if i >= y.len() {
            std::panic!("no {i}");
        }
        y[i] = 7;
    }
}

#[omp::offload]
fn fill_by_function(d: usize, n: usize, y: &mut [u32]) {
    #[omp::target(device(d))]
    for i in 0..n {
        let at = checked(i, y.len());
        y[i] = (at - i) as u32 + 7;
    }
}

#[omp::offload]
fn turned(d: usize, x: &[Pair], y: &mut [Pair]) -> u64 {
    let mut s = 0u64;
    #[omp::target_data(map(to: x), map(tofrom: y), device(d))]
    {
        #[omp::target(device(d), reduction(+: s))]
        for (i, p) in x.iter().enumerate() {
            y[i] = p.turned() + *p;
            s += p.a.max(p.b) as u64;
        }
    }
    s
}

#[test]
fn checks_are_std_s() {
    add_interpreter();
    on_every_device(|d| {
        for f in [fill, fill_by_assert, fill_by_path, fill_by_function] {
            let mut all = vec![0u32; 64];
            let (part, rest) = all.split_at_mut(10);
            let text = catch_unwind(AssertUnwindSafe(|| f(d, 20, part))).expect_err("it is too long");
            // A device may meet any of the ten first.
            assert!(text.downcast_ref::<String>().is_some_and(|t| t.contains("no 1")), "device {d}");
            assert!(rest.iter().all(|v| *v == 0), "device {d}");
            f(d, 10, part);
            assert_eq!(part, [7; 10]);
        }
    });
}

#[test]
fn types_and_functions_are_std_s() {
    add_interpreter();
    on_every_device(|d| {
        let x: Vec<Pair> = (0..100).map(|i| Pair { a: i, b: 2 * i }).collect();
        let mut y = vec![Pair { a: 0, b: 0 }; 100];
        assert_eq!(turned(d, &x, &mut y), (0..100).map(|i| 2 * i).sum::<u64>());
        assert!((0..100).all(|i| y[i as usize] == Pair { a: 3 * i, b: 3 * i }), "device {d}");
    });
}
