//! One execution of a region: its data and clauses, and the decision where it runs.
use super::args::Scalars;
use super::context::Context;
use super::execute::{self, Launch};
use super::fault::{Fault, mapping};
use super::outcome::{HostLoop, HostRun, Outcome};
use super::prepared::{Numbers, Prepared};
use super::report::Record;
use super::site::{Ready, TypedSite};
use super::verify::Trial;
use crate::data::HostArray;
use crate::data::array::OnDevice;
use crate::data::mapping::{Home, Wish};
use crate::data::present::{Entry, Found, Misfit, asked, find_in};
use crate::data::region::{DataRegion, Scope};
use crate::data::section::{Mapped, overlap};
use crate::device::select::{Asked, Choice, select};
use crate::device::{Dev, team};
use crate::env::OffloadPolicy;
use crate::error::{Error, Meeting, Place};
use crate::host::claims::{Claims, IterationNumbers};
use crate::host::schedule::Schedule;
use crate::observe;
use crate::typing::{Value, konst_bytes};
use omp_kernels::analysis::plan::numbering::Numbering;
use omp_kernels::analysis::plan::{DimValues, RaceAtLaunch};
use omp_kernels::ir::desc::TypeDesc;
use omp_kernels::ir::ids::{AccessId, ArrayId};
use omp_kernels::ir::template::Dim;
use omp_kernels::schedule::Pins;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

/// The types that clause expressions may have: all integers.
#[diagnostic::on_unimplemented(
    message = "a clause takes an integer, not `{Self}` [omp::E0205]",
    label = "not an integer"
)]
pub trait ClauseInt: Copy {
    /// The value; what is beyond `i128` saturates.
    fn wide(self) -> i128;
}

macro_rules! clause_ints {
    ($($t:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl ClauseInt for $t {
            #[inline]
            fn wide(self) -> i128 {
                i128::try_from(self).unwrap_or(i128::MAX)
            }
        }
    )* };
}
clause_ints!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

/// Where a region runs.
pub(super) enum Chosen {
    Device(&'static Dev),
    Host,
    /// There is no device although one was asked for.
    Missing(Vec<(String, String)>),
    NoSuch(i128),
}

/// What a pin can hold; what is below one becomes zero, which is refused.
fn narrow(n: impl ClauseInt) -> u32 {
    u32::try_from(n.wide().clamp(0, 1 << 30)).unwrap_or(0)
}

/// One execution of a region. Generated code fills it in the order of the template's ids, then runs it.
#[derive(Debug)]
pub struct Region {
    pub(super) site: &'static TypedSite,
    pub(super) arrays: Vec<Mapped>,
    pub(super) scalars: Scalars,
    pub(super) dims: Vec<Option<DimValues>>,
    num_teams: Option<i128>,
    thread_limit: Option<i128>,
    num_threads: Option<i128>,
    simdlen: Option<i128>,
    schedule: Option<Schedule>,
    chunk: Option<i128>,
    team_chunk: Option<i128>,
    pins: Pins,
    unroll_all: bool,
    /// A host loop: no device is looked for.
    pub(super) host_only: bool,
    pub(super) asked: Asked,
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
    sections: Vec<Vec<(u64, u64)>>,
    /// Arrays that stand in device memory and nowhere else, and on which device.
    pub(super) memory: Vec<(usize, OnDevice)>,
    /// The target block around it.
    pub(super) scope: Option<Arc<Scope>>,
    /// What of `disjoint(…)` the host has to check (sections are checked as well), and the numbers of iterations.
    pub(super) claiming: Option<(BTreeSet<ArrayId>, Numbering)>,
}

/// Of a `map`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Modifiers {
    pub always: bool,
    pub present: bool,
}

impl Region {
    /// An execution of a region.
    #[must_use]
    pub fn new(site: &'static TypedSite) -> Self {
        Self {
            site,
            arrays: Vec::with_capacity(site.template.arrays.len()),
            scalars: Scalars::default(),
            dims: Vec::with_capacity(site.template.dims.len()),
            num_teams: None,
            thread_limit: None,
            num_threads: None,
            simdlen: None,
            schedule: None,
            chunk: None,
            team_chunk: None,
            pins: Pins::default(),
            unroll_all: false,
            host_only: false,
            asked: Asked::default(),
            started: Instant::now(),
            fallback: None,
            results: Vec::new(),
            trial: None,
            claiming: None,
            context: None,
            modifiers: Vec::new(),
            sections: Vec::new(),
            memory: Vec::new(),
            scope: None,
        }
    }

