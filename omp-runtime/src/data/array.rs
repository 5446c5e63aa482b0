//! A mapped array as an argument of generated code: borrowed from the user for the whole region.
use super::device_slice::host_memory::Owner;
use super::present::Presence;
use crate::device::Dev;
use crate::launch::site::type_id_of_val;
use crate::task::Used;
use omp_ir::desc::Prim;
use std::any::{TypeId, type_name};
use std::marker::PhantomData;
use std::mem::MaybeUninit;

/// A borrowed array of the user's. Generated code makes one per mapped array, and keeps it until the region ends.
#[derive(Debug)]
pub struct HostArray<'a, T> {
    ptr: *mut T,
    len: usize,
    writable: bool,
    /// It has no host memory, only device memory.
    elsewhere: Option<Elsewhere>,
    /// It is a `DeviceSlice` or a view in the host's memory, which this keeps.
    slice: Option<Owner>,
    borrow: PhantomData<&'a mut [T]>,
}

/// A device and memory of it.
pub(crate) type OnDevice = (&'static Dev, Presence);

/// Device memory of an array without host memory.
#[derive(Debug, Clone)]
pub struct Elsewhere {
    /// The address that element 0 has in the entry's words.
    base: u128,
    /// The device and the memory; `None` where only the address matters.
    pub(crate) memory: Option<OnDevice>,
}

// No bound on `T`: the typing copy has one, and one error for a mistake is enough.
impl<'a, T> HostArray<'a, T> {
    /// An array that the region only reads.
    #[inline]
    #[must_use]
    pub const fn read(array: &'a [T]) -> Self {
        Self {
            ptr: array.as_ptr().cast_mut(),
            len: array.len(),
            writable: false,
            elsewhere: None,
            slice: None,
            borrow: PhantomData,
        }
    }

    /// An array that the region writes.
    #[inline]
    #[must_use]
    pub const fn write(array: &'a mut [T]) -> Self {
        Self {
            ptr: array.as_mut_ptr(),
            len: array.len(),
            writable: true,
            elsewhere: None,
            slice: None,
            borrow: PhantomData,
        }
    }

    /// An array behind a pointer. The caller has a borrow of the array.
    pub(crate) const fn rooted(ptr: *mut T, len: usize, writable: bool) -> Self {
        Self { ptr, len, writable, elsewhere: None, slice: None, borrow: PhantomData }
    }

    /// An array that has no host memory: its elements must not be touched here.
    pub(crate) const fn elsewhere(base: u128, len: usize, writable: bool, memory: Option<OnDevice>) -> Self {
        let elsewhere = Some(Elsewhere { base, memory });
        Self { ptr: std::ptr::dangling_mut(), len, writable, elsewhere, slice: None, borrow: PhantomData }
    }

    /// A `DeviceSlice`, or a view, in the host's memory.
    pub(crate) const fn of_slice(ptr: *mut T, len: usize, writable: bool, owner: Owner) -> Self {
        Self { ptr, len, writable, elsewhere: None, slice: Some(owner), borrow: PhantomData }
    }

    /// What keeps the memory of a `DeviceSlice` or a view in the host's memory.
    pub(crate) const fn slice_owner(&self) -> Option<&Owner> {
        self.slice.as_ref()
    }

    /// What a task on the host's threads keeps of a `DeviceSlice` or a view.
    ///
    /// # Safety
    /// The task runs while the borrow lasts, unless an owner keeps the memory, which the launch checks ([`Self::slice_owner`]).
    #[must_use]
    pub unsafe fn kept(&self) -> TaskElements<T> {
        let kept = self.slice.clone().flatten();
        TaskElements { ptr: self.ptr, len: self.len, writable: self.writable, kept }
    }

    /// The device and its memory, if it has no host memory.
    pub(crate) fn memory(&self) -> Option<&OnDevice> {
        self.elsewhere.as_ref()?.memory.as_ref()
    }

    /// The elements of an array that the region only reads.
    ///
    /// # Safety
    /// No task that writes them is under way.
    ///
    /// # Panics
    /// For a written array, or one without host memory.
    #[inline]
    #[must_use]
    pub const unsafe fn slice(&self) -> &'a [T] {
        assert!(!self.writable, "a written array is seen through its view");
        assert!(self.elsewhere.is_none(), "an array without host memory");
        // SAFETY: `read` took pointer and length from a slice borrowed for `'a`. By the caller, no other code writes it.
        unsafe { std::slice::from_raw_parts(self.ptr, self.len) }
    }

    /// The elements, for the host's loop of a task: under the user's name, in addition to the views of the parallel loop.
    ///
    /// # Safety
    /// No code uses them after, or at the same time as, another view of the same array.
    #[inline]
    #[must_use]
    #[allow(clippy::mut_from_ref, reason = "that is what the caller promises")]
    pub const unsafe fn task_elements(&self) -> &mut [T] {
        assert!(self.writable, "an array that is only read is never written");
        assert!(self.elsewhere.is_none(), "an array without host memory");
        // SAFETY: pointer and length are of a slice borrowed mutably for `'a`; by the caller, nothing else uses it.
        unsafe { std::slice::from_raw_parts_mut(self.ptr, self.len) }
    }

    /// What a task on the host's threads takes with it of an array that one of these guards stands for.
    ///
    /// # Panics
    /// When none of them does, but another variable's: generated code goes by names, and a macro of the user's may give one to two
    /// variables.
    ///
    /// # Safety
    /// The guards wait for the task before they end.
    #[must_use]
    #[track_caller]
    pub unsafe fn guarded(&self, used: &[Used]) -> TaskElements<T> {
        assert!(
            self.len == 0 || used.iter().any(|used| self.raw().rooted(used.root, used.bytes)),
            "a task can't distinguish two variables of one name: rename the one that a macro binds"
        );
        TaskElements { ptr: self.ptr, len: self.len, writable: self.writable, kept: None }
    }

    /// The elements of an array that the region writes, for the host's serial loop.
    ///
    /// # Safety
    /// No task that uses them is under way, and no view of them is in use.
    ///
    /// # Panics
    /// For an array that was borrowed for reading, or one without host memory.
    #[inline]
    #[must_use]
    pub const unsafe fn all(&mut self) -> &mut [T] {
        assert!(self.writable, "an array that is only read is never written");
        assert!(self.elsewhere.is_none(), "an array without host memory");
        // SAFETY: `write` took pointer and length from a slice borrowed mutably for `'a`. What the region keeps of
        // them is used during the launch only, which is over when the host's loop runs.
        unsafe { std::slice::from_raw_parts_mut(self.ptr, self.len) }
    }

    /// The first element. Writing through it is allowed for an array made by [`Self::write`].
    #[inline]
    #[must_use]
    pub const fn ptr(&self) -> *mut T {
        self.ptr
    }

    /// The first element.
    ///
    /// # Panics
    /// For an array without host memory.
    #[inline]
    pub(crate) const fn on_host(&self) -> *const T {
        assert!(self.elsewhere.is_none(), "an array without host memory");
        self.ptr
    }

    /// The number of elements.
    #[inline]
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "it has no use")]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// The bytes of so many elements.
    #[must_use]
    pub const fn bytes_of(&self, elements: usize) -> u64 {
        (elements as u64).saturating_mul(size_of::<T>() as u64)
    }

    /// What the launch needs of it.
    #[inline]
    #[must_use]
    pub fn raw(&self) -> RawArray {
        RawArray {
            ptr: self.ptr.cast(),
            base: self.elsewhere.as_ref().map_or(self.ptr.addr() as u128, |e| e.base),
            len: self.len,
            elem: Elem::of::<T>(),
            writable: self.writable,
            on_host: self.elsewhere.is_none(),
        }
    }
}

