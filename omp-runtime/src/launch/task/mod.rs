//! A region as a task: begun on a queue, ended at the first wait for it.
//!
//! In between, the host does not access the task's data. Data for the device is copied when the task begins. Results stay in
//! memory of the backend until the task ends.
pub(super) mod waits;

use super::context::Context;
use super::execute::{self, Begun, Launch};
use super::outcome::fault::Fault;
use super::outcome::report::{KernelTime, Record};
use super::outcome::{HostRun, Outcome};
use super::plan::decisions::{LaunchDecisions, Numbers, OnDevice};
use super::plan::replay::Decided;
use super::region::{Chosen, Region};
use super::site::{Ready, TypedSite};
use crate::backend::api::DeviceError;
use crate::backend::erased::{DynBuffer, DynEvent, DynQueue};
use crate::backend::submission::Submission;
use crate::data::block::{Block, Ending, FailureSeen, User};
use crate::data::device_slice::host_memory::HostMemory;
use crate::data::directive::region::Scope;
use crate::data::mapping::{Arrival, Forwarded, Home, MappingError};
use crate::data::present::{Presence, range};
use crate::data::section::Mapped;
use crate::device::Dev;
use crate::error::Error;
use crate::observe;
use crate::task::{Reach, Touch, Used, with_uploads};
use omp_kernels::back::Arg;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

/// How a task runs.
pub(crate) enum Way {
    /// There is nothing to run.
    Nothing,
    /// At once, in a form that only runs where the user's thread waits for it.
    Now,
    /// On the host.
    Host,
    /// On a queue of a device.
    Later(Box<Later>),
}

/// What a region needs on the device where it runs as a task.
#[derive(Debug)]
pub(crate) struct Later {
    context: &'static Context,
    pub device: &'static Dev,
    ready: &'static Ready,
    decisions: Arc<LaunchDecisions>,
    pub(super) homes: Vec<Home>,
    /// By array: what is certainly written need not be copied before.
    pub(super) overwritten: Vec<bool>,
    /// What it touches, except what it uploads to memory of its own.
    pub touches: Vec<Touch>,
    /// That: by array, host addresses.
    pub uploads: Vec<(usize, Range<u64>)>,
    /// Arrays that stand on the device and get values there, the host's.
    pub sends: Vec<usize>,
    /// That of the device's present table.
    version: u64,
}

/// A region under way.
#[derive(Debug)]
pub(crate) struct Underway {
    /// In a box of its own: memory allocators are quick with less than a kilobyte.
    pub(super) region: Box<Region>,
    later: Box<Later>,
    pub(super) begun: Begun,
    arrivals: Vec<Arrival>,
    /// Its start, if the device's clock is read.
    first: Option<DynEvent>,
    pub last: DynEvent,
    /// Those of other functions' tasks that have to go well.
    needs: Vec<DynEvent>,
    /// The number of its queue.
    queue: u32,
}

/// A region under way, without results to read when it ends.
#[derive(Debug)]
pub(crate) struct Plain {
    site: &'static TypedSite,
    device: &'static Dev,
    on_device: Arc<OnDevice>,
    bytes_to_device: u64,
    started: Instant,
    launched: Instant,
    /// Its last event. If the device runs ahead by itself, several tasks may share one.
    pub last: Option<DynEvent>,
    /// Those of other functions' tasks that have to go well.
    needs: Vec<DynEvent>,
    /// The target block around it.
    scope: Option<Arc<Scope>>,
}

/// Where a region uses memory of the device's.
struct Place {
    /// Host addresses, or numbers that stand for them.
    range: (u128, u128),
    written: bool,
    /// It has no guard.
    unguarded: bool,
}

/// A region that has begun, and where others look up whether its failure was reported, if they may.
pub(crate) enum Started {
    Whole(Box<Underway>, Option<FailureSeen>),
    /// With its launch plan, if it may be replayed.
    Plain(Plain, Option<Box<Decided>>, Option<FailureSeen>),
}

