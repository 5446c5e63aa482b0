//! One execution of a region: its data and clauses, and the decision where it runs.
mod clauses;
mod host;
mod refused;

use super::execute::args::Scalars;
use super::outcome::fault::Fault;
use super::outcome::report::{KernelTime, Record};
use super::plan::decisions::{Checked, LaunchDecisions, Numbers};
use super::plan::replay::Decided;
use crate::data::HostArray;
use crate::data::array::OnDevice;
use crate::data::device_slice::host_memory::Owner;
use crate::data::directive::region::{DataRegion, Scope};
use crate::data::mapping::{Home, Wish};
use crate::data::present::{Entry, Found, Misfit, Presence, find_in, lookup_of};
use crate::data::section::Mapped;
use crate::device::select::{Choice, select};
use crate::device::{Dev, team};
use crate::error::{Error, Place, Wanted};
use crate::host::access::claims::{Claims, IterationNumbers};
use crate::host::loops::schedule::Schedule;
use crate::launch::context::Context;
use crate::launch::execute::{self, Launch};
use crate::launch::outcome::{HostRun, Outcome};
use crate::launch::site::{Ready, TypedSite};
use crate::launch::verify::Trial;
use crate::observe;
use crate::task::{Touch, memory};
use crate::typing::{Value, konst_bytes};
pub(super) use clauses::SomeClauses;
pub use clauses::{ClauseInt, they_met};
use omp_ir::analysis::plan::DimValues;
use omp_ir::analysis::plan::numbering::{Numbering, takes_slices};
use omp_ir::desc::TypeDesc;
use omp_ir::ids::ArrayId;
use omp_kernels::schedule::Pins;
use omp_kernels::valid;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

/// Where a region runs.
pub(super) enum Chosen {
    Device(&'static Dev),
    Host,
    /// There is no device although one was requested.
    Missing(Vec<(String, String)>),
    NoSuch(i128),
}

/// One execution of a region. Generated code fills it in the order of the template's ids, then runs it.
#[derive(Debug)]
pub struct Region {
    pub(super) site: &'static TypedSite,
    pub(super) arrays: SmallVec<[Mapped; 4]>,
    pub(super) scalars: Scalars,
    /// Fixed arrays behind references that travel as values: their names and addresses.
    values: Vec<(&'static str, (u128, u128))>,
    pub(super) dims: SmallVec<[Option<DimValues>; 2]>,
    pub(super) clauses: SomeClauses,
    pub(super) started: Instant,
    pub(super) fallback: Option<Arc<str>>,
    /// The reduction items' results, at their places in the kernel's; empty when nothing was launched.
    pub(super) results: Vec<u8>,
    /// `OMP_VERIFY`: what the device computed.
    pub(super) trial: Option<Box<Trial>>,
    pub(super) context: Option<&'static Context>,
    /// By array: `map(always, …)` and `map(present, …)`.
    pub(super) modifiers: Vec<Modifiers>,
    /// By array: the sections of its `map`; arrays after the last that has some are left out.
    pub(super) sections: Vec<Vec<(u64, u64)>>,
    /// Arrays that stand in device memory and nowhere else, and on which device.
    pub(super) memory: Vec<(usize, OnDevice)>,
    /// Arrays that are `DeviceSlice`s or views in the host's memory, and what keeps that.
    pub(super) slices: Vec<(usize, Owner)>,
    /// It is launched as a task: the launching code ensures the order.
    pub(crate) is_task: bool,
    /// The target block around it.
    pub(super) scope: Option<Arc<Scope>>,
    /// The sections that `depend` names of arrays without a `map`.
    pub(super) declared: Vec<(usize, (u64, u64))>,
    /// What the launch has decided, for the host.
    pub(super) decided: Option<Arc<LaunchDecisions>>,
    /// As a task it may run on another thread: its loop owns what it uses, and its only results are arrays.
    pub(crate) may_wait: bool,
    /// It is to run on its device after tasks on the host: what it touches.
    pub(crate) waits: Option<Vec<Touch>>,
    /// What the host has to check.
    pub(super) claiming: Option<Checked>,
}

/// Of a `map`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Modifiers {
    pub always: bool,
    pub present: bool,
}

impl Region {
    /// An execution of a region.
    ///
    /// # Safety
    /// It is given the arrays, scalars and loops of the site's template, in their order; the borrows of the arrays last until the
    /// region has run, and with [`Self::reduced`] and [`Self::dim`] each item has the type that the site has.
    #[must_use]
    pub unsafe fn new(site: &'static TypedSite) -> Self {
        Self::of(site)
    }

