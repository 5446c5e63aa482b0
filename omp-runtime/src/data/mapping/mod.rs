//! Device memory of a region's arrays: which bytes are copied to it and which come back.
//!
//! * Elements that the body does not write are never copied back. Elements that it neither reads nor writes are not copied at
//!   all.
//! * `from` and `alloc` start from the host's values, unless every element is proved to be written before it is read. So
//!   unwritten elements keep their values, and every value that comes back is valid.
//! * Of an array without a `map`, the footprint of its subscripts is copied, if it is known, and the written part comes back. Of
//!   a `map` with several sections, the sections are copied if the subscripts are known to stay in them; otherwise the gaps
//!   between them as well.
//! * Small arrays share a buffer and one transfer each way ([`pack`]).
//! * If the kernel has failed, nothing comes back.
//! * Present data is used directly and not copied, except under `always`.
mod arrival;
pub(super) mod pack;
#[cfg(test)]
mod tests;

pub use self::arrival::Arrival;

use super::present::Presence;
use super::section::Mapped;
use crate::backend::api::DeviceError;
use crate::backend::erased::{DynArg, DynBuffer, DynDevice};
use crate::backend::size::Bytes;
use crate::backend::submission::Submission;
use crate::observe::Moves;
use omp_ir::analysis::plan::{Footprint, LaunchFacts};
use omp_ir::template::{ArrayParam, MapType};
use pack::Pack;
use std::mem::MaybeUninit;
use std::ops::Range;

/// The ranges that are allocated and copied for one array, in elements of the whole array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Movement {
    /// The elements in device memory, if it is the region's own.
    pub room: (u64, u64),
    /// What the kernel may touch.
    pub touched: Vec<(u64, u64)>,
    /// Copied before the launch, whatever is there.
    pub upload: Vec<(u64, u64)>,
    /// Copied after it.
    pub download: Vec<(u64, u64)>,
}

/// A copy of so many bytes more is cheaper than a second copy.
const WORTH_A_COPY: u64 = 4096;

/// So many bytes before the first that is touched are left out of device memory. Fewer are not worth a kernel of its own,
/// which has to know where its memory begins.
const WORTH_A_KERNEL: u64 = 1 << 20;

/// Elements by which memory may begin later: any number of them is well aligned.
const ALIGNED: u64 = 256;

/// An array of a launch.
#[derive(Debug, Clone, Copy)]
pub struct Wish<'a> {
    /// Its parameter.
    pub param: &'a ArrayParam,
    /// The array; the section spans all sections.
    pub mapped: &'a Mapped,
    /// The sections of its `map`, in order; none where there is no more than one.
    pub sections: &'a [(u64, u64)],
    /// What its subscripts access, if they are understood.
    pub footprint: Option<&'a Footprint>,
    /// Every element of the section (without a `map`, every one that is touched) is certainly written, and none is read.
    pub overwritten: bool,
}

impl<'a> Wish<'a> {
    /// Array `i` of a launch.
    #[must_use]
    pub fn of(
        param: &'a ArrayParam,
        mapped: &'a Mapped,
        sections: &'a [(u64, u64)],
        facts: &'a LaunchFacts,
        i: usize,
    ) -> Self {
        let footprint = facts.footprint.get(i).and_then(Option::as_ref);
        let overwritten = facts.overwritten.get(i).copied().unwrap_or(false);
        Self { param, mapped, sections, footprint, overwritten }
    }

