//! Checks of the host for what a launch could not prove: that iterations are disjoint (`disjoint(…)`), by a table of claims, and
//! that subscripts stay in the section of a `map`. Every subscript of such an array goes through [`Claims::claim`].
//!
//! An iteration claims an element before it accesses the element, by a compare-and-swap if several threads run the loop. An
//! iteration that finds another claim panics instead, so a loop that fails has no data race, either. (Claims order nothing; no
//! iteration needs to see what another one has written.) If there are several conflicts, any one of them is reported.
//!
//! Long loops are inspected before (`launch/plan/inspect.rs`), with the contents of their index arrays, and claim only if that has
//! not excluded conflicts: a compare-and-swap takes ten times as long as a short iteration.
//!
//! The table is kept for later loops. The iteration numbers of a loop continue after those of the last one, so old claims are
//! invalid, and the table is cleared only when the numbers run out.
use super::subscript;
use crate::device::team;
use crate::launch::HostRun;
use omp_ir::analysis::plan::DimValues;
use omp_ir::analysis::plan::numbering::{ClaimKind, Numbering, conflict, show};
use std::borrow::Cow;
use std::hint::cold_path;
use std::ops::{Bound, RangeBounds};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::sync::{Arc, Mutex, PoisonError};

/// The iterations that have accessed the elements of an array. Without a table (the array is proved) everything is allowed.
#[derive(Debug)]
pub struct Claims {
    array: Cow<'static, str>,
    /// Iterations take slices of the array.
    slices: bool,
    words: Words,
    /// One thread runs the loop.
    alone: bool,
    /// Claims up to this one are of loops before.
    base: u64,
    /// The mapped elements, and how many the array has.
    section: (usize, usize),
    len: usize,
    numbers: IterationNumbers,
}

/// The same in the registers of a thread, for each of its iterations.
#[derive(Debug, Clone, Copy)]
pub struct ClaimsAtHand<'a> {
    claims: &'a Claims,
    /// The table, if it is a narrow one.
    words: &'a [AtomicU32],
    lo: usize,
    alone: bool,
    /// The first claim of this loop, as a word without what it is for.
    first: u32,
    /// Elements without a table that are mapped.
    free: usize,
}

/// By element of the section: a claim, and what it is for, in the lowest two bits.
#[derive(Debug)]
enum Words {
    Narrow(Vec<AtomicU32>),
    /// For very many iterations, or an unknown number.
    Wide(Vec<AtomicU64>),
}

/// Claims below this fit narrow words.
const MOST_NARROW: u64 = 1 << 30;

/// Tables for later loops, and the last claims in them: a few, of so many words at most.
static TABLES: Mutex<Vec<(Vec<AtomicU32>, u64)>> = Mutex::new(Vec::new());
const MOST_TABLES: usize = 4;
const MOST_KEPT: usize = 1 << 24;

/// The numbers of a loop's iterations.
#[derive(Debug, Clone)]
pub struct IterationNumbers(Arc<Numbers>);

#[derive(Debug)]
struct Numbers {
    vars: Vec<String>,
    numbering: Numbering,
    /// The digits of the numbering in 64 bits, where all differences of values fit.
    digits: Option<Vec<Digit>>,
}

/// The number of a nest's iteration, which the thread computes for each of them.
#[derive(Debug, Clone, Copy)]
pub struct Digits<'a, const N: usize> {
    digits: Option<[Digit; N]>,
    numbering: &'a Numbering,
}

/// As [`DimValues`], modulo 2^64.
#[derive(Debug, Clone, Copy)]
struct Digit {
    first: u64,
    /// Differences from the first are multiples of the step, which is `odd << shift`: divided by it, they are shifted, then
    /// multiplied by the inverse of the odd part.
    shift: u32,
    inverse: u64,
    count: u64,
}

