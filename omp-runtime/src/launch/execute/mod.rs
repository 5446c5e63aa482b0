//! A region on a device: schedule, kernel, data, launch, status, results.
pub mod args;
pub(super) mod scratch;
pub mod status;
pub mod timing;

use super::outcome::fault::Fault;
use super::outcome::report::{KernelTime, Record};
use super::plan::decisions::{LaunchDecisions, OnDevice, Origins};
use super::plan::replay::Decided;
use super::region::Modifiers;
use super::search;
use super::site::{Compiled, Ready, Scratch, TypedSite};
use args::{Scalars, Sources, values, words};

use crate::backend::api::DeviceError;
use crate::backend::erased::{DynBuffer, DynKernel};
use crate::backend::size::Bytes;
use crate::backend::submission::Submission;
use crate::cache::{DiskCache, Key};
use crate::data::mapping::{Environment, HandedOn, Home, MappingError, Movement, Wanted, Wish};
use crate::data::present::Presence;
use crate::data::section::Mapped;
use crate::device::Dev;
use crate::error::Place;
use crate::observe;
use crate::tune::{self, Tuner};
use omp_ir::ids::ArrayId;
use omp_ir::kernel::Kernel;
use omp_kernels::back::{self, Arg, Source};
use omp_kernels::schedule::{self, Choice, DeviceKind, Geometry, Pins, Reasons, Request, Schedule, Strategy};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Everything that a launch depends on.
pub(super) struct Launch<'a> {
    pub site: &'static TypedSite,
    pub ready: &'static Ready,
    pub device: &'static Dev,
    pub arrays: &'a [Mapped],
    pub homes: &'a [Home],
    /// By array: the sections of its `map`, if there are several.
    pub sections: &'a [Vec<(u64, u64)>],
    pub modifiers: &'a [Modifiers],
    pub scalars: &'a Scalars,
    pub decisions: &'a LaunchDecisions,
    pub num_teams: Option<u64>,
    pub thread_limit: Option<u64>,
    pub pins: Pins,
    /// Nobody looks at what it did before all of it is waited for.
    pub unwatched: bool,
    /// The generation of the device's present table before the look-up.
    pub version: u64,
    pub dump: Option<&'a Path>,
    pub disk: Option<&'a DiskCache>,
    pub tuner: &'a Tuner,
}

/// What a launch did.
pub(super) struct Done {
    pub geometry: Geometry,
    pub bytes_to_device: u64,
    pub bytes_from_device: u64,
    pub residual_checks: usize,
    /// `None`: ask the device.
    pub kernel_time: KernelTime,
    /// How to queue it again, if it is not waited for.
    pub decided: Option<Decided>,
}

impl Done {
    /// For the report of a region that began so long ago.
    pub fn record(&self, place: &'static Place, device: &'static Dev, started: Instant) -> Record {
        Record {
            place,
            device: Some(device),
            grid: self.geometry.grid,
            block: self.geometry.block,
            bytes_to_device: self.bytes_to_device,
            bytes_from_device: self.bytes_from_device,
            kernel_time: self.kernel_time,
            wall_time: started.elapsed(),
            residual_checks: self.residual_checks,
            fallback: None,
        }
    }
}

/// A launch that is queued.
#[derive(Debug)]
pub(super) struct Begun {
    pub on_device: Arc<OnDevice>,
    pub scratch: Scratch,
    pub environment: Environment,
    pub told: observe::Moves,
    pub start: Instant,
    claims: Vec<Option<DynBuffer>>,
    total: u64,
    timed: bool,
    /// Its kernel leaves nothing to wait for.
    ahead: bool,
}

impl Begun {
    /// Launches one phase of the kernel.
    fn launch(
        &self,
        launch: &Launch<'_>,
        submission: Submission<'_>,
        phase: u32,
        timed: bool,
    ) -> Result<(), Fault> {
        let OnDevice { compiled, geometry, .. } = &*self.on_device;
        let (list, sources) = (&compiled.source.args, self.sources(launch, phase));
        let numbers = words(list, &sources);
        Ok(submission.launch(&compiled.kernel, geometry, &values(list, &numbers, &sources)?, timed)?)
    }

