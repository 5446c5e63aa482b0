//! Reduced arrays in the host's parallel loop: each thread, or each run of a reproducible loop, updates a private copy, and the
//! copies are combined with the array at the end.
//!
//! The number of threads depends on the launch's numbers alone, because the sums of floats depend on it. Each copy is filled and
//! combined once, so there must be at least as many updates as copied elements, and copies have a memory budget. A single thread
//! makes no copy: it updates the array.
use crate::device::team;
use crate::host::access::subscript::number;
use crate::host::access::view::{View, out_of_bounds};
use crate::host::failure_record::carry;
use crate::host::loops::parallel::{COMING, Nature, deal_out, for_each, on_threads};
use crate::host::loops::schedule::{Deal, MOST_WORKERS, Schedule};
use crate::launch::HostRun;
use std::fmt;
use std::slice::SliceIndex;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The most bytes that all copies of a loop may take.
const MOST_COPIED: u64 = 1 << 30;

/// The fewest iterations of a thread, of those that cost little.
const FEWEST: u64 = 512;

/// How many updates of a copy take as long as an atomic one.
const ATOMIC: usize = 6;

/// Pieces of a part. The time of the first one gives the cost of the loop.
const PIECES: u64 = 64;

/// Elements that are combined at a time.
const BLOCK: usize = 1024;

impl HostRun {
    /// With so many threads as copies of so many elements, in so many bytes, are worth for `count` iterations. An iteration
    /// counts `weight` times: there are loops or calls in it.
    #[must_use]
    pub fn with_copies(self, count: u64, (elements, bytes): (u64, u64), weight: u64) -> Self {
        let updates = count.saturating_mul(weight);
        let paid = if updates / 2 < elements { 1 } else { updates.saturating_mul(2) / elements.max(1) };
        let most = paid.min(updates / FEWEST).min(count).min(MOST_COPIED / bytes.max(1)).max(1);
        let most = usize::try_from(most).unwrap_or(MOST_WORKERS).min(MOST_WORKERS);
        Self { threads: self.threads.min(most), ..self }
    }

    /// The same of elements that a loop updates atomically and touches nowhere else. `exact`: it doesn't matter which updates are
    /// combined first. Where copies are worth few threads only, more threads share the elements.
    #[must_use]
    pub fn with_updates(self, count: u64, size: (u64, u64), weight: u64, exact: bool) -> Self {
        let copies = Self { threads: self.apart, ..self }.with_copies(count, size, weight);
        let shares = !exact || copies.threads.saturating_mul(ATOMIC) < self.threads;
        if shares { Self { shared: self.threads > 1, ..self } } else { copies }
    }

    /// Whether threads update the same elements.
    #[inline(always)]
    #[must_use]
    pub const fn shares(self) -> bool {
        self.shared
    }

