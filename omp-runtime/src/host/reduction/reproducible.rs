//! Reduced arrays of a reproducible loop that the host runs on one thread.
use super::copies::CopyView;
use std::fmt;

/// The elements of a reduced section while one thread runs the loop.
///
/// The loop is cut into runs, each with elements of its own, which are combined with the array's one after the other: on
/// devices it is the same (see the emitters' `fixed`).
pub struct SerialReductions<T> {
    /// The run's elements, and what they start from.
    own: Vec<T>,
    first: Vec<T>,
    /// The array's elements with all runs that are over; empty without runs.
    all: Vec<T>,
    lo: usize,
    /// The length of the whole array.
    len: usize,
}

impl<T> fmt::Debug for SerialReductions<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "InOrder of {} elements from {}", self.own.len(), self.lo)
    }
}

impl<T: Copy> SerialReductions<T> {
    /// For the section `lo..hi` of an array; `runs` decides, by the number of its elements, whether the loop is cut into runs. `start` is what a
    /// chunk of a parallel loop would start from.
    ///
    /// # Panics
    /// When the section is not in the array.
    pub fn new(
        array: &[T],
        (lo, hi): (usize, usize),
        runs: impl Fn(&T) -> bool,
        start: impl Fn(&T) -> T,
    ) -> Self {
        let elements = array[lo..hi].to_vec();
        if !elements.first().is_some_and(runs) {
            return Self { own: elements, first: Vec::new(), all: Vec::new(), lo, len: array.len() };
        }
        let first: Vec<T> = elements.iter().map(start).collect();
        Self { own: first.clone(), first, all: elements, lo, len: array.len() }
    }

    /// How the loop's body sees them.
    ///
    /// # Safety
    /// The view is used while these elements live, by one thread, and nothing else uses them meanwhile.
    pub unsafe fn view(&mut self) -> CopyView<T> {
        CopyView::of(&mut self.own, self.lo, self.len)
    }

    /// A run is over: the next one starts.
    pub fn next_run(&mut self, combine: impl Fn(T, T) -> T) {
        for ((all, own), first) in self.all.iter_mut().zip(&mut self.own).zip(&self.first) {
            *all = combine(*all, *own);
            *own = *first;
        }
    }

    /// The loop is over: the array has its elements.
    ///
    /// # Panics
    /// Never: the section is in the array.
    pub fn store(mut self, array: &mut [T], combine: impl Fn(T, T) -> T) {
        self.next_run(combine);
        let elements = if self.all.is_empty() { &self.own } else { &self.all };
        array[self.lo..][..elements.len()].copy_from_slice(elements);
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

    #[test]
    fn runs_are_combined_in_their_order() {
        let mut y = [7.0f32, 1.0, 2.0];
        let mut own = SerialReductions::new(&y, (1, 3), |_: &_| true, |_| -0.0);
        // SAFETY: one thread, and `own` lives.
        let view = unsafe { own.view() };
        let mut want = [1.0f32, 2.0];
        let mut run = [-0.0f32; 2];
        for i in 0..5000 {
            if i % 1024 == 1023 {
                own.next_run(|a, b| a + b);
                want.iter_mut().zip(&mut run).for_each(|(want, run)| *want += std::mem::replace(run, -0.0));
            }
            run[i % 2] += 0.1;
            // SAFETY: an element of its own.
            unsafe { *view.at(1 + i % 2) += 0.1 };
        }
        own.store(&mut y, |a, b| a + b);
        want.iter_mut().zip(run).for_each(|(want, run)| *want += run);
        assert_eq!(y.map(f32::to_bits), [7.0, want[0], want[1]].map(f32::to_bits));
    }

    #[test]
    fn without_runs_elements_are_updated_as_they_stand() {
        let mut y = [10u32, 20];
        let mut own = SerialReductions::new(&y, (0, 2), |_: &_| false, |_| 0);
        // SAFETY: one thread, and `own` lives.
        let view = unsafe { own.view() };
        // SAFETY: an element of its own.
        unsafe { *view.at(1) -= 20 };
        own.store(&mut y, |_, b| b);
        assert_eq!(y, [10, 0]);
    }
}
