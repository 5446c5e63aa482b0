//! The data directives: `target_data`, `target_enter_data!`, `target_exit_data!`, `target_update!`, and the start and end of a
//! target block.
//!
//! Generated code makes a [`Directive`], passes the items, which stay borrowed until the directive has run, and runs it. Without
//! a device nothing happens, because the data is on the host. A directive that fails does not change the present table.
pub mod region;
pub mod try_operator;
pub(crate) mod update;
pub mod work;

use super::array::HostArray;
use super::device_slice::{DeviceView, DeviceViewMut};
use super::mapper::{Arrays, Name};
use super::present::{Found, Presence, range};
use super::section::Mapped;
use crate::device::select::{Choice, DeviceClauses, select};
use crate::device::{Dev, team};
use crate::env::OffloadPolicy;
use crate::error::{Error, Place, Wanted, or_panic};
use crate::launch::Context;
use crate::launch::region::{ClauseInt, text_of};
use crate::observe::{self, Moved};
use crate::typing::{Device, Mapped as Container, Slice};
use omp_ir::desc::TypeDesc;
use region::DataRegion;
use std::marker::PhantomData;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use work::{DataMap, Item, Map, Work, counted};

/// What the macros know of a data directive; a `static` in generated code.
#[derive(Debug)]
pub struct DataSite {
    region: &'static str,
    file: &'static str,
    line: u32,
    column: u32,
    place: OnceLock<Place>,
    reported: AtomicBool,
}

impl DataSite {
    /// A directive in the function (or with the `name`) `region`.
    #[must_use]
    pub const fn new(region: &'static str, file: &'static str, line: u32, column: u32) -> Self {
        Self { region, file, line, column, place: OnceLock::new(), reported: AtomicBool::new(false) }
    }

    pub(super) fn place(&'static self) -> &'static Place {
        self.place.get_or_init(|| Place {
            region: self.region.into(),
            file: self.file,
            line: self.line,
            column: self.column,
        })
    }
}

/// A device and what is present there; `None` on the host, and for arrays without elements.
type Pointed = Option<super::array::OnDevice>;

/// Whether all elements of an array are present on this thread's default device. Without a device it is always true, because the
/// host has the data.
///
/// # Panics
/// If an environment variable is malformed.
#[must_use]
#[track_caller]
pub fn target_is_present<C: ?Sized + Slice>(array: &C) -> bool {
    let context = or_panic(Context::of_process());
    let choice = select(context.registry, &context.env, team::default_device(), DeviceClauses::default());
    let Choice::Device(n) = choice else { return true };
    let mapped = Mapped::whole(HostArray::read(array.slice()).raw());
    mapped.is_empty()
        || context.registry.get(n).is_none_or(|d| matches!(d.present.find(&mapped), Found::Here(_)))
}

/// A data directive under construction.
#[derive(Debug)]
pub struct Directive<'a> {
    site: &'static DataSite,
    requested: DeviceClauses,
    items: Vec<Item>,
    /// Of the next item's elements.
    desc: &'static TypeDesc,
    /// How many arrays were given.
    groups: usize,
    /// The array given last has sections.
    in_parts: bool,
    /// Items that are not on the device are skipped.
    if_present: bool,
    /// All references go.
    finalize: bool,
    /// Items behind a `&` that are to be copied back. `true`: at each exit.
    behind_shared: Vec<(&'static str, Mapped, bool)>,
    context: Option<&'static Context>,
    borrows: PhantomData<&'a mut [u8]>,
}

/// A directive that receives the arrays of one item.
#[derive(Debug)]
pub struct Whole<'d, 'a> {
    directive: &'d mut Directive<'a>,
    map: Map,
    /// The directive is an update.
    update: bool,
}

impl<'a> Arrays<'a> for Whole<'_, 'a> {
    unsafe fn array<T>(&mut self, name: &Name<'_>, array: HostArray<'a, T>, shared: bool) {
        // Nothing is copied back through a `&`.
        if shared && self.map.ty.brings_back() {
            let mapped = Mapped::whole(array.raw());
            let each = self.update || self.map.always;
            self.directive.behind_shared.push((name.text(), mapped, each));
            if self.update {
                return;
            }
        }
        let ty = match self.map.ty {
            DataMap::ToFrom if shared => DataMap::To,
            DataMap::From if shared => DataMap::Alloc,
            ty => ty,
        };
        self.directive.map(name.text(), Map { ty, ..self.map }, array);
    }
}

impl<'a> Directive<'a> {
    /// Without items.
    #[must_use]
    pub fn new(site: &'static DataSite) -> Self {
        Self {
            site,
            requested: DeviceClauses::default(),
            items: Vec::new(),
            desc: &TypeDesc::Unit,
            groups: 0,
            in_parts: false,
            if_present: false,
            finalize: false,
            behind_shared: Vec::new(),
            context: None,
            borrows: PhantomData,
        }
    }