impl Region {
    /// What keeps the `DeviceSlice`s in the host's memory that it uses.
    pub(crate) fn slice_owners(&self) -> impl Iterator<Item = &Arc<HostMemory>> {
        self.slices.iter().filter_map(|(_, owner)| owner.as_ref())
    }

    /// Whether all memory that it uses without a guard has an owner that keeps it, however long the task waits.
    pub(crate) fn keeps_memory(&self) -> bool {
        self.slices.iter().all(|(_, owner)| owner.is_some())
    }

    /// Whether it touches device memory without a guard.
    pub(crate) fn uses_memory(&self) -> bool {
        !self.memory.is_empty()
    }

    /// The memory without a guard that it may access.
    pub(crate) fn memory_touched(&self) -> Vec<Touch> {
        let on_host = self.slices.iter().map(|(at, _)| {
            let (mapped, writes) = (&self.arrays[*at], self.arrays[*at].array.is_writable());
            let (lo, hi) = range(mapped);
            Touch::new(Reach::Host, lo, hi, writes)
        });
        let touch = |(at, (home, _)): &(usize, (&'static Dev, Presence))| {
            let mapped = &self.arrays[*at];
            Touch::on_device(home.id, None, range(mapped), mapped.array.is_writable())
        };
        self.memory.iter().map(touch).chain(on_host).collect()
    }

    /// The data in data regions that it may touch.
    pub(crate) fn present_touched(&self, device: &Dev, homes: &[Home]) -> Vec<Touch> {
        let touch = |(mapped, home): (&Mapped, &Home)| {
            home.present()?;
            let writes = mapped.array.is_writable();
            Some(Touch::on_device(device.id, None, range(mapped), writes))
        };
        self.arrays.iter().zip(homes).filter_map(touch).collect()
    }

    /// How it runs as a task on the data of these guards. From here on it reaches the data as they do.
    ///
    /// # Errors
    /// As [`Region::try_run`].
    pub(crate) fn way(&mut self, used: &[Used]) -> Result<Way, Error> {
        let context = match self.context {
            Some(context) => context,
            None => Context::of_process()?,
        };
        self.check_clauses()?;
        self.check_arrays()?;
        self.check_operators()?;
        let memory: Vec<usize> = self.memory.iter().map(|(at, _)| *at).collect();
        let guarded = self.arrays.iter_mut().enumerate().all(|(i, mapped)| {
            mapped.array.is_empty()
                || memory.contains(&i)
                || used.iter().any(|used| mapped.array.rooted(used.root, used.bytes))
        });
        let here = self.memory.is_empty();
        let device = match (&self.site.body, self.choose(context)) {
            (Ok(ready), Chosen::Device(device)) => Some((ready, device)),
            (Ok(_), Chosen::Host | Chosen::Missing(_)) if here => return Ok(Way::Host),
            _ => None,
        };
        let Some((ready, device)) = device else { return Ok(Way::Now) };
        let elsewhere = self.memory.iter().any(|(_, (home, _))| home.id != device.id);
        if !guarded || elsewhere || context.env.verify.is_some() || device.lost().is_some() {
            return Ok(Way::Now);
        }
        self.hold(context, Some(device), Some(ready))?;
        let decisions = self.site.decisions(ready, &self.numbers(context, Some(device)));
        let version = device.present.version();
        let homes = self.homes(device, &decisions)?;
        if let Some(race) = &decisions.facts.race {
            if self.gives_way() {
                return Ok(Way::Nothing);
            }
            return Err(self.race(ready, race));
        }
        if decisions.facts.total == Some(0) {
            self.nothing_to_do();
            return Ok(Way::Nothing);
        }
        decisions.owed.launched();
        let mut later = Later {
            context,
            device,
            ready: decisions.kernel(ready),
            overwritten: decisions.facts.overwritten.clone(),
            decisions,
            homes,
            touches: Vec::new(),
            uploads: Vec::new(),
            sends: Vec::new(),
            version,
        };
        // The usual path reports what can't be made.
        let Ok(on_device) = execute::on_device(&self.as_launch(&later)) else { return Ok(Way::Now) };
        if on_device.compiled.source.args.contains(&Arg::Status) {
            // It may stop half-way, and what follows it must find values everywhere.
            self.report_copies(&later);
            later.overwritten.fill(false);
        }
        (later.touches, later.uploads, later.sends) = self.touches(&later, &on_device);
        Ok(Way::Later(Box::new(later)))
    }

    fn as_launch<'a>(&'a self, later: &'a Later) -> Launch<'a> {
        let Numbers { num_teams, thread_limit, pins, .. } = self.numbers(later.context, Some(later.device));
        Launch {
            site: self.site,
            ready: later.ready,
            device: later.device,
            arrays: &self.arrays,
            homes: &later.homes,
            sections: self.sections(),
            modifiers: &self.modifiers,
            scalars: &self.scalars,
            decisions: &later.decisions,
            num_teams,
            thread_limit,
            pins,
            unwatched: false,
            version: later.version,
            dump: later.context.env.dump.as_deref(),
            disk: later.context.disk.as_ref(),
            tuner: &later.context.tuner,
        }
    }

    /// Prepares it to run when tasks on the host have ended, on its device if possible. Gives how the host would run it.
    pub(crate) fn after_others(&mut self, later: Later) -> Outcome {
        self.waits = Some(with_uploads(later.touches, &later.uploads));
        self.claiming_of(&later.decisions);
        let outcome = self.host(later.context, later.decisions.serial.is_some());
        self.decided = Some(later.decisions);
        outcome
    }

    /// What it reads and writes, by address; the arrays that it uploads to memory of its own; and the arrays that it uploads to other
    /// memory.
    #[allow(clippy::type_complexity, reason = "three lists")]
    fn touches(
        &self,
        later: &Later,
        on_device: &OnDevice,
    ) -> (Vec<Touch>, Vec<(usize, Range<u64>)>, Vec<usize>) {
        let (mut out, mut uploads, mut sends) = (Vec::new(), Vec::new(), Vec::new());
        for (i, (mapped, movement)) in self.arrays.iter().zip(&on_device.movements).enumerate() {
            let address = |i: u64| mapped.array.address(i);
            let mut touch = |reach, (lo, hi): (u64, u64), writes| {
                out.push(Touch::new(reach, address(lo), address(hi), writes));
            };
            movement.download.iter().for_each(|r| touch(Reach::Host, *r, true));
            let Some(presence) = later.homes.get(i).and_then(Home::present) else {
                let host = |r: &(u64, u64)| Touch::new(Reach::Host, address(r.0), address(r.1), false).range;
                uploads.extend(movement.upload.iter().map(|r| (i, host(r))));
                continue;
            };
            movement.upload.iter().for_each(|r| touch(Reach::Host, *r, false));
            let written = self.site.template.arrays.get(i).is_some_and(|a| a.written);
            let own = self.scope.as_ref().and_then(|scope| scope.owns(presence));
            let covered = later.overwritten.get(i).copied().unwrap_or(false);
            for &(lo, hi) in &movement.touched {
                let (from, to) = (address(lo), address(hi));
                let missing = if covered { Vec::new() } else { presence.missing(from, to).collect() };
                let fills = !movement.upload.is_empty() || !missing.is_empty();
                let writes = written || fills;
                if fills {
                    sends.push(i);
                }
                out.push(Touch::on_device(later.device.id, own, (from, to), writes));
                out.extend(missing.iter().map(|(_, (lo, hi))| Touch::new(Reach::Host, *lo, *hi, false)));
            }
        }
        (out, uploads, sends)
    }

    /// The data that it uses and that is on the device already: memory, addresses, and whether it is written.
    fn in_place<'a>(&'a self, launch: &'a Launch<'a>) -> impl Iterator<Item = (usize, &'a Block, Place)> {
        launch.homes.iter().enumerate().filter_map(|(at, home)| {
            let (mapped, presence) = (launch.arrays.get(at)?, home.present()?);
            let array = &mapped.array;
            let unguarded = self.is_memory(at);
            let range =
                if unguarded { (array.address(0), array.address(array.len() as u64)) } else { range(mapped) };
            let written = self.site.template.arrays.get(at).is_some_and(|a| a.written);
            Some((at, &**presence.block(), Place { range, written, unguarded }))
        })
    }

