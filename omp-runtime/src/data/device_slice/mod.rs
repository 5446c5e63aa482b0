//! `omp::DeviceSlice`: device memory without a host copy.
//!
//! A region that names a slice in `is_device_ptr` or `has_device_addr` uses its memory directly. Without a device, the memory is
//! the host's, and everything works the same. Views of parts share the memory. For the launch they have artificial addresses that
//! no host memory has, so overlapping views are found like overlapping arrays.
mod copied;
pub(crate) mod host_memory;
mod views;

use super::array::HostArray;
use super::block::Block;
use super::present::{Entry, Presence, range};
use super::section::Mapped;
use crate::backend::api::DeviceError;
use crate::backend::size::{Bytes, UNKNOWN};
use crate::device::select::{Choice, DeviceClauses, select};
use crate::device::{Dev, team};
use crate::env::OffloadPolicy;
use crate::error::{Error, Mapping, Place, or_panic};
use crate::launch::Context;
use crate::launch::outcome::fault::{Fault, mapping};
use crate::observe::{self, DataEvent};
use crate::task::memory::settle_all;
use crate::task::{MADE_UP, Touch};
use crate::typing::{Device, konst_bytes};
use host_memory::{HostMemory, OnHost, settled};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::{Bound, RangeBounds};
use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Elements of type `T` in the memory of the thread's default device, without a copy on the host.
///
/// A region uses the memory under the clause `is_device_ptr(d)` or `has_device_addr(d)`, and indexes it like a slice. Dropping the
/// `DeviceSlice` frees the memory. Without a device, the memory is the host's.
///
/// On the host, an index panics and names [`to_host`](Self::to_host), unless the memory is the host's.
pub struct DeviceSlice<T> {
    memory: Memory<T>,
}

/// A read-only view of a part of a [`DeviceSlice`], or of a mapped array under `use_device_ptr`.
pub struct DeviceView<'a, T> {
    part: Part<T>,
    /// The array that it is a view of, if that is mapped.
    mapped: Option<*const T>,
    borrow: PhantomData<&'a [T]>,
}

/// A writable view of a part of a [`DeviceSlice`], or of a mapped array under `use_device_ptr`.
pub struct DeviceViewMut<'a, T> {
    part: Part<T>,
    /// The array that it is a view of, if that is mapped.
    mapped: Option<*mut T>,
    borrow: PhantomData<&'a mut [T]>,
}

enum Memory<T> {
    Host(OnHost<T>),
    Device(OnDevice),
}

/// Elements in the memory of a device.
#[derive(Debug, Clone)]
struct OnDevice {
    device: &'static Dev,
    presence: Presence,
    /// The address that element 0 has to the launch.
    base: u128,
    len: usize,
}

enum Part<T> {
    /// What keeps the memory, unless it is the user's own.
    Host(*mut T, usize, Option<Arc<HostMemory>>),
    Device(OnDevice),
}

fn host_part<T>(memory: &OnHost<T>, lo: usize, hi: usize) -> Part<T> {
    Part::Host(memory.first.wrapping_add(lo), hi - lo, Some(Arc::clone(&memory.memory)))
}

// SAFETY: as for the slices that it stands for; device memory is shared by handles that threads may share.
unsafe impl<T: Sync> Send for DeviceView<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for DeviceView<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send> Send for DeviceViewMut<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for DeviceViewMut<'_, T> {}

/// Artificial addresses, above all addresses of pointers.
fn addresses(bytes: u64) -> u128 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    MADE_UP + u128::from(NEXT.fetch_add(bytes.next_multiple_of(256) + 256, Ordering::Relaxed))
}

/// The place of a call, for messages. One for each line that ever fails.
fn place_of(call: &'static Location<'static>) -> &'static Place {
    static PLACES: Mutex<Vec<&'static Place>> = Mutex::new(Vec::new());
    let mut places = crate::launch::site::lock(&PLACES);
    let same = |p: &&&'static Place| (p.file, p.line, p.column) == (call.file(), call.line(), call.column());
    if let Some(known) = places.iter().find(same) {
        return known;
    }
    let place =
        Place { region: "DeviceSlice".into(), file: call.file(), line: call.line(), column: call.column() };
    let place: &'static Place = Box::leak(Box::new(place));
    places.push(place);
    place
}

