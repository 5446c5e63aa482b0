//! Replay: a region that is launched repeatedly with the same data, numbers and clauses (a time step, a sweep, a phase) reuses its
//! launch plan.
//!
//! A replayed region has no results to read: it is a task ([`Plain`]) or a region that is not waited for. Its data is
//! present, and nothing is copied. The decision depends on the fields of [`Key`], on the version of the device's present
//! table ([`Table::version`](crate::data::present::Table::version)), and on whether all elements that the kernel accesses
//! have values on the device, which holds as long as the entries live. A launch plan does not keep entries alive:
//! `delete` frees their memory.
use super::decisions::OnDevice;
use crate::backend::api::DeviceError;
use crate::backend::erased::{DynArg, DynEvent};
use crate::backend::submission::Submission;
use crate::data::array::Identity;
use crate::data::mapping::{Home, Movement};
use crate::data::present::Entry;
use crate::device::{Dev, team};
use crate::error::Error;
use crate::launch::context::Context;
use crate::launch::execute::args::Scalars;
use crate::launch::execute::timing;
use crate::launch::execute::{Begun, Launch};
use crate::launch::outcome::fault::Fault;
use crate::launch::outcome::report::{KernelTime, Record};
use crate::launch::region::{Modifiers, Region, SomeClauses};
use crate::launch::site::lock;
use crate::launch::task::Plain;
use crate::observe;
use crate::task::graph::Access;
use crate::task::{Reach, Touch, Used, memory};
use omp_ir::analysis::plan::DimValues;
use omp_kernels::back::Arg;
use smallvec::SmallVec;
use std::sync::{Arc, Mutex, Weak};

/// So many are remembered for each region.
const KEPT: usize = 32;

/// An array and its section.
type Brings = (Identity, (u64, u64));

fn arrays(region: &Region) -> impl ExactSizeIterator<Item = Brings> {
    region.arrays.iter().map(|mapped| (mapped.array.identity(), mapped.section))
}

/// What a task brings with it and is changed while it is launched.
#[derive(Debug)]
pub(crate) struct Brought {
    arrays: Vec<Brings>,
    declared: Vec<(usize, (u64, u64))>,
}

/// What decides how a task is launched.
#[derive(Debug)]
struct Key {
    task: bool,
    /// Its address: there is one for a process, and one for a test.
    context: usize,
    default_device: Option<usize>,
    arrays: Vec<Brings>,
    declared: Vec<(usize, (u64, u64))>,
    sections: Vec<Vec<(u64, u64)>>,
    modifiers: Vec<Modifiers>,
    dims: SmallVec<[Option<DimValues>; 2]>,
    scalars: Scalars,
    clauses: SomeClauses,
    /// The memory of its guards: address and length.
    roots: Vec<(usize, usize)>,
    depends: Vec<Touch>,
}

/// The guards of a region that is launched as a task, and its `depend` items.
type Task<'a> = Option<(&'a [Used], &'a [Touch])>;

/// A launch plan with its key.
#[derive(Debug)]
pub(crate) struct Known {
    key: Key,
    decided: Decided,
}

/// How it is launched.
#[derive(Debug)]
pub(crate) struct Decided {
    pub device: &'static Dev,
    /// That of its present table.
    version: u64,
    on_device: Arc<OnDevice>,
    /// By array: what its memory belongs to.
    entries: Vec<Weak<Entry>>,
    /// What it touches.
    pub accesses: Vec<Access<Reach>>,
    /// The arguments that are numbers; 0 in the places of others.
    words: Vec<[u8; 8]>,
}

/// The tasks of a region that may be replayed.
#[derive(Debug, Default)]
pub(crate) struct Replays {
    list: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    known: Vec<Arc<Known>>,
    /// The last that was found.
    at: usize,
    /// The next that makes room.
    next: usize,
    #[cfg(test)]
    taken: usize,
}

#[cfg(test)]
impl Replays {
    /// How often one was found.
    pub(in crate::launch) fn taken(&self) -> usize {
        lock(&self.list).taken
    }
}

fn roots(used: &[Used]) -> impl Iterator<Item = (usize, usize)> {
    used.iter().map(|u| (u.root.addr(), u.bytes))
}