    /// Where it stands.
    pub(crate) fn place(&self) -> &'static Place {
        &self.site.place
    }

    /// The same with surroundings of its own, for tests.
    #[must_use]
    pub fn within(mut self, context: &'static Context) -> Self {
        self.context = Some(context);
        self
    }

    /// The next array. The borrow that `array` holds must last until [`Self::run`] has returned; generated code
    /// keeps it in a local until then.
    pub fn array<T>(&mut self, array: &HostArray<'_, T>) {
        if let Some(memory) = array.memory() {
            self.memory.push((self.arrays.len(), memory.clone()));
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
            | TypeDesc::Option(_) => self.scalars.push(&konst_bytes(value)),
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

    /// `num_teams(e)`
    pub fn num_teams(&mut self, n: impl ClauseInt) {
        self.num_teams = Some(n.wide());
    }

    /// `thread_limit(e)`
    pub fn thread_limit(&mut self, n: impl ClauseInt) {
        self.thread_limit = Some(n.wide());
    }

    /// `num_threads(e)`
    pub fn num_threads(&mut self, n: impl ClauseInt) {
        self.num_threads = Some(n.wide());
    }

    /// `schedule(kind)`
    pub fn schedule(&mut self, schedule: Schedule) {
        self.schedule = Some(schedule);
    }

    /// `simdlen(e)`: a hint.
    pub fn simdlen(&mut self, n: impl ClauseInt) {
        self.simdlen = Some(n.wide());
    }

    /// The chunk of a `schedule(kind, e)`.
    pub fn chunk(&mut self, n: impl ClauseInt) {
        self.chunk = Some(n.wide());
    }

    /// The chunk of a `dist_schedule(static, e)`.
    pub fn team_chunk(&mut self, n: impl ClauseInt) {
        self.team_chunk = Some(n.wide());
    }

    /// `block(x, y, z)`
    pub fn block<X: ClauseInt, Y: ClauseInt, Z: ClauseInt>(&mut self, (x, y, z): (X, Y, Z)) {
        self.pins.block = Some([narrow(x), narrow(y), narrow(z)]);
    }

    /// `tile(a, b)`
    pub fn tile<A: ClauseInt, B: ClauseInt>(&mut self, (a, b): (A, B)) {
        self.pins.tile = Some([narrow(a), narrow(b)]);
    }

    /// `unroll(n)`
    pub fn unroll(&mut self, n: impl ClauseInt) {
        self.pins.unroll = Some(narrow(n));
    }

    /// `unroll`
    pub fn unroll_fully(&mut self) {
        self.unroll_all = true;
    }

    /// `vector(n)`
    pub fn vector(&mut self, n: impl ClauseInt) {
        self.pins.vector = Some(narrow(n));
    }

    /// The loop is for the host's threads.
    pub fn host_only(&mut self) {
        self.host_only = true;
    }

    /// The numbers of the host's iterations, where it has to check `disjoint(…)`.
    #[must_use]
    pub fn iteration_numbers(&self) -> IterationNumbers {
        let dims = self.site.template.dims.iter();
        let name = |d: &Dim| self.site.template.code.locals[d.var.index()].name.clone();
        let numbering = self.claiming.as_ref().map(|c| c.1.clone()).unwrap_or_default();
        IterationNumbers::new(dims.map(name).collect(), numbering)
    }

    /// The table of who has touched the elements of an array; an empty one if the launch has proved it.
    #[must_use]
    pub fn claims(&self, array: usize) -> Claims {
        let asked = self.claiming.as_ref().is_some_and(|c| c.0.contains(&ArrayId::new(array)));
        let mapped = &self.arrays[array];
        let len = mapped.array.len();
        let end = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        let section = if self.site.template.arrays[array].section {
            (end(mapped.section.0), end(mapped.section.1))
        } else {
            (0, len)
        };
        Claims::new(self.site.names[array].clone(), section, len, asked, self.iteration_numbers())
    }

    /// `device(e)`
    pub fn device(&mut self, n: impl ClauseInt) {
        self.asked.device = Some(n.wide());
    }

    /// `if(e)`
    pub fn condition(&mut self, c: bool) {
        self.asked.not_if = !c;
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
        let context = match self.context {
            Some(context) => context,
            None => Context::of_process()?,
        };
        self.check_clauses()?;
        self.check_arrays()?;
        let ready = match &self.site.body {
            Ok(ready) => ready,
            Err(reason) => return self.without_kernel(context, reason),
        };
        let choice = self.choose(context);
        let device = match &choice {
            Chosen::Device(device) => Some(*device),
            Chosen::Host | Chosen::Missing(_) => None,
            Chosen::NoSuch(asked) => return Err(self.no_such_device(context, *asked)),
        };
        if let Some((at, (home, _))) =
            self.memory.iter().find(|(_, (home, _))| device.is_none_or(|device| device.id != home.id))
        {
            let reason = format!("the memory of `{}` is on {}", self.site.names[*at], home.label());
            return Err(self.stranded(home, *at, reason));
        }
        let prepared = self.site.prepared(ready, &self.numbers(context, device));
        let homes = match device {
            Some(device) => self.homes(device, &prepared)?,
            None => Vec::new(),
        };
        if let Some(race) = &prepared.facts.race {
            return Err(self.race(ready, race));
        }
        if prepared.facts.total == Some(0) {
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
            match self.on_device(context, device, ready, &prepared, &homes) {
                Ok(()) if self.trial.is_none() => return Ok(Outcome::Done),
                Ok(()) => {}
                Err(Fault::Program(error)) if self.trial.is_some() => self.only_on_device(error),
                Err(fault) => {
                    self.trial = None;
                    self.failed(context, device, fault, &homes)?;
                }
            }
        }
        if self.trial.is_none() && context.env.verify.is_some() && !self.host_only {
            observe::unverified(
                self.site,
                "it ran on the host alone: OMP_VERIFY compares a device with the host",
            );
        }
        self.claiming_of(&prepared);
        Ok(self.host(context, prepared.serial))
    }

    /// What the host has to check.
    pub(super) fn claiming_of(&mut self, prepared: &Prepared) {
        if !prepared.facts.claims.is_empty() || prepared.sections_open {
            self.claiming = Some((prepared.facts.claims.clone(), prepared.facts.numbering.clone()));
        }
    }

    /// Where it runs: with its target block, if it is in one.
    pub(super) fn choose(&self, context: &Context) -> Chosen {
        if self.host_only {
            return Chosen::Host;
        }
        if let Some(scope) = &self.scope {
            return scope.device.map_or(Chosen::Host, Chosen::Device);
        }
        match select(context.registry, &context.env, team::default_device(), self.asked) {
            Choice::Device(n) => context.registry.get(n).map_or(Chosen::Host, Chosen::Device),
            Choice::Host => Chosen::Host,
            Choice::Missing(reasons) => Chosen::Missing(reasons),
            Choice::NoSuch(asked) => Chosen::NoSuch(asked),
        }
    }

    /// Where the arrays are: what data directives or the block around have put on the device is used there.
    pub(super) fn homes(&self, device: &Dev, prepared: &Prepared) -> Result<Vec<Home>, Error> {
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
            let touched = match prepared.facts.total {
                Some(0) if param.map.is_none() => &[],
                _ => Wish::of(param, mapped, self.sections_of(i), &prepared.facts, i).touched(),
            };
            let mut home: Option<Home> = None;
            for &section in touched {
                let part = Mapped { section, ..*mapped };
                let found = match find_in(block, &part) {
                    Found::Absent => device.present.find(&part),
                    found => found,
                };
                let partly = |mapped| Misfit::Partly.error(place, device, &self.site.names[i], mapped);
                home = Some(match (found, home) {
                    (Found::Here(presence), None) => Home::Present(presence),
                    (Found::Here(presence), Some(Home::Present(before))) => {
                        Home::Present(before.and(&presence).ok_or_else(|| partly(mapped))?)
                    }
                    (Found::Absent, _) if wish.present && part.count() > 0 => {
                        let lookup = asked(device, &self.site.names[i], &part);
                        return Err(Error::NotPresent { place, device: device.label(), lookup });
                    }
                    (Found::Absent, None | Some(Home::Own)) => Home::Own,
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

    /// Notes what the region did.
    pub(super) fn remember(&self, record: Record) {
        if let Some(scope) = &self.scope {
            scope.totals.add(&record);
        }
        super::report::remember(record);
    }

    /// What the user fixes of the schedule.
    fn pinned(&self) -> Pins {
        let long = |n: Option<i128>| n.map(|n| u64::try_from(n).unwrap_or(u64::MAX));
        let chunk = self.chunk.filter(|_| matches!(self.schedule, Some(Schedule::Static(_))));
        let unroll = if self.unroll_all { Some(0) } else { self.pins.unroll };
        Pins { chunk: long(chunk), team_chunk: long(self.team_chunk), unroll, ..self.pins }
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
            num_teams: limit(self.num_teams, context.env.num_teams),
            thread_limit: limit(
                self.thread_limit.into_iter().chain(self.num_threads).min(),
                context.env.thread_limit,
            ),
            pins: self.pinned(),
        }
    }

    fn on_device(
        &mut self,
        context: &Context,
        device: &'static Dev,
        ready: &'static Ready,
        prepared: &Prepared,
        homes: &[Home],
    ) -> Result<(), Fault> {
        let Numbers { num_teams, thread_limit, pins, .. } = self.numbers(context, Some(device));
        // What stands on the device for longer is not the host's to compare with.
        let own = homes.iter().all(|home| home.present().is_none());
        let mut reference = None;
        if let Some(tolerance) = context.env.verify.filter(|_| own) {
            let written = |i: usize| self.site.template.arrays.get(i).is_some_and(|a| a.written);
            // SAFETY: the borrows behind `arrays` last until `run` returns (`Self::array`).
            let trial = unsafe { Trial::new(&self.arrays, written, device.label(), tolerance) };
            self.trial = Some(Box::new(trial));
        } else if let Some(tolerance) = context.env.verify {
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
            prepared,
            num_teams,
            thread_limit,
            pins,
            dump: context.env.dump.as_deref(),
            disk: context.disk.as_ref(),
        };
        // SAFETY: the borrows behind `arrays` last until `run` returns (`Self::array`), those of written arrays
        // are exclusive, and `check_arrays` has refused written memory that is mapped twice.
        let done = unsafe { execute::execute(&launch, &mut self.results) };
        let went = done.map(|done| {
            self.remember(Record {
                place: &self.site.place,
                device: Some(device),
                grid: done.geometry.grid,
                block: done.geometry.block,
                bytes_to_device: done.bytes_to_device,
                bytes_from_device: done.bytes_from_device,
                kernel_time: done.kernel_time,
                wall_time: self.started.elapsed(),
                residual_checks: done.residual_checks,
                fallback: None,
            });
        });
        match reference {
            Some(reference) => self.judged(reference, ready, &prepared.facts, went),
            None => went,
        }
    }

    // ---- what is refused

    pub(super) fn check_clauses(&self) -> Result<(), Error> {
        let counts = [
            ("num_teams", self.num_teams),
            ("thread_limit", self.thread_limit),
            ("num_threads", self.num_threads),
            ("simdlen", self.simdlen),
            ("schedule", self.chunk),
            ("dist_schedule", self.team_chunk),
        ];
        let pins = &self.pins;
        let sides = [("block", pins.block.map(Vec::from)), ("tile", pins.tile.map(Vec::from))];
        let sides =
            sides.into_iter().flat_map(|(name, v)| v.unwrap_or_default().into_iter().map(move |n| (name, n)));
        let ones = [("unroll", pins.unroll), ("vector", pins.vector)];
        let ones = ones.into_iter().filter_map(|(name, n)| n.map(|n| (name, n)));
        let pinned = sides.chain(ones).map(|(name, n)| (name, Some(i128::from(n))));
        let counts = counts.into_iter().chain(pinned);
        for (clause, value) in counts {
            if let Some(value) = value.filter(|v| *v < 1) {
                let place = &self.site.place;
                return Err(Error::Clause { place, clause, value, allowed: "1 or more" });
            }
        }
        Ok(())
    }

    pub(super) fn check_arrays(&self) -> Result<(), Error> {
        let name = |i: usize| self.site.names.get(i).map_or("?", String::as_str);
        for (i, sections) in self.sections.iter().enumerate() {
            for (k, &section) in sections.iter().enumerate() {
                let len = self.arrays[i].array.len() as u64;
                let (place, variable) = (&self.site.place, name(i).to_owned());
                if section.0 > section.1 || section.1 > len {
                    return Err(Error::Section { place, variable, section, len });
                }
                let overlaps = |at: &&(u64, u64)| at.0 < section.1 && section.0 < at.1;
                if let Some(&other) = sections[..k].iter().find(overlaps) {
                    return Err(Error::SectionsOverlap { place, variable, sections: (other, section) });
                }
            }
        }
        for (i, mapped) in self.arrays.iter().enumerate() {
            if !mapped.fits() {
                return Err(Error::Section {
                    place: &self.site.place,
                    variable: name(i).to_owned(),
                    section: mapped.section,
                    len: mapped.array.len() as u64,
                });
            }
        }
        let written = |i: usize| self.site.template.arrays.get(i).is_some_and(|a| a.written);
        match overlap(&self.arrays, written) {
            Some((i, j)) => Err(Error::Overlap {
                place: &self.site.place,
                written: mapping(name(i), &self.arrays[i]),
                other: mapping(name(j), &self.arrays[j]),
            }),
            None => Ok(()),
        }
    }

    pub(super) fn race(&self, ready: &Ready, race: &RaceAtLaunch) -> Error {
        let body = &ready.kernel.body;
        let at = |access: AccessId| {
            let src = body.code.accesses.get(access.index()).and_then(|a| body.code.srcs.get(a.src.index()));
            let place = &self.site.place;
            src.map_or_else(|| place.file.to_owned(), |s| format!("{}:{}:{}", body.file, s.line, s.column))
        };
        let witness = race.witness.as_ref().map(|(iterations, element)| {
            Box::new(Meeting { iterations: iterations.clone(), element: *element })
        });
        Error::Race {
            place: &self.site.place,
            variable: self.site.names.get(race.array.index()).cloned().unwrap_or_default(),
            accesses: (at(race.first), at(race.second)),
            witness,
        }
    }

    fn no_such_device(&self, context: &Context, asked: i128) -> Error {
        Error::NoSuchDevice {
            place: Some(&self.site.place),
            asked,
            devices: context.registry.count(),
            reasons: context.registry.reasons(),
        }
    }

    // ---- the host

    /// Reports a fallback, or gives the error where the host may not run the region.
    fn fall_back(&self, context: &Context, reason: &str, error: impl FnOnce() -> Error) -> Result<(), Error> {
        if context.env.offload == OffloadPolicy::Mandatory {
            return Err(error());
        }
        observe::fallback(self.site, reason);
        Ok(())
    }

    pub(super) fn failed(
        &mut self,
        context: &Context,
        device: &Dev,
        fault: Fault,
        homes: &[Home],
    ) -> Result<(), Error> {
        let label = device.label();
        if let Some(reason) = fault.lost() {
            device.lose(reason);
        }
        let place = &self.site.place;
        if !fault.host_can() {
            return Err(fault.into_error(place, label, &self.site.names, &self.arrays));
        }
        if let Some(at) = homes.iter().position(|home| home.present().is_some()) {
            // The host's copy is not what the loop would have to start from.
            return Err(self.stranded(device, at, fault.reason()));
        }
        let reason = format!("{label}: {}", fault.reason());
        self.fall_back(context, &reason, || {
            let mut error = fault.into_error(place, label, &self.site.names, &self.arrays);
            if let Error::Mandatory { reasons, .. } = &mut error {
                reasons.extend(context.registry.reasons());
            }
            error
        })?;
        self.fallback = Some(reason.into());
        Ok(())
    }

    fn without_kernel(&mut self, context: &Context, reason: &str) -> Result<Outcome, Error> {
        if let Some((at, (home, _))) = self.memory.first() {
            return Err(self.stranded(home, *at, reason.to_owned()));
        }
        let choice = self.choose(context);
        if let Chosen::Device(device) = choice {
            let block = self.scope.as_ref().map(|scope| &scope.entries);
            let elsewhere = |mapped: &Mapped| {
                let of_block = block.map_or(Found::Absent, |block| find_in(block, mapped));
                !matches!((of_block, device.present.find(mapped)), (Found::Absent, Found::Absent))
            };
            if let Some(at) = self.arrays.iter().position(elsewhere) {
                return Err(self.stranded(device, at, reason.to_owned()));
            }
        }
        match choice {
            Chosen::Host => {}
            Chosen::NoSuch(asked) => return Err(self.no_such_device(context, asked)),
            Chosen::Missing(_) | Chosen::Device(_) => {
                self.fall_back(context, reason, || Error::Mandatory {
                    place: &self.site.place,
                    reasons: vec![("every device".to_owned(), reason.to_owned())],
                })?;
                self.fallback = Some(reason.into());
            }
        }
        let claimed = &self.site.template.check_disjoint;
        if !claimed.is_empty() || self.site.template.arrays.iter().any(|a| a.section) {
            // Nothing is known of loops whose bounds depend on others.
            let any = DimValues { first: 0, step: 1, count: 1 << 32 };
            let digits = self.dims.iter().map(|d| d.unwrap_or(any)).collect();
            self.claiming = Some((claimed.iter().copied().collect(), Numbering { digits }));
        }
        Ok(self.host(context, true))
    }

    fn stranded(&self, device: &Dev, at: usize, reason: String) -> Error {
        let (place, variable) = (&self.site.place, self.site.names[at].clone());
        Error::Stranded { place, device: device.label(), variable, reason }
    }

    pub(super) fn host(&self, context: &Context, serial: bool) -> Outcome {
        let limits = [self.thread_limit, self.num_threads].into_iter().flatten();
        let limit = limits.filter_map(|n| usize::try_from(n).ok()).min();
        let asked = match (self.num_threads, limit) {
            // Outside of a target region the clause says how many, not at most how many.
            (Some(_), Some(n)) if self.host_only => n,
            (_, Some(n)) => n.min(team::max_threads()),
            (_, None) => team::max_threads(),
        };
        let threads = if self.host_only && self.asked.not_if { 1 } else { asked.max(1) };
        let chunk = self.chunk.map(|n| u64::try_from(n).unwrap_or(u64::MAX));
        let schedule = match self.schedule {
            Some(Schedule::Static(_)) => Schedule::Static(chunk),
            Some(Schedule::Dynamic(_)) => Schedule::Dynamic(chunk.unwrap_or(1)),
            Some(Schedule::Guided(_)) => Schedule::Guided(chunk.unwrap_or(1)),
            Some(Schedule::Auto) => Schedule::Auto,
            None => context.env.schedule,
        };
        Outcome::Host(HostRun { serial, claims: self.claiming.is_some(), threads, schedule })
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
            kernel_time: Some(std::time::Duration::ZERO),
            wall_time: self.started.elapsed(),
            residual_checks: 0,
            fallback: None,
        });
    }

    /// Runs the loop on the host. Its panic goes on with the text of the error that [`Self::try_on_host`] gives.
    #[track_caller]
    pub fn on_host<R>(&mut self, body: impl FnOnce() -> R) -> R {
        let host = self.host_loop();
        match host.run(body) {
            Ok(value) => value,
            Err(witness) => host.resume(*witness),
        }
    }

    /// Runs the loop on the host.
    ///
    /// # Errors
    /// [`Error::Panic`] when it panics.
    pub fn try_on_host<R>(&mut self, body: impl FnOnce() -> R) -> Result<R, Error> {
        let host = self.host_loop();
        host.run(body).map_err(|witness| host.error(&witness))
    }

    /// Runs what may panic as a part of the region that is no loop.
    pub(super) fn quietly(&mut self, run: impl FnOnce(&mut Self)) -> Result<(), Error> {
        crate::host::witness::watch(|| run(&mut *self)).map_err(|witness| self.host_loop().error(&witness))
    }

    pub(super) fn host_loop(&self) -> HostLoop {
        let quiet = self.trial.is_some();
        let (started, fallback, scope) = (self.started, self.fallback.clone(), self.scope.clone());
        HostLoop { site: self.site, started, fallback, quiet, scope }
    }

    // ---- reductions

    /// Combines reduction item `k` with what the device computed, by `combine`; nothing after an empty loop.
    pub fn reduced<T: Value>(&mut self, k: usize, item: &mut T, combine: impl FnOnce(T, T) -> T) {
        let Ok(ready) = &self.site.body else { return };
        let (places, end) = ready.kernel.result_places();
        let size = T::DESC.size().unwrap_or(0);
        let Some(bytes) = places.get(k).and_then(|&at| self.results.get(at..at + size)) else { return };
        if size != size_of::<T>() || self.results.len() < end {
            return;
        }
        // SAFETY: `bytes` are as many as `T` has, and the kernel wrote a value of the item's type there: rustc has told
        // the item's type for `T`.
        let result = unsafe { bytes.as_ptr().cast::<T>().read_unaligned() };
        *item = combine(*item, result);
    }
}

pub(crate) fn text_of(reasons: &[(String, String)]) -> String {
    let parts: Vec<String> = reasons.iter().map(|(who, why)| format!("{who}: {why}")).collect();
    parts.join("; ")
}
