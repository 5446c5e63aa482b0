//! A `DeviceSlice` and its views in generated code: views of mapped arrays, writes, indices on the host if the memory is the
//! host's, and the byte ranges that tasks compare.
use super::host_memory::settled;
use super::{DeviceSlice, DeviceView, DeviceViewMut, Memory, OnDevice, Part};
use crate::data::array::{self, HostArray};
use crate::data::mapper::{Arrays, MapItem, Name};
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
        Self { part, mapped: Some(array.as_ptr()), borrow: PhantomData }
    }
}

impl<'a, T> DeviceViewMut<'a, T> {
    /// A mapped array where it is present; where there is no device, the array itself.
    pub(in crate::data) fn of(array: &'a mut [T], found: Option<array::OnDevice>) -> Self {
        let (base, len) = (HostArray::read(array).raw().address(0), array.len());
        // Once: another borrow would end this one.
        let mapped = array.as_mut_ptr();
        let part = match found {
            Some((device, presence)) => Part::Device(OnDevice { device, presence, base, len }),
            None => Part::Host(mapped, len, None),
        };
        Self { part, mapped: Some(mapped), borrow: PhantomData }
    }
}

/// A region that is left on the way of an error, inside its `use_device_ptr`, where the name is the view's.
impl<T> MapItem for DeviceView<'_, T> {
    fn __omp_arrays<'a, A: Arrays<'a>>(&'a self, name: &Name<'_>, to: &mut A) {
        let first = self.mapped.expect("views under `use_device_ptr` are of mapped arrays");
        // SAFETY: of a slice of this length, which is borrowed as long as the view lives. Views are of elements that are mapped.
        unsafe { to.array(name, HostArray::read(std::slice::from_raw_parts(first, self.len())), false) };
    }
    fn __omp_arrays_mut<'a, A: Arrays<'a>>(&'a mut self, name: &Name<'_>, to: &mut A) {
        // Nothing can come back to what is borrowed as shared.
        let first = self.mapped.expect("views under `use_device_ptr` are of mapped arrays");
        // SAFETY: as above. Views are of elements that are mapped.
        unsafe { to.array(name, HostArray::read(std::slice::from_raw_parts(first, self.len())), true) };
    }
}

/// As of a [`DeviceView`].
impl<T> MapItem for DeviceViewMut<'_, T> {
    fn __omp_arrays<'a, A: Arrays<'a>>(&'a self, name: &Name<'_>, to: &mut A) {
        let first = self.mapped.expect("views under `use_device_ptr` are of mapped arrays");
        // SAFETY: of a slice of this length, which is borrowed alone as long as the view lives. Views are of elements that are mapped.
        unsafe { to.array(name, HostArray::read(std::slice::from_raw_parts(first, self.len())), false) };
    }
    fn __omp_arrays_mut<'a, A: Arrays<'a>>(&'a mut self, name: &Name<'_>, to: &mut A) {
        let first = self.mapped.expect("views under `use_device_ptr` are of mapped arrays");
        // SAFETY: as above; the view is borrowed alone too. Views are of elements that are mapped.
        unsafe { to.array(name, HostArray::write(std::slice::from_raw_parts_mut(first, self.len())), false) };
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