    /// The elements that have to be on the device.
    #[must_use]
    pub fn touched(&self) -> &'a [(u64, u64)] {
        match (self.param.map, self.footprint) {
            (None, _) if !self.param.read && !self.param.written => &[],
            (None, Some(footprint)) => &footprint.all,
            (Some(_), Some(footprint)) if !self.sections.is_empty() => {
                let inside = |r: &(u64, u64)| self.sections.iter().any(|s| s.0 <= r.0 && r.1 <= s.1);
                if footprint.all.iter().all(inside) { self.sections } else { self.hull() }
            }
            _ => self.hull(),
        }
    }

    fn hull(&self) -> &'a [(u64, u64)] {
        let hull = std::slice::from_ref(&self.mapped.section);
        if self.mapped.count() == 0 { &[] } else { hull }
    }

    /// If a data directive has put it there.
    #[must_use]
    pub fn present(&self, always: bool) -> Movement {
        let touched = self.touched().to_vec();
        let of = |types: [MapType; 2]| match self.param.map {
            Some(map) if always && types.contains(&map) => touched.clone(),
            _ => Vec::new(),
        };
        Movement {
            room: self.mapped.section,
            upload: of([MapType::To, MapType::ToFrom]),
            download: of([MapType::From, MapType::ToFrom]),
            touched,
        }
    }

    /// If the region has it for itself.
    #[must_use]
    pub fn own(&self) -> Movement {
        let lo = self.mapped.section.0;
        if !self.param.read && !self.param.written {
            return Movement { room: (lo, lo), touched: vec![], upload: vec![], download: vec![] };
        }
        let size = self.mapped.array.elem().max(1) as u64;
        let apart = |ranges: &[(u64, u64)]| joined(ranges, WORTH_A_COPY / size);
        let touched = apart(self.touched());
        let starts_anywhere = match self.param.map {
            Some(MapType::To | MapType::ToFrom) => false,
            Some(MapType::From | MapType::Alloc) | None => self.overwritten,
        };
        let download = match (self.param.map, self.footprint) {
            (Some(MapType::To | MapType::Alloc), _) => Vec::new(),
            _ if !self.param.written => Vec::new(),
            (None, Some(footprint)) => apart(&footprint.written),
            _ => touched.clone(),
        };
        let start = touched.first().map_or(lo, |r| r.0 - r.0 % ALIGNED);
        let far = !self.param.section && start.saturating_sub(lo).saturating_mul(size) >= WORTH_A_KERNEL;
        Movement {
            room: (if far { start } else { lo }, touched.last().map_or(lo, |r| r.1)),
            upload: if starts_anywhere { Vec::new() } else { touched.clone() },
            download,
            touched,
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
    /// That of a data directive; alive as long as it is used.
    Present(Presence),
}

impl Home {
    /// Where a data directive has put it.
    #[must_use]
    pub fn present(&self) -> Option<&Presence> {
        match self {
            Self::Present(presence) => Some(presence),
            Self::Own => None,
        }
    }
}

#[derive(Debug)]
enum Memory {
    /// Freed at the end of the region. With the element at its start.
    Own(DynBuffer, u64),
    /// In the buffer of the region's small arrays: the offset, and the element there.
    Packed(Range<usize>, u64),
    Present(Presence),
}

/// The arrays of a running region in device memory.
#[derive(Debug)]
pub struct Environment {
    memory: Vec<Memory>,
    /// The memory of small arrays.
    pack: Option<Pack>,
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
    /// Values of tasks under way that are for the host, and that the device already has, in the order of addresses.
    pub forwarded: &'a [Forwarded<'a>],
}

/// Values that a task under way will copy to the host. A task that needs them on the device takes them from the first task's device
/// memory (forwarding).
#[derive(Debug)]
pub struct Forwarded<'a> {
    /// The array that they are for.
    pub array: usize,
    /// Host addresses.
    pub range: Range<u128>,
    /// Their place in the task's device memory.
    pub from: (&'a DynBuffer, usize),
}