impl Digit {
    fn of(values: &DimValues) -> Option<Self> {
        let step = i64::try_from(values.step).ok().filter(|step| *step != 0)?;
        let span = values.step.unsigned_abs().checked_mul(u128::from(values.count))?;
        let shift = step.trailing_zeros();
        let odd = (step >> shift).cast_unsigned();
        // Newton's method: each step doubles the number of correct bits, which is three at first.
        let inverse = (0..5).fold(odd, |x, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x))));
        (span < 1 << 62).then_some(Self {
            first: values.first as u64,
            shift,
            inverse,
            count: values.count.max(1),
        })
    }

    #[inline(always)]
    const fn next(self, n: u64, value: i128) -> u64 {
        let off = (value as u64).wrapping_sub(self.first).cast_signed() >> self.shift;
        n.wrapping_mul(self.count).wrapping_add(off.cast_unsigned().wrapping_mul(self.inverse))
    }
}

impl IterationNumbers {
    pub(crate) fn new(vars: Vec<String>, numbering: Numbering) -> Self {
        let digits = numbering.digits.iter().map(Digit::of).collect();
        Self(Arc::new(Numbers { vars, numbering, digits }))
    }

    /// The number of the iteration with these values.
    #[inline]
    #[must_use]
    pub fn of(&self, values: &[i128]) -> u64 {
        let Some(digits) = &self.0.digits else { return self.0.numbering.number(values) };
        digits.iter().zip(values).fold(0, |n, (digit, value)| digit.next(n, *value))
    }

    /// The same for each iteration of a nest.
    #[inline]
    #[must_use]
    pub fn digits<const N: usize>(&self) -> Digits<'_, N> {
        let digits = self.0.digits.as_deref().and_then(|digits| <[Digit; N]>::try_from(digits).ok());
        Digits { digits, numbering: &self.0.numbering }
    }

    fn show(&self, number: u64) -> String {
        let values = self.0.numbering.values(number);
        show(&self.0.vars.iter().cloned().zip(values).collect::<Vec<_>>())
    }
}

impl<const N: usize> Digits<'_, N> {
    /// See [`IterationNumbers::of`].
    #[inline(always)]
    #[must_use]
    pub fn of(&self, values: [i128; N]) -> u64 {
        match &self.digits {
            Some(digits) => digits.iter().zip(values).fold(0, |n, (digit, value)| digit.next(n, value)),
            None => self.numbering.number(&values),
        }
    }
}

/// The element was read, by others as well, or written.
const READ: u64 = 1;
const SHARED: u64 = 2;
const WRITTEN: u64 = 3;

/// A word of the table.
trait Word {
    fn get(&self) -> u64;
    fn set(&self, word: u64);
    /// Sets it, if it has not changed; else what it is.
    fn swap(&self, from: u64, to: u64) -> Result<(), u64>;
}

macro_rules! words {
    ($($atomic:ty as $word:ty;)*) => { $(
        impl Word for $atomic {
            #[inline(always)]
            fn get(&self) -> u64 {
                self.load(Relaxed).into()
            }
            #[inline(always)]
            fn set(&self, word: u64) {
                self.store(word as $word, Relaxed);
            }
            #[inline(always)]
            fn swap(&self, from: u64, to: u64) -> Result<(), u64> {
                match self.compare_exchange_weak(from as $word, to as $word, Relaxed, Relaxed) {
                    Ok(_) => Ok(()),
                    Err(now) => Err(now.into()),
                }
            }
        }
    )* };
}
words! {
    AtomicU32 as u32;
    AtomicU64 as u64;
}

impl Words {
    /// A table of so many words for so many claims, and the last claim of those before.
    fn of(len: usize, count: Option<u64>) -> (Self, u64) {
        let narrow = count.filter(|n| *n < MOST_NARROW);
        let Some(count) = narrow.filter(|_| len > 0) else {
            let none = narrow.map(|_| Self::Narrow(Vec::new()));
            // Collecting in place keeps the zeroed pages: the system provides a page at the first access to it.
            let wide = || Self::Wide(vec![0; len].into_iter().map(AtomicU64::new).collect());
            return (none.unwrap_or_else(wide), 0);
        };
        let found = {
            let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
            let large =
                |(table, base): &(Vec<AtomicU32>, u64)| table.len() >= len && base + count < MOST_NARROW;
            let smallest = tables.iter().enumerate().filter(|(_, t)| large(t)).min_by_key(|(_, t)| t.0.len());
            let at = smallest.map(|(at, _)| at);
            at.map(|at| tables.swap_remove(at))
        };
        let (table, base) =
            found.unwrap_or_else(|| (vec![0; len].into_iter().map(AtomicU32::new).collect(), 0));
        (Self::Narrow(table), base)
    }
}