fn failed(error: DeviceError, device: &Dev, call: &'static Location<'static>) -> Error {
    with_mappings(error, device, call, &[])
}

/// The error of a device without memory for so many elements.
fn short<T>(error: DeviceError, device: &Dev, call: &'static Location<'static>, len: usize) -> Error {
    let requested = Mapped::whole(HostArray::<T>::elsewhere(MADE_UP, len, true, None).raw());
    with_mappings(error, device, call, &[requested])
}

fn with_mappings(
    error: DeviceError,
    device: &Dev,
    call: &'static Location<'static>,
    mapped: &[Mapped],
) -> Error {
    if let DeviceError::Lost { reason } = &error {
        device.lose(reason);
    }
    let fault = Fault::Device { error, array: Some(0), source: None };
    fault.into_error(place_of(call), device, &["DeviceSlice".to_owned()], mapped)
}

/// The error of a host without memory for so many elements.
fn host_short<T>(call: &'static Location<'static>, len: usize) -> Error {
    let requested = Mapped::whole(HostArray::<T>::elsewhere(MADE_UP, len, true, None).raw());
    Error::OutOfMemory {
        place: place_of(call),
        device: "the host".to_owned(),
        variable: Some("DeviceSlice".to_owned()),
        requested: requested.bytes(),
        free: UNKNOWN,
        largest: vec![mapping("DeviceSlice", &requested)],
    }
}

/// Elements of more bytes than this are not put on the caller's stack.
const ON_STACK: usize = 1 << 14;

/// The number of copies of a value that a debug build may have on the stack at a time.
const COPIES: usize = 16;

/// Runs code that has values of this type on its stack, on a thread whose stack has room for them.
fn with_room<T: Device, R: Send>(
    len: usize,
    call: &'static Location<'static>,
    work: fn(usize) -> R,
) -> Result<R, Error> {
    if size_of::<T>() <= ON_STACK {
        return Ok(work(len));
    }
    let stack = size_of::<T>().saturating_mul(COPIES).saturating_add(1 << 20);
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, move || work(len));
        let thread = thread.map_err(|_| host_short::<T>(call, COPIES))?;
        thread.join().map_err(|_| host_short::<T>(call, len))
    })
}

/// `len` elements with a valid value in the host's memory.
fn filled<T: Device>(len: usize, call: &'static Location<'static>) -> Result<Vec<T>, Error> {
    // An allocation that fails ends the process. The check before it gives an error with the reason.
    room_for::<T>(len, call)?;
    with_room::<T, _>(len, call, filled_by_value::<T>)
}

/// Whether all bytes of the valid value are 0.
#[inline(never)]
fn fills_with_zeros<T: Device>(_: usize) -> bool {
    konst_bytes(&T::FILL).iter().all(|b| *b == 0)
}

/// Allocates zeroed memory, which costs no time, if the valid value is zero.
#[inline(never)]
fn filled_by_value<T: Device>(len: usize) -> Vec<T> {
    vec![T::FILL; len]
}

/// An empty vector with room for so many elements.
fn room_for<T>(len: usize, call: &'static Location<'static>) -> Result<Vec<T>, Error> {
    let mut room = Vec::new();
    room.try_reserve_exact(len).map_err(|_| host_short::<T>(call, len))?;
    Ok(room)
}

/// The device of a new slice; `None` for the host.
fn device(call: &'static Location<'static>) -> Result<Option<&'static Dev>, Error> {
    let context = Context::of_process()?;
    match select(context.registry, &context.env, team::default_device(), DeviceClauses::default()) {
        Choice::Device(n) => Ok(context.registry.get(n)),
        Choice::Host => Ok(None),
        Choice::Missing(reasons) if context.env.offload == OffloadPolicy::Mandatory => {
            Err(Error::Mandatory { place: place_of(call), reasons })
        }
        Choice::Missing(_) => Ok(None),
        Choice::NoSuch(requested) => Err(Error::NoSuchDevice {
            place: Some(place_of(call)),
            requested,
            by_default: true,
            devices: context.registry.count(),
            reasons: context.registry.reasons(),
        }),
    }
}

