//! What users' traits, macros and references do to what tasks use: the same as without directives, and nobody frees what a task writes.
#![allow(clippy::wrong_self_convention, reason = "hostile methods take what they are called on")]
#![forbid(unsafe_code)]
#![allow(clippy::needless_range_loop, reason = "every spelling that users may choose")]
#![allow(clippy::mem_forget, clippy::forget_non_drop, reason = "what a hostile user does")]
use omp_tests::{on_every_device, panic_of};
use std::fmt::Write as _;
use std::mem::forget;
use std::ops::{Deref, Index, IndexMut};

const SIZES: [usize; 6] = [0, 1, 2, 33, 257, 5000];

/// Work that takes a while.
fn mixed(value: u64) -> u64 {
    (0..50).fold(value, |v, k| v.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(k))
}

// ---------------------------------------------------------------------------------------------- traits

/// For what derefs to a slice, as a guard would.
trait Grabs: Sized {
    fn fill(self, _: u64) {
        forget(self);
    }
    fn reverse(self) {
        forget(self);
    }
}

impl<T: Deref<Target = [u64]>> Grabs for T {}

const FIXED: usize = 4000;

#[omp::offload]
fn filled(d: usize, value: u64) -> (Vec<u64>, u64) {
    let mut owned = vec![1; FIXED].into_boxed_slice();
    let y: &mut [u64; FIXED] = owned.as_mut().try_into().expect("as many");
    #[omp::target(nowait, device(d))]
    for i in 0..FIXED {
        let mut v = y[i];
        for k in 0..50 {
            v = v.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(k);
        }
        y[i] = v + i as u64;
    }
    y.reverse();
    let first = y[0];
    y[1..].fill(value);
    y.rotate_left(1);
    omp::taskwait!();
    (owned.into_vec(), first)
}

/// The same without directives. `&[u64]` derefs to a slice as well, and rustc comes to it before `&mut [u64]`.
fn plainly_filled(value: u64) -> (Vec<u64>, u64) {
    let mut owned = vec![1; FIXED].into_boxed_slice();
    let y: &mut [u64; FIXED] = owned.as_mut().try_into().expect("as many");
    for i in 0..FIXED {
        y[i] = mixed(y[i]) + i as u64;
    }
    y.reverse();
    let first = y[0];
    y[1..].fill(value);
    y.rotate_left(1);
    (owned.into_vec(), first)
}

#[test]
fn methods_are_those_of_the_array() {
    on_every_device(|d| assert_eq!(filled(d, 7), plainly_filled(7), "{d}"));
}

mod cells {
    use super::{SIZES, mixed};
    use omp_tests::on_every_device;
    use std::fmt::Debug;
    use std::mem::forget;

    /// Neither is `Debug`: the traits below are not for arrays of them, but guards are.
    #[derive(Clone, Copy, PartialEq, omp::Device)]
    struct Cell {
        v: u64,
    }

    #[allow(dead_code, reason = "no type of these has them")]
    trait Logs: Sized {
        fn first(self) {
            forget(self);
        }
        fn len(self) -> usize {
            3
        }
        fn is_empty(self) -> bool {
            true
        }
    }

    impl<T: Debug + Send> Logs for T {}

    #[omp::offload]
    fn first_of(d: usize, n: usize) -> (Option<u64>, usize, bool) {
        let mut y = vec![Cell { v: 1 }; n];
        #[omp::target(nowait, device(d))]
        for i in 0..y.len() {
            let mut v = y[i].v;
            for k in 0..50 {
                v = v.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(k);
            }
            y[i].v = v;
        }
        (y.first().map(|c| c.v), y.len(), y.is_empty())
    }

    #[omp::offload]
    fn twice(d: usize, y: &mut [Cell]) {
        #[omp::target(nowait, device(d))]
        for i in 0..y.len() {
            y[i].v += 1;
        }
        #[omp::target(nowait, device(d))]
        for i in 0..y.len() / 2 {
            y[i].v += 10;
        }
    }