    /// The arguments of a kernel of one phase that are numbers.
    pub fn words(&self, launch: &Launch<'_>) -> Vec<[u8; 8]> {
        words(&self.on_device.compiled.source.args, &self.sources(launch, 0))
    }

    fn sources<'a>(&'a self, launch: &'a Launch<'a>, phase: u32) -> Sources<'a> {
        let facts = &launch.decisions.facts;
        Sources {
            claims: &self.claims,
            digits: &facts.numbering.digits,
            arrays: launch.arrays,
            environment: &self.environment,
            scalars: launch.scalars,
            dims: &facts.dims,
            facts,
            total: self.total,
            scratch: &self.scratch,
            phase,
            instead: &[],
        }
    }
}

/// No device comes to the end of as many iterations in less than hours. The host's loop stops at the first that fails, a
/// device's threads would all have to begin, and where they reduce or scan, to go on: where `(n - 1) / 1024` wraps, so
/// many fail.
const TOO_MANY: u64 = 1 << 50;

/// Queues the region's copies to the device and its kernel.
///
/// # Safety
/// The arrays' borrows last until the call returns; no other code writes their elements meanwhile.
pub(super) unsafe fn begin(
    launch: &Launch<'_>,
    submission: Submission<'_>,
    overwritten: &[bool],
    handed_on: &[HandedOn<'_>],
) -> Result<Begun, Fault> {
    // SAFETY: by the caller.
    match unsafe { try_begin(launch, submission, overwritten, handed_on) } {
        // Nothing has run.
        Err(Refused::Chosen(fault)) if search::withdraw(launch, &fault) => {
            // SAFETY: by the caller.
            unsafe { try_begin(launch, submission, overwritten, handed_on) }.map_err(Refused::fault)
        }
        done => done.map_err(Refused::fault),
    }
}

/// Why a launch was not begun.
enum Refused {
    /// The device refuses the kernel, whose schedule is not the default one.
    Chosen(Fault),
    Other(Fault),
}

impl Refused {
    fn fault(self) -> Fault {
        match self {
            Self::Chosen(fault) | Self::Other(fault) => fault,
        }
    }
}

impl<E: Into<Fault>> From<E> for Refused {
    fn from(error: E) -> Self {
        Self::Other(error.into())
    }
}

/// The same, with the schedule that the launch has.
///
/// # Safety
/// As for [`begin`].
unsafe fn try_begin(
    launch: &Launch<'_>,
    submission: Submission<'_>,
    overwritten: &[bool],
    handed_on: &[HandedOn<'_>],
) -> Result<Begun, Refused> {
    let (site, dev, facts) = (launch.site, launch.device, &launch.decisions.facts);
    let device = &*dev.handle;
    if let Some(reason) = dev.lost() {
        return Err(DeviceError::Lost { reason: reason.to_owned() }.into());
    }
    let total = facts.total.filter(|n| *n < TOO_MANY).ok_or_else(|| {
        Fault::Unsupported("the loop has 2^50 iterations or more, as where an end below zero wraps".into())
    })?;
    let mut on_device = on_device(launch)?;
    let (_, result_bytes) = launch.ready.kernel.result_places();
    let mut scratch = Scratch::ready(&on_device.compiled, device, on_device.room, result_bytes)?;
    let mut told = observe::Moves::of(site, dev, submission.number());
    let wanted = Wanted { handed_on, overwritten, ..launch.wanted(&on_device.movements) };
    // SAFETY: the caller holds the borrows.
    let environment = unsafe { Environment::open(submission, &wanted, &mut told) }?;
    if let Some(found) = search::search(launch, submission, &on_device, &environment, total) {
        scratch.keep(&on_device.compiled);
        on_device = found;
        scratch = Scratch::ready(&on_device.compiled, device, on_device.room, result_bytes)?;
    }
    let compiled = &on_device.compiled;
    let claims = claims(launch, &compiled.source)?;
    // The device times single launches.
    let ahead = matches!(submission, Submission::Device(_)) && launch.leaves_nothing(&on_device);
    let timed = compiled.source.phases == 1
        && (if ahead { compiled.timing.wanted_ahead() } else { compiled.timing.wanted() });
    let start = Instant::now();
    let begun = Begun { on_device, scratch, environment, told, start, claims, total, timed, ahead };
    let on_device = &*begun.on_device;
    launch.written().flat_map(|(_, presence)| presence.entries()).for_each(|entry| entry.write());
    for phase in 0..on_device.compiled.source.phases {
        let refused = |fault: Fault| match (&fault, &on_device.choice) {
            (
                Fault::Device { error: DeviceError::Launch { .. }, .. },
                Choice::Tiles(_) | Choice::Plain(_),
            ) if phase == 0 => Refused::Chosen(fault),
            _ => Refused::Other(fault),
        };
        begun.launch(launch, submission, phase, timed).map_err(refused)?;
    }
    observe::launched(site, dev, &on_device.geometry, on_device.checks, on_device.work);
    Ok(begun)
}

/// Schedule, kernel and movements of a launch.
pub(super) fn on_device(launch: &Launch<'_>) -> Result<Arc<OnDevice>, Fault> {
    launch.decisions.on_device(launch.origins(), |origins| prepare(launch, origins))
}

/// Runs the region. `results` gets the reduction items' results: see [`Kernel::result_places`]; `stopped`, what it did whose loop has
/// failed.
///
/// # Safety
/// The arrays' borrows last until the call returns; no other code accesses the elements of written arrays, nor writes
/// those of others, meanwhile.
pub(super) unsafe fn execute(
    launch: &Launch<'_>,
    results: &mut Vec<u8>,
    stopped: &mut Option<Done>,
) -> Result<Done, Fault> {
    let (site, dev, facts) = (launch.site, launch.device, &launch.decisions.facts);
    let device = &*dev.handle;
    // Tasks that reach its data go through queues of their own.
    launch.homes.iter().filter_map(Home::present).try_for_each(|presence| presence.block().settle())?;
    // SAFETY: by the caller.
    let mut begun = unsafe { begin(launch, Submission::Device(device), &facts.overwritten, &[]) }?;
    let on_device = Arc::clone(&begun.on_device);
    let OnDevice { geometry, checks, movements, compiled, .. } = &*on_device;
    let (timed, start) = (begun.timed, begun.start);
    if begun.ahead {
        launch.fill(movements, &facts.overwritten);
        dev.runs_ahead(&site.place);
        return Ok(Done {
            geometry: *geometry,
            bytes_to_device: begun.environment.bytes_to_device,
            bytes_from_device: 0,
            residual_checks: 0,
            kernel_time: if timed { KernelTime::OnDevice } else { KernelTime::Since(start) },
            decided: Decided::of(launch, &begun, Vec::new()).filter(|_| !search::is_open(launch, &on_device)),
        });
    }
    observe::waiting(site, dev, || device.wait())?;
    dev.caught_up();
    let kernel_time = compiled.timing.judge(timed, start.elapsed(), || device.last_kernel_time());
    if observe::times_kernels() {
        let device_time = timed.then(|| device.last_kernel_time()).flatten();
        observe::kernel(site, dev, geometry, start, device_time);
    }
    let kernel_time = match timing::repeats() {
        0 => kernel_time,
        times => {
            let again = |phase, timed| begun.launch(launch, Submission::Device(device), phase, timed);
            let refused = |fault: Fault| DeviceError::Launch { reason: fault.reason() };
            let phases = compiled.source.phases;
            timing::repeated(device, times, phases, |phase, timed| again(phase, timed).map_err(refused))?
        }
    };
    let kernel_time = kernel_time.map_or(KernelTime::OnDevice, KernelTime::Known);

    begun.check(launch, results).inspect_err(|_| {
        *stopped = Some(Done {
            geometry: *geometry,
            bytes_to_device: begun.environment.bytes_to_device,
            bytes_from_device: 0,
            residual_checks: *checks,
            kernel_time,
            decided: None,
        });
    })?;
    launch.fill(movements, &facts.overwritten);
    begun.told.start();
    let wanted = launch.wanted(movements);
    let Begun { mut environment, mut told, scratch, .. } = begun;
    // SAFETY: the caller holds the borrows; the kernel wrote valid values only.
    unsafe { environment.bring_back(device, &wanted, &mut told) }
        .map_err(|MappingError { array, error }| Fault::BroughtBackInPart { error, array })?;
    // Only now: after a failure the scratch memory is dropped, whatever stands in it.
    scratch.keep(compiled);
    Ok(Done {
        geometry: *geometry,
        bytes_to_device: environment.bytes_to_device,
        bytes_from_device: environment.bytes_from_device,
        residual_checks: *checks,
        kernel_time,
        decided: None,
    })
}

impl Begun {
    /// Gives the scratch memory back after a launch that ended well.
    pub fn keep_scratch(&mut self) {
        let nothing = Scratch::default();
        std::mem::replace(&mut self.scratch, nothing).keep(&self.on_device.compiled);
    }

    /// What the kernel says once it has ended: its status, and the results of the reduction items.
    pub fn check(&self, launch: &Launch<'_>, results: &mut Vec<u8>) -> Result<(), Fault> {
        let (_, result_bytes) = launch.ready.kernel.result_places();
        self.scratch.check(launch, &self.on_device.compiled.source)?;
        self.scratch.results(&*launch.device.handle, result_bytes, results)?;
        Ok(())
    }
}

/// A claim has 30 bits for an iteration's number plus one.
const MOST_CLAIMANTS: u64 = (1 << 30) - 2;

/// Zeroed tables of claims, for the arrays of which the source asks for one: a `u32` for each element of the section.
fn claims(launch: &Launch<'_>, source: &Source) -> Result<Vec<Option<DynBuffer>>, DeviceError> {
    let device = &*launch.device.handle;
    let asked = |i: usize| source.args.contains(&Arg::Claims(ArrayId::new(i)));
    if !(0..launch.arrays.len()).any(asked) {
        return Ok(Vec::new());
    }
    let table = |(i, mapped): (usize, &Mapped)| {
        if !asked(i) {
            return Ok(None);
        }
        let bytes = Bytes::of(mapped.count(), 4).at_least(4).size(|| device.memory().0)?;
        let table = device.alloc(bytes.into())?;
        device.zero(&table, 0, bytes)?;
        Ok(Some(table))
    };
    launch.arrays.iter().enumerate().map(table).collect()
}

impl<'a> Launch<'a> {
    /// Where its arrays are.
    pub(super) fn origins(&self) -> Origins {
        let origin = |(mapped, home): (&Mapped, &Home)| home.present().map(|p| p.origin(&mapped.array));
        self.arrays.iter().zip(self.homes).map(origin).collect()
    }

    /// Its arrays, and what is copied of them.
    pub(super) fn wanted(&'a self, movements: &'a [Movement]) -> Wanted<'a> {
        Wanted {
            arrays: self.arrays,
            movements,
            homes: self.homes,
            overwritten: &self.decisions.facts.overwritten,
            handed_on: &[],
        }
    }

    /// What uses what its kernel writes comes after it, so nobody has to wait.
    fn leaves_nothing(&self, on_device: &OnDevice) -> bool {
        self.unwatched
            && !self.homes.is_empty()
            && self.device.handle.runs_ahead()
            && on_device.compiled.source.phases == 1
            && self.tells_nothing(on_device)
            && timing::repeats() == 0
    }

    /// Its kernel reads and writes data of directives alone: when it has ended, there is nothing to read or to give back.
    pub(super) fn tells_nothing(&self, on_device: &OnDevice) -> bool {
        let tells = |arg: &Arg| match arg {
            Arg::Status
            | Arg::Result
            | Arg::Ticket
            | Arg::Partials
            | Arg::Copies
            | Arg::Tiles
            | Arg::Claims(_) => true,
            Arg::Array(_)
            | Arg::Scalar(_)
            | Arg::Len(_)
            | Arg::Origin(_)
            | Arg::SectionLo(_)
            | Arg::SectionHi(_)
            | Arg::DimFirst(_)
            | Arg::DimStep(_)
            | Arg::DimCount(_)
            | Arg::DigitFirst(_)
            | Arg::DigitStep(_)
            | Arg::DigitCount(_)
            | Arg::Term(..)
            | Arg::InsideStart(_)
            | Arg::Total
            | Arg::Phase => false,
        };
        self.ready.kernel.template.reductions.is_empty()
            && on_device.movements.iter().all(|m| m.download.is_empty())
            && self.homes.iter().all(|home| home.present().is_some())
            && !on_device.compiled.source.args.iter().any(tells)
            && !observe::times_kernels()
    }

    /// What of data directives the kernel writes.
    fn written(&self) -> impl Iterator<Item = (usize, &Presence)> {
        let params = self.homes.iter().zip(&self.site.template.arrays).enumerate();
        params.filter(|(_, (_, param))| param.written).filter_map(|(i, (home, _))| Some((i, home.present()?)))
    }

    /// The kernel has ended well: what it overwrites as a whole has values.
    pub(super) fn fill(&self, movements: &[Movement], overwritten: &[bool]) {
        for (i, presence) in self.written().filter(|(i, _)| overwritten.get(*i).copied().unwrap_or(false)) {
            let array = &self.arrays[i].array;
            for &(lo, hi) in &movements[i].touched {
                presence.entries().for_each(|entry| entry.fill(array.address(lo), array.address(hi)));
            }
        }
    }
}

/// Schedule and kernel for the numbers of this launch, with arrays that are where `origins` says.
fn prepare(launch: &Launch<'_>, origins: &Origins) -> Result<OnDevice, Fault> {
    let (info, facts) = (&launch.ready.info, &launch.decisions.facts);
    let class = &launch.device.handle.facts().class;
    if info.uses_f64 && !class.f64 {
        return Err(Fault::Unsupported("the device has no double precision, which the region needs".into()));
    }
    if info.atomics64 && !class.atomics64 {
        let what = "the device has no 64-bit atomics (cl_khr_int64_base_atomics), which the region needs";
        return Err(Fault::Unsupported(what.into()));
    }
    if !facts.claims.is_empty() && facts.numbering.count().is_none_or(|n| n > MOST_CLAIMANTS) {
        let what = "whether iterations keep apart is checked on a device for at most 2^30 of them";
        return Err(Fault::Unsupported(what.into()));
    }
    if let Some(array) = facts.ordered.first() {
        let name = &launch.site.names[array.index()];
        let what = format!(
            "data decides whether two iterations touch one element of `{name}`, which a device can't check where it is handed \
             on as a whole or accessed atomically"
        );
        return Err(Fault::Unsupported(what));
    }
    let numbers = Preparation::new(launch, origins);
    let choice = launch.tuner.choice(&launch.site.place, || numbers.key());
    let chosen = match &choice {
        Choice::Default => None,
        // What somebody has found need not be legal for these numbers, nor compile.
        Choice::Tiles(_) | Choice::Plain(_) => numbers.chosen(&choice).map_or_else(
            |why| {
                launch.tuner.say_once(&launch.site.place, &format!("`{choice}` is left out: {why}"));
                None
            },
            Some,
        ),
    };
    match chosen {
        Some(made) => Ok(numbers.on_device(made, choice)),
        None => Ok(numbers.on_device(numbers.default()?, Choice::Default)),
    }
}

/// What the schedules and kernels of a launch follow from.
pub(super) struct Preparation<'a> {
    launch: &'a Launch<'a>,
    origins: Origins,
    movements: Vec<Movement>,
    alignment: Vec<u32>,
    extents: Vec<u64>,
}