    fn is_memory(&self, at: usize) -> bool {
        self.memory.iter().any(|(array, _)| *array == at)
    }

    /// The uses that no guard orders: memory without a guard, and data whose copy on the device it replaces although it only reads it.
    /// Other tasks have to find these uses.
    fn unguarded<'a>(
        &'a self,
        later: &'a Later,
        launch: &'a Launch<'a>,
    ) -> impl Iterator<Item = (&'a Block, Place)> {
        self.in_place(launch).filter_map(|(at, block, place)| {
            let sends = later.sends.contains(&at);
            let written = place.written || sends;
            (place.unguarded || sends).then_some((block, Place { written, ..place }))
        })
    }

    /// What it reads and writes on the host, by address. `whole`: arrays that its loop sees as slices; where it runs as it
    /// stands, it sees all so.
    pub(crate) fn touches_on_host(&self, run: HostRun, used: &[Used], whole: &[usize]) -> Vec<Touch> {
        let facts = self.decided.as_ref().filter(|_| !run.serial() && !run.claims()).map(|p| &p.facts);
        let mut out = Vec::new();
        for (i, (mapped, param)) in self.arrays.iter().zip(&self.site.template.arrays).enumerate() {
            let array = &mapped.array;
            let mut touch = |&(lo, hi): &(u64, u64), writes| {
                out.push(Touch::new(Reach::Host, array.address(lo), array.address(hi), writes));
            };
            let footprint = facts.filter(|_| !whole.contains(&i)).and_then(|f| f.footprint.get(i)?.as_ref());
            match footprint {
                Some(footprint) => {
                    footprint.all.iter().for_each(|r| touch(r, false));
                    footprint.written.iter().for_each(|r| touch(r, true));
                }
                None => touch(&(0, array.len() as u64), param.written || array.is_writable()),
            }
        }
        // Variables that it reduces.
        let arrays: Vec<u128> = self.arrays.iter().map(|m| m.array.address(0)).collect();
        for used in used.iter().filter(|u| u.writes) {
            let at = used.root.addr() as u128;
            if !arrays.contains(&at) {
                out.push(Touch::new(Reach::Host, at, at + used.bytes as u128, true));
            }
        }
        out
    }

    /// Queues it. `forwarded`: what tasks that it follows in the queue have for it.
    ///
    /// # Errors
    /// The first failure. Work that was queued before it may run, and accesses no memory that others use.
    ///
    /// # Safety
    /// The borrows of the arrays last until the task has ended ([`Underway::end`]), and no other code writes elements that it
    /// copies to the device until the call returns.
    #[allow(clippy::result_large_err, reason = "a failure to begin is rare, and gives back what it took")]
    pub(crate) unsafe fn begin(
        &mut self,
        mut later: Box<Later>,
        (queue, scope): (&DynQueue, usize),
        forwarded: &[Forwarded<'_>],
    ) -> Result<Started, (Fault, Box<Later>)> {
        let launch = self.as_launch(&later);
        let queued = || {
            observe::anchor(launch.device, queue);
            let by = |place: &Place| User { queue: queue.number(), scope, guarded: !place.unguarded };
            let mut needs = Vec::new();
            for (_, block, place) in self.in_place(&launch) {
                let before = block.before(place.range, place.written, by(&place))?;
                before.follows.iter().try_for_each(|last| queue.follow(last))?;
                needs.extend(before.needs);
            }
            let unguarded: Vec<_> = self.unguarded(&later, &launch).collect();
            let first = if observe::times_kernels() { Some(queue.record(true)?) } else { None };
            // SAFETY: by the caller.
            let mut begun =
                unsafe { execute::begin(&launch, Submission::Queue(queue), &later.overwritten, forwarded) }?;
            let on_device = Arc::clone(&begun.on_device);
            launch.fill(&on_device.movements, &later.overwritten);
            let wanted = launch.wanted(&on_device.movements);
            let arrivals = begun.environment.send_back(queue, &wanted)?;
            let plain = launch.has_no_results(&on_device);
            // If a task uses memory without a guard, other tasks need its own event.
            let shares = plain && unguarded.is_empty() && launch.device.handle.runs_ahead();
            let last = if shares { None } else { Some(queue.record(first.is_some())?) };
            let others = last.as_ref().filter(|_| !unguarded.is_empty()).map(|last| {
                let others = FailureSeen::default();
                let ending = Ending::queued(last, &needs, &others);
                unguarded
                    .iter()
                    .for_each(|(block, at)| block.used(at.range, at.written, by(at), ending.clone()));
                others
            });
            let learnt = || {
                let (touches, ..) = self.touches(&later, &on_device);
                Decided::of(&launch, &begun, touches.iter().map(Touch::access).collect())
            };
            let decided = if shares && self.scope.is_none() { learnt() } else { None };
            Ok((begun, arrivals, first, (last, needs, others), plain, decided))
        };
        let (begun, arrivals, first, (last, needs, others), plain, decided) = match queued() {
            Ok(all) => all,
            Err(fault) => return Err((fault, later)),
        };
        let last = match (last, plain) {
            (Some(last), false) => last,
            // The memory that it uses is kept as long as the device needs it, even if its owner drops it.
            (last, _) => {
                let plain = Plain {
                    site: self.site,
                    device: later.device,
                    bytes_to_device: begun.environment.bytes_to_device,
                    on_device: begun.on_device,
                    started: self.started,
                    launched: begun.start,
                    last,
                    needs,
                    scope: self.scope.clone(),
                };
                return Ok(Started::Plain(plain, decided.map(Box::new), others));
            }
        };
        let empty = Self::of(self.site);
        let region = Box::new(std::mem::replace(self, empty));
        later.touches = Vec::new();
        let queue = queue.number();
        let under_way = Underway { region, later, begun, arrivals, first, last, needs, queue };
        Ok(Started::Whole(Box::new(under_way), others))
    }

    /// After a failure to begin it: the host runs it, or the error says why it may not.
    pub(crate) fn instead(&mut self, fault: Fault, later: &Later) -> Result<Outcome, Error> {
        self.failed(later.context, later.device, fault, &later.homes)?;
        self.claiming_of(&later.decisions);
        self.decided = Some(Arc::clone(&later.decisions));
        Ok(self.host(later.context, later.decisions.serial.is_some()))
    }
}