    /// Runs `body(copies, lo, hi)` for all of the iterations `0..count`, in chunks, on the region's threads. Each thread begins with
    /// what `start(alone)` gives. `alone`: the thread is the only one and has no copies. Gives what the threads have.
    ///
    /// # Panics
    /// When the body does.
    pub fn in_updates<C: Send>(
        self,
        count: u64,
        start: impl Fn(bool) -> C + Sync,
        body: impl Fn(&mut C, u64, u64) + Sync,
    ) -> Vec<C> {
        let deal = Deal::new(self.schedule, count, self.threads, (8, 1), false);
        let alone = self.shared || deal.workers <= 1;
        let places: Vec<Mutex<Option<C>>> = (0..deal.workers).map(|_| Mutex::default()).collect();
        if let (Some(place), true) = (places.first(), count > 0) {
            // Before the time of the first iterations is measured.
            *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(start(alone));
        }
        deal_out(
            &deal,
            Nature { joined: true, light: self.light, pace: self.pace, ..Nature::default() },
            &|thread, lo, hi| {
                // There is no contention: each thread has its own.
                let mut own = places[thread].lock().unwrap_or_else(PoisonError::into_inner);
                body(own.get_or_insert_with(|| start(alone)), lo, hi);
            },
        );
        places.into_iter().filter_map(|p| p.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
    }

    /// Whether one thread runs the loop.
    #[must_use]
    pub const fn alone(self) -> bool {
        self.threads <= 1
    }

    /// Runs the iterations `0..count`, a part in a row on each of the region's threads. Each part begins with what
    /// `start(alone)` gives: copies and scalars. `alone`: there is no other part. `body(copies, scalars, lo, hi)`
    /// goes on with them. (Scalars stay in registers, as they are not what unwinding drops.) Gives what the parts come to, in
    /// their order.
    ///
    /// # Panics
    /// When the body does.
    pub fn in_copies<C: Send, S: Copy + Send>(
        self,
        count: u64,
        start: impl Fn(bool) -> (C, S) + Sync,
        body: impl Fn(&mut C, S, u64, u64) -> S + Sync,
    ) -> Vec<(C, S)> {
        let deal = Parts::of(count, self.threads);
        let places: Vec<Mutex<Option<(C, S)>>> = (0..deal.workers).map(|_| Mutex::default()).collect();
        // There is no contention: one thread has a part.
        let place = |part: usize| places[part].lock().unwrap_or_else(PoisonError::into_inner);
        deal.run(&|part, lo, hi| {
            let before = place(part).take();
            let (mut copies, scalars) = before.unwrap_or_else(|| start(deal.workers == 1));
            let scalars = apart(&body, &mut copies, scalars, (lo, hi));
            *place(part) = Some((copies, scalars));
        });
        places.into_iter().filter_map(|p| p.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
    }

    /// Combines the elements of an array with those of copies, copy by copy, on the region's threads. The loop is over.
    pub fn combine_copies<'a, T: Copy + Send + Sync + 'a, R: Sync>(
        self,
        (copies, of): (&[R], impl Fn(&R) -> &Copied<'a, T> + Sync),
        combine: impl Fn(T, T) -> T + Sync,
    ) {
        let Some(first) = copies.first().map(&of).filter(|first| !first.alone) else { return };
        let (view, lo, count) = (first.view, first.lo, first.count);
        let some = |from: usize, to: usize| {
            for at in (from..to).step_by(BLOCK) {
                let (to, end) = (view.at_checked(lo + at), to.min(at + BLOCK));
                for copy in copies.iter().map(&of) {
                    for (k, own) in copy.items[at..end].iter().enumerate() {
                        // SAFETY: an element of the array, because its section has a copy of it. This thread alone uses it: no other
                        // thread has this part.
                        unsafe { *to.add(k) = combine(*to.add(k), *own) };
                    }
                }
            }
        };
        if count * copies.len() < 16 * BLOCK {
            return some(0, count);
        }
        for_each(Schedule::Static(None), count as u64, self.threads, &|from, to| {
            some(from as usize, to as usize);
        });
    }
}

/// Calls the body of a loop. (In a function of its own no call follows the loop, so that scalars stay in registers.)
#[inline(never)]
fn apart<C, S>(
    body: &impl Fn(&mut C, S, u64, u64) -> S,
    copies: &mut C,
    scalars: S,
    (lo, hi): (u64, u64),
) -> S {
    body(copies, scalars, lo, hi)
}

/// The parts of a loop.
struct Parts {
    count: u64,
    len: u64,
    workers: usize,
}

impl Parts {
    fn of(count: u64, threads: usize) -> Self {
        let len = count.div_ceil(threads.max(1) as u64).max(1);
        Self { count, len, workers: usize::try_from(count.div_ceil(len)).unwrap_or(1) }
    }

    /// Runs `part(k, lo, hi)` for each of them. The first one may come in two pieces. (Through a pointer: see [`for_each`].)
    fn run(&self, part: &(dyn Fn(usize, u64, u64) + Sync)) {
        let Self { count, len, workers } = *self;
        let run = |k: usize| part(k, k as u64 * len, (k as u64 * len + len).min(count));
        if workers <= 1 {
            return team::enter(0, 1, || (0..workers).for_each(run));
        }
        // A loop that is over before others could have come is not shared.
        let first = len.div_ceil(PIECES);
        let time = || {
            // The thread's copies are made once, which is not what a piece costs.
            part(0, 0, 0);
            let begun = Instant::now();
            part(0, 0, first);
            begun.elapsed()
        };
        let time = team::enter_first(workers, || carry(time));
        let rest = |k: usize| if k == 0 { part(0, first, len) } else { run(k) };
        let pieces = u32::try_from(PIECES).unwrap_or(u32::MAX).saturating_mul(workers as u32);
        if time.saturating_mul(pieces) < COMING {
            return team::enter(0, workers, || carry(|| (0..workers).for_each(rest)));
        }
        on_threads(workers, &rest);
    }
}

/// A thread's own elements of the section of a reduced array, or the array's where one thread is alone.
pub struct Copied<'a, T> {
    items: Vec<T>,
    /// The array.
    view: View<'a, T>,
    /// The section.
    lo: usize,
    count: usize,
    alone: bool,
}

impl<T> fmt::Debug for Copied<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Copied of {} elements from {}", self.count, self.lo)
    }
}

