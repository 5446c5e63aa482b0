//! Counted loops: numbers for the launch, typed ranges for the host's body.
use crate::error::{ZERO_STEP, ZERO_STEP_HELP};
use omp_ir::analysis::plan::DimValues;
use std::iter::FusedIterator;
use std::ops::Range;

/// The integer types that a loop can count with.
#[diagnostic::on_unimplemented(
    message = "a parallel loop can't count with `{Self}` [omp::E0301]",
    label = "not an integer",
    note = "help: loops count with `i8`, `i16`, `i32`, `i64`, `isize`, `u8`, `u16`, `u32`, `u64` or `usize`"
)]
pub trait Counted: Copy + Send + Sync + 'static {
    /// The value.
    fn wide(self) -> i128;
    /// The value modulo the type's range.
    fn narrow(v: i128) -> Self;
    /// `self + k * step` modulo the type's range.
    fn stepped(self, k: u64, step: Self) -> Self;
    /// `self + k` modulo the type's range.
    fn plus(self, k: u64) -> Self;
}

macro_rules! counted {
    ($($t:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl Counted for $t {
            #[inline(always)]
            #[allow(clippy::cast_lossless, reason = "`usize` has no `From`")]
            fn wide(self) -> i128 {
                self as i128
            }
            #[inline(always)]
            fn narrow(v: i128) -> Self {
                v as Self
            }
            #[inline(always)]
            fn stepped(self, k: u64, step: Self) -> Self {
                self.wrapping_add((k as Self).wrapping_mul(step))
            }
            #[inline(always)]
            fn plus(self, k: u64) -> Self {
                self.wrapping_add(k as Self)
            }
        }
    )* };
}
counted!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

/// A counted loop: iteration `k` of `0..count` has the value `first + k * step`.
///
/// Made by [`range`]; adaptors mean what those of `Range` mean.
#[derive(Debug, Clone, Copy)]
pub struct Dim<T> {
    first: i128,
    step: i128,
    /// Up to 2^64 for `0..=u64::MAX`.
    count: i128,
    typed: (T, T),
}

/// `lo..hi` or `lo..=hi`.
#[inline]
pub fn range<T: Counted>(lo: T, hi: T, inclusive: bool) -> Dim<T> {
    let count = (hi.wide() - lo.wide() + i128::from(inclusive)).max(0);
    Dim { first: lo.wide(), step: 1, count, typed: (lo, T::narrow(1)) }
}

/// The number of values of `lo..hi` or `lo..=hi`, for loops over iterators with ranges among them. Of the one range of 2^64 values
/// no loop reaches the last one.
#[inline]
pub fn trips<T: Counted>(lo: T, hi: T, inclusive: bool) -> usize {
    usize::try_from(range(lo, hi, inclusive).count).unwrap_or(usize::MAX)
}

/// A number of items, or the number of an item: its type needs no inference.
#[inline(always)]
#[must_use]
pub const fn count(n: usize) -> usize {
    n
}

/// The number of items of a `zip`.
#[inline(always)]
#[must_use]
pub const fn fewer(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

/// The number of windows of `size` in an array of `all` elements.
///
/// # Panics
/// When `size` is zero, as Rust's `windows` does.
#[inline]
#[must_use]
#[track_caller]
pub fn windows(size: usize, all: usize) -> usize {
    assert!(size != 0, "{ZERO_STEP}\n  in the head of a parallel loop\n  try: {ZERO_STEP_HELP}");
    trips(size, all, true)
}

/// A flag for each element of a fixed array, or the flags of each of its rows.
#[inline(always)]
pub fn assigned<T, F: Copy, const N: usize>(_: &[T; N], each: F) -> [F; N] {
    [each; N]
}

/// An array of these, as long as its use says.
#[inline(always)]
pub fn repeated<F: Copy, const N: usize>(each: F) -> [F; N] {
    [each; N]
}

/// That two values are of one type, which rustc alone has to know.
#[inline(always)]
pub const fn alike<T>(_: &T, _: &T) {}

/// What rustc alone has to check.
#[inline(always)]
pub const fn known((): ()) {}

/// In front of the lowering of a range's method of this name: makes rustc check that the method is std's.
#[inline(always)]
pub fn of_range<R>(_: R, _: &str) {}

/// What the copy that a parallel loop iterates is: `for i in layer.clone()`.
#[diagnostic::on_unimplemented(
    message = "a parallel loop can't iterate a copy of this [omp::E0301]",
    label = "a `{Self}`",
    note = "help: of a `RangeInclusive` `r`, write `for i in *r.start()..=*r.end()`; of an array, `for v in x.iter()`"
)]
pub trait CopiedRange<T> {
    /// Its first, and the end after its last.
    fn ends(self) -> (T, T);
}