impl Key {
    /// Whether this execution is one of these. Cheap differences are looked at first.
    fn is(&self, region: &Region, context: &Context, task: Task<'_>) -> bool {
        let (used, depends) = task.unwrap_or_default();
        self.dims == region.dims
            && arrays(region).eq(self.arrays.iter().copied())
            && self.scalars_are(region)
            && self.depends == depends
            && roots(used).eq(self.roots.iter().copied())
            && self.declared == region.declared
            && self.sections == region.sections
            && self.modifiers == region.modifiers
            && self.clauses == region.clauses
            && self.context == std::ptr::from_ref(context).addr()
            && self.default_device == team::default_device()
            && self.task == task.is_some()
    }

    /// Integers decide; others are arguments.
    fn scalars_are(&self, region: &Region) -> bool {
        if self.scalars == region.scalars {
            return true;
        }
        let Ok(ready) = &region.site.body else { return false };
        self.scalars.len() == region.scalars.len()
            && ready.integers(&self.scalars).eq(ready.integers(&region.scalars))
    }
}

impl Region {
    /// What of it launching changes, if it changes anything.
    pub(crate) fn brought(&self) -> Option<Brought> {
        (!self.declared.is_empty())
            .then(|| Brought { arrays: arrays(self).collect(), declared: self.declared.clone() })
    }

    fn surroundings(&self) -> Option<&'static Context> {
        self.context.or_else(|| Context::of_process().ok())
    }

    /// How it was launched before, if it was, and nothing has changed since that counts.
    pub(crate) fn known(&self, task: Task<'_>) -> Option<Arc<Known>> {
        if self.scope.is_some() || !self.memory.is_empty() || observe::listens() {
            return None;
        }
        let context = self.surroundings()?;
        let mut list = lock(&self.site.replays.list);
        let Kept { known, at, .. } = &mut *list;
        let (before, after) = known.split_at((*at).min(known.len()));
        let is = |known: &&Arc<Known>| known.key.is(self, context, task);
        let found = after.iter().chain(before).position(|known| is(&known))?;
        *at = (*at + found) % known.len();
        let found = known[*at].decided.lasts().then(|| Arc::clone(&known[*at]))?;
        #[cfg(test)]
        {
            list.taken += 1;
        }
        Some(found)
    }

    /// Remembers how it was launched.
    pub(crate) fn learn(&self, decided: Decided, brought: Option<Brought>, task: Task<'_>) {
        // The memory of a target block is another one each time.
        let Some(context) = self.surroundings().filter(|_| self.scope.is_none()) else { return };
        let (used, depends) = task.unwrap_or_default();
        let brought = brought
            .unwrap_or_else(|| Brought { arrays: arrays(self).collect(), declared: self.declared.clone() });
        let key = Key {
            task: task.is_some(),
            context: std::ptr::from_ref(context).addr(),
            default_device: team::default_device(),
            arrays: brought.arrays,
            declared: brought.declared,
            sections: self.sections.clone(),
            modifiers: self.modifiers.clone(),
            dims: self.dims.clone(),
            scalars: self.scalars.clone(),
            clauses: self.clauses.clone(),
            roots: roots(used).collect(),
            depends: depends.to_vec(),
        };
        let named = depends.iter().map(Touch::access);
        let accesses = decided.accesses.into_iter().chain(named).collect();
        let known = Arc::new(Known { key, decided: Decided { accesses, ..decided } });
        let mut list = lock(&self.site.replays.list);
        let Kept { known: all, at, next, .. } = &mut *list;
        all.retain(|other| other.decided.lasts());
        if all.len() < KEPT {
            *at = all.len();
            all.push(known);
        } else {
            *at = *next;
            all[*next] = known;
            *next = (*next + 1) % KEPT;
        }
    }
}