    /// An execution without data and clauses. The caller ensures the requirements of [`Self::new`].
    #[must_use]
    pub(crate) fn of(site: &'static TypedSite) -> Self {
        Self {
            site,
            arrays: SmallVec::new(),
            scalars: Scalars::default(),
            values: Vec::new(),
            dims: SmallVec::new(),
            clauses: SomeClauses::default(),
            started: Instant::now(),
            fallback: None,
            results: Vec::new(),
            trial: None,
            claiming: None,
            context: None,
            modifiers: Vec::new(),
            sections: Vec::new(),
            memory: Vec::new(),
            slices: Vec::new(),
            is_task: false,
            scope: None,
            declared: Vec::new(),
            decided: None,
            may_wait: false,
            waits: None,
        }
    }

    /// What it is an execution of.
    pub(crate) fn site(&self) -> &'static TypedSite {
        self.site
    }

    /// Its loop owns what it uses, and its only results are arrays.
    pub fn may_wait(&mut self) {
        self.may_wait = true;
    }

    /// The position of the region in the source.
    pub(crate) fn place(&self) -> &'static Place {
        &self.site.place
    }

    /// The same with surroundings of its own, for tests.
    #[must_use]
    pub fn within(mut self, context: &'static Context) -> Self {
        self.context = Some(context);
        self
    }

    /// The next array. The borrow that `array` holds lasts until [`Self::run`] has returned: generated code
    /// keeps it in a local until then.
    pub fn array<T>(&mut self, array: &HostArray<'_, T>) {
        if let Some(memory) = array.memory() {
            self.memory.push((self.arrays.len(), memory.clone()));
        }
        if let Some(owner) = array.slice_owner() {
            self.slices.push((self.arrays.len(), owner.clone()));
        }
        self.arrays.push(Mapped::whole(array.raw()));
    }

    /// A mapped section of the array given last.
    pub fn section(&mut self, lo: usize, hi: usize) {
        self.sections.resize_with(self.arrays.len(), Vec::new);
        if let (Some(last), Some(sections)) = (self.arrays.last_mut(), self.sections.last_mut()) {
            let (section, all) = ((lo as u64, hi as u64), &mut last.section);
            *all = if sections.is_empty() { section } else { (all.0.min(section.0), all.1.max(section.1)) };
            sections.push(section);
        }
    }

    /// The section of the array given last that a task's `depend` names.
    pub fn declared(&mut self, lo: usize, hi: usize) {
        self.declared.push((self.arrays.len().saturating_sub(1), (lo as u64, hi as u64)));
    }

    /// If subscripts don't show what they access, they have to be in the section that `depend` names.
    pub(in crate::launch) fn hold(
        &mut self,
        context: &Context,
        device: Option<&Dev>,
        ready: Option<&Ready>,
    ) -> Result<(), Error> {
        if self.declared.is_empty() {
            return Ok(());
        }
        let decisions = ready.map(|ready| self.site.decisions(ready, &self.numbers(context, device)));
        let understood = |i: usize| decisions.as_ref().is_some_and(|p| p.facts.footprint[i].is_some());
        for (i, section) in std::mem::take(&mut self.declared) {
            if !understood(i) {
                self.arrays[i].section = section;
            }
        }
        self.check_arrays()
    }

    /// The sections of all arrays.
    pub(super) fn sections(&self) -> &[Vec<(u64, u64)>] {
        &self.sections
    }

    /// The sections of an array.
    pub(super) fn sections_of(&self, array: usize) -> &[(u64, u64)] {
        self.sections.get(array).map_or(&[], Vec::as_slice)
    }

    /// The modifiers of the `map` of the array given last.
    pub fn modifiers(&mut self, always: bool, present: bool) {
        self.modifiers.resize(self.arrays.len(), Modifiers::default());
        if let Some(last) = self.modifiers.last_mut() {
            *last = Modifiers { always, present };
        }
    }

    /// It stands in this target block.
    pub fn inside(&mut self, block: &DataRegion) {
        self.scope = block.scope().cloned();
    }

    /// The next scalar.
    pub fn scalar<T: Value>(&mut self, value: &T) {
        match T::DESC {
            TypeDesc::Prim(prim) => {
                // SAFETY: `T: Value` described as this primitive is this primitive: `size()` initialised bytes.
                let bytes =
                    unsafe { std::slice::from_raw_parts((&raw const *value).cast::<u8>(), prim.size()) };
                self.scalars.push(bytes);
            }
            TypeDesc::Unit
            | TypeDesc::Array { .. }
            | TypeDesc::Struct(_)
            | TypeDesc::Enum(_)
            | TypeDesc::Data(_)
            | TypeDesc::Option(_) => self.scalars.push(&konst_bytes(value)),
        }
    }

    /// The variable behind a reference of which a scalar is a copy.
    pub fn copied<T: Value>(&mut self, name: &'static str, of: &T) {
        if matches!(T::DESC, TypeDesc::Array { .. }) {
            let at = (&raw const *of).addr() as u128;
            self.values.push((name, (at, at + size_of::<T>() as u128)));
        }
    }

    /// The next loop, whose bounds depend on no outer loop variable.
    pub fn dim(&mut self, values: impl Into<DimValues>) {
        self.dims.push(Some(values.into()));
    }

    /// The next loop, whose bounds depend on outer loop variables.
    pub fn dependent_dim(&mut self) {
        self.dims.push(None);
    }

    /// The numbers of the host's iterations, where it has to check `disjoint(…)`.
    #[must_use]
    pub fn iteration_numbers(&self) -> IterationNumbers {
        match &self.claiming {
            Some(checked) => checked.numbers.clone(),
            None => IterationNumbers::new(Vec::new(), Numbering::default()),
        }
    }

    /// The table of claims of an array, for a loop that runs in this way; an empty one if the launch has proved it.
    #[must_use]
    pub fn claims(&self, array: usize, run: &HostRun) -> Claims {
        let requested = self.claiming.as_ref().is_some_and(|c| c.arrays.contains(&ArrayId::new(array)));
        let mapped = &self.arrays[array];
        let len = mapped.array.len();
        let end = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        let section = if self.site.template.arrays[array].section {
            (end(mapped.section.0), end(mapped.section.1))
        } else {
            (0, len)
        };
        let slices = requested && takes_slices(&self.site.template, ArrayId::new(array));
        let name = Cow::Borrowed(self.site.names[array].as_str());
        Claims::new(name, section, len, requested, self.iteration_numbers(), run).with_slices(slices)
    }

    /// Runs the region on the device that it selects.
    ///
    /// # Panics
    /// With the text of the error that [`Self::try_run`] gives.
    #[track_caller]
    pub fn run(&mut self) -> Outcome {
        match self.try_run() {
            Ok(outcome) => outcome,
            Err(error) => panic!("{error}"),
        }
    }

    /// Runs the region on the device that it selects, or says that the host has to.
    ///
    /// # Errors
    /// Mistakes in the user's program, malformed environment variables, and what a device can't do where the host may
    /// not.
    pub fn try_run(&mut self) -> Result<Outcome, Error> {
        let result = self.attempt();
        if let Err(error) = &result {
            observe::failed(&self.site.place, || error.clone());
        }
        result
    }

    fn attempt(&mut self) -> Result<Outcome, Error> {
        // Tasks may use its data without a guard.
        if !self.is_task {
            self.slice_owners().for_each(|memory| memory.wait(|_| true));
        }
        let met = !self.is_task && memory::is_known();
        if met {
            memory::settle_all(|| self.memory_touched(), true)?;
        }
        if self.ahead_again()? {
            return Ok(Outcome::Done);
        }
        let brought = self.brought();
        let context = match self.context {
            Some(context) => context,
            None => Context::of_process()?,
        };
        self.check_clauses()?;
        self.check_arrays()?;
        self.check_operators()?;
        let ready = match &self.site.body {
            Ok(ready) => ready,
            Err(reason) => {
                self.hold(context, None, None)?;
                return self.without_kernel(context, reason);
            }
        };
        let choice = self.choose(context);
        let device = match &choice {
            Chosen::Device(device) => Some(*device),
            Chosen::Host | Chosen::Missing(_) => None,
            Chosen::NoSuch(requested) => return Err(self.no_such_device(context, *requested)),
        };
        self.hold(context, device, Some(ready))?;
        if let Some((at, (home, _))) =
            self.memory.iter().find(|(_, (home, _))| device.is_none_or(|device| device.id != home.id))
        {
            let reason = format!("the memory of `{}` is on {}", self.site.names[*at], home.label());
            return Err(self.stranded(home, *at, reason));
        }
        if let Some(device) = device {
            self.check_values(device)?;
        }
        let decisions = self.site.decisions(ready, &self.numbers(context, device));
        let version = device.map_or(0, |device| device.present.version());
        let homes = match device {
            Some(device) => self.homes(device, &decisions)?,
            None => Vec::new(),
        };
        if let Some(device) = device.filter(|_| met) {
            memory::settle_all(|| self.present_touched(device, &homes), true)?;
        }
        if let Some(race) = &decisions.facts.race {
            if self.gives_way() {
                return Ok(Outcome::Done);
            }
            return Err(self.race(ready, race));
        }
        if decisions.facts.total == Some(0) {
            self.nothing_to_do();
            return Ok(Outcome::Done);
        }
        if let Chosen::Missing(reasons) = choice {
            let reason = text_of(&reasons);
            let place = &self.site.place;
            self.fall_back(context, &reason, || Error::Mandatory { place, reasons })?;
            self.fallback = Some(reason.into());
        }
        if let Some(device) = device {
            let ready = decisions.kernel(ready);
            let decided = self.on_device((context, device), ready, &decisions, (&homes, version));
            decisions.owed.spent(self.started.elapsed());
            match decided.map(|decided| decided.map(|decided| self.learn(decided, brought, None))) {
                Ok(_) if self.trial.is_none() => return Ok(Outcome::Done),
                Ok(_) => {}
                Err(Fault::Program(error)) if self.trial.is_some() => self.only_on_device(error),
                Err(fault) => {
                    self.trial = None;
                    self.failed(context, device, fault, &homes)?;
                }
            }
        }
        if self.trial.is_none() && context.env.verify.is_some() && !self.clauses.host_only {
            observe::unverified(
                self.site,
                "it ran on the host alone: OMP_VERIFY compares a device with the host",
            );
        }
        if device.is_none() && self.fallback.is_none() && observe::reports_data() {
            self.report_host_copies(context);
        }
        self.claiming_of(&decisions);
        let serial = decisions.serial.is_some();
        self.decided = Some(decisions);
        Ok(self.host(context, serial))
    }

    /// Whether fixed arrays behind references travel as values.
    pub(in crate::launch) const fn has_values(&self) -> bool {
        !self.values.is_empty()
    }

    /// What travels as a value is the host's copy: kernels must not have written the device's.
    fn check_values(&self, device: &Dev) -> Result<(), Error> {
        let entries = || self.scope.iter().flat_map(|block| &block.entries);
        let is_old = |(_, range): &&(&str, (u128, u128))| {
            let overlaps = |entry: &Entry| entry.range().0 < range.1 && range.0 < entry.range().1;
            device.present.is_written(*range) || entries().any(|entry| entry.is_written() && overlaps(entry))
        };
        match self.values.iter().find(is_old) {
            None => Ok(()),
            Some((name, _)) => Err(Error::OldValue {
                place: &self.site.place,
                device: device.label(),
                variable: (*name).to_owned(),
            }),
        }
    }

    /// What the host has to check.
    pub(super) fn claiming_of(&mut self, decisions: &LaunchDecisions) {
        if let Some(checked) = &decisions.checked {
            self.claiming = Some(checked.clone());
        }
    }

    /// Where it runs: with its target block, if it is in one.
    pub(super) fn choose(&self, context: &Context) -> Chosen {
        if self.clauses.host_only {
            return Chosen::Host;
        }
        if let Some(scope) = &self.scope {
            return scope.device.map_or(Chosen::Host, Chosen::Device);
        }
        match select(context.registry, &context.env, team::default_device(), self.clauses.requested) {
            Choice::Device(n) => context.registry.get(n).map_or(Chosen::Host, Chosen::Device),
            Choice::Host => Chosen::Host,
            Choice::Missing(reasons) => Chosen::Missing(reasons),
            Choice::NoSuch(requested) => Chosen::NoSuch(requested),
        }
    }

    /// Where the arrays are: what data directives or the block around have put on the device is used there.
    pub(super) fn homes(&self, device: &Dev, decisions: &LaunchDecisions) -> Result<Vec<Home>, Error> {
        let nothing: &[Arc<Entry>] = &[];
        let block = self.scope.as_ref().map_or(nothing, |scope| &scope.entries);
        let place = &self.site.place;
        let mut homes = Vec::with_capacity(self.arrays.len());
        for (i, (mapped, param)) in self.arrays.iter().zip(&self.site.template.arrays).enumerate() {
            if let Some((_, (_, presence))) = self.memory.iter().find(|(at, _)| *at == i) {
                homes.push(Home::Present(presence.clone()));
                continue;
            }
            let wish = self.modifiers.get(i).copied().unwrap_or_default();
            let touched = match decisions.facts.total {
                Some(0) if param.map.is_none() => &[],
                _ => Wish::of(param, mapped, self.sections_of(i), &decisions.facts, i).touched(),
            };
            let mut home: Option<Home> = None;
            let reads = !param.written;
            let of_block = |entry: &Arc<Entry>| block.iter().any(|own| Arc::ptr_eq(own, entry));
            let foreign = |one: &Presence| {
                reads && !one.entries().any(of_block) && device.present.is_foreign(one, mapped)
            };
            for &section in touched {
                let part = Mapped { section, ..*mapped };
                let found = match find_in(block, &part) {
                    Found::Absent if reads => device.present.find_read(&part),
                    Found::Absent => device.present.find(&part),
                    found => found,
                };
                let partly = |mapped| Misfit::Partly.error(place, device, &self.site.names[i], mapped);
                home = Some(match (found, home) {
                    (Found::Here(presence), None) => Home::Present(presence),
                    (Found::Here(presence), Some(Home::Present(before))) => {
                        let apart = foreign(&before) && foreign(&presence);
                        match before.and(&presence) {
                            Some(both) => Home::Present(both),
                            None if apart => Home::Own,
                            None => return Err(partly(mapped)),
                        }
                    }
                    (Found::Absent, _) if wish.present && part.count() > 0 => {
                        let lookup = lookup_of(device, &self.site.names[i], &part, Wanted::Map);
                        return Err(Error::NotPresent { place, device: device.label(), lookup });
                    }
                    (Found::Absent, None | Some(Home::Own)) => Home::Own,
                    // Other threads' directives may have some of the sections.
                    (Found::Absent, Some(Home::Present(other))) | (Found::Here(other), Some(Home::Own))
                        if foreign(&other) =>
                    {
                        Home::Own
                    }
                    (Found::Absent, Some(Home::Present(_))) | (Found::Here(_), Some(Home::Own)) => {
                        return Err(partly(mapped));
                    }
                    (Found::Misfit(misfit), _) => {
                        return Err(misfit.error(place, device, &self.site.names[i], &part));
                    }
                });
            }
            homes.push(home.unwrap_or(Home::Own));
        }
        Ok(homes)
    }

    /// Records what the region did.
    pub(super) fn remember(&self, record: Record) {
        if let Some(scope) = &self.scope {
            scope.totals.add(&record);
        }
        super::outcome::report::remember(record);
    }

    /// What the user fixes of the schedule.
    fn pinned(&self) -> Pins {
        let long = |n: Option<i128>| n.map(|n| u64::try_from(n).unwrap_or(u64::MAX));
        let chunk = self.clauses.chunk.filter(|_| matches!(self.clauses.schedule, Some(Schedule::Static(_))));
        let unroll = if self.clauses.unroll_all { Some(0) } else { self.clauses.pins.unroll };
        Pins { chunk: long(chunk), team_chunk: long(self.clauses.team_chunk), unroll, ..self.clauses.pins }
    }

    pub(super) fn numbers<'a>(&'a self, context: &Context, device: Option<&Dev>) -> Numbers<'a> {
        let limit = |clause: Option<i128>, default: Option<u64>| {
            clause.map(|n| u64::try_from(n).unwrap_or(u64::MAX)).or(default)
        };
        Numbers {
            device: device.map(|d| d.id),
            dims: &self.dims,
            arrays: &self.arrays,
            sections: &self.sections,
            scalars: &self.scalars,
            num_teams: limit(self.clauses.num_teams, context.env.num_teams),
            thread_limit: limit(
                self.clauses.thread_limit.into_iter().chain(self.clauses.num_threads).min(),
                context.env.thread_limit,
            ),
            pins: self.pinned(),
        }
    }

    fn on_device(
        &mut self,
        (context, device): (&Context, &'static Dev),
        ready: &'static Ready,
        decisions: &LaunchDecisions,
        (homes, version): (&[Home], u64),
    ) -> Result<Option<Decided>, Fault> {
        let Numbers { num_teams, thread_limit, pins, .. } = self.numbers(context, Some(device));
        // What stands on the device for longer is not the host's to compare with.
        let own = homes.iter().all(|home| home.present().is_none());
        let mut reference = None;
        let verify = context.env.verify.filter(|_| {
            let draws = valid::draws(&ready.kernel);
            if draws {
                observe::unverified(
                    self.site,
                    "what its iterations take from atomics depends on their order, so host and device may differ",
                );
            }
            !draws
        });
        if let Some(tolerance) = verify.filter(|_| own) {
            let written = |i: usize| self.site.template.arrays.get(i).is_some_and(|a| a.written);
            // SAFETY: the borrows behind `arrays` last until `run` returns (`Self::array`).
            let trial = unsafe { Trial::new(&self.arrays, written, device.label(), tolerance) };
            self.trial = Some(Box::new(trial));
        } else if let Some(tolerance) = verify {
            reference = Some(self.reference(device, homes, tolerance)?);
        }
        let launch = Launch {
            site: self.site,
            ready,
            device,
            arrays: self.trial.as_ref().map_or(&self.arrays, |trial| trial.arrays()),
            homes,
            sections: &self.sections,
            modifiers: &self.modifiers,
            scalars: &self.scalars,
            decisions,
            num_teams,
            thread_limit,
            pins,
            version,
            unwatched: self.scope.is_none() && context.env.verify.is_none(),
            dump: context.env.dump.as_deref(),
            disk: context.disk.as_ref(),
            tuner: &context.tuner,
        };
        let mut stopped = None;
        // SAFETY: the borrows behind `arrays` last until `run` returns (`Self::array`), those of written arrays
        // are exclusive, and `check_arrays` has refused written memory that is mapped twice.
        let done = unsafe { execute::execute(&launch, &mut self.results, &mut stopped) };
        let ran = match &done {
            Ok(done) => Some(done),
            Err(Fault::Program(_)) => stopped.as_ref(),
            Err(_) => None,
        };
        if let Some(ran) = ran {
            self.remember(ran.record(&self.site.place, device, self.started));
        }
        let went = done.map(|done| done.decided);
        match reference {
            Some(reference) => {
                self.judged(reference, ready, &decisions.facts, went.map(|_| ())).map(|()| None)
            }
            None => went,
        }
    }

    pub(super) fn nothing_to_do(&mut self) {
        self.results.clear();
        self.remember(Record {
            place: &self.site.place,
            device: None,
            grid: [0; 3],
            block: [0; 3],
            bytes_to_device: 0,
            bytes_from_device: 0,
            kernel_time: KernelTime::Known(std::time::Duration::ZERO),
            wall_time: self.started.elapsed(),
            residual_checks: 0,
            fallback: None,
        });
    }

    /// Combines reduction item `k` with what the device computed, by `combine`; nothing after an empty loop.
    pub fn reduced<T: Value>(&mut self, k: usize, item: &mut T, combine: impl FnOnce(T, T) -> T) {
        let Ok(ready) = &self.site.body else { return };
        let (places, end) = ready.kernel.result_places();
        let size = T::DESC.size().unwrap_or(0);
        let Some(bytes) = places.get(k).and_then(|&at| self.results.get(at..at + size)) else { return };
        if size != size_of::<T>() || self.results.len() < end {
            return;
        }
        // SAFETY: `bytes` are as many as `T` has, and the kernel wrote a value of the item's type there: rustc has checked
        // the item's type for `T`.
        let result = unsafe { bytes.as_ptr().cast::<T>().read_unaligned() };
        *item = combine(*item, result);
    }
}

pub(crate) fn text_of(reasons: &[(String, String)]) -> String {
    let parts: Vec<String> = reasons.iter().map(|(who, why)| format!("{who}: {why}")).collect();
    parts.join("; ")
}