impl<T> CopiedRange<T> for Range<T> {
    fn ends(self) -> (T, T) {
        (self.start, self.end)
    }
}

/// The ends of the range that a parallel loop goes through.
pub fn ends_of_range<T, R: CopiedRange<T>>(range: R) -> (T, T) {
    range.ends()
}

/// A type on which a loop's adaptors are called in checks: they are std's only where std's `Iterator` is in scope.
#[derive(Debug)]
pub struct StdIterator;

impl Iterator for StdIterator {
    type Item = &'static ();

    fn next(&mut self) -> Option<&'static ()> {
        None
    }
}

impl DoubleEndedIterator for StdIterator {
    fn next_back(&mut self) -> Option<&'static ()> {
        None
    }
}

/// How many of `n` items are taken if each `step`-th is, the first included.
///
/// # Panics
/// When `step` is zero, as Rust's `step_by` does.
#[inline]
#[must_use]
#[track_caller]
pub fn steps(n: usize, step: usize) -> usize {
    assert!(step != 0, "{ZERO_STEP}\n  in the head of a parallel loop\n  try: {ZERO_STEP_HELP}");
    n.div_ceil(step)
}

/// The length of the elements of a nested array.
#[inline(always)]
#[must_use]
pub const fn inner_len<T, const N: usize>(_: &[[T; N]]) -> usize {
    N
}

/// The length of the elements of the elements of a nested array.
#[inline(always)]
#[must_use]
pub const fn innermost_len<T, const M: usize, const N: usize>(_: &[[[T; N]; M]]) -> usize {
    N
}

/// Value `k` of the range from `lo` to `hi`.
#[inline(always)]
pub fn nth<T: Counted>(lo: T, _hi: T, k: usize) -> T {
    lo.plus(k as u64)
}

/// Value `k` from the end of the range from `lo` to `hi`, which is in it.
#[inline(always)]
pub fn nth_back<T: Counted>(_lo: T, hi: T, k: usize) -> T {
    hi.stepped(k as u64, T::narrow(-1))
}

/// How far a value of a range is from the `first`.
#[inline(always)]
pub fn ordinal<T: Counted>(first: T, v: T) -> usize {
    (v.wide() - first.wide()) as usize
}

/// The distance of a range's value from the last; `end` is the one after that.
#[inline(always)]
pub fn ordinal_before<T: Counted>(v: T, end: T) -> usize {
    (end.wide() - v.wide() - 1) as usize
}

/// The range of an inner loop that no outer iteration reaches.
#[inline]
#[must_use]
pub fn no_iterations<T: Counted>() -> Dim<T> {
    Dim::with(0, 1, 0)
}

/// What a loop's last value is before its bounds are known.
#[inline]
#[must_use]
pub fn zero<T: Counted>() -> T {
    T::narrow(0)
}

impl<T: Counted> Dim<T> {
    /// The last value; of a loop without iterations, any.
    #[inline]
    #[must_use]
    pub fn end(self) -> T {
        self.value(self.count().saturating_sub(1))
    }

    fn with(first: i128, step: i128, count: i128) -> Self {
        Self { first, step, count, typed: (T::narrow(first), T::narrow(step)) }
    }

    /// `.rev()`
    #[inline]
    #[must_use]
    #[allow(clippy::should_implement_trait)]
    pub fn rev(self) -> Self {
        Self::with(self.first + (self.count - 1).max(0) * self.step, -self.step, self.count)
    }

