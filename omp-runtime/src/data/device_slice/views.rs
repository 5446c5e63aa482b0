//! A `DeviceSlice` and its views in generated code: views of mapped arrays, writes, indices on the host if the memory is the
//! host's, and the byte ranges that tasks compare.
use super::{DeviceSlice, DeviceView, DeviceViewMut, Memory, OnDevice, Part};
use crate::data::array::{self, HostArray};
use crate::data::host_memory::settled;
use crate::error::{Error, or_panic};
use crate::task::{Extent, ExtentOf};
use crate::typing::{Device, Mapped as Container};
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};
use std::slice::SliceIndex;

impl<T> DeviceViewMut<'_, T> {
    pub(super) fn values_mut(&mut self, always: bool) -> Result<Option<&mut [T]>, Error> {
        let Part::Host(ptr, len, owner) = &self.part else { return Ok(None) };
        settled(owner.as_ref(), *ptr, *len, true, always)?;
        // SAFETY: taken from a slice that is borrowed alone as long as the view lives; tasks that use it have ended.
        Ok(Some(unsafe { std::slice::from_raw_parts_mut(*ptr, *len) }))
    }

    #[track_caller]
    pub(super) fn host_mut(&mut self) -> Option<&mut [T]> {
        or_panic(self.values_mut(false))
    }
}

impl<'a, T> DeviceView<'a, T> {
    /// A mapped array where it is present; where there is no device, the array itself.
    pub(in crate::data) fn of(array: &'a [T], found: Option<array::OnDevice>) -> Self {
        let base = HostArray::read(array).raw().address(0);
        let part = match found {
            Some((device, presence)) => Part::Device(OnDevice { device, presence, base, len: array.len() }),
            None => Part::Host(array.as_ptr().cast_mut(), array.len(), None),
        };
        Self { part, borrow: PhantomData }
    }
}

impl<'a, T> DeviceViewMut<'a, T> {
    /// A mapped array where it is present; where there is no device, the array itself.
    pub(in crate::data) fn of(array: &'a mut [T], found: Option<array::OnDevice>) -> Self {
        let base = HostArray::read(array).raw().address(0);
        let part = match found {
            Some((device, presence)) => Part::Device(OnDevice { device, presence, base, len: array.len() }),
            None => Part::Host(array.as_mut_ptr(), array.len(), None),
        };
        Self { part, borrow: PhantomData }
    }
}

#[cold]
#[track_caller]
fn elsewhere() -> ! {
    let text = "the elements of this `DeviceSlice` are in device memory: the host has none to index\n  \
         try: `to_host()`, or a region with `is_device_ptr`";
    // A `String`, as all our panics.
    panic!("{}", text.to_owned())
}

macro_rules! indexed {
    ($([$($life:lifetime)?] $ty:ty;)*) => { $(
        impl<$($life,)? T, I: SliceIndex<[T]>> Index<I> for $ty {
            type Output = I::Output;

            #[inline]
            #[track_caller]
            fn index(&self, at: I) -> &I::Output {
                match self.host() {
                    Some(values) => &values[at],
                    None => elsewhere(),
                }
            }
        }

        impl<$($life,)? T> fmt::Debug for $ty {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct("DeviceSlice").field("len", &self.len()).finish_non_exhaustive()
            }
        }

        // SAFETY: indexing is the slice's, on host memory; generated code borrows it through `__array`, which runs
        // no code of the user's.
        unsafe impl<$($life,)? T: Device> Container for $ty {
            type Elem = T;
        }
    )* };
}
indexed! {
    [] DeviceSlice<T>;
    ['a] DeviceView<'a, T>;
    ['a] DeviceViewMut<'a, T>;
}

macro_rules! indexed_mut {
    ($([$($life:lifetime)?] $ty:ty;)*) => { $(
        impl<$($life,)? T, I: SliceIndex<[T]>> IndexMut<I> for $ty {
            #[inline]
            #[track_caller]
            fn index_mut(&mut self, at: I) -> &mut I::Output {
                match self.host_mut() {
                    Some(values) => &mut values[at],
                    None => elsewhere(),
                }
            }
        }
    )* };
}
indexed_mut! {
    [] DeviceSlice<T>;
    ['a] DeviceViewMut<'a, T>;
}

impl<T> Extent for ExtentOf<'_, DeviceSlice<T>> {
    fn omp_extent(&self) -> (usize, usize, usize) {
        match &self.0.memory {
            Memory::Host(memory) => (memory.first.addr(), memory.len, size_of::<T>()),
            Memory::Device(memory) => memory.extent::<T>(),
        }
    }
}

macro_rules! extent_of_views {
    ($($view:ident)*) => { $(
        impl<T> Extent for ExtentOf<'_, $view<'_, T>> {
            fn omp_extent(&self) -> (usize, usize, usize) {
                match &self.0.part {
                    Part::Host(ptr, len, _) => (ptr.addr(), *len, size_of::<T>()),
                    Part::Device(memory) => memory.extent::<T>(),
                }
            }
        }
    )* };
}
extent_of_views!(DeviceView DeviceViewMut);