impl Plain {
    /// A region that was launched as it was before.
    pub(super) fn replay(
        region: &Region,
        device: &'static Dev,
        on_device: &Arc<OnDevice>,
        needs: Vec<DynEvent>,
    ) -> Self {
        Self {
            site: region.site,
            device,
            on_device: Arc::clone(on_device),
            bytes_to_device: 0,
            started: region.started,
            launched: region.started,
            last: None,
            needs,
            scope: None,
        }
    }

    /// Waits for the task, by its event. If it is `void`, nothing is reported.
    ///
    /// # Errors
    /// What failed on the device.
    pub fn end(&self, event: Result<&DynEvent, DeviceError>, void: bool) -> Result<(), Error> {
        let Self { site, device, .. } = self;
        let waited = observe::waiting(site, device, || event.and_then(DynEvent::wait));
        if let Err(error) = waited.and_then(|()| self.needs.iter().try_for_each(DynEvent::wait)) {
            let fault = Fault::from(error);
            if let Some(reason) = fault.lost() {
                device.lose(reason);
            }
            let error = fault.into_error(&site.place, device, &site.names, &[]);
            observe::failed(&site.place, || error.clone());
            return Err(error);
        }
        if !void {
            self.remember();
        }
        Ok(())
    }

    /// Makes the record of the ended task the last one, for `omp::last_region`.
    pub fn remember(&self) {
        let record = Record {
            place: &self.site.place,
            device: Some(self.device),
            grid: self.on_device.geometry.grid,
            block: self.on_device.geometry.block,
            bytes_to_device: self.bytes_to_device,
            bytes_from_device: 0,
            kernel_time: KernelTime::Known(self.launched.elapsed()),
            wall_time: self.started.elapsed(),
            residual_checks: self.on_device.checks,
            fallback: None,
        };
        if let Some(scope) = &self.scope {
            scope.totals.add(&record);
        }
        super::outcome::report::remember(record);
    }