fn bytes_of<T>(values: &[T]) -> &[MaybeUninit<u8>] {
    // SAFETY: the bytes of a borrowed slice, which need not be initialised.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

impl OnDevice {
    fn new<T: Device>(
        device: &'static Dev,
        len: usize,
        call: &'static Location<'static>,
    ) -> Result<Self, Error> {
        let bytes = Bytes::of(len as u64, size_of::<T>());
        let buffer = device.handle.alloc(bytes.at_least(16)).map_err(|e| short::<T>(e, device, call, len))?;
        // After the allocation: a size that can't be allocated could make addresses wrap.
        let base = addresses(bytes.shown());
        let mapped = Mapped::whole(HostArray::<T>::elsewhere(base, len, true, None).raw());
        let entry = Entry::new("DeviceSlice", place_of(call), &mapped, Block::new(buffer, range(&mapped)));
        // The constructors write all of it before it is visible.
        let (lo, hi) = entry.range();
        entry.fill(lo, hi);
        Ok(Self { device, presence: Presence::of(Arc::new(entry)), base, len })
    }

    /// Where the elements begin in the buffer.
    fn offset(&self) -> usize {
        if self.len == 0 { 0 } else { self.presence.block().offset(self.base) }
    }

    fn part<T>(&self, lo: usize, hi: usize) -> Self {
        Self { base: self.base + (lo * size_of::<T>()) as u128, len: hi - lo, ..self.clone() }
    }

    /// Where `depend` finds its elements, among made-up addresses.
    fn extent<T>(&self) -> (usize, usize, usize) {
        (Touch::made_up(self.base) as usize, self.len, size_of::<T>())
    }

    fn array<'a, T>(&self, write: bool) -> HostArray<'a, T> {
        HostArray::elsewhere(self.base, self.len, write, Some((self.device, self.presence.clone())))
    }

    /// Ends the tasks of this thread's functions that use the memory, before the host reads or writes it. `always`: their failures are
    /// reported here, also under `offload(try)`.
    fn settle<T>(&self, writes: bool, always: bool) -> Result<(), Error> {
        let end = self.base + (self.len * size_of::<T>()) as u128;
        settle_all(|| vec![Touch::on_device(self.device.id, None, (self.base, end), writes)], always)
    }

    fn write<T>(&self, from: &[T], call: &'static Location<'static>) -> Result<(), Error> {
        if from.is_empty() {
            return Ok(());
        }
        self.presence.block().settle().map_err(|e| failed(e, self.device, call))?;
        let (offset, start) = (self.offset(), observe::clock());
        let uploaded = self.device.handle.upload(&self.presence.block().buffer, offset, bytes_of(from));
        uploaded.map_err(|e| failed(e, self.device, call))?;
        self.report::<T>(DataEvent::ToDevice, start, call);
        Ok(())
    }

    fn report<T>(&self, deed: DataEvent, start: Option<Instant>, call: &'static Location<'static>) {
        if start.is_some() {
            let bytes = (self.len * size_of::<T>()) as u64;
            let all =
                || Mapping { variable: "DeviceSlice".to_owned(), elements: (0, self.len as u64), bytes };
            observe::data(deed, place_of(call), self.device, start, all);
        }
    }

    fn read<T: Device>(&self, call: &'static Location<'static>) -> Result<Vec<T>, Error> {
        let mut out = room_for::<T>(self.len, call)?;
        if self.len > 0 {
            let room = &mut out.spare_capacity_mut()[..self.len];
            // SAFETY: the memory of these elements, as bytes that need not be initialised.
            let bytes =
                unsafe { std::slice::from_raw_parts_mut(room.as_mut_ptr().cast(), size_of_val(room)) };
            self.presence.block().settle().map_err(|e| failed(e, self.device, call))?;
            let start = observe::clock();
            self.device
                .handle
                .download(bytes, &self.presence.block().buffer, self.offset())
                .map_err(|e| failed(e, self.device, call))?;
            self.report::<T>(DataEvent::FromDevice, start, call);
            // SAFETY: all of them were copied, from memory that holds valid values of `T` since it was made.
            unsafe { out.set_len(self.len) };
        }
        Ok(out)
    }
}

/// `lo..hi` of a range, if it is inside.
fn bounds(range: &impl RangeBounds<usize>, len: usize) -> Result<(usize, usize), (usize, usize)> {
    let lo = match range.start_bound() {
        Bound::Included(n) => *n,
        Bound::Excluded(n) => n.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let hi = match range.end_bound() {
        Bound::Included(n) => n.saturating_add(1),
        Bound::Excluded(n) => *n,
        Bound::Unbounded => len,
    };
    if lo <= hi && hi <= len { Ok((lo, hi)) } else { Err((lo, hi)) }
}

fn outside(call: &'static Location<'static>, (lo, hi): (usize, usize), len: usize) -> Error {
    Error::Section {
        place: place_of(call),
        variable: "DeviceSlice".to_owned(),
        section: (lo as u64, hi as u64),
        len: len as u64,
    }
}

impl<T: Device> DeviceSlice<T> {
    /// Allocates memory for `len` elements, filled with a valid value: 0 if that is valid.
    ///
    /// # Panics
    /// If [`Self::try_alloc`] fails. All methods without `try_` panic with the error of the method with it.
    #[track_caller]
    #[must_use]
    pub fn alloc(len: usize) -> Self {
        or_panic(Self::try_alloc(len))
    }

    /// Allocates memory for `len` elements, filled with a valid value: 0 if that is valid.
    ///
    /// # Errors
    /// If the device is out of memory or fails, or if there is no device under `OMP_TARGET_OFFLOAD=mandatory`.
    #[track_caller]
    pub fn try_alloc(len: usize) -> Result<Self, Error> {
        let call = Location::caller();
        let Some(device) = device(call)? else {
            return Ok(Self { memory: Memory::Host(OnHost::new(filled(len, call)?)) });
        };
        let memory = OnDevice::new::<T>(device, len, call)?;
        // It has been allocated, so it does not wrap.
        let bytes = len * size_of::<T>();
        if with_room::<T, _>(len, call, fills_with_zeros::<T>)? {
            if bytes > 0 {
                let zeroed = device.handle.zero(&memory.presence.block().buffer, 0, bytes);
                zeroed.map_err(|e| failed(e, device, call))?;
            }
        } else {
            memory.write(&filled::<T>(len, call)?, call)?;
        }
        Ok(Self { memory: Memory::Device(memory) })
    }

    /// Allocates memory and copies these elements to it.
    ///
    /// # Panics
    /// If [`Self::try_from_host`] fails.
    #[track_caller]
    #[must_use]
    pub fn from_host(from: &[T]) -> Self {
        or_panic(Self::try_from_host(from))
    }

    /// Allocates memory and copies these elements to it.
    ///
    /// # Errors
    /// As for [`Self::try_alloc`].
    #[track_caller]
    pub fn try_from_host(from: &[T]) -> Result<Self, Error> {
        let call = Location::caller();
        let Some(device) = device(call)? else {
            return Ok(Self { memory: Memory::Host(OnHost::new(from.to_vec())) });
        };
        let memory = OnDevice::new::<T>(device, from.len(), call)?;
        memory.write(from, call)?;
        Ok(Self { memory: Memory::Device(memory) })
    }

    /// Memory with these elements on this device.
    #[cfg(test)]
    pub(crate) fn on(device: &'static Dev, from: &[T]) -> Result<Self, Error> {
        let call = Location::caller();
        let memory = OnDevice::new::<T>(device, from.len(), call)?;
        memory.write(from, call)?;
        Ok(Self { memory: Memory::Device(memory) })
    }

    /// Copies all elements to the host, after the tasks that write them have ended.
    ///
    /// # Panics
    /// If [`Self::try_to_host`] fails. Under `offload(try)`, a failed task is not reported here but at the next wait of its function.
    #[track_caller]
    #[must_use]
    pub fn to_host(&self) -> Vec<T> {
        or_panic(self.read(Location::caller(), false))
    }

    /// Copies all elements to the host, after the tasks that write them have ended.
    ///
    /// # Errors
    /// If the device fails, or a task that was to write the elements has failed.
    #[track_caller]
    pub fn try_to_host(&self) -> Result<Vec<T>, Error> {
        self.read(Location::caller(), true)
    }

    fn read(&self, call: &'static Location<'static>, always: bool) -> Result<Vec<T>, Error> {
        match &self.memory {
            Memory::Host(memory) => Ok(memory.values(always)?.to_vec()),
            Memory::Device(memory) => {
                memory.settle::<T>(false, always)?;
                memory.read(call)
            }
        }
    }

    /// Replaces all elements by `from`, which must have the same length, after the tasks that use them have ended.
    ///
    /// # Panics
    /// If [`Self::try_copy_from`] fails.
    #[track_caller]
    pub fn copy_from(&mut self, from: &[T]) {
        or_panic(self.replace(from, Location::caller(), false));
    }

    /// Replaces all elements by `from`, which must have the same length, after the tasks that use them have ended.
    ///
    /// # Errors
    /// If the lengths differ, if the device fails, or if a task on the elements has failed.
    #[track_caller]
    pub fn try_copy_from(&mut self, from: &[T]) -> Result<(), Error> {
        self.replace(from, Location::caller(), true)
    }

    fn replace(&mut self, from: &[T], call: &'static Location<'static>, always: bool) -> Result<(), Error> {
        if from.len() != self.len() {
            return Err(outside(call, (0, from.len()), self.len()));
        }
        match &mut self.memory {
            Memory::Host(memory) => memory.values_mut(always)?.copy_from_slice(from),
            Memory::Device(memory) => {
                memory.settle::<T>(true, always)?;
                memory.write(from, call)?;
            }
        }
        Ok(())
    }

    /// A view of a part, for reading.
    ///
    /// # Panics
    /// If the range is not inside the slice.
    #[track_caller]
    #[must_use]
    pub fn slice(&self, range: impl RangeBounds<usize>) -> DeviceView<'_, T> {
        or_panic(self.try_slice(range))
    }

    /// A view of a part, for reading.
    ///
    /// # Errors
    /// If the range is not inside the slice.
    #[track_caller]
    pub fn try_slice(&self, range: impl RangeBounds<usize>) -> Result<DeviceView<'_, T>, Error> {
        let call = Location::caller();
        let (lo, hi) = bounds(&range, self.len()).map_err(|at| outside(call, at, self.len()))?;
        let part = match &self.memory {
            Memory::Host(memory) => host_part(memory, lo, hi),
            Memory::Device(memory) => Part::Device(memory.part::<T>(lo, hi)),
        };
        Ok(DeviceView { part, mapped: None, borrow: PhantomData })
    }

    /// A view of a part, for writing.
    ///
    /// # Panics
    /// If the range is not inside the slice.
    #[track_caller]
    #[must_use]
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> DeviceViewMut<'_, T> {
        or_panic(self.try_slice_mut(range))
    }

    /// A view of a part, for writing.
    ///
    /// # Errors
    /// If the range is not inside the slice.
    #[track_caller]
    pub fn try_slice_mut(&mut self, range: impl RangeBounds<usize>) -> Result<DeviceViewMut<'_, T>, Error> {
        let call = Location::caller();
        let len = self.len();
        let (lo, hi) = bounds(&range, len).map_err(|at| outside(call, at, len))?;
        let part = match &mut self.memory {
            Memory::Host(memory) => host_part(memory, lo, hi),
            Memory::Device(memory) => Part::Device(memory.part::<T>(lo, hi)),
        };
        Ok(DeviceViewMut { part, mapped: None, borrow: PhantomData })
    }
}