impl<T> HostArray<'static, T> {
    /// What a task on the host's threads keeps of an array without a guard: a `'static` array.
    #[inline]
    #[must_use]
    pub const fn lasting(&self) -> TaskElements<T> {
        TaskElements { ptr: self.ptr, len: self.len, writable: self.writable, kept: None }
    }
}

/// An array without its borrow, for another thread.
#[derive(Debug)]
pub struct TaskElements<T> {
    ptr: *mut T,
    len: usize,
    writable: bool,
    kept: Owner,
}

// SAFETY: the elements are accessed through `array` alone, whose caller promises that there is no conflicting access.
unsafe impl<T: Send + Sync> Send for TaskElements<T> {}

impl<T> TaskElements<T> {
    /// The array.
    ///
    /// # Safety
    /// The borrow that it was made from lasts for `'a`, and no other code accesses meanwhile what is used of the array (nor
    /// writes what is only read of it).
    #[inline]
    #[must_use]
    pub unsafe fn array<'a>(self) -> HostArray<'a, T> {
        let slice = self.kept.map(Some);
        HostArray { slice, ..HostArray::rooted(self.ptr, self.len, self.writable) }
    }
}

/// The type of an array's elements, as far as device memory cares.
#[derive(Debug, Clone, Copy)]
pub struct Elem {
    id: TypeId,
    /// As rustc writes it.
    pub name: &'static str,
    /// Bytes of one.
    pub size: usize,
}