    #[test]
    fn heads_ask_the_array_for_its_length() {
        on_every_device(|d| {
            for n in SIZES {
                assert_eq!(first_of(d, n), ((n > 0).then(|| mixed(1)), n, n == 0), "{n} on {d}");
                let mut y = vec![Cell { v: 1 }; n];
                twice(d, &mut y);
                let right = |i: usize| if i < n / 2 { 12 } else { 2 };
                assert!(y.iter().enumerate().all(|(i, c)| c.v == right(i)), "{n} on {d}");
            }
        });
    }
}

/// An element with subscripts of its own.
#[derive(Clone, Copy, omp::Device)]
struct Pair {
    a: u64,
    b: u64,
}

impl Index<usize> for Pair {
    type Output = u64;
    fn index(&self, i: usize) -> &u64 {
        if i == 0 { &self.a } else { &self.b }
    }
}

impl IndexMut<usize> for Pair {
    fn index_mut(&mut self, i: usize) -> &mut u64 {
        if i == 0 { &mut self.b } else { &mut self.a }
    }
}

#[omp::offload]
fn pairs(d: usize, y: &mut [Pair]) -> u64 {
    #[omp::target(nowait, device(d))]
    for i in 0..y.len() {
        y[i].a += 1;
        y[i].b += 2;
    }
    y[0][0] += 100;
    let seen = y[0][0];
    #[omp::target(nowait, device(d))]
    for i in 0..y.len() {
        y[i].a *= 2;
    }
    seen
}

#[test]
fn elements_have_subscripts_of_their_own() {
    on_every_device(|d| {
        let mut y = [Pair { a: 1, b: 2 }; 3];
        // `+=` goes through `index_mut`, which has them the other way round.
        assert_eq!(pairs(d, &mut y), 2, "{d}");
        assert_eq!((y[0].a, y[0].b, y[2].a, y[2].b), (4, 104, 4, 4), "{d}");
    });
}

// ---------------------------------------------------------------------------------------------- references

struct Holds<T>(T);

impl<T> Drop for Holds<T> {
    fn drop(&mut self) {
        panic!("it is forgotten");
    }
}

/// Does what a user may with references: the values are those of plain Rust.
macro_rules! with_references {
    ($y:ident) => {
        forget(Holds(&mut $y[..]));
        forget($y.iter_mut());
        let bump = || $y[0] = $y[0].wrapping_add(1);
        forget(bump);
        let mut add = |k: u64| $y[0] = $y[0].wrapping_add(k);
        add(3);
        add(4);
        let kept = Box::leak(Box::new(&mut $y[..]));
        kept[0] = kept[0].wrapping_mul(3);
        let (left, right) = $y.split_at_mut(1);
        if let Some(first) = right.first_mut() {
            std::mem::swap(first, &mut left[0]);
        }
    };
}

fn plain_references(y: &mut [u64]) -> u64 {
    y.iter_mut().for_each(|v| *v = mixed(*v));
    with_references!(y);
    y[0]
}

#[omp::offload]
fn references(d: usize, y: &mut [u64]) -> u64 {
    #[omp::target(nowait, device(d))]
    for i in 0..y.len() {
        let mut v = y[i];
        for k in 0..50 {
            v = v.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(k);
        }
        y[i] = v;
    }
    forget(Holds(&mut y[..]));
    forget(y.iter_mut());
    let bump = || y[0] = y[0].wrapping_add(1);
    forget(bump);
    let mut add = |k: u64| y[0] = y[0].wrapping_add(k);
    add(3);
    add(4);
    let kept = Box::leak(Box::new(&mut y[..]));
    kept[0] = kept[0].wrapping_mul(3);
    let (left, right) = y.split_at_mut(1);
    if let Some(first) = right.first_mut() {
        std::mem::swap(first, &mut left[0]);
    }
    y[0]
}

#[test]
fn references_may_be_forgotten() {
    on_every_device(|d| {
        for n in [1, 2, 33, 257, 5000] {
            let mut right: Vec<u64> = (0..n).collect();
            let mut y = right.clone();
            assert_eq!(references(d, &mut y), plain_references(&mut right), "{n} on {d}");
            assert_eq!(y, right, "{n} on {d}");
        }
    });
}

