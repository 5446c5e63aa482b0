//! Device memory of a region's arrays: what is copied to it and what comes back.
//!
//! * What the body does not write is never copied back; what it neither reads nor writes is not copied at all.
//! * `from` and `alloc` start from the host's values, unless every element is certainly written before it is read: so
//!   elements that stay unwritten keep their values, and what comes back is always valid.
//! * An array without a `map` is copied as far as its subscripts reach, where they tell.
//! * When the kernel has failed, nothing comes back.
use super::section::Mapped;
use crate::backend::api::DeviceError;
use crate::backend::erased::{DynBuffer, DynDevice};
use crate::observe::Moves;
use omp_kernels::analysis::plan::LaunchFacts;
use omp_kernels::ir::template::{ArrayParam, MapType};

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
    /// Of array `i` of a launch.
    #[must_use]
    pub fn of(param: &ArrayParam, mapped: &Mapped, facts: &LaunchFacts, i: usize) -> Self {
        let (lo, hi) = mapped.section;
        if !param.read && !param.written {
            return Self { room: (lo, lo), upload: None, download: None };
        }
        // A subscript that the kernel checks may go anywhere.
        let footprint = facts.footprint.get(i).copied().flatten().filter(|_| facts.unproved.is_empty());
        let touched = match (param.map, footprint) {
            (None, Some((from, to))) => {
                let from = from.clamp(lo, hi);
                (from, to.clamp(from, hi))
            }
            _ => (lo, hi),
        };
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

/// The arrays of a running region in device memory.
#[derive(Debug)]
pub struct Environment {
    buffers: Vec<DynBuffer>,
    /// Bytes copied to the device.
    pub bytes_to_device: u64,
    /// Bytes copied back.
    pub bytes_from_device: u64,
}

/// The least that is allocated, for arrays of which nothing is mapped.
const LEAST: usize = 16;

impl Environment {
    /// Allocates all arrays and copies what has to be there.
    ///
    /// # Errors
    /// What failed first. Everything allocated until then is released.
    ///
    /// # Safety
    /// The arrays' borrows last until the call returns, and nobody writes their elements meanwhile.
    pub unsafe fn open(
        device: &dyn DynDevice,
        arrays: &[Mapped],
        movements: &[Movement],
        told: &mut Moves,
    ) -> Result<Self, MappingError> {
        let mut this =
            Self { buffers: Vec::with_capacity(arrays.len()), bytes_to_device: 0, bytes_from_device: 0 };
        for (array, (mapped, movement)) in arrays.iter().zip(movements).enumerate() {
            let fault = |error| MappingError { array, error };
            let bytes = (movement.room.1 - movement.room.0) as usize * mapped.array.elem();
            let buffer = device.alloc(bytes.max(LEAST)).map_err(fault)?;
            told.tell(&Event { array, kind: EventKind::Alloc, elements: movement.room, bytes: bytes as u64 });
            if let Some((lo, hi)) = movement.upload {
                // SAFETY: the caller holds the borrow and keeps writers out.
                let host = unsafe { mapped.array.bytes(lo, hi) };
                let offset = (lo - movement.room.0) as usize * mapped.array.elem();
                device.upload(&buffer, offset, host).map_err(fault)?;
                this.bytes_to_device += host.len() as u64;
                told.tell(&Event {
                    array,
                    kind: EventKind::Upload,
                    elements: (lo, hi),
                    bytes: host.len() as u64,
                });
            }
            this.buffers.push(buffer);
        }
        Ok(this)
    }

    /// The buffer of an array.
    #[must_use]
    pub fn buffer(&self, array: usize) -> &DynBuffer {
        &self.buffers[array]
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
        arrays: &[Mapped],
        movements: &[Movement],
        told: &mut Moves,
    ) -> Result<(), MappingError> {
        for (array, (mapped, movement)) in arrays.iter().zip(movements).enumerate() {
            if let Some((lo, hi)) = movement.download {
                // SAFETY: the caller holds the borrow alone, and the values are valid.
                let host = unsafe { mapped.array.bytes_mut(lo, hi) };
                let bytes = host.len() as u64;
                let offset = (lo - movement.room.0) as usize * mapped.array.elem();
                device
                    .download(host, &self.buffers[array], offset)
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
    Upload,
    Download,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::HostArray;
    use omp_kernels::ir::ids::AccessId;

    fn facts(overwritten: bool, footprint: Option<(u64, u64)>, unproved: &[u32]) -> LaunchFacts {
        LaunchFacts {
            dims: Vec::new(),
            total: Some(1),
            unproved: unproved.iter().map(|a| AccessId(*a)).collect(),
            race: None,
            index32: true,
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