impl<T> DeviceSlice<T> {
    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.memory {
            Memory::Host(memory) => memory.len,
            Memory::Device(memory) => memory.len,
        }
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[doc(hidden)]
    #[must_use]
    pub fn __array(&self) -> HostArray<'_, T> {
        match &self.memory {
            Memory::Host(memory) => memory.array(false),
            Memory::Device(memory) => memory.array(false),
        }
    }

    #[doc(hidden)]
    #[must_use]
    pub fn __array_mut(&mut self) -> HostArray<'_, T> {
        match &mut self.memory {
            Memory::Host(memory) => memory.array(true),
            Memory::Device(memory) => memory.array(true),
        }
    }

    #[track_caller]
    fn host(&self) -> Option<&[T]> {
        match &self.memory {
            Memory::Host(memory) => Some(or_panic(memory.values(false))),
            Memory::Device(_) => None,
        }
    }

    #[track_caller]
    fn host_mut(&mut self) -> Option<&mut [T]> {
        match &mut self.memory {
            Memory::Host(memory) => Some(or_panic(memory.values_mut(false))),
            Memory::Device(_) => None,
        }
    }
}

impl<T> Part<T> {
    fn len(&self) -> usize {
        match self {
            Self::Host(_, len, _) => *len,
            Self::Device(memory) => memory.len,
        }
    }
}