impl<'a, T: Copy> Copied<'a, T> {
    /// Elements that start as `start` says, for the section `lo..hi` of the array behind `view`. The array is not written until all
    /// parts of the loop are done, except by a thread that is alone.
    ///
    /// # Panics
    /// When the section is not in the array.
    #[inline]
    pub fn new(view: View<'a, T>, (lo, hi): (usize, usize), alone: bool, start: impl Fn(&T) -> T) -> Self {
        assert!(lo <= hi && hi <= view.len(), "a section that is not in its array");
        let mut items = Vec::new();
        if !alone {
            // SAFETY: an element of the array (checked), which no code writes meanwhile.
            items.extend((lo..hi).map(|i| start(unsafe { &*view.at_checked(i) })));
        }
        Self { items, view, lo, count: hi - lo, alone }
    }

    /// How the loop's body sees them.
    ///
    /// # Safety
    /// The view is used while these elements live, by one thread, and nothing else uses them meanwhile.
    #[inline]
    pub unsafe fn view(&mut self) -> CopyView<T> {
        let Self { lo, count, .. } = *self;
        let ptr = if self.alone && count > 0 { self.view.at_checked(lo) } else { self.items.as_mut_ptr() };
        CopyView { ptr, count, lo, len: self.view.len() }
    }
}

/// The elements as a body's subscripts find them, with the methods of [`View`].
pub struct CopyView<T> {
    ptr: *mut T,
    count: usize,
    lo: usize,
    len: usize,
}

impl<T> Clone for CopyView<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for CopyView<T> {}

impl<T> fmt::Debug for CopyView<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CopyView of {} elements from {}", self.count, self.lo)
    }
}

impl<T> CopyView<T> {
    /// Of these elements, which are those from `lo` on of an array of length `len`.
    pub(in crate::host) const fn of(items: &mut [T], lo: usize, len: usize) -> Self {
        Self { ptr: items.as_mut_ptr(), count: items.len(), lo, len }
    }

    /// The length of the whole array.
    #[inline(always)]
    #[must_use]
    pub const fn len(self) -> usize {
        self.len
    }