    /// Whether there is more to do at its end than to wait: the report of a target block has a part in its own, or others' tasks have to
    /// have gone well.
    pub fn leaves_more(&self) -> bool {
        self.scope.is_some() || !self.needs.is_empty()
    }
}

impl Underway {
    /// Where values that it brings back stand on this device, if no code changes them there.
    pub fn holds(&self, device: &Dev, range: &Range<u64>) -> Option<(&DynBuffer, usize)> {
        if device.id != self.later.device.id {
            return None;
        }
        let (launch, on_device) = (self.region.as_launch(&self.later), &self.begun.on_device);
        let range = u128::from(range.start)..u128::from(range.end);
        self.begun.environment.own_place(&launch.wanted(&on_device.movements), &range, self.may_stop())
    }

    /// How many bytes it brings back.
    pub fn brings(&self) -> usize {
        self.arrivals.iter().map(Arrival::bytes).sum()
    }

    /// Waits for it and takes what it brings back, unless it is `void`: then something that it needed had failed. `then`
    /// has its reduction items.
    ///
    /// # Errors
    /// What the kernel found wrong in the user's program, and what failed on the device.
    ///
    /// # Safety
    /// The borrows of the arrays last until the call returns, and no other code accesses elements that are brought back.
    pub unsafe fn end(mut self, void: bool, then: Option<super::outcome::Then>) -> Result<(), Error> {
        // SAFETY: by the caller.
        let ended = unsafe { self.finish(void) };
        let Self { region, later, .. } = &mut self;
        if let Err(fault) = ended {
            if let Some(reason) = fault.lost() {
                later.device.lose(reason);
            }
            let site = region.site;
            let error = fault.into_error(&site.place, later.device, &site.names, &region.arrays);
            observe::failed(&site.place, || error.clone());
            return Err(error);
        }
        match then {
            // The operators of reductions may be the user's.
            Some(then) if !void => region.quietly(|region| then(region)),
            _ => Ok(()),
        }
    }

