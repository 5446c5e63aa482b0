//! The preparation of a launch: its schedule, grid and kernel, what is allocated and copied, and where arrays begin.
use super::compile::compile;
use super::{Launch, MOST_CLAIMANTS};
use crate::data::mapping::{Movement, Wish};
use crate::data::section::Mapped;
use crate::launch::outcome::fault::Fault;
use crate::launch::plan::decisions::{OnDevice, Origins};
use crate::launch::search;
use crate::launch::site::{Compiled, Ready};
use crate::observe;
use crate::tune;
use omp_ir::ids::ArrayId;
use omp_ir::kernel::Kernel;
use omp_kernels::schedule::{self, Choice, Geometry, Reasons, Request, Schedule, Strategy};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Schedule and kernel for the numbers of this launch, with arrays that are where `origins` says.
pub(super) fn prepare(launch: &Launch<'_>, origins: &Origins) -> Result<OnDevice, Fault> {
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
            "data decides whether two iterations touch one element of `{name}`, which a device can't check where it is passed \
             on as a whole or accessed atomically"
        );
        return Err(Fault::Unsupported(what));
    }
    let numbers = Preparation::new(launch, origins);
    let choice = launch.tuner.choice(&launch.site.place, || numbers.key());
    let chosen = match &choice {
        Choice::Default => None,
        // A choice from the tuning file need not be legal for these numbers, nor compile.
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
pub(in crate::launch) struct Preparation<'a> {
    launch: &'a Launch<'a>,
    origins: Origins,
    movements: Vec<Movement>,
    alignment: Vec<u32>,
    extents: Vec<u64>,
}

/// A schedule, its grid, and its kernel.
pub(in crate::launch) type Made = (Schedule, Geometry, Arc<Compiled>);

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
            parts: self.launch.ready.specialised.admits_parts(decisions.facts.nest.as_ref()),
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
        // Some devices know only after compilation how many threads the kernel's registers allow.
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

    /// Whether blocks have no more threads than the kernel's registers allow.
    pub fn fits(&self, made: &Made) -> bool {
        self.most_threads(made).is_none()
    }

    /// Reports a schedule whose kernel was made by a search, and keeps the kernel for later launches.
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

pub(super) fn alignments(launch: &Launch<'_>, origins: &Origins) -> Vec<u32> {
    launch.arrays.iter().zip(origins).map(|(mapped, origin)| alignment(mapped, *origin)).collect()
}

/// The arrays whose memory does not begin with element 0.
pub(super) fn shifted(kernel: &Kernel, origins: &Origins) -> BTreeSet<ArrayId> {
    let whole = |i: &usize| !kernel.template.arrays[*i].section;
    let moved = origins.iter().enumerate().filter(|(_, o)| o.is_some_and(|o| o != 0)).map(|(i, _)| i);
    moved.filter(whole).map(ArrayId::new).collect()
}

/// Elements of each array's section.
pub(super) fn extents(arrays: &[Mapped]) -> Vec<u64> {
    arrays.iter().map(|m| m.section.1.saturating_sub(m.section.0)).collect()
}