    /// `.step_by(step)`
    ///
    /// # Panics
    /// When `step` is zero, as Rust's does.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn step_by(self, step: usize) -> Self {
        assert!(step != 0, "{ZERO_STEP}\n  in the head of a parallel loop\n  try: {ZERO_STEP_HELP}");
        let wide = step as i128;
        // A step beyond the last iteration is never taken: its value need not fit.
        let reach = if self.count <= wide { self.step } else { self.step * wide };
        Self::with(self.first, reach, (self.count + wide - 1) / wide)
    }

    /// For the launch.
    ///
    /// # Panics
    /// For the one range of 2^64 iterations, which no machine runs to its end.
    #[inline]
    #[must_use]
    pub fn values(self) -> DimValues {
        DimValues { first: self.first, step: self.step, count: self.count() }
    }

    /// The number of iterations.
    ///
    /// # Panics
    /// As [`Self::values`].
    #[inline]
    #[must_use]
    pub fn count(self) -> u64 {
        u64::try_from(self.count)
            .unwrap_or_else(|_| panic!("the loop has 2^64 iterations: no machine runs it to its end"))
    }

    /// The value of iteration `k`.
    #[inline(always)]
    #[must_use]
    pub fn value(self, k: u64) -> T {
        self.typed.0.stepped(k, self.typed.1)
    }

    /// Iterations `lo..hi` of a plain `a..b`, as the range that Rust's loop would be.
    #[inline(always)]
    #[must_use]
    pub fn plain(self, lo: u64, hi: u64) -> Range<T> {
        // Both ends are at most `b`, so they fit.
        self.typed.0.plus(lo)..self.typed.0.plus(hi)
    }

    /// Iterations `lo..hi` of any counted loop.
    #[inline(always)]
    #[must_use]
    pub fn steps(self, lo: u64, hi: u64) -> Steps<T> {
        let (first, step) = self.typed;
        Steps { next: first.stepped(lo, step), step, left: hi - lo }
    }
}

/// The values of some iterations of a counted loop.
#[derive(Debug, Clone)]
pub struct Steps<T> {
    next: T,
    step: T,
    left: u64,
}

impl<T: Counted> Iterator for Steps<T> {
    type Item = T;

    #[inline(always)]
    fn next(&mut self) -> Option<T> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let value = self.next;
        self.next = value.stepped(1, self.step);
        Some(value)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = usize::try_from(self.left).ok();
        (n.unwrap_or(usize::MAX), n)
    }
}

impl<T: Counted> FusedIterator for Steps<T> {}

/// The iterations `lo..hi` of two loops made one, the inner of `inner` iterations: parts of rows, each the outer
/// loop's value and the range of inner iterations.
#[inline]
pub fn rows<T: Counted>(outer: Dim<T>, lo: u64, hi: u64, inner: u64) -> impl Iterator<Item = (T, u64, u64)> {
    let mut at = lo;
    std::iter::from_fn(move || {
        if at >= hi {
            return None;
        }
        let (row, from) = (at / inner, at % inner);
        let to = (inner - from).min(hi - at) + from;
        at += to - from;
        Some((outer.value(row), from, to))
    })
}

/// The number of iterations of two loops made one.
///
/// # Panics
/// When there are 2^64 or more.
#[inline]
#[must_use]
pub fn product(outer: u64, inner: u64) -> u64 {
    outer
        .checked_mul(inner)
        .unwrap_or_else(|| panic!("the nest has 2^64 iterations or more: no machine runs it to its end"))
}

#[cfg(test)]
#[allow(clippy::cast_lossless, reason = "all types, `usize` too")]
mod tests {
    use super::*;

    fn all<T: Counted>(d: &Dim<T>) -> Vec<i128> {
        let v: Vec<i128> = d.steps(0, d.count()).map(Counted::wide).collect();
        let n = d.values();
        assert_eq!(v, (0..n.count as i128).map(|k| n.first + k * n.step).collect::<Vec<_>>());
        let parts: Vec<i128> = (0..n.count)
            .step_by(3)
            .flat_map(|lo| d.steps(lo, (lo + 3).min(n.count)))
            .map(Counted::wide)
            .collect();
        assert_eq!(v, parts);
        v
    }

