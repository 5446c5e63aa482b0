//! Elements that an inner loop adds to where they stand: beside one of its updates stands what rounding takes from the
//! element that it adds to.
use super::items::Caught;
use std::fmt;

/// What rounding has taken from the element that an update last added to (Kahan's sum).
pub struct InPlace<T> {
    /// The element's address, which is only compared; of none at first.
    at: usize,
    low: Option<T>,
}

impl<T> Caught for InPlace<T> {
    type Item = T;
}

impl<T> fmt::Debug for InPlace<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InPlace")
    }
}

impl<T> Default for InPlace<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> InPlace<T> {
    /// Before the loop.
    #[inline(always)]
    #[must_use]
    pub const fn new() -> Self {
        Self { at: 0, low: None }
    }

    /// Tells the type of the elements.
    #[inline(always)]
    pub const fn like(&self, _: &T) {}
}

impl<T: Copy> InPlace<T> {
    /// Adds to an element. `nothing` changes nothing; `add` adds to a sum and the number beside it.
    #[inline(always)]
    pub fn add(&mut self, sum: &mut T, more: T, nothing: T, add: impl Fn([T; 3]) -> [T; 3]) {
        let at = std::ptr::from_ref(sum).addr();
        let low = self.low.filter(|_| self.at == at).unwrap_or(nothing);
        let [all, low, _] = add([*sum, low, more]);
        *sum = all;
        (self.at, self.low) = (at, Some(low));
    }
}
