//! The data directives: `target_data`, `target_enter_data!`, `target_exit_data!`, `target_update!`, and the start and
//! end of a target block.
//!
//! Generated code makes a [`Directive`], hands it the items, which stay borrowed until it has run, and runs it. Where
//! there is no device nothing happens: the data is where the host is. A directive that fails leaves the table as it
//! was.
use super::array::HostArray;
use super::device_slice::{DeviceView, DeviceViewMut};
use super::present::Found;
use super::region::DataRegion;
use super::section::Mapped;
use super::work::{DataMap, Item, Map, Work};
use crate::device::select::{Asked, Choice, select};
use crate::device::{Dev, team};
use crate::env::OffloadPolicy;
use crate::error::{Error, Place};
use crate::launch::Context;
use crate::launch::region::{ClauseInt, text_of};
use crate::observe::{self, Moved};
use crate::typing::{Device, Mapped as Container, Slice};
use omp_kernels::ir::desc::TypeDesc;
use std::marker::PhantomData;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// What the macros know of a data directive; a `static` in generated code.
#[derive(Debug)]
pub struct DataSite {
    region: &'static str,
    file: &'static str,
    line: u32,
    column: u32,
    place: OnceLock<Place>,
    told: AtomicBool,
}

impl DataSite {
    /// A directive in the function (or with the `name`) `region`.
    #[must_use]
    pub const fn new(region: &'static str, file: &'static str, line: u32, column: u32) -> Self {
        Self { region, file, line, column, place: OnceLock::new(), told: AtomicBool::new(false) }
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

/// Whether all of an array is on the device that a region without a `device` clause would take. Where there is no
/// device, everything is where it is needed: always true.
///
/// # Panics
/// When an environment variable is malformed.
#[must_use]
pub fn target_is_present<C: ?Sized + Slice>(array: &C) -> bool {
    let context = Context::of_process().unwrap_or_else(|e| panic!("{e}"));
    let choice = select(context.registry, &context.env, team::default_device(), Asked::default());
    let Choice::Device(n) = choice else { return true };
    let mapped = Mapped::whole(HostArray::read(array.slice()).raw());
    mapped.count() == 0
        || context.registry.get(n).is_none_or(|d| matches!(d.present.find(&mapped), Found::Here(_)))
}

/// A data directive that is being put together.
#[derive(Debug)]
pub struct Directive<'a> {
    site: &'static DataSite,
    asked: Asked,
    items: Vec<Item>,
    /// Of the next item's elements.
    desc: &'static TypeDesc,
    context: Option<&'static Context>,
    borrows: PhantomData<&'a mut [u8]>,
}

impl<'a> Directive<'a> {
    /// Without items.
    #[must_use]
    pub fn new(site: &'static DataSite) -> Self {
        Self {
            site,
            asked: Asked::default(),
            items: Vec::new(),
            desc: &TypeDesc::Unit,
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
        self.asked.device = Some(n.wide());
    }

    /// `if(e)`
    pub fn condition(&mut self, c: bool) {
        self.asked.not_if = !c;
    }

    /// The next item.
    pub fn map<T>(&mut self, variable: &'static str, map: Map, array: HostArray<'a, T>) {
        let mapped = Mapped::whole(array.raw());
        let desc = std::mem::replace(&mut self.desc, &TypeDesc::Unit);
        self.items.push(Item { desc, ..Item::of(variable, map, mapped) });
    }

    /// A section of the item given last.
    pub fn section(&mut self, lo: usize, hi: usize) {
        if let Some(last) = self.items.last_mut() {
            let section = (lo as u64, hi as u64);
            let first = last.sections.is_empty();
            last.sections.push(section);
            let all = &mut last.mapped.section;
            *all = if first { section } else { (all.0.min(section.0), all.1.max(section.1)) };
        }
    }

    /// The elements of the next item are arrays, of which it names sections.
    pub fn nested<C: ?Sized + Container>(&mut self, _: &C) {
        self.desc = <C::Elem as Device>::DESC;
    }

    /// A section of the elements of the section given last.
    pub fn inner(&mut self, lo: usize, hi: usize) {
        if let Some(last) = self.items.last_mut() {
            last.inner.push((lo as u64, hi as u64));
        }
    }

    // ---- what may stand

    fn check(&self) -> Result<(), Error> {
        let place = self.site.place();
        for item in &self.items {
            let len = item.mapped.array.len() as u64;
            let whole = [item.mapped.section];
            let sections = if item.sections.is_empty() { &whole[..] } else { &item.sections };
            for (i, &section) in sections.iter().enumerate() {
                let variable = item.variable.to_owned();
                if section.0 > section.1 || section.1 > len {
                    return Err(Error::Section { place, variable, section, len });
                }
                let overlaps = |other: &&(u64, u64)| other.0 < section.1 && section.0 < other.1;
                if let Some(&other) = sections[..i].iter().find(overlaps) {
                    return Err(Error::SectionsOverlap { place, variable, sections: (other, section) });
                }
            }
        }
        Ok(())
    }

    /// The device; `None` for the host.
    fn select(&self) -> Result<Option<&'static Dev>, Error> {
        let place = self.site.place();
        let context = match self.context {
            Some(context) => context,
            None => Context::of_process()?,
        };
        match select(context.registry, &context.env, team::default_device(), self.asked) {
            Choice::Device(n) => Ok(context.registry.get(n)),
            Choice::Host => Ok(None),
            Choice::Missing(reasons) if context.env.offload == OffloadPolicy::Mandatory => {
                Err(Error::Mandatory { place, reasons })
            }
            Choice::Missing(reasons) => {
                if !self.site.told.swap(true, Ordering::Relaxed) {
                    observe::data_fallback(place, &text_of(&reasons));
                }
                Ok(None)
            }
            Choice::NoSuch(asked) => Err(Error::NoSuchDevice {
                place: Some(place),
                asked,
                devices: context.registry.count(),
                reasons: context.registry.reasons(),
            }),
        }
    }