impl Elem {
    /// Of this type.
    #[must_use]
    pub fn of<T>() -> Self {
        Self { id: type_id_of_val(&PhantomData::<T>), name: type_name::<T>(), size: size_of::<T>() }
    }
}

impl PartialEq for Elem {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// A borrowed array without its type. Its holder ensures that the borrow lasts.
#[derive(Debug, Clone, Copy)]
pub struct RawArray {
    ptr: *mut MaybeUninit<u8>,
    /// The address of element 0; made up where there is no host memory.
    base: u128,
    len: usize,
    elem: Elem,
    writable: bool,
    on_host: bool,
}

/// The identity of an array.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Identity {
    base: u128,
    len: usize,
    elem: Elem,
    writable: bool,
    on_host: bool,
}

impl RawArray {
    /// Memory of the runtime's own, of as many elements as fit. The user of it neither moves nor frees `bytes`.
    #[must_use]
    pub(crate) fn of_copy(bytes: &mut [MaybeUninit<u8>], elem: Elem) -> Self {
        let len = bytes.len().checked_div(elem.size).unwrap_or(0);
        let base = bytes.as_ptr().addr() as u128;
        Self { ptr: bytes.as_mut_ptr(), base, len, elem, writable: true, on_host: true }
    }

    /// Reaches the same memory through `root`, if it lies in the `bytes` from there.
    pub(crate) fn rooted(&mut self, root: *mut MaybeUninit<u8>, bytes: usize) -> bool {
        let Some(offset) = self.ptr.addr().checked_sub(root.addr()) else { return false };
        let end = self.len.checked_mul(self.elem.size).and_then(|own| own.checked_add(offset));
        let fits = self.on_host && end.is_some_and(|end| end <= bytes);
        if fits {
            self.ptr = root.wrapping_byte_add(offset);
        }
        fits
    }

    /// The identity of the array, without access to its memory.
    #[must_use]
    pub(crate) const fn identity(&self) -> Identity {
        let Self { ptr: _, base, len, elem, writable, on_host } = *self;
        Identity { base, len, elem, writable, on_host }
    }

    /// The number of elements.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// No elements.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes of one element.
    #[must_use]
    pub const fn elem(&self) -> usize {
        self.elem.size
    }

    /// What it holds.
    #[must_use]
    pub const fn holds(&self) -> &Elem {
        &self.elem
    }

    /// It has host memory.
    #[must_use]
    pub const fn on_host(&self) -> bool {
        self.on_host
    }

    /// It was borrowed for writing.
    #[must_use]
    pub const fn is_writable(&self) -> bool {
        self.writable
    }

    /// The address of element `i`, as a number: the host's, or a made-up one where there is no host memory.
    #[must_use]
    pub fn address(&self, i: u64) -> u128 {
        self.base + u128::from(i) * self.elem.size as u128
    }

    /// The bytes of the elements `lo..hi`, padding among them.
    ///
    /// # Safety
    /// The borrow that this was made from lasts for `'a`, and no other code writes these elements meanwhile.
    ///
    /// # Panics
    /// When the range is not inside the array.
    #[must_use]
    pub unsafe fn bytes<'a>(&self, lo: u64, hi: u64) -> &'a [MaybeUninit<u8>] {
        let (offset, bytes) = self.range(lo, hi);
        // SAFETY: inside the array, by the check in `range`; alive and unwritten, by the caller.
        unsafe { std::slice::from_raw_parts(self.ptr.add(offset), bytes) }
    }

