//! The section of an array that a region maps, and the rule that written memory is mapped once.
use super::array::RawArray;
use crate::backend::size::Bytes;

/// A mapped array of a launch.
#[derive(Debug, Clone, Copy)]
pub struct Mapped {
    /// The whole array.
    pub array: RawArray,
    /// The mapped elements, `lo..hi`; all of them where the directive gives no section.
    pub section: (u64, u64),
}

impl Mapped {
    /// All of an array.
    #[must_use]
    pub fn whole(array: RawArray) -> Self {
        Self { array, section: (0, array.len() as u64) }
    }

    /// Whether the section is inside the array.
    #[must_use]
    pub fn fits(&self) -> bool {
        let (lo, hi) = self.section;
        lo <= hi && hi <= self.array.len() as u64
    }

    /// The mapped elements' number.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.section.1.saturating_sub(self.section.0)
    }

    /// There are no bytes to map.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count() == 0 || self.array.elem() == 0
    }

    /// The mapped elements' bytes, for messages.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        Bytes::of(self.count(), self.array.elem()).shown()
    }

    /// The host addresses of the section.
    fn range(&self) -> (u128, u128) {
        (self.array.address(self.section.0), self.array.address(self.section.1))
    }
}

/// The first pair of a written array and another whose sections share memory. Whatever the analysis concluded, it
/// assumed that different names are different memory.
#[must_use]
pub fn overlap(arrays: &[Mapped], written: impl Fn(usize) -> bool) -> Option<(usize, usize)> {
    for (i, a) in arrays.iter().enumerate() {
        if !written(i) {
            continue;
        }
        let (lo, hi) = a.range();
        for (j, b) in arrays.iter().enumerate() {
            let (from, to) = b.range();
            // An empty range overlaps nothing.
            if i != j && lo < to && from < hi && lo < hi && from < to {
                return Some((i, j));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::HostArray;

    #[test]
    fn overlapping_writes_are_found() {
        let mut v = vec![0u32; 100];
        let raw = HostArray::write(&mut v).raw();
        let part = |lo, hi| Mapped { array: raw, section: (lo, hi) };
        for (arrays, written, expected) in [
            (vec![part(0, 50), part(50, 100)], 0, None),
            (vec![part(0, 51), part(50, 100)], 0, Some((0, 1))),
            (vec![part(0, 51), part(50, 100)], 1, Some((1, 0))),
            (vec![part(0, 51), part(50, 100)], 2, None),
            (vec![part(0, 100), part(20, 20)], 0, None),
            (vec![part(20, 20), part(0, 100)], 0, None),
            (vec![part(0, 10), part(5, 20), part(50, 60)], 2, None),
        ] {
            assert_eq!(overlap(&arrays, |i| i == written), expected, "{arrays:?} {written}");
        }
    }

    #[test]
    fn sections_fit_or_not() {
        let raw = HostArray::read(&[0u8; 4]).raw();
        for (section, fits) in
            [((0, 4), true), ((4, 4), true), ((3, 2), false), ((0, 5), false), ((5, 5), false)]
        {
            assert_eq!(Mapped { array: raw, section }.fits(), fits, "{section:?}");
        }
    }
}