impl Drop for Claims {
    fn drop(&mut self) {
        let Words::Narrow(table) = &mut self.words else { return };
        let (table, Some(count)) = (std::mem::take(table), self.numbers.0.numbering.count()) else { return };
        if table.is_empty() || table.len() > MOST_KEPT {
            return;
        }
        let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
        if tables.len() == MOST_TABLES {
            // The smallest one is soonest made anew.
            let smallest = (0..tables.len()).min_by_key(|at| tables[*at].0.len()).unwrap_or_default();
            tables.swap_remove(smallest);
        }
        tables.push((table, self.base + count));
    }
}

impl Claims {
    /// `claimed`: there is a table. `run`: how the loop runs.
    pub(crate) fn new(
        array: Cow<'static, str>,
        section: (usize, usize),
        len: usize,
        claimed: bool,
        numbers: IterationNumbers,
        run: &HostRun,
    ) -> Self {
        let elements = if claimed { Self::elements(section, len) } else { 0 };
        let (words, base) = Words::of(elements, numbers.0.numbering.count());
        Self { array, slices: false, words, alone: run.alone() || run.serial(), base, section, len, numbers }
    }

    /// How many elements are mapped.
    fn elements(section: (usize, usize), len: usize) -> usize {
        section.1.min(len).saturating_sub(section.0)
    }

    /// The same of an array of which iterations take slices, if they do.
    pub(crate) fn with_slices(mut self, slices: bool) -> Self {
        self.slices = slices;
        self
    }

