//! Small arrays of a region share one buffer: one transfer to the device, one back.
//!
//! Arrays that only go to the device come first, then those that go both ways, then those that only come back. Each begins at an
//! aligned offset. So both transfers are contiguous; the padding between arrays is transferred as well.
use super::{Home, Wanted};
use crate::backend::api::{DeviceError, PART_ALIGN};
use crate::backend::erased::{DynArg, DynBuffer};
use crate::backend::submission::Submission;
use std::mem::MaybeUninit;
use std::ops::Range;

/// The largest array that is packed.
const SMALL: usize = 16 << 10;
/// The most that is packed.
const MOST: usize = 64 << 10;

/// Arrays that share a buffer.
#[derive(Debug)]
pub(super) struct Pack {
    pub buffer: DynBuffer,
    /// By array: its place in the buffer.
    places: Vec<Option<Range<usize>>>,
    /// What is copied back.
    back: Range<usize>,
}

/// Which way an array goes: first what only goes to the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Course {
    There,
    ThereAndBack,
    Back,
}

impl Pack {
    /// Puts the small arrays into one buffer and what goes to the device into it. Nothing if there are not two of them, or if
    /// that fails: then each of them may be tried alone.
    ///
    /// # Safety
    /// The arrays' borrows last until the call returns, and no other code writes their elements meanwhile.
    pub(in crate::data) unsafe fn open(submission: Submission<'_>, wanted: &Wanted<'_>) -> Option<Self> {
        if !submission.packs() {
            return None;
        }
        let (places, order) = places(wanted)?;
        let of = |courses: [Course; 2]| {
            let mut span: Option<Range<usize>> = None;
            for (array, course) in &order {
                if let Some(place) = places[*array].clone().filter(|_| courses.contains(course)) {
                    span = Some(span.map_or(place.clone(), |span| span.start..place.end));
                }
            }
            span.unwrap_or(0..0)
        };
        let back = of([Course::ThereAndBack, Course::Back]);
        let there = of([Course::There, Course::ThereAndBack]);
        let end = places.iter().flatten().map(|place| place.end).max()?;
        let pack = Self { buffer: submission.alloc(end.into()).ok()?, places, back };
        // SAFETY: by the caller.
        unsafe { pack.fill(submission, wanted, &there) }.ok()?;
        Some(pack)
    }

    /// # Safety
    /// As for [`Self::open`].
    unsafe fn fill(
        &self,
        submission: Submission<'_>,
        wanted: &Wanted<'_>,
        there: &Range<usize>,
    ) -> Result<(), DeviceError> {
        if there.is_empty() {
            return Ok(());
        }
        let mut bytes = vec![MaybeUninit::new(0u8); there.len()];
        for (array, (mapped, movement)) in wanted.arrays.iter().zip(wanted.movements).enumerate() {
            let Some(place) = &self.places[array] else { continue };
            for &(lo, hi) in &movement.upload {
                // SAFETY: the caller holds the borrow and keeps writers out.
                let host = unsafe { mapped.array.bytes(lo, hi) };
                let start = place.start - there.start + (lo - movement.room.0) as usize * mapped.array.elem();
                bytes[start..start + host.len()].copy_from_slice(host);
            }
        }
        submission.upload(&self.buffer, there.start, &bytes)
    }

    /// The place of an array in the buffer, if it is packed.
    pub(in crate::data) fn place(&self, array: usize) -> Option<&Range<usize>> {
        self.places.get(array).and_then(Option::as_ref)
    }

    /// What is copied back.
    pub(in crate::data) fn back(&self) -> &Range<usize> {
        &self.back
    }

    /// An array of the pack as an argument.
    pub(super) fn arg(&self, place: &Range<usize>) -> DynArg<'_> {
        DynArg::Part(&self.buffer, place.start, place.len())
    }
}

/// The places of the small arrays, and the arrays in that order with their courses.
#[allow(clippy::type_complexity, reason = "two lists")]
fn places(wanted: &Wanted<'_>) -> Option<(Vec<Option<Range<usize>>>, Vec<(usize, Course)>)> {
    let mut order = Vec::new();
    for (array, (mapped, movement)) in wanted.arrays.iter().zip(wanted.movements).enumerate() {
        let there = !movement.upload.is_empty();
        let back = !movement.download.is_empty() && mapped.array.is_writable();
        let own = wanted.homes.get(array).and_then(Home::present).is_none();
        let bytes = (movement.room.1 - movement.room.0).saturating_mul(mapped.array.elem() as u64);
        let course = match (there, back) {
            (true, false) => Course::There,
            (true, true) => Course::ThereAndBack,
            (false, true) => Course::Back,
            (false, false) => continue,
        };
        if own && bytes > 0 && bytes <= SMALL as u64 {
            order.push((array, course, bytes as usize));
        }
    }
    order.sort_by_key(|(_, course, _)| *course);
    let mut places = vec![None; wanted.arrays.len()];
    let (mut end, mut packed) = (0usize, Vec::new());
    for (array, course, bytes) in order {
        let start = end.next_multiple_of(PART_ALIGN);
        if start + bytes <= MOST {
            end = start + bytes;
            places[array] = Some(start..end);
            packed.push((array, course));
        }
    }
    (packed.len() > 1).then_some((places, packed))
}