/// A schedule, its grid, and its kernel.
pub(super) type Made = (Schedule, Geometry, Arc<Compiled>);

impl<'a> Preparation<'a> {
    /// With arrays that are where `origins` says.
    pub fn new(launch: &'a Launch<'a>, origins: &Origins) -> Self {
        let movements = movements(launch, origins);
        let origins = starts(launch, origins, &movements);
        let (alignment, extents) = (alignments(launch, &origins), extents(launch.arrays));
        Self { launch, origins, movements, alignment, extents }
    }

    /// What a schedule is chosen by.
    pub fn request(&self) -> Request<'_> {
        let Launch { decisions, device, num_teams, thread_limit, pins, .. } = *self.launch;
        Request {
            extents: &self.extents,
            facts: &decisions.facts,
            device: &device.handle.facts().class,
            num_teams,
            thread_limit,
            alignment: &self.alignment,
            pins,
            specialised: self.launch.ready.specialised.admits(decisions.facts.nest.as_ref()),
            reasons: None,
        }
    }

    /// What searches know launches by that are like this one.
    pub fn key(&self) -> tune::Key {
        search::key(self.launch)
    }

    /// The grid of a schedule, which now says where arrays begin.
    pub fn grid(&self, schedule: &mut Schedule, request: &Request<'_>) -> Geometry {
        let kernel = &self.launch.ready.kernel;
        schedule.shifted = shifted(kernel, &self.origins);
        schedule::geometry(schedule, kernel, request)
    }

    /// The kernel of a schedule, as it was made before, or made now.
    fn kernel(
        &self,
        schedule: Schedule,
        geometry: Geometry,
        (request, choice): (&Request<'_>, &Choice),
    ) -> Result<Made, Fault> {
        let Launch { site, device, decisions, .. } = *self.launch;
        let compiled = site.compiled(device, &schedule, || {
            let reasons = || self.reasons(request, choice);
            observe::scheduled(site, device, (&schedule, &geometry), &decisions.facts, reasons);
            compile(self.launch, &schedule, &self.origins)
        })?;
        Ok((schedule, geometry, compiled))
    }

    /// Why a schedule was chosen: it is chosen once more, and records its reasons.
    fn reasons(&self, request: &Request<'_>, choice: &Choice) -> Reasons {
        let Ready { kernel, info, .. } = self.launch.ready;
        let reasons = Reasons::default();
        let _ = schedule::choose_as(
            kernel,
            info,
            &Request { reasons: Some(&reasons), ..request.clone() },
            choice,
        );
        reasons
    }

    /// The default schedule.
    pub fn default(&self) -> Result<Made, Fault> {
        let make = |request: &Request<'_>| {
            let mut schedule = schedule::choose(&self.launch.ready.kernel, &self.launch.ready.info, request);
            let geometry = self.grid(&mut schedule, request);
            self.kernel(schedule, geometry, (request, &Choice::Default))
        };
        let made = make(&self.request())?;
        // Some devices tell only now what the kernel's registers leave room for.
        match self.most_threads(&made) {
            Some(most) => make(&Request { thread_limit: Some(u64::from(most)), ..self.request() }),
            None => Ok(made),
        }
    }

    /// The most threads of a block, if it has more.
    fn most_threads(&self, (_, geometry, compiled): &Made) -> Option<u32> {
        let most = self.launch.device.handle.max_block(&compiled.kernel)?;
        (geometry.block.iter().product::<u32>() > most).then_some(most)
    }

    /// Whether blocks have as many threads as the kernel's registers leave room for.
    pub fn fits(&self, made: &Made) -> bool {
        self.most_threads(made).is_none()
    }

    /// Tells of a schedule whose kernel was made elsewhere, and keeps that for later launches.
    pub fn keep(&self, made: &OnDevice) {
        let Launch { site, device, decisions, .. } = *self.launch;
        let reasons = || self.reasons(&self.request(), &made.choice);
        observe::scheduled(site, device, (&made.schedule, &made.geometry), &decisions.facts, reasons);
        site.keep(device, &made.schedule, &made.compiled);
    }

    /// The schedule of a choice.
    pub fn chosen(&self, choice: &Choice) -> Result<Made, String> {
        let request = self.request();
        let Ready { kernel, info, .. } = self.launch.ready;
        let mut schedule =
            schedule::choose_as(kernel, info, &request, choice).ok_or("these numbers can't have it")?;
        let geometry = self.grid(&mut schedule, &request);
        let made = self.kernel(schedule, geometry, (&request, choice)).map_err(|fault| fault.reason())?;
        if self.fits(&made) { Ok(made) } else { Err("its blocks have too many threads".into()) }
    }

    /// All that a launch needs.
    pub fn on_device(&self, (schedule, geometry, compiled): Made, choice: Choice) -> OnDevice {
        let Launch { ready, arrays, decisions, tuner, .. } = *self.launch;
        let (Ready { kernel, info, .. }, facts) = (ready, &decisions.facts);
        let iterations = match schedule.strategy {
            Strategy::Reproducible { .. } => schedule::reproducible_total(kernel, facts),
            _ => facts.total.unwrap_or(u64::MAX),
        };
        OnDevice {
            room: schedule::room(kernel, &schedule, &geometry, &self.extents, iterations),
            geometry,
            checks: match &schedule.strategy {
                Strategy::Recipe(recipe) => recipe.checked.len(),
                _ => info.residual_checks + schedule.checks.len() + schedule.claims.len(),
            },
            movements: self.movements.clone(),
            compiled,
            work: observe::report::work(kernel, facts, |array| arrays[array].array.elem()),
            schedule,
            choice,
            key: tuner.searches().then(|| self.key()),
        }
    }
}