impl Decided {
    /// The launch plan of a launch that was just queued, and whose data was on the device; for replays. `None` if data had to be copied
    /// there.
    pub(in crate::launch) fn of(
        launch: &Launch<'_>,
        begun: &Begun,
        accesses: Vec<Access<Reach>>,
    ) -> Option<Self> {
        let on_device = &begun.on_device;
        let in_place = |(i, (home, movement)): (usize, (&Home, &Movement))| {
            let (presence, array) = (home.present()?, &launch.arrays[i].array);
            let full =
                |r: &(u64, u64)| presence.missing(array.address(r.0), array.address(r.1)).next().is_none();
            (movement.upload.is_empty() && movement.download.is_empty() && movement.touched.iter().all(full))
                .then(|| presence.entries().next().map(Arc::downgrade))
                .flatten()
        };
        if on_device.compiled.source.phases != 1 {
            return None;
        }
        let entries = launch.homes.iter().zip(&on_device.movements).enumerate().map(in_place);
        Some(Self {
            device: launch.device,
            version: launch.version,
            entries: entries.collect::<Option<_>>()?,
            on_device: Arc::clone(on_device),
            accesses,
            words: begun.words(launch),
        })
    }

    /// Whether the present table is as it was, and the device works.
    fn lasts(&self) -> bool {
        self.version == self.device.present.version() && self.device.lost().is_none()
    }
}

impl Known {
    /// What it is launched with.
    pub(crate) fn decided(&self) -> &Decided {
        &self.decided
    }

    /// Its data, kept alive; `None` if some of it is gone.
    pub(crate) fn hold(&self) -> Option<SmallVec<[Arc<Entry>; 4]>> {
        self.decided.entries.iter().map(Weak::upgrade).collect()
    }

    /// Queues its kernel, with the scalars of this execution.
    ///
    /// # Errors
    /// What the device says; then nothing was queued, or it is lost.
    pub(crate) fn launch<'a>(
        &'a self,
        region: &'a Region,
        submission: Submission<'_>,
        entries: &'a [Arc<Entry>],
        timed: bool,
    ) -> Result<(), DeviceError> {
        let Decided { on_device, words, .. } = &self.decided;
        let OnDevice { compiled, geometry, .. } = &**on_device;
        let value = |(arg, word): (&Arg, &'a [u8; 8])| match *arg {
            Arg::Array(a) => DynArg::Buffer(&entries[a.index()].block().buffer),
            Arg::Scalar(s) => DynArg::Bytes(region.scalars.get(s)),
            _ => DynArg::Bytes(word),
        };
        let args: SmallVec<[DynArg<'_>; 16]> = compiled.source.args.iter().zip(words).map(value).collect();
        submission.launch(&compiled.kernel, geometry, &args, timed)
    }

    /// A task that was queued so.
    pub(crate) fn plain(&self, region: &Region, needs: Vec<DynEvent>) -> Plain {
        Plain::replay(region, self.decided.device, &self.decided.on_device, needs)
    }
}

impl Region {
    /// Queues the kernel of a region that is not waited for, as it was queued before. Returns whether that was possible: otherwise the usual
    /// way is to be tried.
    ///
    /// # Errors
    /// What tasks failed at that use its data without a guard.
    pub(in crate::launch) fn ahead_again(&self) -> Result<bool, Error> {
        if timing::repeats() != 0 || self.has_values() {
            return Ok(false);
        }
        let Some(known) = self.known(None) else { return Ok(false) };
        let Some(entries) = known.hold() else { return Ok(false) };
        let Decided { device, on_device, .. } = &known.decided;
        // Tasks of this thread's may use it without a guard, and have failed.
        let touch = |entry: &Arc<Entry>| Touch::on_device(device.id, None, entry.range(), true);
        if !self.is_task {
            memory::settle_all(|| entries.iter().map(touch).collect(), true)?;
        }
        // Tasks that reach its data go through queues of their own.
        let settled = entries.iter().try_for_each(|entry| entry.block().settle());
        settled.map_err(|error| {
            Fault::from(error).into_error(&self.site.place, device, &self.site.names, &self.arrays)
        })?;
        let timed = on_device.compiled.timing.wanted_ahead();
        let kernel_time = if timed { KernelTime::OnDevice } else { KernelTime::Since(self.started) };
        if known.launch(self, Submission::Device(&*device.handle), &entries, timed).is_err() {
            return Ok(false);
        }
        device.runs_ahead(&self.site.place);
        self.remember(Record {
            place: &self.site.place,
            device: Some(device),
            grid: on_device.geometry.grid,
            block: on_device.geometry.block,
            bytes_to_device: 0,
            bytes_from_device: 0,
            kernel_time,
            wall_time: self.started.elapsed(),
            residual_checks: 0,
            fallback: None,
        });
        Ok(true)
    }
}