    /// The same, to be written.
    ///
    /// # Safety
    /// The borrow that this was made from lasts for `'a`, no other code accesses these elements meanwhile, and what is
    /// written are valid values of the element type.
    ///
    /// # Panics
    /// When the range is not inside the array, or the array was borrowed for reading.
    #[must_use]
    pub unsafe fn bytes_mut<'a>(&self, lo: u64, hi: u64) -> &'a mut [MaybeUninit<u8>] {
        assert!(self.writable, "an array that is only read is never written back");
        let (offset, bytes) = self.range(lo, hi);
        // SAFETY: inside the array, by the check in `range`; alive and ours alone, by the caller.
        unsafe { std::slice::from_raw_parts_mut(self.ptr.add(offset), bytes) }
    }

    /// The bytes from one address to another.
    ///
    /// # Safety
    /// As for [`Self::bytes`].
    ///
    /// # Panics
    /// When they are not inside the array.
    #[must_use]
    pub unsafe fn bytes_at<'a>(&self, lo: u128, hi: u128) -> &'a [MaybeUninit<u8>] {
        let (offset, bytes) = self.range_at(lo, hi);
        // SAFETY: inside the array, by the check in `range_at`; alive and unwritten, by the caller.
        unsafe { std::slice::from_raw_parts(self.ptr.add(offset), bytes) }
    }

    /// The same, to be written.
    ///
    /// # Safety
    /// As for [`Self::bytes_mut`].
    ///
    /// # Panics
    /// When they are not inside the array, or the array was borrowed for reading.
    #[must_use]
    pub unsafe fn bytes_at_mut<'a>(&self, lo: u128, hi: u128) -> &'a mut [MaybeUninit<u8>] {
        assert!(self.writable, "an array that is only read is never written back");
        let (offset, bytes) = self.range_at(lo, hi);
        // SAFETY: inside the array, by the check in `range_at`; alive and ours alone, by the caller.
        unsafe { std::slice::from_raw_parts_mut(self.ptr.add(offset), bytes) }
    }

    /// How many bytes the elements `lo..hi` take.
    ///
    /// # Panics
    /// As [`Self::bytes`].
    #[must_use]
    pub fn bytes_of(&self, lo: u64, hi: u64) -> usize {
        self.range(lo, hi).1
    }