/// What is allocated and copied.
fn movements(launch: &Launch<'_>, origins: &Origins) -> Vec<Movement> {
    let arrays = launch.arrays.iter().zip(&launch.ready.kernel.template.arrays).enumerate();
    let movement = |(i, (mapped, param))| {
        let sections = launch.sections.get(i).map_or(&[][..], Vec::as_slice);
        let wish = Wish::of(param, mapped, sections, &launch.decisions.facts, i);
        match origins[i] {
            Some(_) => wish.present(launch.modifiers.get(i).is_some_and(|m| m.always)),
            None => wish.own(),
        }
    };
    arrays.map(movement).collect()
}

/// The origins, also of the region's own memory that begins after its section's start.
fn starts(launch: &Launch<'_>, origins: &Origins, movements: &[Movement]) -> Origins {
    let start = |i: usize| {
        let room = movements[i].room.0;
        (room != launch.arrays[i].section.0).then(|| room.cast_signed())
    };
    origins.iter().enumerate().map(|(i, origin)| origin.or_else(|| start(i))).collect()
}

/// Alignment of the address that element 0 of the array has, or would have, on the device. Buffers are aligned to
/// at least 256 bytes.
fn alignment(mapped: &Mapped, origin: Option<i64>) -> u32 {
    let first = origin.map_or(mapped.section.0, i64::unsigned_abs);
    // Its low bits alone count.
    let offset = first.wrapping_mul(mapped.array.elem() as u64);
    if offset == 0 { 16 } else { 1 << offset.trailing_zeros().min(4) }
}