/// A variable that is reduced, behind references.
#[omp::offload]
fn reduced(d: usize, x: &[u64]) -> u64 {
    let mut total = 1;
    #[omp::target(nowait, device(d), reduction(+: total))]
    for i in 0..x.len() {
        total += x[i];
    }
    forget(Holds(&mut total));
    let mut other = 5;
    std::mem::swap(&mut total, &mut other);
    #[omp::target(nowait, device(d), reduction(+: total))]
    for i in 0..x.len() {
        total += x[i];
    }
    other * 1000 + std::mem::take(&mut total) + total
}

#[test]
fn values_may_change_places() {
    on_every_device(|d| {
        for n in [0_u64, 1, 40] {
            let x: Vec<u64> = (0..n).collect();
            let sum: u64 = x.iter().sum();
            assert_eq!(reduced(d, &x), (1 + sum) * 1000 + 5 + sum, "{n} on {d}");
        }
    });
}

// ---------------------------------------------------------------------------------------------- macros

#[omp::offload]
fn with_macros(d: usize, y: &mut [u64], total: u64) -> (String, Vec<u64>, bool) {
    let mut sum = total;
    #[omp::target(nowait, device(d))]
    for i in 0..y.len() {
        y[i] += 1;
    }
    #[omp::target(nowait, device(d), reduction(+: sum))]
    for i in 0..y.len() {
        sum += y[i];
    }
    let mut text = format!("{} {} {}", y[0], y.len(), sum);
    write!(text, " {:>3}", y[1]).expect("a string");
    std::write!(text, " {}", { y[1] + 1 }).expect("a string");
    assert_eq!(y[0], 2, "{}", y[0]);
    core::assert_ne!(y[0], y[1]);
    assert!(y[1] == 3);
    debug_assert!(y.len() > 1);
    debug_assert_eq!(y[1], 3);
    println!("{} {}", y[0], format!("{}", y[1]));
    let two = vec![y[0], y[1]];
    let many = vec![y[1]; y.len()];
    if y[0] == 77 {
        panic!("{} {}", y[0], sum);
    }
    #[omp::target(nowait, device(d))]
    for i in 0..y.len() {
        y[i] += 1;
    }
    let is = matches!(y[0], 3..=4) && dbg!(y[1]) == 4;
    (text, [two, many].concat(), is)
}

#[omp::offload]
fn failing_assertion(d: usize, y: &mut [u64], total: u64) {
    let mut sum = total;
    #[omp::target(nowait, device(d), reduction(+: sum))]
    for i in 0..y.len() {
        y[i] += 1;
        sum += y[i];
    }
    assert!(y[1] < 3 && sum < y[0]);
}

#[test]
fn assertions_tell_the_users_text() {
    on_every_device(|d| {
        let failing = || failing_assertion(d, &mut [1; 4], 0);
        assert_eq!(panic_of(failing).as_deref(), Some("assertion failed: y[1] < 3 && sum < y[0]"));
    });
}

#[test]
fn macros_of_std_are_given_elements() {
    on_every_device(|d| {
        let (text, values, is) = with_macros(d, &mut [1, 2, 3], 10);
        assert_eq!(text, "2 3 19   3 4", "{d}");
        assert_eq!(values, [2, 3, 3, 3, 3], "{d}");
        assert!(is, "{d}");
    });
}

// ---------------------------------------------------------------------------------------------- regions inside of others

#[omp::offload]
fn sum(d: usize, x: &[u64]) -> u64 {
    let mut s = 0;
    #[omp::target(device(d), reduction(+: s))]
    for i in 0..x.len() {
        s += x[i];
    }
    s
}

#[omp::offload]
fn fill(d: usize, y: &mut [u64], value: u64) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[i] = value;
    }
}

/// Runs regions when a data region is left, with a task under way, and when another region has failed.
struct Fills<'v>(usize, &'v mut Vec<u64>);

impl Drop for Fills<'_> {
    fn drop(&mut self) {
        fill(self.0, self.1, 9);
        let total = sum(self.0, self.1);
        self.1.push(total);
    }
}

