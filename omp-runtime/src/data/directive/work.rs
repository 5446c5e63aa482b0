//! The items of a data directive on one device: lookup, allocation and copies, all or nothing.
use crate::backend::api::DeviceError;
use crate::backend::size::Bytes;
use crate::data::block::Block;
use crate::data::present::{Entry, Found, Hold, Presence, find_in, lookup_of, range};
use crate::data::section::{Mapped, overlap};
use crate::device::Dev;
use crate::error::{Error, Mapping, Place, Wanted};
use crate::launch::outcome::fault::{Fault, mapping};
use crate::observe::{self, DataEvent, Moved};
use crate::task::Touch;
use crate::task::memory::settle_all;
use omp_ir::desc::TypeDesc;
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
    pub(crate) fn sends(self) -> bool {
        matches!(self, Self::To | Self::ToFrom)
    }

    pub(crate) fn brings_back(self) -> bool {
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

/// An array of a directive, or one of several sections of it.
#[derive(Debug, Clone)]
pub(in crate::data) struct Item {
    pub variable: &'static str,
    pub map: Map,
    /// Which array of the directive it is.
    pub group: usize,
    /// One of its sections, or all of it.
    pub mapped: Mapped,
    /// Host addresses from the first of all its sections to the last.
    pub span: (u128, u128),
    /// `target_update!` of parts of the elements: the ranges on each level below.
    pub inner: Vec<(u64, u64)>,
    pub desc: &'static TypeDesc,
}

impl Item {
    /// A section without parts.
    pub(in crate::data) fn of(variable: &'static str, map: Map, mapped: Mapped) -> Self {
        Self {
            variable,
            map,
            group: 0,
            mapped,
            span: range(&mapped),
            inner: Vec::new(),
            desc: &TypeDesc::Unit,
        }
    }
}

/// The items of a directive and the device that they go to.
#[derive(Debug, Clone, Copy)]
pub(in crate::data) struct Work<'a> {
    pub place: &'static Place,
    pub device: &'static Dev,
    pub items: &'a [Item],
    /// What it has copied.
    pub moved: &'a Moved,
}

/// What an item holds on the device; nothing if it has no elements.
pub(in crate::data) type Held = Option<Presence>;

/// The entries of items, of which the groups are given: each once for an array, though several sections are in it.
pub(in crate::data) fn counted<'a>(
    held: impl Iterator<Item = (usize, &'a Held)>,
) -> impl Iterator<Item = (usize, &'a Arc<Entry>)> {
    let mut seen: Vec<(usize, *const Entry)> = Vec::new();
    let all = held
        .flat_map(|(group, held)| held.iter().flat_map(Presence::entries).map(move |entry| (group, entry)));
    all.filter(move |(group, entry)| {
        let this = (*group, Arc::as_ptr(entry));
        let new = !seen.contains(&this);
        if new {
            seen.push(this);
        }
        new
    })
}

