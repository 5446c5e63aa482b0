//! Copies from the host into a part of a `DeviceSlice`.
use super::{DeviceViewMut, Part, outside};
use crate::error::{Error, or_panic};
use crate::typing::Device;
use std::panic::Location;

impl<T: Device> DeviceViewMut<'_, T> {
    /// Replaces all elements of the part.
    ///
    /// # Panics
    /// As [`Self::try_copy_from`] fails.
    #[track_caller]
    pub fn copy_from(&mut self, from: &[T]) {
        or_panic(self.replace(from, Location::caller(), false));
    }

    /// Replaces all elements of the part.
    ///
    /// # Errors
    /// When there are more or fewer of them, and when the device fails.
    #[track_caller]
    pub fn try_copy_from(&mut self, from: &[T]) -> Result<(), Error> {
        self.replace(from, Location::caller(), true)
    }

    fn replace(&mut self, from: &[T], call: &'static Location<'static>, always: bool) -> Result<(), Error> {
        if from.len() != self.len() {
            return Err(outside(call, (0, from.len()), self.len()));
        }
        if let Part::Device(memory) = &self.part {
            memory.settle::<T>(true, always)?;
            memory.write(from, call)?;
        } else if let Some(values) = self.values_mut(always)? {
            values.copy_from_slice(from);
        }
        Ok(())
    }
}
