//! What the host checks where a launch could not prove it: that iterations keep apart (`disjoint(…)`), by a table of
//! who has touched each element, and that subscripts keep to the section that a `map` names. The loop then runs on one
//! thread, and every subscript of such an array goes through [`Claims::claim`].
use super::subscript;
use omp_kernels::analysis::plan::DimValues;
use omp_kernels::analysis::plan::numbering::{Deed, Numbering, conflict, show};
use std::cell::Cell;
use std::ops::{Bound, RangeBounds};

/// Who has touched the elements of an array. Without a table (the array is proved) everything is allowed.
#[derive(Debug)]
pub struct Claims {
    array: String,
    /// By element; as on devices, in 64 bits.
    words: Vec<Cell<u64>>,
    /// The mapped elements, and how many the array has.
    section: (usize, usize),
    len: usize,
    numbers: IterationNumbers,
}

/// The numbers of a loop's iterations.
#[derive(Debug, Clone)]
pub struct IterationNumbers {
    vars: Vec<String>,
    numbering: Numbering,
    /// The digits of the numbering in 64 bits, where all differences of values fit.
    digits: Option<Vec<Digit>>,
}

/// As [`DimValues`], modulo 2^64.
#[derive(Debug, Clone, Copy)]
struct Digit {
    first: u64,
    step: i64,
    count: u64,
}

impl Digit {
    fn of(values: &DimValues) -> Option<Self> {
        let step = i64::try_from(values.step).ok().filter(|step| *step != 0)?;
        let span = values.step.unsigned_abs().checked_mul(u128::from(values.count))?;
        (span < 1 << 62).then_some(Self { first: values.first as u64, step, count: values.count.max(1) })
    }
}

impl IterationNumbers {
    pub(crate) fn new(vars: Vec<String>, numbering: Numbering) -> Self {
        let digits = numbering.digits.iter().map(Digit::of).collect();
        Self { vars, numbering, digits }
    }

    /// The number of the iteration with these values: in every iteration, so with little arithmetic.
    #[inline]
    #[must_use]
    pub fn of(&self, values: &[i128]) -> u64 {
        let Some(digits) = &self.digits else { return self.numbering.number(values) };
        digits.iter().zip(values).fold(0, |n, (digit, value)| {
            let off = (*value as u64).wrapping_sub(digit.first) as i64;
            let k = match digit.step {
                1 => off,
                step => off / step,
            };
            n.wrapping_mul(digit.count).wrapping_add(u64::try_from(k).unwrap_or(0))
        })
    }

    fn show(&self, number: u64) -> String {
        let values = self.numbering.values(number);
        show(&self.vars.iter().cloned().zip(values).collect::<Vec<_>>())
    }
}

/// The element was read, by others as well, or written.
const READ: u64 = 1;
const SHARED: u64 = 2;
const WRITTEN: u64 = 3;

impl Claims {
    /// `claimed`: there is a table.
    pub(crate) fn new(
        array: String,
        section: (usize, usize),
        len: usize,
        claimed: bool,
        numbers: IterationNumbers,
    ) -> Self {
        // In place: pages of the table that nobody touches are never there.
        let words = vec![0; if claimed { len } else { 0 }].into_iter().map(Cell::new).collect();
        Self { array, words, section, len, numbers }
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

    #[inline]
    #[track_caller]
    fn claim_one(&self, index: usize, number: u64, writes: bool) {
        if index < self.len && !(self.section.0..self.section.1).contains(&index) {
            self.not_mapped(index);
        }
        let Some(cell) = self.words.get(index) else { return };
        let word = cell.get();
        let (own, state) = (word >> 2 == number + 1, word & 3);
        let fails = word != 0 && if writes { !own || state == SHARED } else { !own && state == WRITTEN };
        if fails {
            self.refuse(index, number, word, writes);
        }
        cell.set(match (writes, state) {
            (true, _) => (number + 1) << 2 | WRITTEN,
            (false, 0) => (number + 1) << 2 | READ,
            (false, READ) if !own => word & !3 | SHARED,
            (false, _) => word,
        });
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
        let deed = |writes: bool| if writes { Deed::Writes } else { Deed::Reads };
        let holder = (word >> 2).wrapping_sub(1);
        let other = (holder != number).then(|| self.numbers.show(holder));
        let this = self.numbers.show(number);
        let (does, did) = (deed(writes), deed(word & 3 == WRITTEN));
        panic!("{}", conflict(&self.array, index as u64, (&this, does), (other.as_deref(), did)));
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn readers_share_and_writers_do_not() {
        let numbering = Numbering { digits: vec![DimValues { first: 10, step: 2, count: 9 }] };
        let numbers = IterationNumbers::new(vec!["i".into()], numbering);
        let claims = Claims::new("y".into(), (0, 4), 4, true, numbers.clone());
        let n = |i: i128| numbers.of(&[i]);
        let says = |index: usize, i: i128, writes: bool| {
            catch_unwind(AssertUnwindSafe(|| claims.claim(index, n(i), writes)))
                .err()
                .map(|e| e.downcast_ref::<String>().cloned().unwrap_or_default())
        };
        assert_eq!((says(0, 10, false), says(0, 10, true), says(0, 10, false)), (None, None, None));
        let text = says(0, 14, false).expect("it was written");
        assert!(text.contains("(i = 14) reads `y[0]`, which iteration (i = 10) writes"), "{text}");
        assert_eq!((says(1, 10, false), says(1, 12, false)), (None, None));
        assert!(says(1, 14, true).expect("it was read").contains("(i = 10) reads"));
        assert!(says(1, 10, true).expect("another has read it").contains("of others"));
        assert!(says(0, 12, true).expect("it was written").contains("(i = 12) writes"));
        assert_eq!(claims.claim(7usize, n(10), true), 7);
        let part = Claims::new("x".into(), (1, 3), 4, false, numbers.clone());
        assert_eq!(
            (part.claim(1usize, 0, true), part.claim(2usize, 1, true), part.claim(1usize, 1, true)),
            (1, 2, 1)
        );
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
                assert_eq!(numbers.of(&numbering.values(number)), number, "{numbering:?}");
            }
        }
    }
}