impl Work<'_> {
    /// Whether an item that is to be mapped is there.
    fn look(&self, item: &Item) -> Found {
        let table = &self.device.present;
        if item.map.ty == DataMap::To { table.find_read(&item.mapped) } else { table.find(&item.mapped) }
    }

    fn groups(&self) -> impl Iterator<Item = usize> {
        self.items.iter().map(|item| item.group)
    }

    /// Before items are copied: ends the tasks that use them without a guard.
    ///
    /// # Errors
    /// The errors of those.
    pub(in crate::data) fn settle(&self) -> Result<(), Error> {
        let touch = |item: &Item| {
            let back = item.map.ty.brings_back();
            Touch::on_device(self.device.id, None, range(&item.mapped), !back)
        };
        let copied = |item: &&Item| item.map.ty.brings_back() || item.map.ty.sends();
        settle_all(|| self.items.iter().filter(copied).map(touch).collect(), true)
    }

    /// Makes everything present, each item with a reference more, or nothing.
    ///
    /// # Safety
    /// The items' borrows last until the call returns, and no other code writes their elements meanwhile.
    pub(in crate::data) unsafe fn enter(&self, structured: bool) -> Result<Vec<Held>, Error> {
        let table = &self.device.present;
        let _turn = table.turn();
        let mut held: Vec<Held> = Vec::with_capacity(self.items.len());
        for item in self.items {
            // SAFETY: by the caller.
            match unsafe { self.enter_one(item, &held, structured) } {
                Ok(presence) => held.push(presence),
                Err(error) => {
                    for (group, entry) in counted(self.groups().zip(&held)) {
                        let of = self.items.iter().find(|other| other.group == group).unwrap_or(item);
                        table.release(entry, &Hold::here(of.span, structured));
                    }
                    return Err(error);
                }
            }
        }
        Ok(held)
    }

    /// # Safety
    /// As for [`Self::enter`].
    unsafe fn enter_one(&self, item: &Item, before: &[Held], structured: bool) -> Result<Held, Error> {
        if item.mapped.is_empty() {
            return Ok(None);
        }
        let table = &self.device.present;
        let hold = Hold::here(item.span, structured);
        let presence = match self.look(item) {
            Found::Here(presence) => {
                if item.map.always && item.map.ty.sends() {
                    // SAFETY: by the caller.
                    unsafe { self.send(item, &presence) }?;
                }
                // The sections of one array have one reference count.
                let known = counted(self.groups().zip(before)).filter(|(group, _)| *group == item.group);
                let known: Vec<_> = known.map(|(_, entry)| Arc::as_ptr(entry)).collect();
                for entry in presence.entries().filter(|entry| !known.contains(&Arc::as_ptr(entry))) {
                    let kept = table.retain(entry, hold);
                    debug_assert!(
                        kept,
                        "an entry is removed only by the holder of the turn, which is this thread"
                    );
                }
                self.report(DataEvent::Present, item, observe::clock());
                presence
            }
            Found::Absent if item.map.present => return Err(self.absent(item, Wanted::Map)),
            Found::Absent => {
                let entry = self.make(item, before)?;
                let presence = Presence::of(Arc::clone(&entry));
                if item.map.ty.sends() {
                    // SAFETY: by the caller.
                    unsafe { self.send(item, &presence) }?;
                }
                table.publish(entry, hold);
                presence
            }
            Found::Misfit(misfit) => {
                return Err(misfit.error(self.place, self.device, item.variable, &item.mapped));
            }
        };
        Ok(Some(presence))
    }

    /// Memory for all items that are not present, without their values; it is private to the block. Also the entries of those that
    /// are present.
    #[allow(clippy::type_complexity, reason = "two lists")]
    ///
    /// # Safety
    /// As for [`Self::enter`].
    pub(in crate::data) unsafe fn own(&self) -> Result<(Vec<Held>, Vec<bool>), Error> {
        let (mut held, mut own) = (Vec::<Held>::with_capacity(self.items.len()), Vec::new());
        for item in self.items {
            let (one, is_own) = match self.look(item) {
                _ if item.mapped.is_empty() => (None, false),
                Found::Here(presence) => {
                    if item.map.always && item.map.ty.sends() {
                        // SAFETY: by the caller.
                        unsafe { self.send(item, &presence) }?;
                    }
                    (Some(presence), false)
                }
                Found::Absent if item.map.present => return Err(self.absent(item, Wanted::Map)),
                Found::Misfit(misfit) => {
                    return Err(misfit.error(self.place, self.device, item.variable, &item.mapped));
                }
                Found::Absent => {
                    // A block only reads what it maps `to`.
                    let reads = |other: &Item| other.map.ty == DataMap::To && item.map.ty == DataMap::To;
                    let before = self.items.iter().zip(&held).filter(|(other, _)| !reads(other));
                    let before = before.filter_map(|(_, p)| p.as_ref()).flat_map(Presence::entries);
                    let before: Vec<Arc<Entry>> = before.cloned().collect();
                    if !matches!(find_in(&before, &item.mapped), Found::Absent) {
                        return Err(self.twice(item));
                    }
                    (Some(Presence::of(self.make(item, &held)?)), true)
                }
            };
            held.push(one);
            own.push(is_own);
        }
        Ok((held, own))
    }

    fn twice(&self, item: &Item) -> Error {
        let other = self.items.iter().find(|other| {
            let (lo, hi) = (&other.mapped, &item.mapped);
            other.variable != item.variable && overlap(&[*lo, *hi], |_| true).is_some()
        });
        let of = |item: &Item| mapping(item.variable, &item.mapped);
        Error::Overlap { place: self.place, written: of(item), other: other.map_or_else(|| of(item), of) }
    }

    /// An entry without values, in the memory that was made for a section of the same array, or in new memory.
    fn make(&self, item: &Item, before: &[Held]) -> Result<Arc<Entry>, Error> {
        let same = |(other, held): (&Item, &'_ Held)| {
            let presence = held.as_ref().filter(|_| other.group == item.group)?;
            // An entry that was present before may be smaller.
            presence.block().spans(item.span).then(|| Arc::clone(presence.block()))
        };
        let block = match self.items.iter().zip(before).find_map(same) {
            Some(block) => block,
            None => {
                let bytes = Bytes::between(item.span.0, item.span.1).at_least(1);
                let buffer = self.device.handle.alloc(bytes).map_err(|e| self.failed(e, item))?;
                Block::new(buffer, item.span)
            }
        };
        self.report(DataEvent::Map, item, observe::clock());
        Ok(Arc::new(Entry::new(item.variable, self.place, &item.mapped, block)))
    }

    /// Where the items are; each has to be there.
    pub(in crate::data) fn find_all(&self, wanted: Wanted) -> Result<Vec<Held>, Error> {
        let find = |item: &Item| match self.device.present.find(&item.mapped) {
            _ if item.mapped.is_empty() => Ok(None),
            Found::Here(presence) => Ok(Some(presence)),
            Found::Absent => Err(self.absent(item, wanted)),
            Found::Misfit(misfit) => Err(misfit.error(self.place, self.device, item.variable, &item.mapped)),
        };
        self.items.iter().map(find).collect()
    }

    pub(super) fn absent(&self, item: &Item, wanted: Wanted) -> Error {
        let lookup = lookup_of(self.device, item.variable, &item.mapped, wanted);
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
        fault.into_error(self.place, self.device, &names, &arrays)
    }

    fn report(&self, deed: DataEvent, item: &Item, start: Option<Instant>) {
        observe::data(deed, self.place, self.device, start, || mapping(item.variable, &item.mapped));
    }

    /// A copy of the item's section has ended; so many of its bytes were copied.
    fn copied(&self, deed: DataEvent, item: &Item, start: Option<Instant>, bytes: usize) {
        let bytes = bytes as u64;
        let (to, from) = self.moved.get();
        self.moved.set(if deed == DataEvent::ToDevice { (to + bytes, from) } else { (to, from + bytes) });
        let array = || Mapping { bytes, ..mapping(item.variable, &item.mapped) };
        observe::data(deed, self.place, self.device, start, array);
    }

    /// Drops a reference to an item, or all.
    pub(in crate::data) fn drop(&self, item: &Item, entry: &Arc<Entry>) {
        let (table, start) = (&self.device.present, observe::clock());
        match item.map.ty {
            DataMap::Delete => table.delete(entry),
            _ => table.release(entry, &Hold::here(item.span, false)),
        }
        let deed = if item.map.ty == DataMap::Delete { DataEvent::Delete } else { DataEvent::Release };
        observe::data(deed, self.place, self.device, start, || entry.mapping());
    }

    /// Copies the item's section to the device.
    ///
    /// # Safety
    /// As for [`Self::enter`].
    pub(in crate::data) unsafe fn send(&self, item: &Item, presence: &Presence) -> Result<(), Error> {
        // SAFETY: by the caller.
        unsafe { self.send_parts(item, presence, |entry, lo, hi| vec![entry.clip(lo, hi)]) }
    }

    /// Copies what of the item's section has no values on the device.
    ///
    /// # Safety
    /// As for [`Self::enter`].
    pub(in crate::data) unsafe fn complete(&self, item: &Item, presence: &Presence) -> Result<(), Error> {
        // SAFETY: by the caller.
        unsafe { self.send_parts(item, presence, Entry::missing) }
    }

    /// # Safety
    /// As for [`Self::enter`].
    unsafe fn send_parts(
        &self,
        item: &Item,
        presence: &Presence,
        parts: impl Fn(&Entry, u128, u128) -> Vec<(u128, u128)>,
    ) -> Result<(), Error> {
        presence.block().settle().map_err(|e| self.failed(e, item))?;
        let (start, block) = (observe::clock(), presence.block());
        let mut bytes = 0;
        for (lo, hi) in self.pieces(item)? {
            for entry in presence.entries() {
                for (lo, hi) in parts(entry, lo, hi).into_iter().filter(|(lo, hi)| lo < hi) {
                    // SAFETY: by the caller.
                    let host = unsafe { item.mapped.array.bytes_at(lo, hi) };
                    let uploaded = self.device.handle.upload(&block.buffer, block.offset(lo), host);
                    uploaded.map_err(|e| self.failed(e, item))?;
                    entry.fill(lo, hi);
                    bytes += host.len();
                }
            }
        }
        self.copied(DataEvent::ToDevice, item, start, bytes);
        Ok(())
    }

    /// Copies to the host what of the item's section is in this entry and has values there.
    ///
    /// # Safety
    /// As for [`Self::enter`], and no other code accesses the elements.
    pub(in crate::data) unsafe fn bring_back(&self, item: &Item, entry: &Entry) -> Result<u64, Error> {
        entry.block().settle().map_err(|e| self.failed(e, item))?;
        let (start, block) = (observe::clock(), entry.block());
        let mut bytes = 0;
        for (lo, hi) in self.pieces(item)? {
            for (lo, hi) in entry.filled(lo, hi) {
                // SAFETY: by the caller; what is on the device is valid: the host's values, or what kernels wrote.
                let host = unsafe { item.mapped.array.bytes_at_mut(lo, hi) };
                bytes += host.len();
                let downloaded = self.device.handle.download(host, &block.buffer, block.offset(lo));
                downloaded.map_err(|e| self.failed(e, item))?;
                self.device.caught_up();
            }
        }
        self.copied(DataEvent::FromDevice, item, start, bytes);
        Ok(bytes as u64)
    }

    /// The host addresses of what is to be copied of an item.
    pub(super) fn pieces(&self, item: &Item) -> Result<Vec<(u128, u128)>, Error> {
        if item.inner.is_empty() {
            return Ok(vec![range(&item.mapped)]);
        }
        let mut parts = Vec::new();
        inner(item.desc, &item.inner, 0, &mut parts).map_err(|(section, len)| Error::Section {
            place: self.place,
            variable: format!("{}[..]", item.variable),
            section,
            len,
        })?;
        let (lo, hi) = item.mapped.section;
        let address = |i| item.mapped.array.address(i);
        let of = |i: u64, p: &Range<usize>| (address(i) + p.start as u128, address(i) + p.end as u128);
        Ok((lo..hi).flat_map(|i| parts.iter().map(move |p| of(i, p))).collect())
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