    macro_rules! same {
        ($t:ty: $($a:expr, $b:expr);*) => { $(
            let (a, b): ($t, $t) = ($a, $b);
            assert_eq!(all(&range(a, b, false)), (a..b).map(|v| v as i128).collect::<Vec<_>>());
            assert_eq!(all(&range(a, b, true)), (a..=b).map(|v| v as i128).collect::<Vec<_>>());
            assert_eq!(all(&range(a, b, true).rev()), (a..=b).rev().map(|v| v as i128).collect::<Vec<_>>());
            for s in [1, 2, 7, 100, usize::MAX] {
                let want: Vec<_> = (a..=b).step_by(s).map(|v| v as i128).collect();
                assert_eq!(all(&range(a, b, true).step_by(s)), want, "step {s}");
                let want: Vec<_> = (a..=b).rev().step_by(s).map(|v| v as i128).collect();
                assert_eq!(all(&range(a, b, true).rev().step_by(s)), want, "rev, step {s}");
                let back: Vec<_> = (a..=b).step_by(s).map(|v| v as i128).collect();
                let want: Vec<_> = back.into_iter().rev().step_by(2).collect();
                assert_eq!(all(&range(a, b, true).step_by(s).rev().step_by(2)), want, "step {s}, rev, step 2");
            }
            let d = range(a, b, false);
            assert!(d.plain(0, d.count()).eq(a..b));
        )* };
    }

    #[test]
    fn loops_are_those_of_rust() {
        same!(u8: 0, 255; 250, 255; 9, 3; 255, 255);
        same!(i8: -128, 127; 5, 4; 127, 127);
        same!(i32: i32::MAX - 4, i32::MAX; -3, 3);
        same!(i64: i64::MIN, i64::MIN + 3);
        same!(u64: u64::MAX - 31, u64::MAX; 0, 0);
        same!(usize: usize::MAX, usize::MAX; 0, 100);
        same!(isize: isize::MAX - 1, isize::MAX);
    }

    #[test]
    fn values_by_number() {
        assert_eq!((trips(-128i8, 127, true), nth(-128i8, 127, 200)), (256, 72));
        assert_eq!((trips(5u32, 3, false), trips(5u32, 5, true), trips(0u64, 7, false)), (0, 1, 7));
        assert_eq!(trips(i64::MIN, i64::MAX, false), usize::MAX);
        assert_eq!(trips(0, u64::MAX, true), usize::MAX);
        assert_eq!(nth(u64::MAX - 3, u64::MAX, 3), u64::MAX);
        assert_eq!(
            (ordinal(-128i8, 127), ordinal(i64::MIN, i64::MAX), ordinal(7u8, 7)),
            (255, usize::MAX, 0)
        );
        assert_eq!((ordinal_before(-128i8, 127), ordinal_before(4, 5)), (254, 0));
        assert_eq!((nth_back(-128i8, 127, 200), nth_back(0, u64::MAX, usize::MAX)), (-73, 0));
    }

    #[test]
    fn rows_cover_a_nest() {
        for (m, n) in [(1u64, 1u64), (3, 5), (5, 3), (1, 7), (7, 1)] {
            for chunk in [1, 2, 4, 100] {
                let chunks = (0..m * n).step_by(chunk as usize);
                let parts = chunks.flat_map(|lo| rows(range(0, m, false), lo, (lo + chunk).min(m * n), n));
                let all: Vec<u64> = parts.flat_map(|(i, lo, hi)| (lo..hi).map(move |j| i * n + j)).collect();
                assert_eq!(all, (0..m * n).collect::<Vec<_>>(), "{m} x {n} by {chunk}");
            }
        }
        assert_eq!(rows(range(0u64, 0, false), 0, 0, 0).count(), 0);
    }

    #[test]
    #[should_panic(expected = "`step_by`, `chunks` and `windows` take at least 1")]
    fn a_step_of_zero_panics() {
        let _ = range(0, 3, false).step_by(0);
    }
}