    fn work<'b>(&'b self, device: &'static Dev, moved: &'b Moved) -> Work<'b> {
        Work { place: self.site.place(), device, items: &self.items, moved }
    }

    // ---- what is done

    /// The start of a data region.
    ///
    /// # Panics
    /// With the text of the error that [`Self::try_open`] gives.
    #[track_caller]
    #[must_use]
    pub fn open(&self) -> DataRegion {
        self.try_open().unwrap_or_else(|error| panic!("{error}"))
    }

    /// The start of a data region.
    ///
    /// # Errors
    /// Sections that don't fit, data that is present in part or absent though `present` is asked for, and what
    /// fails on the device.
    pub fn try_open(&self) -> Result<DataRegion, Error> {
        self.check()?;
        let place = self.site.place();
        let Some(device) = self.select()? else { return Ok(DataRegion::on_host(place)) };
        let held = observe::directive("data region", place, device, |moved| {
            // SAFETY: the items are borrowed for `'a`, which this borrow of `self` does not outlive.
            unsafe { self.work(device, moved).enter() }
        })?;
        Ok(DataRegion::holding(place, device, &self.items, held))
    }

    /// The start of a target block.
    ///
    /// # Panics
    /// With the text of the error that [`Self::try_open_block`] gives.
    #[track_caller]
    #[must_use]
    pub fn open_block(&self) -> DataRegion {
        self.try_open_block().unwrap_or_else(|error| panic!("{error}"))
    }

    /// The start of a target block, whose data is its own.
    ///
    /// # Errors
    /// As [`Self::try_open`].
    pub fn try_open_block(&self) -> Result<DataRegion, Error> {
        self.check()?;
        let place = self.site.place();
        let Some(device) = self.select()? else { return Ok(DataRegion::block_on_host(place)) };
        let (entries, own) = observe::directive("target block", place, device, |moved| {
            // SAFETY: as in `try_open`.
            unsafe { self.work(device, moved).own() }
        })?;
        Ok(DataRegion::block(place, device, &self.items, entries, &own))
    }

    /// Where an array of `use_device_ptr` is present.
    fn pointed(&self, variable: &'static str, mapped: Mapped) -> Result<Pointed, Error> {
        let Some(device) = self.select()? else { return Ok(None) };
        let map = Map { ty: DataMap::Alloc, always: false, present: true };
        let item = [Item::of(variable, map, mapped)];
        let moved = Moved::default();
        let work = Work { place: self.site.place(), device, items: &item, moved: &moved };
        let mut found = work.find_all()?;
        Ok(found.pop().flatten().map(|entry| (device, entry)))
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
        Ok(DeviceView::of(array, self.pointed(variable, mapped)?))
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
        Ok(DeviceViewMut::of(array, self.pointed(variable, mapped)?))
    }

    /// `target_enter_data!`
    ///
    /// # Panics
    /// With the text of the error that [`Self::try_enter`] gives.
    #[track_caller]
    pub fn enter(&self) {
        self.try_enter().unwrap_or_else(|error| panic!("{error}"));
    }

    /// `target_enter_data!`
    ///
    /// # Errors
    /// As [`Self::try_open`].
    pub fn try_enter(&self) -> Result<(), Error> {
        self.check()?;
        let Some(device) = self.select()? else { return Ok(()) };
        observe::directive("enter data", self.site.place(), device, |moved| {
            // SAFETY: as in `try_open`.
            unsafe { self.work(device, moved).enter() }.map(drop)
        })
    }

    /// `target_exit_data!`
    ///
    /// # Panics
    /// With the text of the error that [`Self::try_exit`] gives.
    #[track_caller]
    pub fn exit(&self) {
        self.try_exit().unwrap_or_else(|error| panic!("{error}"));
    }

    /// `target_exit_data!`
    ///
    /// # Errors
    /// Data that is not present, or in part; and what fails on the device: references are dropped all the same.
    pub fn try_exit(&self) -> Result<(), Error> {
        self.check()?;
        let Some(device) = self.select()? else { return Ok(()) };
        observe::directive("exit data", self.site.place(), device, |moved| self.exit_on(device, moved))
    }

    fn exit_on(&self, device: &'static Dev, moved: &Moved) -> Result<(), Error> {
        let work = self.work(device, moved);
        let _turn = device.present.turn();
        let entries = work.find_all()?;
        let mut result = Ok(());
        for (item, entry) in self.items.iter().zip(&entries) {
            let Some(entry) = entry else { continue };
            let last = device.present.references(entry) == 1;
            if item.map.ty.brings_back() && (item.map.always || last) && result.is_ok() {
                // SAFETY: as in `try_open`; what is brought back is borrowed by `&mut`.
                result = unsafe { work.bring_back(item, entry) }.map(drop);
            }
            work.drop(item, entry);
        }
        result
    }

    /// `target_update!`
    ///
    /// # Panics
    /// With the text of the error that [`Self::try_update`] gives.
    #[track_caller]
    pub fn update(&self) {
        self.try_update().unwrap_or_else(|error| panic!("{error}"));
    }

    /// `target_update!`
    ///
    /// # Errors
    /// Data that is not present, or in part, and copies that fail.
    pub fn try_update(&self) -> Result<(), Error> {
        self.check()?;
        let Some(device) = self.select()? else { return Ok(()) };
        observe::directive("update", self.site.place(), device, |moved| self.update_on(device, moved))
    }

    fn update_on(&self, device: &'static Dev, moved: &Moved) -> Result<(), Error> {
        let work = self.work(device, moved);
        let _turn = device.present.turn();
        let entries = work.find_all()?;
        for (item, entry) in self.items.iter().zip(&entries) {
            let Some(entry) = entry else { continue };
            let whole = [item.mapped.section];
            let sections = if item.sections.is_empty() { &whole[..] } else { &item.sections };
            for &section in sections {
                let part =
                    Item { mapped: Mapped { section, ..item.mapped }, sections: Vec::new(), ..item.clone() };
                // SAFETY: as in `try_open`; what is brought back is borrowed by `&mut`.
                unsafe {
                    if item.map.ty.brings_back() {
                        work.bring_back(&part, entry)?;
                    } else {
                        work.send(&part, entry)?;
                    }
                }
            }
        }
        Ok(())
    }
}