    /// The same with surroundings of its own, for tests.
    #[must_use]
    pub fn within(mut self, context: &'static Context) -> Self {
        self.context = Some(context);
        self
    }

    /// `device(e)`
    pub fn device(&mut self, n: impl ClauseInt) {
        self.requested.device = Some(n.wide());
    }

    /// `if(e)`
    pub fn condition(&mut self, c: bool) {
        self.requested.not_if |= !c;
    }

    /// OpenACC's `self(e)`
    pub fn host_if(&mut self, c: bool) {
        self.requested.not_if |= c;
    }

    /// OpenACC's `if_present`
    pub fn if_present(&mut self) {
        self.if_present = true;
    }

    /// OpenACC's `finalize`
    pub fn finalize(&mut self) {
        self.finalize = true;
    }

    /// The next item.
    pub fn map<T>(&mut self, variable: &'static str, map: Map, array: HostArray<'a, T>) {
        let mapped = Mapped::whole(array.raw());
        let desc = std::mem::replace(&mut self.desc, &TypeDesc::Unit);
        self.in_parts = false;
        self.groups += 1;
        self.items.push(Item { desc, group: self.groups, ..Item::of(variable, map, mapped) });
    }

    /// Takes the arrays of the next item, all of them.
    pub fn whole(&mut self, map: Map) -> Whole<'_, 'a> {
        Whole { directive: self, map, update: false }
    }

    /// The same for an update.
    pub fn updated(&mut self, map: Map) -> Whole<'_, 'a> {
        Whole { directive: self, map, update: true }
    }

    /// A section of the item given last.
    pub fn section(&mut self, lo: usize, hi: usize) {
        if let Some(last) = self.items.last_mut() {
            let section = (lo as u64, hi as u64);
            let mut item = last.clone();
            item.mapped.section = section;
            if self.in_parts {
                self.items.push(item);
            } else {
                *last = item;
            }
            self.in_parts = true;
        }
    }

    /// The elements of the next item are arrays, of which it names sections.
    pub fn nested<C: ?Sized + Container>(&mut self, _: &C) {
        self.desc = <C::Elem as Device>::DESC;
    }

    /// The same, of an array that tasks may be at work on.
    pub fn nested_in<T: Device>(&mut self, _: PhantomData<T>) {
        self.desc = T::DESC;
    }

    /// A section of the elements of the section given last.
    pub fn inner(&mut self, lo: usize, hi: usize) {
        if let Some(last) = self.items.last_mut() {
            last.inner.push((lo as u64, hi as u64));
        }
    }

    // ---- what may stand

    /// Refuses sections that don't fit. Gives the items, each with the range from the first to the last section of its array.
    pub(super) fn checked(&self) -> Result<Vec<Item>, Error> {
        let place = self.site.place();
        let mut items = self.items.clone();
        for (i, item) in self.items.iter().enumerate() {
            let (section, len) = (item.mapped.section, item.mapped.array.len() as u64);
            let variable = item.variable.to_owned();
            if !item.mapped.fits() {
                return Err(Error::Section { place, variable, section, len });
            }
            let mut before = self.items[..i].iter().filter(|other| other.group == item.group);
            let overlaps = |(lo, hi): (u64, u64)| lo < section.1 && section.0 < hi;
            if let Some(other) = before.find(|other| overlaps(other.mapped.section)) {
                let sections = (other.mapped.section, section);
                return Err(Error::SectionsOverlap { place, variable, sections });
            }
        }
        for item in &mut items {
            let all = self.items.iter().filter(|other| other.group == item.group && !other.mapped.is_empty());
            let join = |a: (u128, u128), b: (u128, u128)| (a.0.min(b.0), a.1.max(b.1));
            item.span = all.map(|other| range(&other.mapped)).reduce(join).unwrap_or(item.span);
        }
        if self.if_present
            && let Some(device) = self.select()?
        {
            items.retain(|item| !matches!(device.present.find(&item.mapped), Found::Absent));
        }
        Ok(items)
    }

