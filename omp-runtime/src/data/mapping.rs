//! Device memory of a region's arrays: what is copied to it and what comes back.
//!
//! * What the body does not write is never copied back; what it neither reads nor writes is not copied at all.
//! * `from` and `alloc` start from the host's values, unless every element is certainly written before it is read: so
//!   elements that stay unwritten keep their values, and what comes back is always valid.
//! * An array without a `map` is copied as far as its subscripts reach, where they tell.
//! * When the kernel has failed, nothing comes back.
//! * What a data directive has put there already is used where it stands and is not copied, unless by `always`.
use super::present::Entry;
use super::section::Mapped;
use crate::backend::api::DeviceError;
use crate::backend::erased::{DynBuffer, DynDevice};
use crate::observe::Moves;
use omp_kernels::analysis::plan::LaunchFacts;
use omp_kernels::ir::template::{ArrayParam, MapType};
use std::sync::Arc;

/// What is allocated and copied for one array, in elements of the whole array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Movement {
    /// What stands in device memory; begins at the section's first element.
    pub room: (u64, u64),
    /// Copied before the launch.
    pub upload: Option<(u64, u64)>,
    /// Copied after it.
    pub download: Option<(u64, u64)>,
}

impl Movement {
    /// The elements of array `i` of a launch that have to be on the device.
    #[must_use]
    pub fn touched(param: &ArrayParam, mapped: &Mapped, facts: &LaunchFacts, i: usize) -> (u64, u64) {
        let (lo, hi) = mapped.section;
        // A subscript that the kernel checks may go anywhere.
        let footprint = facts.footprint.get(i).copied().flatten().filter(|_| facts.unproved.is_empty());
        match (param.map, footprint) {
            (None, _) if !param.read && !param.written => (lo, lo),
            (None, Some((from, to))) => {
                let from = from.clamp(lo, hi);
                (from, to.clamp(from, hi))
            }
            _ => (lo, hi),
        }
    }

    /// Of array `i` of a launch, if a data directive has put it there.
    #[must_use]
    pub fn present(param: &ArrayParam, mapped: &Mapped, always: bool) -> Self {
        let all = (mapped.section.0 < mapped.section.1 && always).then_some(mapped.section);
        Self {
            room: mapped.section,
            upload: all.filter(|_| matches!(param.map, Some(MapType::To | MapType::ToFrom))),
            download: all.filter(|_| matches!(param.map, Some(MapType::From | MapType::ToFrom))),
        }
    }

    /// Of array `i` of a launch, if it has it for itself.
    #[must_use]
    pub fn of(param: &ArrayParam, mapped: &Mapped, facts: &LaunchFacts, i: usize) -> Self {
        let lo = mapped.section.0;
        if !param.read && !param.written {
            return Self { room: (lo, lo), upload: None, download: None };
        }
        let touched = Self::touched(param, mapped, facts, i);
        let overwritten = facts.overwritten.get(i).copied().unwrap_or(false);
        let starts_anywhere = match param.map {
            Some(MapType::To | MapType::ToFrom) => false,
            Some(MapType::From | MapType::Alloc) | None => overwritten,
        };
        let comes_back = match param.map {
            Some(MapType::To | MapType::Alloc) => false,
            Some(MapType::From | MapType::ToFrom) | None => param.written,
        };
        let some = (touched.0 < touched.1).then_some(touched);
        Self {
            room: (lo, touched.1),
            upload: some.filter(|_| !starts_anywhere),
            download: some.filter(|_| comes_back),
        }
    }
}

/// Which array an operation on the device was for when it failed.
#[derive(Debug, Clone, PartialEq)]
pub struct MappingError {
    /// Position of the array.
    pub array: usize,
    /// What failed.
    pub error: DeviceError,
}

/// Whose memory an array of a region is in.
#[derive(Debug, Clone)]
pub enum Home {
    /// The region's own.
    Own,
    /// That of a data directive; alive as long as somebody uses it.
    Present(Arc<Entry>),
}

impl Home {
    /// The entry of a data directive.
    #[must_use]
    pub fn present(&self) -> Option<&Arc<Entry>> {
        match self {
            Self::Present(entry) => Some(entry),
            Self::Own => None,
        }
    }
}

#[derive(Debug)]
enum Memory {
    /// Freed at the end of the region. The element that stands at its start.
    Own(DynBuffer, u64),
    Present(Arc<Entry>),
}

/// The arrays of a running region in device memory.
#[derive(Debug)]
pub struct Environment {
    memory: Vec<Memory>,
    /// The array elements that stand at the start of their buffers.
    origins: Vec<i64>,
    /// Bytes copied to the device.
    pub bytes_to_device: u64,
    /// Bytes copied back.
    pub bytes_from_device: u64,
}