fn alignments(launch: &Launch<'_>, origins: &Origins) -> Vec<u32> {
    launch.arrays.iter().zip(origins).map(|(mapped, origin)| alignment(mapped, *origin)).collect()
}

/// The arrays whose memory does not begin with element 0.
fn shifted(kernel: &Kernel, origins: &Origins) -> BTreeSet<ArrayId> {
    let whole = |i: &usize| !kernel.template.arrays[*i].section;
    let moved = origins.iter().enumerate().filter(|(_, o)| o.is_some_and(|o| o != 0)).map(|(i, _)| i);
    moved.filter(whole).map(ArrayId::new).collect()
}

/// Elements of each array's section.
fn extents(arrays: &[Mapped]) -> Vec<u64> {
    arrays.iter().map(|m| m.section.1.saturating_sub(m.section.0)).collect()
}

/// Makes the kernel: from the disk cache if it is there, else by the device's compiler.
fn compile(launch: &Launch<'_>, schedule: &Schedule, origins: &Origins) -> Result<Compiled, Fault> {
    let start = Instant::now();
    let (site, dev) = (launch.site, launch.device);
    let source = emit(launch.ready, dev, schedule)?;
    let key = Key::of(&source, dev.handle.facts());
    let path = launch.dump.and_then(|dir| dump(launch, dir, key, &source, origins));
    let (kernel, how) = load_or_compile(launch.ready, dev, launch.disk, &source).map_err(|error| {
        let path = match (&error, launch.dump) {
            (DeviceError::Compile { log }, Some(dir)) => {
                observe::dump::log(dir, site, key, log);
                path
            }
            (DeviceError::Compile { .. }, None) => {
                let extension = observe::dump::extension(dev.handle.facts().class.kind);
                launch.disk.and_then(|disk| disk.keep(key, extension, &source.text))
            }
            _ => None,
        };
        Fault::Device { error, array: None, source: path }
    })?;
    observe::made(site, dev, how, start);
    Ok(Compiled::new(source, kernel))
}