impl Environment {
    /// Allocates all arrays that are not there, and copies what has to be.
    ///
    /// # Errors
    /// What failed first. Everything allocated until then is released.
    ///
    /// # Safety
    /// The arrays' borrows last until the call returns, and no other code writes their elements meanwhile.
    pub unsafe fn open(
        submission: Submission<'_>,
        wanted: &Wanted<'_>,
        moves: &mut Moves,
    ) -> Result<Self, MappingError> {
        let n = wanted.arrays.len();
        let mut this = Self {
            memory: Vec::with_capacity(n),
            // SAFETY: by the caller.
            pack: unsafe { Pack::open(submission, wanted) },
            origins: Vec::with_capacity(n),
            bytes_to_device: 0,
            bytes_from_device: 0,
        };
        for (array, (mapped, movement)) in wanted.arrays.iter().zip(wanted.movements).enumerate() {
            let fault = |error| MappingError { array, error };
            match wanted.homes.get(array).and_then(Home::present) {
                Some(presence) => {
                    this.origins.push(presence.origin(&mapped.array));
                    this.memory.push(Memory::Present(presence.clone()));
                    moves.record(&Event {
                        array,
                        kind: EventKind::Present,
                        elements: mapped.section,
                        bytes: mapped.bytes(),
                    });
                }
                None => {
                    let bytes = Bytes::of(movement.room.1 - movement.room.0, mapped.array.elem());
                    let packed = this.pack.as_ref().and_then(|pack| pack.place(array)).cloned();
                    this.memory.push(match packed {
                        Some(place) => Memory::Packed(place, movement.room.0),
                        None => Memory::Own(
                            submission.alloc(bytes.at_least(LEAST)).map_err(fault)?,
                            movement.room.0,
                        ),
                    });
                    moves.record(&Event {
                        array,
                        kind: EventKind::Alloc,
                        elements: movement.room,
                        bytes: bytes.shown(),
                    });
                    this.origins.push(movement.room.0.cast_signed());
                }
            }
            for &range in &movement.upload {
                // SAFETY: by the caller.
                unsafe { this.upload(submission, wanted, array, range, moves) }.map_err(fault)?;
            }
            // SAFETY: by the caller.
            unsafe { this.complete(submission, wanted, array, moves) }.map_err(fault)?;
        }
        Ok(this)
    }

    /// Copies what the kernel may touch of present data and has no values there yet, unless the kernel is certain to write
    /// all of it.
    ///
    /// # Safety
    /// As for [`Self::open`].
    unsafe fn complete(
        &mut self,
        submission: Submission<'_>,
        wanted: &Wanted<'_>,
        array: usize,
        moves: &mut Moves,
    ) -> Result<(), DeviceError> {
        let (mapped, movement) = (&wanted.arrays[array], &wanted.movements[array]);
        let Some(presence) = wanted.homes.get(array).and_then(Home::present) else { return Ok(()) };
        let address = |i| mapped.array.address(i);
        for &(lo, hi) in &movement.upload {
            presence.entries().for_each(|entry| entry.fill(address(lo), address(hi)));
        }
        if wanted.overwritten.get(array).copied().unwrap_or(false) {
            return Ok(());
        }
        let size = mapped.array.elem().max(1) as u128;
        for &(lo, hi) in &movement.touched {
            let (lo, hi) = (address(lo), address(hi));
            for (entry, (lo, hi)) in presence.missing(lo, hi) {
                // SAFETY: the caller holds the borrow and keeps writers out.
                let host = unsafe { mapped.array.bytes_at(lo, hi) };
                submission.upload(&presence.block().buffer, presence.block().offset(lo), host)?;
                entry.fill(lo, hi);
                self.bytes_to_device += host.len() as u64;
                let first = address(0);
                let elements = (((lo - first) / size) as u64, (hi - first).div_ceil(size) as u64);
                moves.record(&Event { array, kind: EventKind::Upload, elements, bytes: host.len() as u64 });
            }
        }
        Ok(())
    }