#[omp::offload]
fn dropped(d: usize, y: &mut [u64], z: &mut Vec<u64>, wrong: usize) {
    let fills = Fills(d, z);
    #[omp::target_data(map(tofrom: y), device(d))]
    {
        let _again = Fills(d, &mut *fills.1);
        #[omp::target(nowait, device(d))]
        for i in 0..y.len() {
            y[i] += 1;
        }
        #[omp::target(device(d))]
        for i in 0..y.len() {
            assert!(i != wrong, "wrong: {i}");
            y[i] += 1;
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Best {
    value: u64,
    at: usize,
}

/// Whoever asks for the identity runs a region.
fn none() -> Best {
    Best { value: sum(omp::get_default_device(), &[0, 0]), at: usize::MAX }
}

#[omp::declare_reduction(best: Best, identity = none())]
fn best(a: Best, b: Best) -> Best {
    if b.value > a.value { b } else { a }
}

#[omp::offload]
fn in_clauses(d: usize, y: &mut [u64]) -> (u64, Best) {
    let mut total = 0;
    let mut top = Best { value: 0, at: 0 };
    #[omp::target(
        device(sum(d, &[d as u64, 0]) as usize), num_teams(sum(d, y).max(1)), if(sum(d, &[1]) == 1),
        reduction(+: total), reduction(best: top)
    )]
    for i in 0..sum(d, &[y.len() as u64]) as usize {
        total += y[i];
        top = best(top, Best { value: y[i], at: i });
    }
    #[omp::target_data(map(tofrom: y[..sum(d, &[3, 4]) as usize]), device(d))]
    {
        #[omp::target(device(d))]
        for i in 0..7 {
            y[i] = i as u64;
        }
        omp::target_update!(from(y[..sum(d, &[3]) as usize]), device(d));
        total += sum(d, &y[..3]);
    }
    #[omp::target(nowait, device(d))]
    for i in 0..y.len() {
        y[i] += 1;
    }
    y[sum(d, &[1, 1]) as usize] = sum(d, &[40, 2]);
    (total, top)
}

fn deeper(d: usize, depth: u64, y: &mut [u64]) -> u64 {
    if depth == 0 { sum(d, y) } else { recursive(d, depth, y) }
}

/// Data regions and tasks of as many calls as are under way, on one array.
#[omp::offload]
fn recursive(d: usize, depth: u64, y: &mut [u64]) -> u64 {
    let mut own = vec![depth; 50];
    #[omp::target_data(map(tofrom: y, own), device(d))]
    {
        #[omp::target(nowait, device(d))]
        for i in 0..y.len() {
            y[i] += 1;
        }
        #[omp::target(nowait, device(d))]
        for i in 0..own.len() {
            own[i] += 1;
        }
        omp::taskwait!();
        let inner = deeper(d, depth - 1, &mut own);
        inner + deeper(d, depth - 1, y)
    }
}

fn plain(depth: u64, y: &mut [u64]) -> u64 {
    if depth == 0 {
        return y.iter().sum();
    }
    let mut own = vec![depth + 1; 50];
    y.iter_mut().for_each(|v| *v += 1);
    plain(depth - 1, &mut own) + plain(depth - 1, y)
}

#[test]
fn regions_may_begin_inside_of_others() {
    on_every_device(|d| {
        let (mut y, mut z) = (vec![1; 64], vec![2; 8]);
        dropped(d, &mut y, &mut z, usize::MAX);
        let filled = [9, 9, 9, 9, 9, 9, 9, 9, 9, 81];
        assert_eq!((y, &z[..]), (vec![3; 64], &filled[..]), "{d}");
        let (mut y, mut z) = (vec![1; 64], vec![2; 8]);
        let text = panic_of(|| dropped(d, &mut y, &mut z, 30)).expect("fails");
        assert!(text.contains("wrong: 30"), "{text}");
        assert_eq!(z, filled, "{d}");
        let mut y: Vec<u64> = (0..200).map(|v| v * 7 % 100).collect();
        let (total, top) = (y.iter().sum::<u64>() + 3, Best { value: 99, at: 57 });
        assert_eq!(in_clauses(d, &mut y), (total, top), "{d}");
        assert_eq!((&y[..7], y[8]), (&[1, 2, 42, 4, 5, 6, 7][..], 57), "{d}");
        let (mut y, mut right) = (vec![0; 30], vec![0; 30]);
        assert_eq!(deeper(d, 3, &mut y), plain(3, &mut right), "{d}");
        assert_eq!(y, right, "{d}");
    });
}