    /// The device; `None` for the host.
    pub(super) fn select(&self) -> Result<Option<&'static Dev>, Error> {
        let place = self.site.place();
        let context = match self.context {
            Some(context) => context,
            None => Context::of_process()?,
        };
        match select(context.registry, &context.env, team::default_device(), self.requested) {
            Choice::Device(n) => Ok(context.registry.get(n)),
            Choice::Host => Ok(None),
            Choice::Missing(reasons) if context.env.offload == OffloadPolicy::Mandatory => {
                Err(Error::Mandatory { place, reasons })
            }
            Choice::Missing(reasons) => {
                if !self.site.reported.swap(true, Ordering::Relaxed) {
                    observe::data_fallback(place, &text_of(&reasons));
                }
                Ok(None)
            }
            Choice::NoSuch(requested) => Err(Error::NoSuchDevice {
                place: Some(place),
                requested,
                by_default: self.requested.device.is_none(),
                devices: context.registry.count(),
                reasons: context.registry.reasons(),
            }),
        }
    }

    fn work<'b>(&self, device: &'static Dev, items: &'b [Item], moved: &'b Moved) -> Work<'b> {
        Work { place: self.site.place(), device, items, moved }
    }

    /// The position of the directive in the source.
    pub(crate) fn place(&self) -> &'static Place {
        self.site.place()
    }

    /// Refuses to copy back what is behind a `&`, if kernels have written it.
    pub(super) fn check_shared(&self, device: &'static Dev) -> Result<(), Error> {
        for (variable, mapped, each) in &self.behind_shared {
            let comes = |entry| *each || self.finalize || device.present.references(entry) == 1;
            if let Found::Here(presence) = device.present.find(mapped)
                && presence.entries().any(|entry| entry.is_written() && comes(entry))
            {
                let (place, variable) = (self.site.place(), (*variable).to_owned());
                return Err(Error::BehindShared { place, device: device.label(), variable });
            }
        }
        Ok(())
    }

    // ---- what is done

    /// The start of a data region.
    ///
    /// # Panics
    /// With the text of the error that [`Self::try_open`] gives.
    #[track_caller]
    #[must_use]
    pub fn open(&self) -> DataRegion {
        or_panic(self.try_open())
    }

    /// The start of a data region.
    ///
    /// # Errors
    /// Sections that don't fit, data that is present in part or absent in spite of `present`, and failures of the device.
    pub fn try_open(&self) -> Result<DataRegion, Error> {
        let items = self.checked()?;
        let place = self.site.place();
        let Some(device) = self.select()? else { return Ok(DataRegion::on_host(place, &items)) };
        let held = observe::directive("data region", place, device, |moved| {
            // SAFETY: the items are borrowed for `'a`, which this borrow of `self` does not outlive.
            unsafe { self.work(device, &items, moved).enter(true) }
        })?;
        Ok(DataRegion::holding(place, device, &items, held))
    }

    /// The start of a target block.
    ///
    /// # Panics
    /// With the text of the error that [`Self::try_open_block`] gives.
    #[track_caller]
    #[must_use]
    pub fn open_block(&self) -> DataRegion {
        or_panic(self.try_open_block())
    }

    /// The start of a target block, whose data is its own.
    ///
    /// # Errors
    /// As [`Self::try_open`].
    pub fn try_open_block(&self) -> Result<DataRegion, Error> {
        let items = self.checked()?;
        let place = self.site.place();
        let Some(device) = self.select()? else { return Ok(DataRegion::block_on_host(place, &items)) };
        let (entries, own) = observe::directive("target block", place, device, |moved| {
            // SAFETY: as in `try_open`.
            unsafe { self.work(device, &items, moved).own() }
        })?;
        Ok(DataRegion::block(place, device, &items, entries, &own))
    }

    /// Where an array of `use_device_ptr` is present. All of it gets values now, because later there is no borrow to copy from.
    ///
    /// # Safety
    /// The array's borrow lasts until the call returns, and no other code writes its elements meanwhile.
    unsafe fn pointed(&self, variable: &'static str, mapped: Mapped) -> Result<Pointed, Error> {
        let Some(device) = self.select()? else { return Ok(None) };
        let map = Map { ty: DataMap::Alloc, always: false, present: true };
        let item = [Item::of(variable, map, mapped)];
        let moved = Moved::default();
        let work = Work { place: self.site.place(), device, items: &item, moved: &moved };
        let found = work.find_all(Wanted::Map)?.pop().flatten();
        if let Some(presence) = &found {
            // SAFETY: by the caller.
            unsafe { work.complete(&item[0], presence) }?;
        }
        Ok(found.map(|presence| (device, presence)))
    }

    /// `use_device_ptr` of an array that is read.
    ///
    /// # Errors
    /// When it is not present.
    pub fn try_view<'b, T: Device>(
        &self,
        variable: &'static str,
        array: &'b [T],
    ) -> Result<DeviceView<'b, T>, Error> {
        let mapped = Mapped::whole(HostArray::read(array).raw());
        // SAFETY: `array` is borrowed.
        Ok(DeviceView::of(array, unsafe { self.pointed(variable, mapped) }?))
    }

    /// `use_device_ptr` of an array that is written.
    ///
    /// # Errors
    /// When it is not present.
    pub fn try_view_mut<'b, T: Device>(
        &self,
        variable: &'static str,
        array: &'b mut [T],
    ) -> Result<DeviceViewMut<'b, T>, Error> {
        let mapped = Mapped::whole(HostArray::read(array).raw());
        // SAFETY: `array` is borrowed.
        Ok(DeviceViewMut::of(array, unsafe { self.pointed(variable, mapped) }?))
    }

    /// `target_enter_data!`
    ///
    /// # Panics
    /// With the text of the error that [`Self::try_enter`] gives.
    #[track_caller]
    pub fn enter(&self) {
        or_panic(self.try_enter());
    }

    /// `target_enter_data!`
    ///
    /// # Errors
    /// As [`Self::try_open`].
    pub fn try_enter(&self) -> Result<(), Error> {
        let items = self.checked()?;
        let Some(device) = self.select()? else { return Ok(()) };
        observe::directive("enter data", self.site.place(), device, |moved| {
            // SAFETY: as in `try_open`.
            unsafe { self.work(device, &items, moved).enter(false) }.map(drop)
        })
    }

    /// `target_exit_data!`
    ///
    /// # Panics
    /// With the text of the error that [`Self::try_exit`] gives.
    #[track_caller]
    pub fn exit(&self) {
        or_panic(self.try_exit());
    }

    /// `target_exit_data!`
    ///
    /// # Errors
    /// Data that is not present, or in part, or that kernels have written and that is behind a `&`; and failures of the device. The
    /// references are dropped all the same.
    pub fn try_exit(&self) -> Result<(), Error> {
        let items = self.checked()?;
        let Some(device) = self.select()? else { return Ok(()) };
        observe::directive("exit data", self.site.place(), device, |moved| {
            self.exit_on(device, &items, moved)
        })
    }

    fn exit_on(&self, device: &'static Dev, items: &[Item], moved: &Moved) -> Result<(), Error> {
        let work = self.work(device, items, moved);
        let mut result = work.settle();
        let _turn = device.present.turn();
        self.check_shared(device)?;
        let held = work.find_all(Wanted::Exit)?;
        for (i, item) in items.iter().enumerate() {
            for entry in held[i].iter().flat_map(Presence::entries) {
                let last = self.finalize || device.present.references(entry) == 1;
                if item.map.ty.brings_back() && (item.map.always || last) && result.is_ok() {
                    // SAFETY: as in `try_open`; what is brought back is borrowed by `&mut`.
                    result = unsafe { work.bring_back(item, entry) }.map(drop);
                }
            }
            // The sections of one array have one reference count.
            if items.get(i + 1).is_none_or(|next| next.group != item.group) {
                let groups = items[..=i].iter().map(|other| other.group);
                let mut dropped = item.clone();
                if self.finalize {
                    dropped.map.ty = DataMap::Delete;
                }
                counted(groups.zip(&held))
                    .filter(|(of, _)| *of == item.group)
                    .for_each(|(_, e)| work.drop(&dropped, e));
            }
        }
        result
    }

    /// `target_update!`
    ///
    /// # Panics
    /// With the text of the error that [`Self::try_update`] gives.
    #[track_caller]
    pub fn update(&self) {
        or_panic(self.try_update());
    }

    /// `target_update!`
    ///
    /// # Errors
    /// Data that is not present, or in part, and copies that fail.
    pub fn try_update(&self) -> Result<(), Error> {
        let items = self.checked()?;
        let Some(device) = self.select()? else { return Ok(()) };
        observe::directive("update", self.site.place(), device, |moved| self.update_on(device, &items, moved))
    }

    fn update_on(&self, device: &'static Dev, items: &[Item], moved: &Moved) -> Result<(), Error> {
        let work = self.work(device, items, moved);
        work.settle()?;
        let _turn = device.present.turn();
        self.check_shared(device)?;
        let held = work.find_all(Wanted::Update)?;
        for (item, presence) in items.iter().zip(&held) {
            let Some(presence) = presence else { continue };
            // SAFETY: as in `try_open`; what is brought back is borrowed by `&mut`.
            unsafe {
                if item.map.ty.brings_back() {
                    for entry in presence.entries() {
                        work.bring_back(item, entry)?;
                    }
                } else {
                    work.send(item, presence)?;
                }
            }
        }
        Ok(())
    }
}
