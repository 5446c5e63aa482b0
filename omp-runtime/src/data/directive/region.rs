//! A data region: holds data on the device from the start of a block or loop to its end.
//!
//! The guard holds no borrow, so the user can use the host's copy. Each exit of the block passes the data again
//! ([`DataRegion::leave`]): address and length must be unchanged, except that names may have been swapped. A panic drops the guard, which only releases the data. An exit
//! that the macros did not see (`return` in a macro's expansion) also releases the data, and then panics, because it would lose
//! results silently.
//!
//! A target block is a data region with private data ([`Scope`]): no entry is published, values are copied when the first kernel
//! needs them, and its regions look there first.
use super::update::Plan;
use super::work::{Held, Item, Map, Work, counted};
use crate::data::array::HostArray;
use crate::data::mapper::{Arrays, Name};
use crate::data::present;
use crate::data::present::{Entry, Presence, range};
use crate::data::section::Mapped;
use crate::device::Dev;
use crate::error::{Error, Place, Wanted, or_panic};
use crate::launch::outcome::report::Totals;
use crate::observe::{self, DataEvent, Moved};
use crate::task::Touch;
use crate::task::memory::settle_all;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// What the regions of a target block share.
#[derive(Debug)]
pub struct Scope {
    /// The device that they all run on; `None` is the host.
    pub(crate) device: Option<&'static Dev>,
    /// The block's data.
    pub(crate) entries: Vec<Arc<Entry>>,
    /// What its regions did.
    pub(crate) totals: Totals,
    /// The number of the target block.
    number: u64,
    /// The entries that are private to the block.
    own: Vec<Arc<Entry>>,
    /// The place of a block that is a task and has come to its end: it is over when its last region is.
    closed: OnceLock<&'static Place>,
}

impl Scope {
    fn new(device: Option<&'static Dev>, entries: Vec<Arc<Entry>>, own: Vec<Arc<Entry>>) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        Self { device, entries, totals: Totals::new(), number, own, closed: OnceLock::new() }
    }

    /// The block's number, if that memory is its own.
    pub(crate) fn owns(&self, presence: &Presence) -> Option<u64> {
        let own = |entry: &Arc<Entry>| self.own.iter().any(|mine| Arc::ptr_eq(mine, entry));
        presence.entries().all(own).then_some(self.number)
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        if let Some(place) = self.closed.get() {
            self.totals.remember(place, self.device);
        }
    }
}

#[derive(Debug)]
struct Hold {
    variable: &'static str,
    map: Map,
    /// Host addresses.
    at: (u128, u128),
    /// From the first section of its array to the last.
    span: (u128, u128),
    held: Held,
    /// Which array of the directive it is.
    group: usize,
    /// The block's own, or a reference in the table that the end drops.
    own: bool,
}

impl Hold {
    fn of(item: &Item, held: Held, own: bool) -> Self {
        let Item { variable, map, group, span, .. } = *item;
        Self { variable, map, at: range(&item.mapped), span, held, group, own }
    }

    /// Whether its data is where it was.
    fn stayed(&self, mapped: &Mapped) -> bool {
        mapped.fits() && range(mapped) == self.at
    }
}

/// The guard of a data region or target block.
#[derive(Debug)]
pub struct DataRegion {
    place: &'static Place,
    device: Option<&'static Dev>,
    held: Vec<Hold>,
    /// Of a target block.
    scope: Option<Arc<Scope>>,
    left: bool,
    /// The thread was panicking already when it began.
    panicking: bool,
}

impl DataRegion {
    fn new(place: &'static Place, device: Option<&'static Dev>, held: Vec<Hold>) -> Self {
        Self { place, device, held, scope: None, left: false, panicking: std::thread::panicking() }
    }

    fn with(mut self, scope: Scope) -> Self {
        self.scope = Some(Arc::new(scope));
        self
    }

    /// Without a device nothing is held; where the data was is known all the same.
    pub(in crate::data) fn on_host(place: &'static Place, items: &[Item]) -> Self {
        Self::new(place, None, items.iter().map(|item| Hold::of(item, None, false)).collect())
    }

    /// References in the table.
    pub(super) fn holding(
        place: &'static Place,
        device: &'static Dev,
        items: &[Item],
        held: Vec<Held>,
    ) -> Self {
        let hold = |(item, entry): (&Item, Held)| Hold::of(item, entry, false);
        Self::new(place, Some(device), items.iter().zip(held).map(hold).collect())
    }

