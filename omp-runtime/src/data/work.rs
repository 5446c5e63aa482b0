//! The items of a data directive on one device: looked up, allocated, copied, all or nothing.
use super::present::{Entry, Found, asked, find_in};
use super::section::{Mapped, overlap};
use crate::backend::api::DeviceError;
use crate::device::Dev;
use crate::error::{Error, Mapping, Place};
use crate::launch::fault::{Fault, mapping};
use crate::observe::{self, Deed, Moved};
use omp_kernels::ir::desc::TypeDesc;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

/// The types of `map`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum DataMap {
    To,
    From,
    ToFrom,
    Alloc,
    Release,
    Delete,
}

impl DataMap {
    pub(super) fn sends(self) -> bool {
        matches!(self, Self::To | Self::ToFrom)
    }

    pub(super) fn brings_back(self) -> bool {
        matches!(self, Self::From | Self::ToFrom)
    }
}

/// A `map` with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Map {
    /// The type.
    pub ty: DataMap,
    /// `always`
    pub always: bool,
    /// `present`
    pub present: bool,
}

/// An array of a directive.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub variable: &'static str,
    pub map: Map,
    pub mapped: Mapped,
    /// The sections as written, if there are any: `mapped` spans them.
    pub sections: Vec<(u64, u64)>,
    /// `target_update!` of parts of the elements: the ranges on each level below.
    pub inner: Vec<(u64, u64)>,
    pub desc: &'static TypeDesc,
}

impl Item {
    /// A section without parts.
    pub(super) fn of(variable: &'static str, map: Map, mapped: Mapped) -> Self {
        Self { variable, map, mapped, sections: Vec::new(), inner: Vec::new(), desc: &TypeDesc::Unit }
    }
}

/// The items of a directive and the device that they go to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Work<'a> {
    pub place: &'static Place,
    pub device: &'static Dev,
    pub items: &'a [Item],
    /// What it has copied.
    pub moved: &'a Moved,
}

/// What an item holds on the device; nothing if it has no elements.
pub(super) type Held = Option<Arc<Entry>>;

