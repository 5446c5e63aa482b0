//! Reduced arrays where the host runs a loop as it stands, on one thread.
use super::own::{Own, OwnView};
use std::fmt;

/// The elements of a reduced section while one thread runs the loop.
///
/// Of sums that round, what the loop adds stands in elements of its own, with numbers beside them (see [`Own`]). Under
/// `reproducible` the loop is cut into runs, each with elements of its own, which are combined with the array's one
/// after the other: on devices it is the same (see the emitters' `fixed`).
pub struct InOrder<T, K> {
    own: Own<T, K>,
    add: K,
    /// What a run's elements start from.
    first: Vec<T>,
    /// The array's elements with all runs that are over, and the numbers beside them; empty without runs.
    all: Vec<[T; 2]>,
    rounds: bool,
    lo: usize,
}

impl<T, K> fmt::Debug for InOrder<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "InOrder of {} elements from {}", self.first.len(), self.lo)
    }
}

impl<T: Copy, K: Fn([T; 3]) -> [T; 3] + Copy> InOrder<T, K> {
    /// For the section `lo..hi` of an array; `runs` tells of its elements whether the loop is cut into runs. `start` is what a
    /// chunk of a parallel loop would start from.
    ///
    /// # Panics
    /// When the section is not in the array.
    pub fn new(
        array: &[T],
        (lo, hi): (usize, usize),
        runs: impl Fn(&T) -> bool,
        start: impl Fn(&T) -> T,
        (rounds, add): (impl Fn(&T) -> bool, K),
    ) -> Self {
        let elements = &array[lo..hi];
        let (runs, rounds) = (elements.first().is_some_and(runs), elements.first().is_some_and(rounds));
        let first: Vec<T> =
            if runs || rounds { elements.iter().map(start).collect() } else { elements.to_vec() };
        let own = Own::of(first.clone(), rounds, add, lo, array.len());
        let mut all = Vec::new();
        if runs {
            // What changes nothing stands beside an element at first.
            all = elements.iter().zip(&first).map(|(e, nothing)| [*e, *nothing]).collect();
        }
        Self { own, add, first, all, rounds, lo }
    }

    /// How the loop's body sees them.
    ///
    /// # Safety
    /// The view is used while these elements live, by one thread, and nothing else uses them meanwhile.
    pub unsafe fn view(&mut self) -> OwnView<T, K> {
        // SAFETY: by the caller.
        unsafe { self.own.view() }
    }

    /// A run is over: the next one starts.
    pub fn next_run(&mut self, combine: impl Fn(T, T) -> T) {
        if self.all.is_empty() {
            return;
        }
        self.own.finish();
        for ((all, own), first) in self.all.iter_mut().zip(self.own.items_mut()).zip(&self.first) {
            *all = if self.rounds {
                let [sum, low, _] = (self.add)([all[0], all[1], *own]);
                [sum, low]
            } else {
                [combine(all[0], *own), all[1]]
            };
            *own = *first;
        }
        self.own.restart();
    }

    /// The loop is over: the array has its elements.
    ///
    /// # Panics
    /// Never: the section is in the array.
    pub fn store(mut self, array: &mut [T], combine: impl Fn(T, T) -> T) {
        let to = &mut array[self.lo..][..self.first.len()];
        if !self.all.is_empty() {
            self.next_run(combine);
            to.iter_mut().zip(&self.all).for_each(|(to, all)| *to = all[0]);
            return;
        }
        self.own.finish();
        for (to, own) in to.iter_mut().zip(self.own.items_mut()) {
            *to = if self.rounds { combine(*to, *own) } else { *own };
        }
    }
}

/// Bytes of a section.
#[must_use]
pub fn bytes_of<T>(section: &[T]) -> u64 {
    size_of_val(section) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::reduce::{ReduceWith, op};

    #[test]
    fn sums_keep_their_bound_with_runs_and_without() {
        let add = |[sum, low, more]: [f32; 3]| ReduceWith::<op::Add>::add_exactly(sum, low, more);
        let with = |a: f32, b: f32| a + b;
        for runs in [false, true] {
            let mut y = [7.0f32, 1.0, 2.0];
            let mut own = InOrder::new(&y, (1, 3), |_: &_| runs, |_| -0.0, (|_: &_| true, add));
            // SAFETY: one thread, and `own` lives.
            let view = unsafe { own.view() };
            let n = if cfg!(miri) { 4_000 } else { 100_000u32 };
            for i in 0..n {
                if runs && i % 1024 == 1023 {
                    own.next_run(with);
                }
                // SAFETY: an element of its own.
                unsafe { *view.at(1 + i as usize % 2) += 0.1 };
            }
            own.store(&mut y, with);
            let exact = f64::from(n / 2) * f64::from(0.1f32);
            assert!((f64::from(y[1]) - 1.0 - exact).abs() < 1e-3, "{y:?}");
            assert!((f64::from(y[2]) - 2.0 - exact).abs() < 1e-3, "{y:?}");
            assert_eq!(y[0].to_bits(), 7.0f32.to_bits());
        }
    }

    #[test]
    fn what_does_not_round_is_updated_as_it_stands() {
        let mut y = [10u32, 20];
        let mut own = InOrder::new(&y, (0, 2), |_: &_| false, |_| 0, (|_: &_| false, |of| of));
        // SAFETY: one thread, and `own` lives.
        let view = unsafe { own.view() };
        // SAFETY: an element of its own.
        unsafe { *view.at(1) -= 20 };
        own.store(&mut y, |_, b| b);
        assert_eq!(y, [10, 0]);
    }
}