/// The variables of a work-group's threads on a CPU, at most. They are on the stack of one thread of the host's, which has 8 MiB by
/// default and which no OpenCL guards: where they take more, kernels write other memory.
const MOST_PRIVATE: u64 = 2 << 20;

/// The text of a kernel.
pub(super) fn emit(ready: &Ready, device: &Dev, schedule: &Schedule) -> Result<Source, Fault> {
    let threads: u64 = schedule.block.iter().map(|&n| u64::from(n)).product();
    let bytes = ready.kernel.private_bytes().saturating_mul(threads);
    if bytes > MOST_PRIVATE && device.handle.facts().class.kind == DeviceKind::OpenClCpu {
        return Err(Fault::Unsupported(format!(
            "the variables of a work-group take {bytes} bytes of stack, and it has {MOST_PRIVATE} for them: map an array with a row \
             for each iteration, or let the host run the region (`if(false)`)"
        )));
    }
    back::emit(&ready.kernel, &ready.info, schedule, device.handle.facts().dialect)
        .map_err(|unsupported| Fault::Unsupported(unsupported.message))
}

/// The kernel of a text, and where it comes from.
pub(super) fn load_or_compile(
    ready: &Ready,
    dev: &Dev,
    disk: Option<&DiskCache>,
    source: &Source,
) -> Result<(DynKernel, &'static str), DeviceError> {
    let device = &*dev.handle;
    let key = Key::of(source, device.facts());
    device.interpret(&ready.kernel, &ready.info, source);
    if let Some(kernel) = disk.and_then(|disk| from_disk(disk, dev, key, source)) {
        return Ok((kernel, "found in the kernel cache"));
    }
    let binary = device.compile(source)?;
    let kernel = device.load(&binary, source)?;
    if let Some(disk) = disk {
        disk.store(key, &binary);
    }
    Ok((kernel, "compiled"))
}