impl Work<'_> {
    /// Makes everything present, each item with a reference more, or nothing.
    ///
    /// # Safety
    /// The items' borrows last until the call returns, and nobody writes their elements meanwhile.
    pub(super) unsafe fn enter(&self) -> Result<Vec<Held>, Error> {
        let table = &self.device.present;
        let _turn = table.turn();
        let mut held: Vec<Held> = Vec::with_capacity(self.items.len());
        for item in self.items {
            // SAFETY: by the caller.
            match unsafe { self.enter_one(item) } {
                Ok(entry) => held.push(entry),
                Err(error) => {
                    held.iter().flatten().for_each(|entry| table.release(entry));
                    return Err(error);
                }
            }
        }
        Ok(held)
    }

    /// # Safety
    /// As for [`Self::enter`].
    unsafe fn enter_one(&self, item: &Item) -> Result<Held, Error> {
        if item.mapped.count() == 0 {
            return Ok(None);
        }
        let table = &self.device.present;
        let entry = match table.find(&item.mapped) {
            Found::Here(entry) => {
                if item.map.always && item.map.ty.sends() {
                    // SAFETY: by the caller.
                    unsafe { self.send(item, &entry) }?;
                }
                let _ = table.retain(&entry);
                self.tell(Deed::Present, item, observe::clock());
                entry
            }
            Found::Absent if item.map.present => return Err(self.absent(item)),
            Found::Absent => {
                let entry = self.make(item)?;
                // What comes back has to be valid, whatever the kernels leave out: also `from` and `alloc` start from
                // the host's values.
                // SAFETY: by the caller.
                unsafe { self.send(item, &entry) }?;
                entry.fill();
                table.publish(Arc::clone(&entry));
                entry
            }
            Found::Misfit(misfit) => {
                return Err(misfit.error(self.place, self.device, item.variable, &item.mapped));
            }
        };
        Ok(Some(entry))
    }

    /// Memory for all items that are not present, without their values: nobody but the block sees it. Beside it, what
    /// is present.
    #[allow(clippy::type_complexity, reason = "two lists")]
    ///
    /// # Safety
    /// As for [`Self::enter`].
    pub(super) unsafe fn own(&self) -> Result<(Vec<Held>, Vec<bool>), Error> {
        let (mut entries, mut own) = (Vec::<Held>::with_capacity(self.items.len()), Vec::new());
        for item in self.items {
            let (held, is_own) = match self.device.present.find(&item.mapped) {
                _ if item.mapped.count() == 0 => (None, false),
                Found::Here(entry) => {
                    if item.map.always && item.map.ty.sends() {
                        // SAFETY: by the caller.
                        unsafe { self.send(item, &entry) }?;
                    }
                    (Some(entry), false)
                }
                Found::Absent if item.map.present => return Err(self.absent(item)),
                Found::Misfit(misfit) => {
                    return Err(misfit.error(self.place, self.device, item.variable, &item.mapped));
                }
                Found::Absent => {
                    // What a block maps `to` it only reads.
                    let reads = |other: &Item| other.map.ty == DataMap::To && item.map.ty == DataMap::To;
                    let before = self.items.iter().zip(&entries).filter(|(other, _)| !reads(other));
                    let before: Vec<Arc<Entry>> = before.filter_map(|(_, e)| e.clone()).collect();
                    if !matches!(find_in(&before, &item.mapped), Found::Absent) {
                        return Err(self.twice(item));
                    }
                    (Some(self.make(item)?), true)
                }
            };
            entries.push(held);
            own.push(is_own);
        }
        Ok((entries, own))
    }

    fn twice(&self, item: &Item) -> Error {
        let other = self.items.iter().find(|other| {
            let (lo, hi) = (&other.mapped, &item.mapped);
            other.variable != item.variable && overlap(&[*lo, *hi], |_| true).is_some()
        });
        let of = |item: &Item| mapping(item.variable, &item.mapped);
        Error::Overlap { place: self.place, written: of(item), other: other.map_or_else(|| of(item), of) }
    }

    /// An entry without values.
    fn make(&self, item: &Item) -> Result<Arc<Entry>, Error> {
        let bytes = item.mapped.count() as usize * item.mapped.array.elem();
        let buffer = self.device.handle.alloc(bytes.max(1)).map_err(|e| self.failed(e, item))?;
        self.tell(Deed::Map, item, observe::clock());
        Ok(Arc::new(Entry::new(item.variable, self.place, &item.mapped, buffer, false)))
    }

    /// The entries of all items; each has to be there.
    pub(super) fn find_all(&self) -> Result<Vec<Held>, Error> {
        let find = |item: &Item| match self.device.present.find(&item.mapped) {
            _ if item.mapped.count() == 0 => Ok(None),
            Found::Here(entry) => Ok(Some(entry)),
            Found::Absent => Err(self.absent(item)),
            Found::Misfit(misfit) => Err(misfit.error(self.place, self.device, item.variable, &item.mapped)),
        };
        self.items.iter().map(find).collect()
    }

    pub(super) fn absent(&self, item: &Item) -> Error {
        let lookup = asked(self.device, item.variable, &item.mapped);
        Error::NotPresent { place: self.place, device: self.device.label(), lookup }
    }

    fn failed(&self, error: DeviceError, item: &Item) -> Error {
        if let DeviceError::Lost { reason } = &error {
            self.device.lose(reason);
        }
        let at = self.items.iter().position(|other| std::ptr::eq(other, item)).unwrap_or(0);
        let names: Vec<String> = self.items.iter().map(|i| i.variable.to_owned()).collect();
        let arrays: Vec<Mapped> = self.items.iter().map(|i| i.mapped).collect();
        let fault = Fault::Device { error, array: Some(at), source: None };
        fault.into_error(self.place, self.device.label(), &names, &arrays)
    }

    fn tell(&self, deed: Deed, item: &Item, start: Option<Instant>) {
        observe::data(deed, self.place, self.device, start, || mapping(item.variable, &item.mapped));
    }

    /// A copy of the item's section has ended; so many of its bytes were copied.
    fn copied(&self, deed: Deed, item: &Item, start: Option<Instant>, bytes: usize) {
        let bytes = bytes as u64;
        let (to, from) = self.moved.get();
        self.moved.set(if deed == Deed::ToDevice { (to + bytes, from) } else { (to, from + bytes) });
        let array = || Mapping { bytes, ..mapping(item.variable, &item.mapped) };
        observe::data(deed, self.place, self.device, start, array);
    }

    /// Drops a reference to an item, or all.
    pub(super) fn drop(&self, item: &Item, entry: &Arc<Entry>) {
        let (table, start) = (&self.device.present, observe::clock());
        match item.map.ty {
            DataMap::Delete => table.delete(entry),
            _ => table.release(entry),
        }
        let deed = if item.map.ty == DataMap::Delete { Deed::Delete } else { Deed::Release };
        self.tell(deed, item, start);
    }

    /// Copies the item's section to the device.
    ///
    /// # Safety
    /// As for [`Self::enter`].
    pub(super) unsafe fn send(&self, item: &Item, entry: &Entry) -> Result<(), Error> {
        let (array, start) = (&item.mapped.array, observe::clock());
        let mut bytes = 0;
        for (i, part) in self.pieces(item)? {
            // SAFETY: by the caller.
            let host = &unsafe { array.bytes(i.start, i.end) }[part.clone()];
            let offset = entry.offset(array, i.start) + part.start;
            self.device.handle.upload(&entry.buffer, offset, host).map_err(|e| self.failed(e, item))?;
            bytes += host.len();
        }
        self.copied(Deed::ToDevice, item, start, bytes);
        Ok(())
    }

    /// Copies the item's section to the host.
    ///
    /// # Safety
    /// As for [`Self::enter`], and nobody else touches the elements.
    pub(super) unsafe fn bring_back(&self, item: &Item, entry: &Entry) -> Result<u64, Error> {
        let (array, start) = (&item.mapped.array, observe::clock());
        let mut bytes = 0;
        for (i, part) in self.pieces(item)? {
            // SAFETY: by the caller; what is on the device is valid (see `enter_one`, and the kernels' own promise).
            let host = &mut unsafe { array.bytes_mut(i.start, i.end) }[part.clone()];
            let offset = entry.offset(array, i.start) + part.start;
            bytes += host.len();
            self.device.handle.download(host, &entry.buffer, offset).map_err(|e| self.failed(e, item))?;
        }
        self.copied(Deed::FromDevice, item, start, bytes);
        Ok(bytes as u64)
    }

    /// What is to be copied of an item: elements, and of their bytes together which.
    #[allow(clippy::type_complexity, reason = "two ranges")]
    fn pieces(&self, item: &Item) -> Result<Vec<(Range<u64>, Range<usize>)>, Error> {
        let (lo, hi) = item.mapped.section;
        if item.inner.is_empty() {
            let all = item.mapped.count() as usize * item.mapped.array.elem();
            return Ok(vec![(lo..hi, 0..all)]);
        }
        let mut parts = Vec::new();
        inner(item.desc, &item.inner, 0, &mut parts).map_err(|(section, len)| Error::Section {
            place: self.place,
            variable: format!("{}[..]", item.variable),
            section,
            len,
        })?;
        Ok((lo..hi).flat_map(|i| parts.iter().map(move |p| (i..i + 1, p.clone()))).collect())
    }
}

/// The bytes of an element that a section of a nested array names; or the section that does not fit, and the length.
fn inner(
    desc: &TypeDesc,
    sections: &[(u64, u64)],
    start: usize,
    into: &mut Vec<Range<usize>>,
) -> Result<(), ((u64, u64), u64)> {
    let ([(lo, hi), deeper @ ..], TypeDesc::Array { elem, len }) = (sections, desc) else {
        return sections.first().map_or(Ok(()), |section| Err((*section, 0)));
    };
    if lo > hi || *hi > *len as u64 {
        return Err(((*lo, *hi), *len as u64));
    }
    let size = elem.size().unwrap_or(0);
    if deeper.is_empty() {
        into.push(start + *lo as usize * size..start + *hi as usize * size);
        return Ok(());
    }
    (*lo..*hi).try_for_each(|i| inner(elem, deeper, start + i as usize * size, into))
}