    /// Reads the integers (or truth values) of type `ty` that stand `offset` bytes into the elements `at`, sign- or
    /// zero-extended, and sets `known` for each element that exists. Gives whether all do.
    ///
    /// # Safety
    /// The borrow that this was made from lasts, no other code writes the array meanwhile, and each element has a value of this type
    /// there.
    ///
    /// # Panics
    /// When elements are too small for it, or there is no host memory.
    pub(crate) unsafe fn numbers(
        &self,
        (offset, ty): (usize, Prim),
        at: &[u64],
        (values, known): (&mut [u64], &mut [bool]),
    ) -> bool {
        assert!(self.on_host, "an array without host memory is never read");
        assert!(
            offset.checked_add(ty.size()).is_some_and(|end| end <= self.elem.size),
            "a number beyond its element"
        );
        let len = self.len as u64;
        // One after the other, as loops mostly read them: that is quickly seen, and then two comparisons do.
        let first = at.first().copied().unwrap_or_default();
        let next = |k: usize| first.wrapping_add(k as u64);
        let apart = at.iter().enumerate().fold(0, |apart, (k, at)| apart | (at ^ next(k)));
        let in_row = apart == 0 && first.checked_add(at.len() as u64).is_some_and(|end| end <= len);
        if in_row {
            known.fill(true);
        } else {
            known.iter_mut().zip(at).for_each(|(known, at)| *known = *at < len);
        }
        let all = in_row || known.iter().all(|known| *known);
        // The width is known, and 0 is the only offset that fits.
        macro_rules! read_in_row {
            ($ty:ty, $wide:ident, $at:expr) => {
                // SAFETY: as below; the elements are as large as the value.
                $wide(unsafe { self.ptr.cast::<$ty>().add($at).read_unaligned() })
            };
        }
        macro_rules! read {
            ($ty:ty, $wide:expr) => {{
                let (wide, width) = ($wide, self.elem.size);
                let read = |at: u64| {
                    // SAFETY: the element is one of the array's (`known`), and the value inside of it (asserted); it is there and
                    // is not written, by the caller.
                    wide(unsafe { self.ptr.add(at as usize * width + offset).cast::<$ty>().read_unaligned() })
                };
                if in_row && width == size_of::<$ty>() {
                    for (k, value) in values.iter_mut().take(at.len()).enumerate() {
                        *value = read_in_row!($ty, wide, first as usize + k);
                    }
                } else if all {
                    values.iter_mut().zip(at).for_each(|(value, at)| *value = read(*at));
                } else {
                    let lanes = values.iter_mut().zip(at).zip(&*known);
                    lanes.filter(|(_, known)| **known).for_each(|((value, at), _)| *value = read(*at));
                }
            }};
        }
        match ty {
            Prim::Bool => read!(bool, u64::from),
            Prim::U8 => read!(u8, u64::from),
            Prim::I8 => read!(i8, |v| i64::from(v).cast_unsigned()),
            Prim::U16 => read!(u16, u64::from),
            Prim::I16 => read!(i16, |v| i64::from(v).cast_unsigned()),
            Prim::U32 => read!(u32, u64::from),
            Prim::I32 => read!(i32, |v| i64::from(v).cast_unsigned()),
            Prim::Char => read!(char, |v| u64::from(u32::from(v))),
            Prim::U64 | Prim::Usize => read!(u64, |v| v),
            Prim::I64 | Prim::Isize => read!(i64, i64::cast_unsigned),
            Prim::F32 | Prim::F64 | Prim::U128 => {
                known.fill(false);
                return false;
            }
        }
        all
    }

    fn range_at(&self, lo: u128, hi: u128) -> (usize, usize) {
        assert!(self.on_host, "an array without host memory is never copied");
        let inside = self.base <= lo && lo <= hi && hi <= self.address(self.len as u64);
        assert!(inside, "bytes outside of an array");
        // Both fit `usize`, as the array exists.
        ((lo - self.base) as usize, (hi - lo) as usize)
    }

    fn range(&self, lo: u64, hi: u64) -> (usize, usize) {
        assert!(self.on_host, "an array without host memory is never copied");
        assert!(lo <= hi && hi <= self.len as u64, "elements {lo}..{hi} of an array of {}", self.len);
        // Both fit `usize`, as the length does; so do the bytes, as the array exists.
        (lo as usize * self.elem.size, (hi - lo) as usize * self.elem.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_elements() {
        let elements = [(-1i8, 7u32, true), (i8::MIN, u32::MAX, false), (3, 0, true)];
        let raw = HostArray::read(&elements).raw();
        let at = [2u64, 0, 1, 1];
        let read = |offset: usize, ty: Prim, at: &[u64]| {
            let (mut values, mut known) = (vec![99; at.len()], vec![false; at.len()]);
            // SAFETY: the elements live on, no code writes them, and the type is that of the field at this offset.
            unsafe { raw.numbers((offset, ty), at, (&mut values, &mut known)) };
            (values, known)
        };
        let (small, large, truth) = (
            std::mem::offset_of!((i8, u32, bool), 0),
            std::mem::offset_of!((i8, u32, bool), 1),
            std::mem::offset_of!((i8, u32, bool), 2),
        );
        let least = i64::from(i8::MIN).cast_unsigned();
        assert_eq!(read(small, Prim::I8, &at), (vec![3, u64::MAX, least, least], vec![true; 4]));
        let most = u64::from(u32::MAX);
        assert_eq!(read(large, Prim::U32, &at), (vec![0, 7, most, most], vec![true; 4]));
        assert_eq!(read(truth, Prim::Bool, &at), (vec![1, 1, 0, 0], vec![true; 4]));
        // Elements that don't exist are not read.
        let (values, known) = read(large, Prim::U32, &[0, 3, u64::MAX, 1]);
        assert_eq!((values, known), (vec![7, 99, 99, most], vec![true, false, false, true]));
    }
}