/// The least that is allocated, for arrays of which nothing is mapped.
const LEAST: usize = 16;

/// The arrays of a launch, and where they are to be.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// By array.
    pub arrays: &'a [Mapped],
    /// By array.
    pub movements: &'a [Movement],
    /// By array.
    pub homes: &'a [Home],
    /// By array: every element of the section is certainly written before it is read.
    pub overwritten: &'a [bool],
}

impl Environment {
    /// Allocates all arrays that are not there, and copies what has to be.
    ///
    /// # Errors
    /// What failed first. Everything allocated until then is released.
    ///
    /// # Safety
    /// The arrays' borrows last until the call returns, and nobody writes their elements meanwhile.
    pub unsafe fn open(
        device: &dyn DynDevice,
        wanted: &Wanted<'_>,
        told: &mut Moves,
    ) -> Result<Self, MappingError> {
        let n = wanted.arrays.len();
        let mut this = Self {
            memory: Vec::with_capacity(n),
            origins: Vec::with_capacity(n),
            bytes_to_device: 0,
            bytes_from_device: 0,
        };
        for (array, (mapped, movement)) in wanted.arrays.iter().zip(wanted.movements).enumerate() {
            let fault = |error| MappingError { array, error };
            match wanted.homes.get(array).and_then(Home::present) {
                Some(entry) => {
                    this.origins.push(entry.origin(&mapped.array));
                    this.memory.push(Memory::Present(Arc::clone(entry)));
                    told.tell(&Event {
                        array,
                        kind: EventKind::Present,
                        elements: mapped.section,
                        bytes: mapped.count() * mapped.array.elem() as u64,
                    });
                    let covers = wanted.overwritten.get(array).copied().unwrap_or(false) && entry.is(mapped);
                    if !entry.is_filled() && !covers {
                        let all = entry.elements_of(&mapped.array).ok_or_else(|| {
                            fault(DeviceError::Transfer { reason: "its memory was changed".to_owned() })
                        })?;
                        // SAFETY: by the caller.
                        unsafe { this.upload(device, array, mapped, all, told) }.map_err(fault)?;
                        entry.fill();
                        continue;
                    }
                }
                None => {
                    let bytes = (movement.room.1 - movement.room.0) as usize * mapped.array.elem();
                    let buffer = device.alloc(bytes.max(LEAST)).map_err(fault)?;
                    told.tell(&Event {
                        array,
                        kind: EventKind::Alloc,
                        elements: movement.room,
                        bytes: bytes as u64,
                    });
                    this.origins.push(movement.room.0.cast_signed());
                    this.memory.push(Memory::Own(buffer, movement.room.0));
                }
            }
            if let Some(range) = movement.upload {
                // SAFETY: by the caller.
                unsafe { this.upload(device, array, mapped, range, told) }.map_err(fault)?;
            }
        }
        Ok(this)
    }

    /// Copies elements to the device.
    ///
    /// # Safety
    /// As for [`Self::open`].
    unsafe fn upload(
        &mut self,
        device: &dyn DynDevice,
        array: usize,
        mapped: &Mapped,
        (lo, hi): (u64, u64),
        told: &mut Moves,
    ) -> Result<(), DeviceError> {
        // SAFETY: the caller holds the borrow and keeps writers out.
        let host = unsafe { mapped.array.bytes(lo, hi) };
        let bytes = host.len() as u64;
        device.upload(self.buffer(array), self.offset(array, mapped, lo), host)?;
        self.bytes_to_device += bytes;
        told.tell(&Event { array, kind: EventKind::Upload, elements: (lo, hi), bytes });
        Ok(())
    }

    /// Where element `i` of an array stands in its buffer, in bytes.
    fn offset(&self, array: usize, mapped: &Mapped, i: u64) -> usize {
        match &self.memory[array] {
            Memory::Own(_, first) => (i - first) as usize * mapped.array.elem(),
            Memory::Present(entry) => entry.offset(&mapped.array, i),
        }
    }

    /// The buffer of an array.
    #[must_use]
    pub fn buffer(&self, array: usize) -> &DynBuffer {
        match &self.memory[array] {
            Memory::Own(buffer, _) => buffer,
            Memory::Present(entry) => &entry.buffer,
        }
    }

    /// The element of an array, maybe before its first, that stands at the start of its buffer.
    #[must_use]
    pub fn origin(&self, array: usize) -> i64 {
        self.origins[array]
    }

