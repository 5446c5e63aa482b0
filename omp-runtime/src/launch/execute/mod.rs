//! Runs a region on a device: the copies to the device, the kernel's launch, its status and results, the copies back. `prepare`
//! chooses schedule and kernel, `compile` makes the kernel.
pub mod args;
mod compile;
mod prepare;
pub(super) mod scratch;
pub mod status;
pub mod timing;

use super::outcome::fault::Fault;
use super::outcome::report::{KernelTime, Record};
use super::plan::decisions::{LaunchDecisions, OnDevice, Origins};
use super::plan::replay::Decided;
use super::region::Modifiers;
use super::search;
use super::site::{Ready, Scratch, TypedSite};
use args::{Scalars, Sources, values, words};
pub(super) use compile::{emit, load_or_compile};
use prepare::prepare;
pub(super) use prepare::{Made, Preparation};

use crate::backend::api::DeviceError;
use crate::backend::erased::DynBuffer;
use crate::backend::size::Bytes;
use crate::backend::submission::Submission;
use crate::cache::DiskCache;
use crate::data::mapping::{Environment, Forwarded, Home, MappingError, Movement, Wanted};
use crate::data::present::Presence;
use crate::data::section::Mapped;
use crate::device::Dev;
use crate::error::Place;
use crate::observe;
use crate::tune::Tuner;
use omp_ir::ids::ArrayId;
use omp_kernels::back::{Arg, Source};
use omp_kernels::schedule::{Choice, Geometry, Pins};
use std::path::Path;
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
    /// Its report is not read before its end has been waited for.
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
    /// How long the kernel took, or how to find that out.
    pub kernel_time: KernelTime,
    /// The launch plan for replays, if it is not waited for.
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
    pub moves: observe::Moves,
    pub start: Instant,
    claims: Vec<Option<DynBuffer>>,
    total: u64,
    timed: bool,
    /// Its kernel has no results, so the launch need not wait.
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
    forwarded: &[Forwarded<'_>],
) -> Result<Begun, Fault> {
    // SAFETY: by the caller.
    match unsafe { try_begin(launch, submission, overwritten, forwarded) } {
        // Nothing has run.
        Err(Refused::Chosen(fault)) if search::withdraw(launch, &fault) => {
            // SAFETY: by the caller.
            unsafe { try_begin(launch, submission, overwritten, forwarded) }.map_err(Refused::fault)
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
    forwarded: &[Forwarded<'_>],
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
    let mut moves = observe::Moves::of(site, dev, submission.number());
    let wanted = Wanted { forwarded, overwritten, ..launch.wanted(&on_device.movements) };
    // SAFETY: the caller holds the borrows.
    let environment = unsafe { Environment::open(submission, &wanted, &mut moves) }?;
    if let Some(found) = search::search(launch, submission, &on_device, &environment, total) {
        scratch.keep(&on_device.compiled);
        on_device = found;
        scratch = Scratch::ready(&on_device.compiled, device, on_device.room, result_bytes)?;
    }
    let compiled = &on_device.compiled;
    let claims = claims(launch, &compiled.source)?;
    // The device times single launches.
    let ahead = matches!(submission, Submission::Device(_)) && launch.runs_ahead(&on_device);
    let timed = compiled.source.phases == 1
        && (if ahead { compiled.timing.wanted_ahead() } else { compiled.timing.wanted() });
    let start = Instant::now();
    let begun = Begun { on_device, scratch, environment, moves, start, claims, total, timed, ahead };
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
    begun.moves.start();
    let wanted = launch.wanted(movements);
    let Begun { mut environment, mut moves, scratch, .. } = begun;
    // SAFETY: the caller holds the borrows; the kernel wrote valid values only.
    unsafe { environment.bring_back(device, &wanted, &mut moves) }
        .map_err(|MappingError { array, error }| Fault::BroughtBackInPart { error, array })?;
    // Only after success: after a failure, the scratch memory is dropped with its contents.
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

/// Zeroed tables of claims, for the arrays of which the kernel has one: a `u32` for each element of the section.
fn claims(launch: &Launch<'_>, source: &Source) -> Result<Vec<Option<DynBuffer>>, DeviceError> {
    let device = &*launch.device.handle;
    let requested = |i: usize| source.args.contains(&Arg::Claims(ArrayId::new(i)));
    if !(0..launch.arrays.len()).any(requested) {
        return Ok(Vec::new());
    }
    let table = |(i, mapped): (usize, &Mapped)| {
        if !requested(i) {
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
            forwarded: &[],
        }
    }

    /// Whether the launch need not wait for its kernel: the device orders later uses of what the kernel writes after it.
    fn runs_ahead(&self, on_device: &OnDevice) -> bool {
        self.unwatched
            && !self.homes.is_empty()
            && self.device.handle.runs_ahead()
            && on_device.compiled.source.phases == 1
            && self.has_no_results(on_device)
            && timing::repeats() == 0
    }

    /// Its kernel only reads and writes data of directives: when it has ended, there is nothing to read or to give back.
    pub(super) fn has_no_results(&self, on_device: &OnDevice) -> bool {
        let is_result = |arg: &Arg| match arg {
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
            && !on_device.compiled.source.args.iter().any(is_result)
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
