//! Elements that an inner loop adds to where they stand: beside one of its updates stands what rounding takes from the
//! element that it adds to ([`InPlace`]). Where a loop goes from element to element, and comes back, such a number is kept for
//! each of them ([`Lows`]).
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

/// What rounding has taken from all elements that updates have added to (Kahan's sums).
///
/// It stays for all that an iteration of a region does, so an element may have another value when it is come back to:
/// a number that rounding can't have taken from that one is not regarded.
pub struct Lows<T> {
    /// By the elements' addresses, which are only compared, or 0: a power of two of places, at most half of them taken.
    places: Vec<(usize, T)>,
    taken: usize,
}

impl<T> Caught for Lows<T> {
    type Item = T;
}

impl<T> fmt::Debug for Lows<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lows of {}", self.taken)
    }
}

impl<T> Default for Lows<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Lows<T> {
    /// Of no element.
    #[must_use]
    pub const fn new() -> Self {
        Self { places: Vec::new(), taken: 0 }
    }

    /// Tells the type of the elements.
    #[inline(always)]
    pub const fn like(&self, _: &T) {}
}

impl<T: Copy> Lows<T> {
    /// Adds to an element. `nothing` changes nothing; `add` adds to a sum and the number beside it, which may be the sum's
    /// if `fits` says so.
    #[inline]
    pub fn add(
        &mut self,
        sum: &mut T,
        more: T,
        nothing: T,
        (add, fits): (impl Fn([T; 3]) -> [T; 3], impl Fn(T, T) -> bool),
    ) {
        let low = self.of(std::ptr::from_ref(sum).addr(), nothing);
        let before = if fits(*sum, *low) { *low } else { nothing };
        [*sum, *low, _] = add([*sum, before, more]);
    }

    /// The number of an element.
    #[inline]
    fn of(&mut self, at: usize, nothing: T) -> &mut T {
        if 2 * self.taken >= self.places.len() {
            self.grow(nothing);
        }
        let k = place(&self.places, at);
        if self.places[k].0 == 0 {
            self.places[k] = (at, nothing);
            self.taken += 1;
        }
        &mut self.places[k].1
    }

    #[cold]
    fn grow(&mut self, nothing: T) {
        let more = vec![(0, nothing); (self.places.len() * 2).max(16)];
        for old in std::mem::replace(&mut self.places, more) {
            if old.0 != 0 {
                let k = place(&self.places, old.0);
                self.places[k] = old;
            }
        }
    }
}

/// Where the number of an element is, or would be: one place is free.
#[inline]
fn place<T>(places: &[(usize, T)], at: usize) -> usize {
    // However far apart they are: the upper bits of the product depend on all of them.
    let mixed = (at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut k = (mixed >> (64 - places.len().trailing_zeros())) as usize;
    while places[k].0 != at && places[k].0 != 0 {
        k = (k + 1) & (places.len() - 1);
    }
    k
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::reduce::{ReduceWith, op};

    #[test]
    fn elements_that_are_come_back_to_keep_the_bound() {
        let add = |[sum, low, more]: [f32; 3]| ReduceWith::<op::Add>::add_exactly(sum, low, more);
        let fits = |sum: f32, low| ReduceWith::<op::Add>::goes_with(sum, low);
        let elements = if cfg!(miri) { 3 } else { 300 };
        let (mut y, mut lows) = (vec![1.0f32; elements], Lows::new());
        for _ in 0..2 {
            for i in 0..1000 * elements {
                lows.add(&mut y[i % elements], 0.9 * f32::EPSILON / 2.0, -0.0, (add, fits));
            }
            let want = 1.0 + 1000.0 * f64::from(0.9 * f32::EPSILON / 2.0);
            assert!(y.iter().all(|y| (f64::from(*y) - want).abs() < 2e-7), "{:?}", &y[..3]);
            // What was taken from the old sums is nothing beside these.
            y.fill(1e-20);
            for y in &mut y {
                lows.add(y, 1e-20, -0.0, (add, fits));
            }
            assert!(y.iter().all(|y| (*y - 2e-20).abs() < 1e-26), "{:?}", &y[..3]);
            y.fill(1.0);
        }
        assert_eq!(lows.taken, elements);
    }
}