    /// Copies back what the region brings back.
    ///
    /// # Errors
    /// What failed first; arrays before it have their new values.
    ///
    /// # Safety
    /// The arrays' borrows last until the call returns, nobody else touches their elements meanwhile, and the device
    /// holds valid values: it does, as buffers start from the host's values or are wholly written, and kernels
    /// write valid values only.
    pub unsafe fn bring_back(
        &mut self,
        device: &dyn DynDevice,
        wanted: &Wanted<'_>,
        told: &mut Moves,
    ) -> Result<(), MappingError> {
        for (array, (mapped, movement)) in wanted.arrays.iter().zip(wanted.movements).enumerate() {
            // Without `&mut` there is nothing that could have changed.
            if let Some((lo, hi)) = movement.download.filter(|_| mapped.array.is_writable()) {
                // SAFETY: the caller holds the borrow alone, and the values are valid.
                let host = unsafe { mapped.array.bytes_mut(lo, hi) };
                let bytes = host.len() as u64;
                device
                    .download(host, self.buffer(array), self.offset(array, mapped, lo))
                    .map_err(|error| MappingError { array, error })?;
                self.bytes_from_device += bytes;
                told.tell(&Event { array, kind: EventKind::Download, elements: (lo, hi), bytes });
            }
        }
        Ok(())
    }
}

/// Something that happened to an array, for `OMP_INFO`.
#[derive(Debug, Clone, Copy)]
pub struct Event {
    /// Position of the array.
    pub array: usize,
    /// What happened.
    pub kind: EventKind,
    /// Which elements.
    pub elements: (u64, u64),
    /// How many bytes.
    pub bytes: u64,
}

/// What can happen to an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum EventKind {
    Alloc,
    Present,
    Upload,
    Download,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::HostArray;
    use omp_kernels::ir::ids::AccessId;
    use std::collections::BTreeSet;

    fn facts(overwritten: bool, footprint: Option<(u64, u64)>, unproved: &[u32]) -> LaunchFacts {
        LaunchFacts {
            dims: Vec::new(),
            total: Some(1),
            unproved: unproved.iter().map(|a| AccessId(*a)).collect(),
            race: None,
            index32: true,
            claims: BTreeSet::new(),
            numbering: Default::default(),
            inner_trips: Some(0),
            overwritten: vec![overwritten],
            footprint: vec![footprint],
        }
    }

    #[test]
    fn movements_by_map_type() {
        use MapType::{Alloc, From, To, ToFrom};
        let all = Some((0, 8));
        for (map, written, read, overwritten, upload, download) in [
            (Some(To), false, true, false, all, None),
            (Some(ToFrom), true, true, false, all, all),
            (Some(ToFrom), true, false, true, all, all),
            (Some(ToFrom), false, true, false, all, None),
            (Some(From), true, false, true, None, all),
            (Some(From), true, false, false, all, all),
            (Some(From), false, true, false, all, None),
            (Some(Alloc), true, true, true, None, None),
            (Some(Alloc), true, true, false, all, None),
            (None, false, true, false, all, None),
            (None, true, false, true, None, all),
            (None, true, false, false, all, all),
            (None, false, false, false, None, None),
        ] {
            let param = ArrayParam { name: "x".into(), section: false, map, written, read };
            let mapped = Mapped::whole(HostArray::read(&[0u32; 8]).raw());
            let got = Movement::of(&param, &mapped, &facts(overwritten, None, &[]), 0);
            assert_eq!((got.upload, got.download), (upload, download), "{param:?} {overwritten}");
        }
    }

    #[test]
    fn implicit_maps_follow_the_footprint_unless_something_is_unproved() {
        let mapped = Mapped::whole(HostArray::read(&[0u32; 8]).raw());
        let mut param = ArrayParam { name: "x".into(), section: false, map: None, written: true, read: true };
        let got = Movement::of(&param, &mapped, &facts(false, Some((2, 5)), &[]), 0);
        assert_eq!(got, Movement { room: (0, 5), upload: Some((2, 5)), download: Some((2, 5)) });
        let got = Movement::of(&param, &mapped, &facts(false, Some((2, 2)), &[]), 0);
        assert_eq!(got, Movement { room: (0, 2), upload: None, download: None });
        let whole = Movement { room: (0, 8), upload: Some((0, 8)), download: Some((0, 8)) };
        assert_eq!(Movement::of(&param, &mapped, &facts(false, Some((2, 5)), &[1]), 0), whole);
        assert_eq!(Movement::of(&param, &mapped, &facts(false, None, &[]), 0), whole);
        param.map = Some(MapType::ToFrom);
        assert_eq!(Movement::of(&param, &mapped, &facts(false, Some((2, 5)), &[]), 0), whole);
    }
}