    /// For a thread that runs iterations.
    #[inline]
    #[must_use]
    pub fn at_hand(&self) -> ClaimsAtHand<'_> {
        let (words, free): (&[AtomicU32], _) = match &self.words {
            Words::Narrow(words) if words.is_empty() => (&[], self.section.1.saturating_sub(self.section.0)),
            // (A reused table may be longer, with words of elements that are not mapped.)
            Words::Narrow(words) => (&words[..Self::elements(self.section, self.len)], 0),
            Words::Wide(_) => (&[], 0),
        };
        let Self { section: (lo, _), base, .. } = *self;
        let alone = self.alone || team::is_first();
        ClaimsAtHand { claims: self, words, lo, alone, first: (base as u32 + 1) << 2, free }
    }

    /// Gives the index back after the iteration with this number has claimed the element. An index out of bounds is
    /// the subscript's own affair.
    ///
    /// # Panics
    /// When the element is not mapped, or another iteration is in the way.
    #[inline]
    #[track_caller]
    pub fn claim<I: Copy + 'static>(&self, index: I, number: u64, writes: bool) -> I {
        self.claim_one(subscript::number(index), number, writes);
        index
    }

    // Nothing in it returns from a call: around one, the loop's registers would be saved in each iteration.
    #[inline(always)]
    #[track_caller]
    fn claim_one(&self, index: usize, number: u64, writes: bool) {
        let at = index.wrapping_sub(self.section.0);
        if index < self.len && at >= self.section.1.saturating_sub(self.section.0) {
            self.not_mapped(index);
        }
        let refused = match &self.words {
            Words::Narrow(words) => words.get(at).and_then(|word| self.refused(word, number, writes)),
            Words::Wide(words) => words.get(at).and_then(|word| self.refused(word, number, writes)),
        };
        if let Some(word) = refused {
            self.refuse(index, number, word, writes);
        }
    }

    /// Claims by a word of the table, or gives the iteration that has the claim.
    #[inline(always)]
    fn refused(&self, word: &impl Word, number: u64, writes: bool) -> Option<u64> {
        let claim = self.base.wrapping_add(number).wrapping_add(1);
        let mut seen = word.get();
        loop {
            let before = if seen >> 2 <= self.base { 0 } else { seen };
            let (own, state) = (before >> 2 == claim, before & 3);
            if before != 0 && if writes { !own || state == SHARED } else { !own && state == WRITTEN } {
                return Some(before);
            }
            let now = match (writes, state) {
                (true, _) => claim << 2 | WRITTEN,
                (false, 0) => claim << 2 | READ,
                (false, READ) if !own => before & !3 | SHARED,
                (false, _) => before,
            };
            if self.alone {
                word.set(now);
                return None;
            }
            if now == seen {
                return None;
            }
            match word.swap(seen, now) {
                Ok(()) => return None,
                Err(other) => seen = other,
            }
        }
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn not_mapped(&self, index: usize) -> ! {
        panic!(
            "index out of bounds: the section of `{}` in the clause has no element {index} (the len is {})",
            self.array, self.len
        );
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn refuse(&self, index: usize, number: u64, word: u64, writes: bool) -> ! {
        let deed = |writes: bool| if writes { ClaimKind::Writes } else { ClaimKind::Reads };
        let holder = (word >> 2).wrapping_sub(self.base + 1);
        let other = (holder != number).then(|| self.numbers.show(holder));
        let this = self.numbers.show(number);
        let (does, did) = (deed(writes), deed(word & 3 == WRITTEN));
        panic!(
            "{}",
            conflict((&self.array, self.slices), index as u64, (&this, does), (other.as_deref(), did))
        );
    }

    /// Claims the elements of a slice, and gives its range back. What lies out of bounds is the slice's own affair.
    ///
    /// # Panics
    /// As [`Self::claim`].
    #[track_caller]
    pub fn claim_part<R: RangeBounds<usize>>(&self, range: R, number: u64, writes: bool) -> R {
        let from = match range.start_bound() {
            Bound::Included(from) => *from,
            Bound::Excluded(from) => from.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let to = match range.end_bound() {
            Bound::Included(to) => to.saturating_add(1),
            Bound::Excluded(to) => *to,
            Bound::Unbounded => self.len,
        };
        for index in from..to.min(self.len) {
            self.claim_one(index, number, writes);
        }
        range
    }
}

impl ClaimsAtHand<'_> {
    /// See [`Claims::claim`].
    #[inline(always)]
    #[track_caller]
    pub fn claim<I: Copy + 'static>(&self, index: I, number: u64, writes: bool) -> I {
        let at = subscript::number(index).wrapping_sub(self.lo);
        let done = match self.words.get(at) {
            Some(word) => self.claims_first(word, number, writes),
            None => at < self.free,
        };
        if !done {
            cold_path();
            self.claims.claim_one(subscript::number(index), number, writes);
        }
        index
    }

    /// Claims what no other iteration of this loop has claimed.
    #[inline(always)]
    fn claims_first(&self, word: &AtomicU32, number: u64, writes: bool) -> bool {
        let mine = self.first.wrapping_add((number as u32) << 2);
        let claim = mine | if writes { WRITTEN as u32 } else { READ as u32 };
        let seen = word.load(Relaxed);
        if seen >= self.first {
            // In a word of the same iteration, the difference is only the kind of access.
            let own = seen ^ mine;
            match writes {
                false if own <= WRITTEN as u32 => return true,
                true if own == WRITTEN as u32 => return true,
                true if own == READ as u32 => {}
                _ => return false,
            }
        }
        if self.alone {
            word.store(claim, Relaxed);
            return true;
        }
        word.compare_exchange(seen, claim, Relaxed, Relaxed).is_ok()
    }

    /// See [`Claims::claim_part`].
    #[track_caller]
    pub fn claim_part<R: RangeBounds<usize>>(&self, range: R, number: u64, writes: bool) -> R {
        self.claims.claim_part(range, number, writes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::loops::schedule::Schedule;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn run(threads: usize) -> HostRun {
        HostRun {
            serial: false,
            claims: Some(1),
            scattered: 0,
            threads,
            apart: threads,
            shared: false,
            light: false,
            pace: None,
            schedule: Schedule::Auto,
        }
    }

    #[test]
    fn readers_share_and_writers_do_not() {
        // Later tables are those of earlier loops.
        for threads in [1, 2, 1, 3, 1] {
            readers_and_writers(threads, false);
            readers_and_writers(threads, true);
        }
    }

    /// Of any two iterations that access one element, one gets the conflict, and neither has accessed the element after the other.
    #[test]
    fn one_of_two_conflicting_iterations_is_refused() {
        let n = if cfg!(miri) { 60 } else { 20_000u64 };
        for (threads, at_hand) in [(2usize, true), (2, false), (3, true), (8, true), (8, false)] {
            let numbering = Numbering { digits: vec![DimValues { first: 0, step: 1, count: n }] };
            let numbers = IterationNumbers::new(vec!["i".into()], numbering);
            let claims = Claims::new("y".into(), (0, n as usize), n as usize, true, numbers, &run(threads));
            let touched: Vec<AtomicU32> = (0..n).map(|_| AtomicU32::new(0)).collect();
            let refused = AtomicU64::new(0);
            std::thread::scope(|scope| {
                for t in 0..threads as u64 {
                    let (claims, touched, refused) = (&claims, &touched, &refused);
                    scope.spawn(move || {
                        // Two iterations of two threads for each of these elements, of one thread elsewhere.
                        for i in (0..n).filter(|i| i % threads as u64 == t) {
                            let element = (i / 2 * 2) as usize;
                            let hand = claims.at_hand();
                            let one = || match at_hand {
                                true => hand.claim(element, i, true),
                                false => claims.claim(element, i, true),
                            };
                            match catch_unwind(AssertUnwindSafe(one)) {
                                Ok(_) => drop(touched[element].fetch_add(1, Relaxed)),
                                Err(_) => drop(refused.fetch_add(1, Relaxed)),
                            }
                        }
                    });
                }
            });
            assert_eq!(refused.into_inner(), n / 2, "{threads} threads");
            assert!(touched.iter().step_by(2).all(|n| n.load(Relaxed) == 1), "{threads} threads");
        }
    }

    #[test]
    fn tables_are_used_again_until_the_numbers_end() {
        let numbering = |count| Numbering { digits: vec![DimValues { first: 0, step: 1, count }] };
        let numbers = |count| IterationNumbers::new(vec!["i".into()], numbering(count));
        let most = MOST_NARROW / 3;
        for turn in 0..7u64 {
            let claims = Claims::new("y".into(), (0, 11), 11, true, numbers(most), &run(1));
            for i in 0..11u64 {
                claims.claim(10 - i as usize, (turn + i) % most, i % 2 == 0);
            }
            assert!(catch_unwind(AssertUnwindSafe(|| claims.claim(0usize, 77, true))).is_err());
        }
        let wide = Claims::new("y".into(), (3, 11), 11, true, numbers(MOST_NARROW), &run(2));
        assert!(matches!(wide.words, Words::Wide(_)));
        assert_eq!(wide.claim(5usize, MOST_NARROW - 1, true), 5);
        assert_eq!(wide.at_hand().claim(6usize, MOST_NARROW - 1, true), 6);
        assert!(catch_unwind(AssertUnwindSafe(|| wide.claim(5usize, 3, false))).is_err());
    }

    #[test]
    fn a_table_of_a_larger_array_has_no_further_elements() {
        let numbering = Numbering { digits: vec![DimValues { first: 0, step: 1, count: 9 }] };
        let numbers = || IterationNumbers::new(vec!["i".into()], numbering.clone());
        // (Other tests take and give tables, too.)
        for _ in 0..if cfg!(miri) { 3 } else { 100 } {
            drop(Claims::new("x".into(), (0, 5000), 5000, true, numbers(), &run(2)));
            let part = Claims::new("y".into(), (2, 10), 30, true, numbers(), &run(2));
            let hand = part.at_hand();
            for i in [0, 1, 10, 11, 29] {
                assert!(catch_unwind(AssertUnwindSafe(|| hand.claim(i as usize, 1, true))).is_err(), "{i}");
                assert!(catch_unwind(AssertUnwindSafe(|| part.claim(i as usize, 1, true))).is_err(), "{i}");
            }
            assert_eq!(
                (hand.claim(2usize, 1, true), hand.claim(9usize, 1, true), hand.claim(30usize, 1, true)),
                (2, 9, 30)
            );
        }
    }

    fn readers_and_writers(threads: usize, at_hand: bool) {
        let numbering = Numbering { digits: vec![DimValues { first: 10, step: 2, count: 9 }] };
        let numbers = IterationNumbers::new(vec!["i".into()], numbering);
        let claims = Claims::new("y".into(), (0, 4), 4, true, numbers.clone(), &run(threads));
        let n = |i: i128| numbers.of(&[i]);
        let says = |index: usize, i: i128, writes: bool| {
            let hand = claims.at_hand();
            let one =
                || if at_hand { hand.claim(index, n(i), writes) } else { claims.claim(index, n(i), writes) };
            catch_unwind(AssertUnwindSafe(one))
                .err()
                .map(|e| e.downcast_ref::<String>().cloned().unwrap_or_default())
        };
        assert_eq!((says(0, 10, false), says(0, 10, true), says(0, 10, false)), (None, None, None));
        let text = says(0, 14, false).expect("it was written");
        assert!(text.contains("(i = 14) reads `y[0]`, which iteration (i = 10) writes"), "{text}");
        assert_eq!((says(1, 10, false), says(1, 12, false)), (None, None));
        assert!(says(1, 14, true).expect("it was read").contains("(i = 10) reads"));
        assert!(says(1, 10, true).expect("another has read it").contains("which another iteration reads"));
        assert!(says(0, 12, true).expect("it was written").contains("(i = 12) writes"));
        assert_eq!(claims.claim(7usize, n(10), true), 7);
        let part = Claims::new("x".into(), (1, 3), 4, false, numbers.clone(), &run(threads));
        assert_eq!(
            (part.claim(1usize, 0, true), part.claim(2usize, 1, true), part.claim(1usize, 1, true)),
            (1, 2, 1)
        );
        let hand = part.at_hand();
        assert_eq!((hand.claim(2usize, 0, true), hand.claim(4usize, 1, true)), (2, 4));
        assert!(catch_unwind(AssertUnwindSafe(|| hand.claim(0usize, 0, false))).is_err());
        let out = catch_unwind(AssertUnwindSafe(|| part.claim(3usize, 0, false)));
        let text = out.expect_err("it is not mapped");
        assert!(text.downcast_ref::<String>().is_some_and(|t| t.contains("no element 3")));
    }

    #[test]
    fn numbers_in_64_bits_are_those_of_the_numbering() {
        let digit = |first: i128, step: i128, count: u64| DimValues { first, step, count };
        let cases = [
            (digit(10, 1, 9), digit(-3, -2, 4)),
            (digit(u64::MAX.into(), -1, 5), digit(i64::MIN.into(), 1, 3)),
            (digit(0, 1 << 61, 2), digit(i64::MIN.into(), 1 << 63, 2)),
            (digit(7, -3, 4), digit(0, 5, 1)),
        ];
        for (a, b) in cases {
            let numbering = Numbering { digits: vec![a, b] };
            let numbers = IterationNumbers::new(vec!["i".into(), "j".into()], numbering.clone());
            for number in 0..a.count * b.count {
                let values = numbering.values(number);
                assert_eq!(numbers.of(&values), number, "{numbering:?}");
                assert_eq!(numbers.digits().of([values[0], values[1]]), number, "{numbering:?}");
            }
        }
    }
}