    /// A target block without a device.
    pub(super) fn block_on_host(place: &'static Place, items: &[Item]) -> Self {
        Self::on_host(place, items).with(Scope::new(None, Vec::new(), Vec::new()))
    }

    /// A target block.
    pub(in crate::data) fn block(
        place: &'static Place,
        device: &'static Dev,
        items: &[Item],
        held: Vec<Held>,
        own: &[bool],
    ) -> Self {
        let entries = held.iter().flatten().flat_map(Presence::entries).cloned().collect();
        let mine = held.iter().zip(own).filter(|(_, own)| **own).filter_map(|(held, _)| held.as_ref());
        let scope = Scope::new(Some(device), entries, mine.flat_map(Presence::entries).cloned().collect());
        let hold = |((item, entry), own): ((&Item, Held), &bool)| Hold::of(item, entry, *own);
        let held = items.iter().zip(held).zip(own).map(hold).collect();
        Self::new(place, Some(device), held).with(scope)
    }

    /// What the regions of a target block share.
    pub(crate) fn scope(&self) -> Option<&Arc<Scope>> {
        self.scope.as_ref()
    }

    /// A way out: takes the data, in the order of the items.
    pub fn leave(&mut self) -> Leaving<'_> {
        self.left = true;
        Leaving { region: self, items: Vec::new(), in_parts: false, borrows: PhantomData }
    }

    fn release(&mut self) {
        let Some(device) = self.device else { return };
        let held = std::mem::take(&mut self.held);
        if self.scope.is_some() {
            return;
        }
        let _turn = device.present.turn();
        for (group, entry) in counted(held.iter().map(|hold| (hold.group, &hold.held))) {
            let start = observe::clock();
            let span = held.iter().find(|hold| hold.group == group).map_or(entry.range(), |hold| hold.span);
            device.present.release(entry, &present::Hold::here(span, true));
            observe::data(DataEvent::Release, self.place, device, start, || entry.mapping());
        }
    }
}

impl Drop for DataRegion {
    fn drop(&mut self) {
        if self.left {
            return;
        }
        self.release();
        if !self.panicking && !std::thread::panicking() {
            panic!(
                "a `return`, `?` or `break` inside a macro, a clause or the head of a loop with a directive has left the data region at {}:{}: its data was not brought back\n  \
                 try: write it in a statement of its own before, or end the data region before",
                self.place.file, self.place.line
            );
        }
    }
}

/// A data region on its way out.
#[derive(Debug)]
pub struct Leaving<'a> {
    region: &'a mut DataRegion,
    items: Vec<Mapped>,
    /// The item given last has sections.
    in_parts: bool,
    borrows: PhantomData<&'a mut [u8]>,
}

impl<'a> Leaving<'a> {
    /// The next item as it is now.
    pub fn item<T>(&mut self, array: HostArray<'a, T>) {
        self.items.push(Mapped::whole(array.raw()));
        self.in_parts = false;
    }

    /// A section of the item given last, as it was at the start.
    pub fn section(&mut self, lo: usize, hi: usize) {
        if let Some(last) = self.items.last_mut() {
            let part = Mapped { section: (lo as u64, hi as u64), ..*last };
            if self.in_parts {
                self.items.push(part);
            } else {
                *last = part;
            }
            self.in_parts = true;
        }
    }

    /// Brings back what is to come back, and drops the references.
    ///
    /// # Panics
    /// With the text of the error that [`Self::try_end`] gives.
    #[track_caller]
    pub fn end(self) {
        or_panic(self.try_end());
    }

    /// Brings back what is to come back, and drops the references.
    ///
    /// # Errors
    /// Data that was moved or deleted meanwhile, and copies that fail. References are dropped on every path.
    pub fn try_end(self) -> Result<(), Error> {
        let Self { region, items, .. } = self;
        let result = match region.device {
            None => region.stayed(&items),
            Some(device) => observe::directive(region.end_name(), region.place, device, |moved| {
                // SAFETY: the items are borrowed for `'a`, those to be brought back by `&mut`.
                unsafe { region.bring_all_back(device, &items, moved) }
            }),
        };
        region.release();
        if let Some(scope) = &region.scope {
            scope.totals.remember(region.place, scope.device);
        }
        result
    }
}

impl<'a> Arrays<'a> for Leaving<'a> {
    unsafe fn array<T>(&mut self, _: &Name<'_>, array: HostArray<'a, T>, _: bool) {
        self.item(array);
    }
}

