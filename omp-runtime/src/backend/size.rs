//! Sizes of device allocations.
//!
//! Lengths come from the user, and `len * size_of::<T>()` may wrap: the allocation would be smaller than the length promises. So
//! device memory is requested as [`Bytes`] only. Their products can't wrap, and a size beyond the largest object never reaches a
//! driver. Offsets into existing memory need no such care, because they are less than its size.
use super::api::DeviceError;

/// A number of bytes to allocate. The product of any length and any size of an element is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(u128);

impl Bytes {
    /// For so many elements of so many bytes each.
    #[must_use]
    pub fn of(count: u64, size: usize) -> Self {
        // 2^64 * 2^64 fits.
        Self(u128::from(count) * size as u128)
    }

    /// From one address to a later one.
    #[must_use]
    pub fn between(lo: u128, hi: u128) -> Self {
        Self(hi.saturating_sub(lo))
    }

    /// At least so many.
    #[must_use]
    pub fn at_least(self, least: usize) -> Self {
        Self(self.0.max(least as u128))
    }

    /// As a number for messages; the greatest there is in place of a greater one.
    #[must_use]
    pub fn shown(self) -> u64 {
        u64::try_from(self.0).unwrap_or(u64::MAX)
    }

    /// As a size.
    ///
    /// # Errors
    /// If no allocation can be so large: the device has not enough memory, whatever is `free`.
    pub fn size(self, free: impl FnOnce() -> u64) -> Result<usize, DeviceError> {
        let size = isize::try_from(self.0).ok().and_then(|size| usize::try_from(size).ok());
        size.ok_or_else(|| DeviceError::OutOfMemory { requested: self.shown(), free: free() })
    }
}

/// In place of the free bytes, if they are unknown.
pub const UNKNOWN: u64 = u64::MAX;

/// What is free, for messages.
pub(super) fn free(free: u64) -> String {
    if free == UNKNOWN { String::new() } else { format!(", {free} free") }
}

impl From<usize> for Bytes {
    fn from(bytes: usize) -> Self {
        Self(bytes as u128)
    }
}

impl From<u64> for Bytes {
    fn from(bytes: u64) -> Self {
        Self(bytes.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_do_not_wrap() {
        let out = |requested| Err(DeviceError::OutOfMemory { requested, free: 7 });
        for (count, size, expected) in [
            (0, 8, Ok(0)),
            (0, usize::MAX, Ok(0)),
            (1, 1, Ok(1)),
            (3, 24, Ok(72)),
            (1 << 59, 8, Ok(1 << 62)),
            ((1 << 60) - 1, 8, Ok(isize::MAX.cast_unsigned() - 7)),
            (1 << 60, 8, out(1 << 63)),
            ((1 << 61) - 1, 8, out(u64::MAX - 7)),
            (1 << 61, 8, out(u64::MAX)),
            ((1 << 61) + 16, 8, out(u64::MAX)),
            (u64::MAX, 1, out(u64::MAX)),
            (u64::MAX, usize::MAX, out(u64::MAX)),
            (1 << 63, 2, out(u64::MAX)),
        ] {
            assert_eq!(Bytes::of(count, size).size(|| 7), expected, "{count} * {size}");
        }
        assert_eq!(Bytes::between(5, 3), Bytes::from(0usize));
        assert_eq!(Bytes::from(3usize).at_least(16), Bytes::from(16u64));
        assert_eq!(Bytes::from(usize::MAX).size(|| 7), out(u64::MAX));
    }
}