    /// # Safety
    /// As for [`Self::end`].
    unsafe fn finish(&mut self, void: bool) -> Result<(), Fault> {
        let Self { region, later, begun, arrivals, first, last, needs, queue } = self;
        let (site, device) = (region.site, later.device);
        observe::waiting(site, device, || last.wait())?;
        needs.iter().try_for_each(DynEvent::wait)?;
        let mut results = Vec::new();
        let time = first.as_ref().and_then(|first| last.since(first));
        let record = |region: &Region, begun: &Begun| Record {
            place: &site.place,
            device: Some(device),
            grid: begun.on_device.geometry.grid,
            block: begun.on_device.geometry.block,
            bytes_to_device: begun.environment.bytes_to_device,
            bytes_from_device: begun.environment.bytes_from_device,
            kernel_time: KernelTime::Known(time.unwrap_or_else(|| begun.start.elapsed())),
            wall_time: region.started.elapsed(),
            residual_checks: begun.on_device.checks,
            fallback: None,
        };
        let checked = begun.check(&region.as_launch(later), &mut results);
        if !void && matches!(checked, Err(Fault::Program(_))) {
            region.remember(record(region, begun));
        }
        checked?;
        if void {
            return Ok(());
        }
        if observe::times_kernels() {
            let geometry = &begun.on_device.geometry;
            observe::task(site, device, *queue, geometry, begun.start, (first.as_ref(), time));
        }
        begun.moves.start();
        // SAFETY: by the caller; the device holds valid values, as for a region that is waited for at once.
        unsafe { begun.environment.land(&region.arrays, arrivals, &mut begun.moves) }
            .map_err(|MappingError { array, error }| Fault::BroughtBackInPart { error, array })?;
        region.results = results;
        region.remember(record(region, begun));
        begun.keep_scratch();
        Ok(())
    }
}