    /// Copies elements to the device: what a task under way has changed from its memory there, all else from the host's.
    ///
    /// # Safety
    /// As for [`Self::open`].
    unsafe fn upload(
        &mut self,
        submission: Submission<'_>,
        wanted: &Wanted<'_>,
        array: usize,
        (lo, hi): (u64, u64),
        moves: &mut Moves,
    ) -> Result<(), DeviceError> {
        let mapped = &wanted.arrays[array];
        let (first, end) = (mapped.array.address(lo), mapped.array.address(hi));
        let mine = wanted.forwarded.iter().filter(|part| part.array == array);
        let (mut at, mut bytes) = (first, 0);
        for part in mine.filter(|part| part.range.start < end && first < part.range.end) {
            let (from, to) = (part.range.start.max(first), part.range.end.min(end));
            // SAFETY: by the caller.
            bytes += unsafe { self.upload_host(submission, array, mapped, at..from) }?;
            let place = (self.buffer(array), self.offset_at(array, mapped, from));
            let source = (part.from.0, part.from.1 + (from - part.range.start) as usize);
            submission.copy(place, source, (to - from) as usize)?;
            let size = mapped.array.elem().max(1) as u128;
            let element = |address: u128| ((address - mapped.array.address(0)) / size) as u64;
            let elements = (element(from), element(to));
            moves.record(&Event { array, kind: EventKind::Forwarded, elements, bytes: (to - from) as u64 });
            at = to;
        }
        // SAFETY: by the caller.
        bytes += unsafe { self.upload_host(submission, array, mapped, at..end) }?;
        if bytes > 0 {
            self.bytes_to_device += bytes;
            moves.record(&Event { array, kind: EventKind::Upload, elements: (lo, hi), bytes });
        }
        Ok(())
    }

    /// Copies the values at these host addresses to the device; gives the number of bytes.
    ///
    /// # Safety
    /// As for [`Self::open`].
    unsafe fn upload_host(
        &self,
        submission: Submission<'_>,
        array: usize,
        mapped: &Mapped,
        range: Range<u128>,
    ) -> Result<u64, DeviceError> {
        // Packed arrays have been copied already.
        if !range.is_empty() && !matches!(self.memory[array], Memory::Packed(..)) {
            // SAFETY: the caller holds the borrow and keeps writers out.
            let host = unsafe { mapped.array.bytes_at(range.start, range.end) };
            submission.upload(self.buffer(array), self.offset_at(array, mapped, range.start), host)?;
        }
        Ok(range.end.saturating_sub(range.start) as u64)
    }

    /// The place of values that a region copies back, if it is in memory of the region's own. If the loop `may_stop` half-way, what it
    /// should write as a whole may have no values.
    #[must_use]
    pub fn own_place(
        &self,
        wanted: &Wanted<'_>,
        range: &Range<u128>,
        may_stop: bool,
    ) -> Option<(&DynBuffer, usize)> {
        wanted.arrays.iter().zip(wanted.movements).enumerate().find_map(|(array, (mapped, movement))| {
            let own = !matches!(self.memory[array], Memory::Present(_)) && mapped.array.is_writable();
            let own = own && !(may_stop && wanted.overwritten.get(array).copied().unwrap_or(false));
            let address = |i| mapped.array.address(i);
            let inside = |r: &&(u64, u64)| address(r.0) <= range.start && range.end <= address(r.1);
            movement.download.iter().find(inside).filter(|_| own)?;
            Some((self.buffer(array), self.offset_at(array, mapped, range.start)))
        })
    }

    /// The offset of element `i` of an array in its buffer, in bytes.
    fn offset(&self, array: usize, mapped: &Mapped, i: u64) -> usize {
        self.offset_at(array, mapped, mapped.array.address(i))
    }

    /// The offset of this host address in its buffer.
    fn offset_at(&self, array: usize, mapped: &Mapped, address: u128) -> usize {
        let offset = |first: &u64| (address - mapped.array.address(*first)) as usize;
        match &self.memory[array] {
            Memory::Own(_, first) => offset(first),
            Memory::Packed(place, first) => place.start + offset(first),
            Memory::Present(presence) => presence.block().offset(address),
        }
    }

