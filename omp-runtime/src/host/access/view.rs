//! Views of mapped arrays for the host's parallel loop.
//!
//! Two threads may not hold `&mut` to overlapping memory, even where they write different elements. So a body never
//! sees a written array as a slice: generated code gets the address of one element from the view, projects to the
//! place (`(*p).x[j]`), and makes a reference to that place alone. That passes Miri and costs nothing.
use super::subscript::number;
use crate::data::HostArray;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Index;
use std::slice::SliceIndex;

/// An array that the loop writes: an address and a length.
pub struct View<'a, T> {
    ptr: *mut T,
    len: usize,
    borrow: PhantomData<&'a mut [T]>,
}

impl<T> Clone for View<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for View<'_, T> {}

impl<T> fmt::Debug for View<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "View of {} elements", self.len)
    }
}

// SAFETY: a view is used as the race analysis of its region allows: places that one iteration writes are touched by no
// other (`view`'s contract). Elements then only need to be sendable and shareable themselves.
unsafe impl<T: Send + Sync> Send for View<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for View<'_, T> {}

/// The view of an array that the loop writes.
///
/// # Safety
/// The array was made by [`HostArray::write`]. What the loop's iterations touch through the view does not conflict
/// (the analysis, the launch or the user's `unsafe(disjoint(…))` says so), and the indices given to
/// [`View::at`] are below the length (the launch has proved them).
#[inline(always)]
#[must_use]
pub const unsafe fn view<'a, T>(array: &HostArray<'a, T>) -> View<'a, T> {
    View { ptr: array.ptr(), len: array.len(), borrow: PhantomData }
}

impl<T> View<'_, T> {
    /// The number of elements.
    #[inline(always)]
    #[must_use]
    pub const fn len(self) -> usize {
        self.len
    }

    /// No elements.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The address of element `i`, whose index the launch has proved.
    #[inline(always)]
    #[must_use]
    pub fn at<I: SliceIndex<[T], Output = T> + 'static>(self, i: I) -> *mut T {
        let i = number(i);
        debug_assert!(i < self.len, "an index that was proved is out of bounds");
        // SAFETY: `i` is below the length, by `view`'s contract.
        unsafe { self.ptr.add(i) }
    }

    /// The address of element `i`.
    ///
    /// # Panics
    /// As Rust's indexing does.
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub fn at_checked<I: SliceIndex<[T], Output = T> + 'static>(self, i: I) -> *mut T {
        let i = number(i);
        if i >= self.len {
            out_of_bounds(self.len, i);
        }
        // SAFETY: `i` is below the length.
        unsafe { self.ptr.add(i) }
    }

    /// `array.swap(i, j)`.
    ///
    /// # Panics
    /// As Rust's does.
    #[inline]
    #[track_caller]
    pub fn swap(self, i: usize, j: usize) {
        let (a, b) = (self.at_checked(i), self.at_checked(j));
        // SAFETY: both are elements (checked), and no other iteration touches them (`view`'s contract).
        unsafe { std::ptr::swap(a, b) };
    }
}

/// An array that the loop only reads: an address and a length, for another task may write elements that this loop does
/// not touch.
pub struct ReadView<'a, T> {
    ptr: *const T,
    len: usize,
    borrow: PhantomData<&'a [T]>,
}

impl<T> Clone for ReadView<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ReadView<'_, T> {}

impl<T> fmt::Debug for ReadView<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReadView of {} elements", self.len)
    }
}

// SAFETY: it gives out shared references to elements, as `&[T]` does.
unsafe impl<T: Sync> Send for ReadView<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for ReadView<'_, T> {}

/// The view of an array that the loop only reads.
///
/// # Safety
/// The indices given to [`ReadView::at`] are below the length (the launch has proved them), and no other code writes elements
/// that the loop reads.
#[inline(always)]
#[must_use]
pub const unsafe fn read_view<'a, T>(array: &HostArray<'a, T>) -> ReadView<'a, T> {
    ReadView { ptr: array.on_host(), len: array.len(), borrow: PhantomData }
}

impl<'a, T> ReadView<'a, T> {
    /// The number of elements.
    #[inline(always)]
    #[must_use]
    pub const fn len(self) -> usize {
        self.len
    }

    /// No elements.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }

    /// Element `i`, whose index the launch has proved.
    #[inline(always)]
    #[must_use]
    pub fn at<I: SliceIndex<[T], Output = T> + 'static>(self, i: I) -> &'a T {
        let i = number(i);
        debug_assert!(i < self.len, "an index that was proved is out of bounds");
        // Not `get_unchecked`: with its assumption about the index, LLVM does not vectorise reductions.
        // SAFETY: below the length, by `read_view`'s contract.
        unsafe { &*self.ptr.add(i) }
    }
}

impl<T, I: SliceIndex<[T], Output = T> + 'static> Index<I> for ReadView<'_, T> {
    type Output = T;

    #[inline(always)]
    #[track_caller]
    fn index(&self, i: I) -> &T {
        let i = number(i);
        if i >= self.len {
            out_of_bounds(self.len, i);
        }
        // SAFETY: below the length; no code writes what is read, by `read_view`'s contract.
        unsafe { &*self.ptr.add(i) }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
pub(in crate::host) fn out_of_bounds(len: usize, index: usize) -> ! {
    std::panic::panic_any(format!("index out of bounds: the len is {len} but the index is {index}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn threads_write_their_own_elements() {
        let mut y = vec![[1u32; 2]; 16];
        let array = HostArray::write(&mut y);
        // SAFETY: the threads touch different places.
        let v = unsafe { view(&array) };
        thread::scope(|s| {
            for t in 0..2 {
                s.spawn(move || {
                    for i in 0..16 {
                        // SAFETY: in bounds; component `t` is this thread's own.
                        *unsafe { &mut (*v.at(i))[t] } += i as u32;
                        thread::yield_now();
                    }
                });
            }
        });
        assert!(y.iter().enumerate().all(|(i, v)| *v == [1 + i as u32; 2]));
    }

    #[test]
    fn swaps_and_lengths() {
        let mut y = [1, 2, 3];
        let array = HostArray::write(&mut y);
        // SAFETY: one thread.
        let v = unsafe { view(&array) };
        v.swap(0, 2);
        v.swap(1, 1);
        assert_eq!((v.len(), v.is_empty()), (3, false));
        assert_eq!(y, [3, 2, 1]);
    }

    #[test]
    fn out_of_bounds_panics_as_rust_does() {
        let mut y = [0u8; 3];
        let array = HostArray::write(&mut y);
        // SAFETY: one thread, checked access only.
        let v = unsafe { view(&array) };
        let payload = std::panic::catch_unwind(|| v.at_checked(3)).unwrap_err();
        assert_eq!(
            payload.downcast_ref::<String>().unwrap(),
            "index out of bounds: the len is 3 but the index is 3"
        );
    }

    #[test]
    fn reads_share() {
        let x = [1.5f32, 2.5];
        let array = HostArray::read(&x);
        // SAFETY: the index is in bounds.
        let v = unsafe { read_view(&array) };
        assert_eq!((*v.at(1), x[1]), (2.5, 2.5));
    }
}