    /// The array has no elements.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len == 0
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
        self.place(i).1
    }

    /// Element `i` of the array: its index in the section, below the section's length, and its address.
    ///
    /// # Panics
    /// When it is not in the section.
    #[inline(always)]
    #[track_caller]
    pub(in crate::host) fn place<I: SliceIndex<[T], Output = T> + 'static>(self, i: I) -> (usize, *mut T) {
        let i = number(i);
        let k = i.wrapping_sub(self.lo);
        if k >= self.count {
            outside(self.count, self.lo, self.len, i);
        }
        // SAFETY: `k` is below the number of elements behind the pointer.
        (k, unsafe { self.ptr.add(k) })
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn outside(count: usize, lo: usize, len: usize, index: usize) -> ! {
    if index >= len {
        out_of_bounds(len, index);
    }
    std::panic::panic_any(format!(
        "index out of bounds: the reduced section {lo}..{} has no element {index} (the len is {len})",
        lo + count
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::HostArray;
    use crate::host::view;

    fn run(threads: usize) -> HostRun {
        HostRun {
            serial: false,
            claims: None,
            scattered: 0,
            threads,
            apart: threads,
            shared: false,
            light: false,
            pace: None,
            schedule: Schedule::Auto,
        }
    }

    /// What generated code does: `y[1 + i % 3] += i`, and a sum.
    fn sums(threads: usize, count: u64) -> ([u64; 5], u64) {
        let mut y = [7; 5];
        let array = HostArray::write(&mut y);
        // SAFETY: copies keep the threads apart.
        let v = unsafe { view(&array) };
        let parts = run(threads).in_copies(
            count,
            |alone| (Copied::new(v, (1, 4), alone, |_| 0), [0u64; 2]),
            |own, [mut all, mut last], lo, hi| {
                // SAFETY: one thread, and `own` lives.
                let y = unsafe { own.view() };
                for i in lo..hi {
                    // SAFETY: an element of its own.
                    unsafe { *y.at(1 + (i % 3) as usize) += i };
                    (all, last) = (all + i, i);
                }
                [all, last]
            },
        );
        run(threads).combine_copies((&parts, |part| &part.0), |a, b| a + b);
        let last: Vec<u64> = parts.iter().map(|part| part.1[1]).collect();
        assert!(last.is_sorted(), "{last:?}");
        let all = parts.iter().map(|part| part.1[0]).sum();
        (y, all)
    }

    #[test]
    fn copies_add_up_in_the_order_of_the_parts() {
        for threads in [1, 2, 3, 8, 2000] {
            for count in [0, 1, 2, 3, 63, 64, 65, 1000] {
                let mut want = [7; 5];
                (0..count).for_each(|i| want[1 + (i % 3) as usize] += i);
                assert_eq!(sums(threads, count), (want, (0..count).sum()), "{count} on {threads}");
            }
        }
    }

    #[test]
    fn large_copies_are_combined_by_all_threads() {
        let mut y = vec![1u32; if cfg!(miri) { 2_050 } else { 100_003 }];
        let n = y.len();
        for threads in [1, 2, 3, 8] {
            y.fill(1);
            let array = HostArray::write(&mut y);
            // SAFETY: copies keep the threads apart.
            let v = unsafe { view(&array) };
            let parts = run(threads).in_copies(
                4 * n as u64,
                |alone| (Copied::new(v, (0, n), alone, |_| 0), ()),
                |own, (), lo, hi| {
                    // SAFETY: one thread, and `own` lives.
                    let y = unsafe { own.view() };
                    for i in lo..hi {
                        // SAFETY: an element of its own.
                        unsafe { *y.at(i as usize % n) += 1 };
                    }
                },
            );
            run(threads).combine_copies((&parts, |part| &part.0), |a, b| a + b);
            assert!(y.iter().all(|y| *y == 5), "{threads} threads");
        }
    }

    #[test]
    fn copies_are_few_where_they_do_not_pay() {
        let threads =
            |count, elements, bytes, weight| run(8).with_copies(count, (elements, bytes), weight).threads;
        assert_eq!(threads(1_000_000, 16, 64, 1), 8);
        assert_eq!(threads(1_000_000, 1_000_000, 4_000_000, 1), 1);
        assert_eq!(threads(2_000_000, 1_000_000, 4_000_000, 1), 4);
        assert_eq!(threads(1000, 16, 64, 1), 1);
        assert_eq!(threads(16, 1_000_000, 4_000_000, 1 << 20), 8);
        assert_eq!(threads(u64::MAX, 1 << 29, 1 << 29, 1), 2);
        assert_eq!(threads(u64::MAX, 1 << 31, 1 << 31, 1 << 20), 1);
        assert_eq!(
            (
                threads(0, 0, 0, 1),
                threads(3, 0, 0, 1 << 10),
                run(1 << 60).with_copies(1 << 60, (1, 1), 1).threads
            ),
            (1, 3, 1024)
        );
    }

    #[test]
    fn updates_are_shared_where_copies_do_not_pay() {
        let (few, many) = ((16, 64), (1_000_000, 4_000_000));
        let of = |apart: usize, threads: usize, count, size, exact| {
            let run = HostRun { threads, ..run(apart) }.with_updates(count, size, 1, exact);
            (run.threads, run.shares())
        };
        assert_eq!(of(8, 1, 1_000_000, few, true), (8, false));
        assert_eq!(of(8, 1, 1_000_000, few, false), (1, false));
        assert_eq!(of(8, 8, 1_000_000, few, false), (8, true));
        assert_eq!(of(16, 16, 1_000_000, many, true), (16, true));
        assert_eq!(of(16, 1, 3_000_000, many, true), (6, false));
        assert_eq!(of(4, 4, 100_000, many, true), (1, false));
    }

    #[test]
    fn outside_of_the_section_is_an_error() {
        let mut y = [0u8; 4];
        let array = HostArray::write(&mut y);
        // SAFETY: one thread.
        let v = unsafe { view(&array) };
        for alone in [false, true] {
            let mut own = Copied::new(v, (1, 3), alone, |_| 0);
            // SAFETY: one thread, and `own` lives.
            let view = unsafe { own.view() };
            for (i, says) in [(0, "section 1..3 has no element 0"), (4, "len is 4 but the index is 4")] {
                let payload = std::panic::catch_unwind(|| view.at(i)).unwrap_err();
                assert!(payload.downcast_ref::<String>().unwrap().contains(says));
            }
            let mut none = Copied::new(v, (4, 4), alone, |_| 0);
            // SAFETY: one thread, and `none` lives.
            let none = unsafe { none.view() };
            assert!(std::panic::catch_unwind(|| none.at(4)).is_err());
        }
    }

    #[test]
    fn a_panic_leaves_the_array_as_it_was_or_in_part() {
        for threads in [1, 2, 3] {
            let mut y = [1u32; 2];
            let array = HostArray::write(&mut y);
            // SAFETY: copies keep the threads apart.
            let v = unsafe { view(&array) };
            let all = || {
                run(threads).in_copies(
                    1000,
                    |alone| (Copied::new(v, (0, 2), alone, |_| 0), ()),
                    |own, (), lo, hi| {
                        // SAFETY: one thread, and `own` lives.
                        let y = unsafe { own.view() };
                        for i in lo..hi {
                            assert!(i != 777, "at 777");
                            // SAFETY: an element of its own.
                            unsafe { *y.at(1) += 1 };
                        }
                    },
                );
            };
            assert_eq!(crate::host::failure_record::watch(all).unwrap_err().text(), Some("at 777"));
            assert_eq!(y, [1, if threads == 1 { 778 } else { 1 }]);
        }
    }
}