/// The end of a target block that is a task.
impl Leaving<'_> {
    /// What is to come back; `None` if nothing is. The block is over when its last region is.
    ///
    /// # Errors
    /// Data that was moved meanwhile.
    pub(crate) fn close(&self) -> Result<Option<Plan>, Error> {
        let DataRegion { place, device, held, scope: Some(scope), .. } = &*self.region else {
            return Ok(None);
        };
        let _ = scope.closed.set(place);
        self.region.stayed(&self.items)?;
        let Some(device) = *device else { return Ok(None) };
        let mut back = Vec::new();
        for (named, mapped) in held.iter().zip(&self.items) {
            let Some(Hold { held: Some(presence), own, .. }) = self.region.has(named, mapped) else {
                continue;
            };
            let changed = *own && presence.entries().any(|entry| entry.is_written());
            if named.map.ty.brings_back() && (changed || named.map.always) && mapped.array.is_writable() {
                back.push((Item::of(named.variable, named.map, *mapped), presence.clone()));
            }
        }
        Ok((!back.is_empty()).then(|| Plan::back(place, device, back, scope)))
    }
}

impl DataRegion {
    /// The data that a name has at the end: its own, or that of a name with which it was swapped. `None` if it has been moved.
    fn has<'a>(&'a self, named: &'a Hold, mapped: &Mapped) -> Option<&'a Hold> {
        if named.stayed(mapped) {
            return Some(named);
        }
        self.held.iter().find(|hold| hold.stayed(mapped))
    }

    /// All data is where it was, under whatever name.
    fn stayed(&self, items: &[Mapped]) -> Result<(), Error> {
        match self.held.iter().zip(items).find(|(named, mapped)| self.has(named, mapped).is_none()) {
            Some((named, _)) => Err(self.moved(named)),
            None => Ok(()),
        }
    }

    fn moved(&self, named: &Hold) -> Error {
        Error::Moved { place: self.place, variable: named.variable.to_owned() }
    }

    fn end_name(&self) -> &'static str {
        if self.scope.is_some() { "end of the target block" } else { "end of the data region" }
    }

    /// # Safety
    /// The borrows of `items` last until the call returns, and no other code accesses the elements of those that were
    /// borrowed for writing.
    unsafe fn bring_all_back(
        &self,
        device: &'static Dev,
        items: &[Mapped],
        moved: &Moved,
    ) -> Result<(), Error> {
        let back = |(hold, mapped): (&Hold, &Mapped)| {
            let touched = hold.map.ty.brings_back() && self.scope.is_none();
            touched.then(|| Touch::on_device(device.id, None, range(mapped), false))
        };
        // Tasks may use it without a guard.
        let mut result = settle_all(|| self.held.iter().zip(items).filter_map(back).collect(), true);
        let reported = result.is_err();
        let _turn = device.present.turn();
        for (named, mapped) in self.held.iter().zip(items) {
            let one = match self.has(named, mapped) {
                None => Err(self.moved(named)),
                Some(_) if reported => Ok(()),
                Some(Hold { held: Some(presence), own, .. }) => presence.entries().try_for_each(|entry| {
                    // SAFETY: by the caller.
                    unsafe { self.bring_one_back(device, (named, *own), entry, mapped, moved) }
                }),
                Some(Hold { held: None, .. }) => Ok(()),
            };
            result = result.and(one);
        }
        result
    }

    /// `mapped` is what the entry has, and is copied as the name's `map` says; `own` is whether the entry is the block's.
    ///
    /// # Safety
    /// As for [`Self::bring_all_back`].
    unsafe fn bring_one_back(
        &self,
        device: &'static Dev,
        (named, own): (&Hold, bool),
        entry: &Arc<Entry>,
        mapped: &Mapped,
        moved: &Moved,
    ) -> Result<(), Error> {
        let references = device.present.references(entry);
        let in_table = self.scope.is_none();
        let item = Item::of(named.variable, named.map, *mapped);
        let work = Work { place: self.place, device, items: std::slice::from_ref(&item), moved };
        if in_table && references == 0 {
            return Err(work.absent(&item, Wanted::Exit));
        }
        let last = own || (in_table && references == 1);
        let changed = last && entry.is_written();
        if !named.map.ty.brings_back() || !(changed || named.map.always) || !mapped.array.is_writable() {
            return Ok(());
        }
        // SAFETY: by the caller.
        let bytes = unsafe { work.bring_back(&item, entry) }?;
        if let Some(scope) = &self.scope {
            scope.totals.brought_back(bytes);
        }
        Ok(())
    }
}