    /// An array as a kernel's argument.
    #[must_use]
    pub fn arg(&self, array: usize) -> DynArg<'_> {
        match (&self.memory[array], &self.pack) {
            (Memory::Packed(place, _), Some(pack)) => pack.arg(place),
            _ => DynArg::Buffer(self.buffer(array)),
        }
    }

    /// The buffer that an array is in.
    fn buffer(&self, array: usize) -> &DynBuffer {
        match &self.memory[array] {
            Memory::Own(buffer, _) => buffer,
            Memory::Packed(..) => &self.pack.as_ref().expect("packed arrays have a pack").buffer,
            Memory::Present(presence) => &presence.block().buffer,
        }
    }

    /// The element of an array, maybe before its first one, at the start of its buffer.
    #[must_use]
    pub fn origin(&self, array: usize) -> i64 {
        self.origins[array]
    }

    /// The buffer of an array, the offset of element `i`, and the offset of the part that kernels get.
    #[must_use]
    pub fn place(&self, array: usize, mapped: &Mapped, i: u64) -> (&DynBuffer, usize, usize) {
        let start = match (&self.memory[array], &self.pack) {
            (Memory::Packed(place, _), Some(_)) => place.start,
            _ => 0,
        };
        (self.buffer(array), self.offset(array, mapped, i), start)
    }

    /// Copies back what the region brings back.
    ///
    /// # Errors
    /// What failed first; arrays before it have their new values.
    ///
    /// # Safety
    /// The arrays' borrows last until the call returns, no other code accesses their elements meanwhile, and the device
    /// holds valid values: it does, as buffers start from the host's values or are wholly written, and kernels
    /// write valid values only.
    pub unsafe fn bring_back(
        &mut self,
        device: &dyn DynDevice,
        wanted: &Wanted<'_>,
        moves: &mut Moves,
    ) -> Result<(), MappingError> {
        let mut packed = Vec::new();
        for (array, (mapped, movement)) in wanted.arrays.iter().zip(wanted.movements).enumerate() {
            // Without `&mut` there is nothing that could have changed.
            for &(lo, hi) in movement.download.iter().filter(|_| mapped.array.is_writable()) {
                let fault = |error| MappingError { array, error };
                // SAFETY: the caller holds the borrow alone, and the values are valid.
                let host = unsafe { mapped.array.bytes_mut(lo, hi) };
                let bytes = host.len() as u64;
                let offset = self.offset(array, mapped, lo);
                match (&self.memory[array], &self.pack) {
                    (Memory::Packed(..), Some(pack)) => {
                        let back = pack.back();
                        if packed.is_empty() {
                            packed.resize(back.len(), MaybeUninit::new(0u8));
                            device.download(&mut packed, &pack.buffer, back.start).map_err(fault)?;
                        }
                        let start = offset - back.start;
                        host.copy_from_slice(&packed[start..start + host.len()]);
                    }
                    _ => device.download(host, self.buffer(array), offset).map_err(fault)?,
                }
                self.bytes_from_device += bytes;
                moves.record(&Event { array, kind: EventKind::Download, elements: (lo, hi), bytes });
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
    /// From a task under way, within the device.
    Forwarded,
    Upload,
    Download,
}

/// Joins ranges that are in order where no more than `gap` is between them.
fn joined(ranges: &[(u64, u64)], gap: u64) -> Vec<(u64, u64)> {
    let mut out: Vec<(u64, u64)> = Vec::with_capacity(ranges.len());
    for &(lo, hi) in ranges {
        match out.last_mut() {
            Some(last) if lo - last.1 <= gap => last.1 = hi,
            _ => out.push((lo, hi)),
        }
    }
    out
}

#[cfg(test)]
mod joining {
    #[test]
    fn small_gaps_are_joined() {
        assert_eq!(super::joined(&[(0, 3), (5, 6), (9, 10)], 2), [(0, 6), (9, 10)]);
    }
}