/// What reading takes, of both sorts of view.
macro_rules! read {
    ($($view:ident)*) => { $(
        impl<T> $view<'_, T> {
            /// The number of elements.
            #[must_use]
            pub fn len(&self) -> usize {
                self.part.len()
            }

            /// Whether there are no elements.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            #[doc(hidden)]
            #[must_use]
            pub fn __array(&self) -> HostArray<'_, T> {
                match &self.part {
                    Part::Device(memory) => memory.array(false),
                    Part::Host(ptr, len, owner) => HostArray::of_slice(*ptr, *len, false, owner.clone()),
                }
            }

            fn values(&self, always: bool) -> Result<Option<&[T]>, Error> {
                let Part::Host(ptr, len, owner) = &self.part else { return Ok(None) };
                settled(owner.as_ref(), *ptr, *len, false, always)?;
                // SAFETY: taken from a slice that is borrowed as long as the view lives; tasks that write it have ended.
                Ok(Some(unsafe { std::slice::from_raw_parts(*ptr, *len) }))
            }

            #[track_caller]
            fn host(&self) -> Option<&[T]> {
                or_panic(self.values(false))
            }
        }

        impl<T: Device> $view<'_, T> {
            /// Copies all elements of the part to the host.
            ///
            /// # Panics
            /// If [`Self::try_to_host`] fails.
            #[track_caller]
            #[must_use]
            pub fn to_host(&self) -> Vec<T> {
                or_panic(self.read(Location::caller(), false))
            }

            /// Copies all elements of the part to the host.
            ///
            /// # Errors
            /// If the device fails.
            #[track_caller]
            pub fn try_to_host(&self) -> Result<Vec<T>, Error> {
                self.read(Location::caller(), true)
            }

            fn read(&self, call: &'static Location<'static>, always: bool) -> Result<Vec<T>, Error> {
                match &self.part {
                    Part::Device(memory) => {
                        memory.settle::<T>(false, always)?;
                        memory.read(call)
                    }
                    Part::Host(..) => Ok(self.values(always)?.unwrap_or_default().to_vec()),
                }
            }
        }
    )* };
}

read! { DeviceView DeviceViewMut }

/// Views that a region may write through.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a region writes through this `{Self}`, which is a read view [omp::E0711]",
    label = "written here",
    note = "help: take a write view, `slice_mut(…)` of a `DeviceSlice`; inside `use_device_ptr(x)` a region writes `x` by that name, under `is_device_ptr(x)`"
)]
pub trait WriteView {}

impl<T> DeviceView<'_, T> {
    /// The bound of arrays that a region writes.
    #[doc(hidden)]
    #[must_use]
    pub fn __array_mut(&mut self) -> HostArray<'_, T>
    where
        Self: WriteView,
    {
        self.__array()
    }
}

impl<T> DeviceViewMut<'_, T> {
    #[doc(hidden)]
    #[must_use]
    pub fn __array_mut(&mut self) -> HostArray<'_, T> {
        match &mut self.part {
            Part::Device(memory) => memory.array(true),
            Part::Host(ptr, len, owner) => HostArray::of_slice(*ptr, *len, true, owner.clone()),
        }
    }
}
