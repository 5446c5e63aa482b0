//! A reduced array in the host's parallel loop: each chunk updates elements of its own.
use super::view::View;
use std::fmt;

/// A chunk's own elements of the section of a reduced array.
pub struct Own<T> {
    items: Vec<T>,
    /// The first element of the section.
    lo: usize,
    /// The length of the whole array.
    len: usize,
}

impl<T> fmt::Debug for Own<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Own of {} elements from {}", self.items.len(), self.lo)
    }
}

impl<T: Copy> Own<T> {
    /// Elements that start as `start` says, for the section `lo..hi` of the array behind `view`. Nobody writes the
    /// array until all chunks are done.
    ///
    /// # Panics
    /// When the section is not in the array.
    pub fn new(view: View<'_, T>, lo: usize, hi: usize, start: impl Fn(&T) -> T) -> Self {
        // SAFETY: an element of the array (checked), which nobody writes meanwhile.
        let items = (lo..hi).map(|i| start(unsafe { &*view.at_checked(i) })).collect();
        Self { items, lo, len: view.len() }
    }

    /// How the loop's body sees them.
    #[inline]
    pub const fn view(&mut self) -> OwnView<T> {
        OwnView { ptr: self.items.as_mut_ptr(), count: self.items.len(), lo: self.lo, len: self.len }
    }

    /// The elements of two chunks, combined one by one.
    #[must_use]
    pub fn join(mut self, later: Self, combine: impl Fn(T, T) -> T) -> Self {
        for (a, b) in self.items.iter_mut().zip(later.items) {
            *a = combine(*a, b);
        }
        self
    }

    /// Combines what the array has with the elements of all chunks. All of them are done.
    ///
    /// # Panics
    /// Never: the section is in the array.
    pub fn store(self, view: View<'_, T>, combine: impl Fn(T, T) -> T) {
        for (k, own) in self.items.into_iter().enumerate() {
            let at = view.at_checked(self.lo + k);
            // SAFETY: an element of the array (checked); only this thread still uses it.
            unsafe { *at = combine(*at, own) };
        }
    }
}

/// The elements as a body's subscripts find them, with the methods of [`View`].
pub struct OwnView<T> {
    ptr: *mut T,
    count: usize,
    lo: usize,
    len: usize,
}

impl<T> Clone for OwnView<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for OwnView<T> {}

impl<T> fmt::Debug for OwnView<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OwnView of {} elements from {}", self.count, self.lo)
    }
}

impl<T> OwnView<T> {
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
    pub fn at(self, i: usize) -> *mut T {
        self.at_checked(i)
    }

    /// The address of element `i` of the array.
    ///
    /// # Panics
    /// When it is not in the section.
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub fn at_checked(self, i: usize) -> *mut T {
        let k = i.wrapping_sub(self.lo);
        if k >= self.count {
            outside(&self, i);
        }
        // SAFETY: `k` is below the number of elements behind the pointer.
        unsafe { self.ptr.add(k) }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn outside<T>(view: &OwnView<T>, index: usize) -> ! {
    let OwnView { count, lo, len, .. } = view;
    if index >= *len {
        std::panic::panic_any(format!("index out of bounds: the len is {len} but the index is {index}"))
    }
    std::panic::panic_any(format!(
        "index out of bounds: the reduced section is {lo}..{} but the index is {index}",
        lo + count
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::HostArray;
    use crate::host::view;

    #[test]
    fn chunks_add_up() {
        let mut y = [10u32, 20, 30, 40];
        let array = HostArray::write(&mut y);
        // SAFETY: one thread.
        let v = unsafe { view(&array) };
        let chunk = |times: u32| {
            let mut own = Own::new(v, 1, 3, |_| 0);
            let view = own.view();
            // SAFETY: an element of its own.
            unsafe { *view.at(2) += times };
            own
        };
        chunk(1).join(chunk(2), |a, b| a + b).store(v, |a, b| a + b);
        assert_eq!(y, [10, 20, 33, 40]);
    }

    #[test]
    fn outside_of_the_section_is_an_error() {
        let mut y = [0u8; 4];
        let array = HostArray::write(&mut y);
        // SAFETY: one thread.
        let v = unsafe { view(&array) };
        let mut own = Own::new(v, 1, 3, |_| 0);
        let view = own.view();
        for (i, says) in [(0, "section is 1..3 but the index is 0"), (4, "len is 4 but the index is 4")] {
            let payload = std::panic::catch_unwind(|| view.at(i)).unwrap_err();
            assert!(payload.downcast_ref::<String>().unwrap().contains(says));
        }
    }
}
