//! A reduced array whose sums are reproducible, in the host's parallel loop: each run of it updates elements of its own.
use super::copies::{CopyView, copy_view};
use super::view::View;
use std::fmt;
use std::slice::SliceIndex;

/// A run's own elements of the section of a reduced array.
///
/// Beside sums that round there are two numbers each (Kahan's sum): the body finds an element that changes nothing, adds
/// to it, and what it has added is taken over when the element is asked for again, or at the end.
pub struct Own<T, K> {
    items: Vec<T>,
    /// Sums of what was added to the items, and the numbers beside them; empty where sums don't round.
    sums: Vec<[T; 2]>,
    /// Adds a third number to these; gives what changes nothing besides.
    add: K,
    /// The first element of the section.
    lo: usize,
    /// The length of the whole array.
    len: usize,
}

impl<T, K> fmt::Debug for Own<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Own of {} elements from {}", self.items.len(), self.lo)
    }
}

impl<T: Copy, K: Fn([T; 3]) -> [T; 3] + Copy> Own<T, K> {
    /// Elements that start as `start` says, for the section `lo..hi` of the array behind `view`. Nobody writes the
    /// array until all chunks are done.
    ///
    /// # Panics
    /// When the section is not in the array.
    #[inline]
    pub fn new(
        view: View<'_, T>,
        lo: usize,
        hi: usize,
        start: impl Fn(&T) -> T,
        (rounds, add): (impl Fn(&T) -> bool, K),
    ) -> Self {
        // SAFETY: an element of the array (checked), which nobody writes meanwhile.
        let items: Vec<T> = (lo..hi).map(|i| start(unsafe { &*view.at_checked(i) })).collect();
        let rounds = items.first().is_some_and(rounds);
        Self::of(items, rounds, add, lo, view.len())
    }

    /// These elements, from `lo` on, of an array of this length.
    pub(super) fn of(items: Vec<T>, rounds: bool, add: K, lo: usize, len: usize) -> Self {
        let sums = if rounds { items.iter().map(|e| [*e, *e]).collect() } else { Vec::new() };
        Self { items, sums, add, lo, len }
    }

    /// How the loop's body sees them.
    ///
    /// # Safety
    /// The view is used while these elements live, by one thread, and nothing else uses them meanwhile.
    #[inline]
    pub unsafe fn view(&mut self) -> OwnView<T, K> {
        let sums = if self.sums.is_empty() { std::ptr::null_mut() } else { self.sums.as_mut_ptr() };
        // SAFETY: by the caller.
        let items = unsafe { copy_view(&mut self.items, self.lo, self.len) };
        OwnView { items, sums, add: self.add }
    }

    /// All that was added stands in the elements.
    pub(super) fn finish(&mut self) {
        for (item, [sum, low]) in self.items.iter_mut().zip(&self.sums) {
            [*item, ..] = (self.add)([*sum, *low, *item]);
        }
    }

    /// The elements themselves.
    pub(super) fn items_mut(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// Nothing is added to the elements as yet.
    pub(super) fn restart(&mut self) {
        for (item, sum) in self.items.iter().zip(&mut self.sums) {
            *sum = [*item, *item];
        }
    }

    /// All that was added.
    #[must_use]
    pub fn all(mut self) -> Vec<T> {
        self.finish();
        self.items
    }
}

/// Combines the array's elements from `lo` on with what runs of a loop have added to elements of their own, run by run: what
/// [`InOrder`](super::in_order::InOrder) does where one thread has all runs. They are over.
///
/// # Panics
/// When they have more elements than the array.
pub fn store_runs<T: Copy, R>(
    view: View<'_, T>,
    lo: usize,
    (runs, of): (&[R], impl Fn(&R) -> &[T]),
    start: impl Fn(&T) -> T,
    (rounds, add): (impl Fn(&T) -> bool, impl Fn([T; 3]) -> [T; 3]),
    combine: impl Fn(T, T) -> T,
) {
    let mut all: Option<Vec<[T; 2]>> = None;
    let mut rounding = false;
    for run in runs.iter().map(of) {
        let all = all.get_or_insert_with(|| {
            // SAFETY: an element of the array (checked); only this thread still uses it.
            let elements = (0..run.len()).map(|k| unsafe { *view.at_checked(lo + k) });
            // What changes nothing stands beside an element at first.
            elements.map(|e| [e, start(&e)]).collect()
        });
        rounding = rounding || all.first().is_some_and(|[e, _]| rounds(e));
        if rounding {
            for (all, own) in all.iter_mut().zip(run) {
                let [sum, low, _] = add([all[0], all[1], *own]);
                *all = [sum, low];
            }
        } else {
            all.iter_mut().zip(run).for_each(|(all, own)| all[0] = combine(all[0], *own));
        }
    }
    for (k, [element, _]) in all.into_iter().flatten().enumerate() {
        // SAFETY: as above.
        unsafe { *view.at_checked(lo + k) = element };
    }
}

/// The elements as a body's subscripts find them, with the methods of [`View`].
pub struct OwnView<T, K> {
    items: CopyView<T>,
    /// As many as the elements, or null.
    sums: *mut [T; 2],
    add: K,
}

impl<T, K: Copy> Clone for OwnView<T, K> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, K: Copy> Copy for OwnView<T, K> {}

impl<T, K> fmt::Debug for OwnView<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OwnView").field(&self.items).finish()
    }
}

impl<T: Copy, K: Fn([T; 3]) -> [T; 3] + Copy> OwnView<T, K> {
    /// The length of the whole array.
    #[inline(always)]
    #[must_use]
    pub const fn len(self) -> usize {
        self.items.len()
    }

    /// The array has no elements.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.items.is_empty()
    }

    /// The address of element `i` of the array.
    ///
    /// # Panics
    /// When it is not in the section.
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub fn at<I: SliceIndex<[T], Output = T> + 'static>(self, i: I) -> *mut T {
        self.at_checked(i)
    }

    /// The address of element `i` of the array.
    ///
    /// # Panics
    /// When it is not in the section.
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub fn at_checked<I: SliceIndex<[T], Output = T> + 'static>(self, i: I) -> *mut T {
        let (k, at) = self.items.place(i);
        if !self.sums.is_null() {
            // SAFETY: there are as many sums as elements; only the chunk's thread uses either, and it holds a reference
            // to none: a body has one only within a statement that asks for the element once more before it stores.
            unsafe {
                let [sum, low] = *self.sums.add(k);
                let [sum, low, nothing] = (self.add)([sum, low, *at]);
                *self.sums.add(k) = [sum, low];
                *at = nothing;
            }
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::HostArray;
    use crate::host::view;

    #[test]
    fn outside_of_the_section_is_an_error() {
        let mut y = [0u8; 4];
        let array = HostArray::write(&mut y);
        // SAFETY: one thread.
        let v = unsafe { view(&array) };
        let mut own = Own::new(v, 1, 3, |_| 0, (|_: &_| false, |of| of));
        // SAFETY: one thread, and `own` lives.
        let view = unsafe { own.view() };
        for (i, says) in [(0, "section 1..3 has no element 0"), (4, "len is 4 but the index is 4")] {
            let payload = std::panic::catch_unwind(|| view.at(i)).unwrap_err();
            assert!(payload.downcast_ref::<String>().unwrap().contains(says));
        }
    }
}