/// Writes the source, and what the same launch would get on devices of the other kinds; gives the first one's path.
fn dump(launch: &Launch<'_>, dir: &Path, key: Key, source: &Source, origins: &Origins) -> Option<PathBuf> {
    let (site, Ready { kernel, info, .. }) = (launch.site, launch.ready);
    let own = launch.device.handle.facts();
    let path = observe::dump::source(dir, site, key, own.class.kind, &source.options, &source.text);
    let alignment = alignments(launch, origins);
    let extents = extents(launch.arrays);
    for device in observe::dump::NOMINAL.iter().filter(|d| d.kind != own.class.kind) {
        let (num_teams, thread_limit) = (launch.num_teams, launch.thread_limit);
        let facts = &launch.decisions.facts;
        let mut schedule = schedule::choose(
            kernel,
            info,
            &Request {
                extents: &extents,
                facts,
                device,
                num_teams,
                thread_limit,
                alignment: &alignment,
                pins: launch.pins,
                specialised: false,
                reasons: None,
            },
        );
        schedule.shifted = shifted(kernel, origins);
        if let Ok(source) = back::emit(kernel, info, &schedule, observe::dump::dialect(device.kind)) {
            observe::dump::source(dir, site, key, device.kind, &source.options, &source.text);
        }
    }
    path
}

fn from_disk(disk: &DiskCache, device: &Dev, key: Key, source: &Source) -> Option<DynKernel> {
    let binary = disk.load(key)?;
    match device.handle.load(&binary, source) {
        Ok(kernel) => Some(kernel),
        Err(DeviceError::BadBinary { .. }) => {
            // Another driver under the same name, or damage that the checksum can't see.
            disk.remove(key);
            None
        }
        // The compiler's own result will meet the same error and report it.
        Err(_) => None,
    }
}
