//! What the host checks where a launch could not prove it: that iterations keep apart (`disjoint(…)`), by a table of
//! who has touched each element, and that subscripts keep to the section that a `map` names. The loop then runs on one
//! thread, and every subscript of such an array goes through [`Claims::claim`].
use omp_kernels::analysis::plan::numbering::{Deed, Numbering, conflict, show};
use std::cell::RefCell;

/// Who has touched the elements of an array. Without a table (the array is proved) everything is allowed.
#[derive(Debug)]
pub struct Claims {
    array: String,
    /// By element; as on devices, in 64 bits.
    words: RefCell<Vec<u64>>,
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
}

impl IterationNumbers {
    pub(crate) fn new(vars: Vec<String>, numbering: Numbering) -> Self {
        Self { vars, numbering }
    }

    /// The number of the iteration with these values.
    #[must_use]
    pub fn of(&self, values: &[i128]) -> u64 {
        self.numbering.number(values)
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
        let words = RefCell::new(vec![0; if claimed { len } else { 0 }]);
        Self { array, words, section, len, numbers }
    }

    /// Gives the index back after the iteration with this number has claimed the element. An index out of bounds is
    /// the subscript's own affair.
    ///
    /// # Panics
    /// When the element is not mapped, or another iteration is in the way.
    #[track_caller]
    pub fn claim(&self, index: usize, number: u64, writes: bool) -> usize {
        if index < self.len && !(self.section.0..self.section.1).contains(&index) {
            panic!(
                "index out of bounds: the mapped section of `{}` has no element {index} (the len is {})",
                self.array, self.len
            );
        }
        let mut words = self.words.borrow_mut();
        let Some(word) = words.get_mut(index) else { return index };
        let (holder, state) = ((*word >> 2).wrapping_sub(1), *word & 3);
        let own = *word != 0 && holder == number;
        let fails = *word != 0 && if writes { !own || state == SHARED } else { !own && state == WRITTEN };
        if fails {
            let deed = |writes: bool| if writes { Deed::Writes } else { Deed::Reads };
            let other = (!own).then(|| self.numbers.show(holder));
            let this = self.numbers.show(number);
            let message = conflict(
                &self.array,
                index as u64,
                (&this, deed(writes)),
                (other.as_deref(), deed(state == WRITTEN)),
            );
            drop(words);
            panic!("{message}");
        }
        *word = match (writes, state) {
            (true, _) => (number + 1) << 2 | WRITTEN,
            (false, 0) => (number + 1) << 2 | READ,
            (false, READ) if !own => *word & !3 | SHARED,
            (false, _) => *word,
        };
        index
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use omp_kernels::analysis::plan::DimValues;
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
        assert_eq!(claims.claim(7, n(10), true), 7);
        let part = Claims::new("x".into(), (1, 3), 4, false, numbers.clone());
        assert_eq!((part.claim(1, 0, true), part.claim(2, 1, true), part.claim(1, 1, true)), (1, 2, 1));
        let out = catch_unwind(AssertUnwindSafe(|| part.claim(3, 0, false)));
        let text = out.expect_err("it is not mapped");
        assert!(text.downcast_ref::<String>().is_some_and(|t| t.contains("no element 3")));
    }
}
