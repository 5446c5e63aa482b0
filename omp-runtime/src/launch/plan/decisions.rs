//! The cache of a launch's decisions by its numbers: a repeated loop with the same sizes (a time step, a solver's iteration) finds its
//! facts, schedule and kernel by comparing a few words.
use super::inspect::Owed;
use super::seen::Seen;
use crate::data::mapping::Movement;
use crate::data::section::Mapped;
use crate::host::access::claims::IterationNumbers;
use crate::launch::execute::args::Scalars;
use crate::launch::site::{Compiled, Ready, TypedSite};
use crate::observe::report::Work;
use crate::tune;
use omp_ir::analysis::plan::numbering::Numbering;
use omp_ir::analysis::plan::{DimValues, LaunchFacts, LaunchValues};
use omp_ir::ids::ArrayId;
use omp_kernels::schedule::{Choice, Geometry, Pins, Room, Schedule};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, PoisonError, RwLock};

/// The numbers of a launch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Numbers<'a> {
    /// [`Dev::id`](crate::device::Dev::id); `None` is the host.
    pub device: Option<usize>,
    pub dims: &'a [Option<DimValues>],
    pub arrays: &'a [Mapped],
    pub sections: &'a [Vec<(u64, u64)>],
    pub scalars: &'a Scalars,
    pub num_teams: Option<u64>,
    pub thread_limit: Option<u64>,
    pub pins: Pins,
}

/// What a launch decides from its numbers.
#[derive(Debug)]
pub(crate) struct LaunchDecisions {
    key: Key,
    pub facts: LaunchFacts,
    /// The reason why the host has to run the loop serially, if there is one.
    pub serial: Option<Serial>,
    /// The kernel with checks, if an inspection has found that data decides.
    claiming: Option<&'static Ready>,
    /// The time that such launches may take before an inspection pays.
    pub owed: Owed,
    /// The results of inspections with the data of such launches.
    seen: Seen,
    /// What the host has to check, if there is something.
    pub checked: Option<Checked>,
    /// Schedule and kernel, once they were requested from a device; by the origins of the arrays.
    on_device: RwLock<Vec<(Origins, Arc<OnDevice>)>>,
}

/// Why the host runs a loop's iterations in order, on one thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Serial {
    /// Only the data shows whether iterations conflict, and no code of the loop claims elements.
    MayConflict,
    /// A subscript that the parallel loop relies on is not proved.
    Bounds,
    /// Integers are added up in a build with overflow checks.
    Sums,
}

/// What of `disjoint(…)` the host has to check (sections are checked as well), and the numbers of iterations.
#[derive(Debug, Clone)]
pub(crate) struct Checked {
    pub arrays: Arc<BTreeSet<ArrayId>>,
    pub numbers: IterationNumbers,
}

impl Checked {
    pub(crate) fn new(site: &TypedSite, arrays: BTreeSet<ArrayId>, numbering: Numbering) -> Self {
        let dims = site.template.dims.iter();
        let names = dims.map(|d| site.template.code.locals[d.var.index()].name.clone());
        Self { arrays: Arc::new(arrays), numbers: IterationNumbers::new(names.collect(), numbering) }
    }
}

/// By array: the element that stands at the start of its memory if that is present; `None` for a region's own.
pub(crate) type Origins = Vec<Option<i64>>;

/// What a device needs for a launch.
#[derive(Debug)]
pub(crate) struct OnDevice {
    pub schedule: Schedule,
    pub geometry: Geometry,
    pub room: Room,
    pub checks: usize,
    pub movements: Vec<Movement>,
    pub compiled: Arc<Compiled>,
    /// For `OMP_REPORT`.
    pub work: Option<Work>,
    /// What its schedule comes from.
    pub choice: Choice,
    /// What it is searched by, where that is requested.
    pub key: Option<tune::Key>,
}

#[derive(Debug)]
struct Key {
    device: Option<usize>,
    dims: Vec<Option<DimValues>>,
    /// Length and section of each array.
    extents: Vec<(u64, (u64, u64))>,
    sections: Vec<Vec<(u64, u64)>>,
    /// By scalar: its value, if it is an integer that decides something.
    integers: Vec<Option<i128>>,
    num_teams: Option<u64>,
    thread_limit: Option<u64>,
    pins: Pins,
}

impl Numbers<'_> {
    fn extents(&self) -> impl Iterator<Item = (u64, (u64, u64))> {
        self.arrays.iter().map(|m| (m.array.len() as u64, m.section))
    }

    fn integers<'b>(&'b self, ready: &'b Ready) -> impl Iterator<Item = Option<i128>> + 'b {
        ready.integers(self.scalars)
    }

    /// A hash of what most often differs.
    fn hash(&self, ready: &Ready) -> u64 {
        let mut hash = 0u64;
        let mut mix = |word: u64| hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
        mix(self.device.map_or(0, |d| d as u64 + 1));
        for d in self.dims.iter().flatten() {
            [d.first as u64, d.step as u64, d.count].into_iter().for_each(&mut mix);
        }
        for (len, (lo, hi)) in self.extents() {
            [len, lo, hi].into_iter().for_each(&mut mix);
        }
        for value in self.integers(ready).flatten() {
            mix(value as u64);
        }
        hash
    }

    fn are(&self, key: &Key, ready: &Ready) -> bool {
        self.device == key.device
            && self.num_teams == key.num_teams
            && self.thread_limit == key.thread_limit
            && self.pins == key.pins
            && *self.dims == *key.dims
            && *self.sections == *key.sections
            && self.extents().eq(key.extents.iter().copied())
            && self.integers(ready).eq(key.integers.iter().copied())
    }
}

impl LaunchDecisions {
    /// The length of an array.
    pub(crate) fn len_of(&self, array: usize) -> Option<u64> {
        self.key.extents.get(array).map(|extent| extent.0)
    }

    /// Whether iterations that would have to claim elements keep apart in these arrays as they are; if so, to how many of them they
    /// write here and there.
    pub(crate) fn keep_apart(&self, site: &TypedSite, arrays: &[Mapped], threads: usize) -> Option<u32> {
        let Ok(ready) = &site.body else { return None };
        if self.serial.is_some() || self.claiming.is_some() || ready.leaves_sections(&self.facts.unproved) {
            return None;
        }
        let (lens, sections): (Vec<u64>, Vec<(u64, u64)>) = self.key.extents.iter().copied().unzip();
        let Key { dims, integers: scalars, .. } = &self.key;
        let values = LaunchValues { dims, scalars, lens: &lens, sections: &sections };
        site.inspections.keep_apart((site, ready), &values, (&self.facts, &self.seen), (arrays, threads))
    }

    /// The kernel for these numbers.
    pub(crate) fn kernel(&self, ready: &'static Ready) -> &'static Ready {
        self.claiming.unwrap_or(ready)
    }

    /// `due`: it pays to inspect.
    fn new(site: &'static TypedSite, numbers: &Numbers<'_>, ready: &Ready, due: bool) -> Self {
        let key = Key {
            device: numbers.device,
            dims: numbers.dims.to_vec(),
            extents: numbers.extents().collect(),
            sections: numbers.sections.to_vec(),
            integers: numbers.integers(ready).collect(),
            num_teams: numbers.num_teams,
            thread_limit: numbers.thread_limit,
            pins: numbers.pins,
        };
        let (lens, sections): (Vec<u64>, Vec<(u64, u64)>) = key.extents.iter().copied().unzip();
        let values =
            LaunchValues { dims: numbers.dims, scalars: &key.integers, lens: &lens, sections: &sections };
        let mut facts = ready.info.plan.decide(&values);
        let mut owed = Owed::default();
        if !facts.open.is_empty() {
            let device = numbers.device.is_some();
            owed = site.inspections.settle((site, ready), &values, &mut facts, (device, due));
        }
        // Claims replace a proof where data decides. A conflict in another array is still a conflict.
        let claiming = if facts.race.is_none() { site.claiming(&mut facts) } else { None };
        if let Some(claiming) = claiming {
            let LaunchFacts { claims, ordered, .. } = facts;
            let decided = claiming.info.plan.decide(&values);
            facts = LaunchFacts { race: None, open: Vec::new(), claims, ordered, ..decided };
        }
        // Without a proof, iterations run in order, but where there is code with which each of them claims what it touches.
        let with_code = &site.template.check_disjoint;
        let proved = facts.claims.iter().all(|array| with_code.contains(array)) && facts.ordered.is_empty();
        let serial = if !proved {
            Some(Serial::MayConflict)
        } else if !ready.host_is_safe(&facts.unproved) {
            Some(Serial::Bounds)
        } else {
            ready.sums_are_checked().then_some(Serial::Sums)
        };
        // A subscript may be outside of the section that a `map` names.
        let checks = !facts.claims.is_empty() || ready.leaves_sections(&facts.unproved);
        let checked = checks.then(|| Checked::new(site, facts.claims.clone(), facts.numbering.clone()));
        let (seen, on_device) = (Seen::default(), RwLock::default());
        Self { key, facts, serial, claiming, owed, seen, checked, on_device }
    }

    /// Schedule and kernel for arrays that are where `origins` says; `prepare` finds them the first time.
    pub(crate) fn on_device<E>(
        &self,
        origins: Origins,
        prepare: impl FnOnce(&Origins) -> Result<OnDevice, E>,
    ) -> Result<Arc<OnDevice>, E> {
        {
            let known = self.on_device.read().unwrap_or_else(PoisonError::into_inner);
            if let Some((_, found)) = known.iter().find(|(o, _)| *o == origins) {
                return Ok(Arc::clone(found));
            }
        }
        let decisions = Arc::new(prepare(&origins)?);
        let mut known = self.on_device.write().unwrap_or_else(PoisonError::into_inner);
        // A row of a matrix that is present begins elsewhere each time: the last few are enough.
        known.truncate(ORIGINS - 1);
        known.insert(0, (origins, Arc::clone(&decisions)));
        Ok(decisions)
    }
}

impl LaunchDecisions {
    /// From now on launches with arrays at these places take another schedule.
    pub(crate) fn replace(&self, origins: &Origins, other: Option<&Arc<OnDevice>>) {
        let mut known = self.on_device.write().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(o, _)| o != origins);
        known.extend(other.map(|other| (origins.clone(), Arc::clone(other))));
    }
}

/// So many places of the arrays are remembered for each set of numbers.
const ORIGINS: usize = 8;

/// Launches of a region that differ in their numbers.
#[derive(Debug, Default)]
pub(crate) struct Recent {
    sets: RwLock<Sets>,
}

/// Sets of numbers by their hash (where two have the same, the last one), in two generations: when the young ones are
/// many, they are the old ones, and those that were are forgotten.
#[derive(Debug, Default)]
struct Sets {
    young: HashMap<u64, Arc<LaunchDecisions>>,
    old: HashMap<u64, Arc<LaunchDecisions>>,
}

/// A generation.
const KEPT: usize = 1024;

impl Sets {
    fn add(&mut self, hash: u64, decisions: Arc<LaunchDecisions>) {
        if self.young.len() >= KEPT {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(hash, decisions);
    }
}

impl TypedSite {
    /// The decisions for these numbers, from the cache or made now.
    pub(crate) fn decisions(&'static self, ready: &Ready, numbers: &Numbers<'_>) -> Arc<LaunchDecisions> {
        let hash = numbers.hash(ready);
        let is = |found: &&Arc<LaunchDecisions>| numbers.are(&found.key, ready);
        let mut due = false;
        let mut is_known = |found: &&Arc<LaunchDecisions>| {
            due |= found.owed.is_due();
            !found.owed.is_due()
        };
        let aged = {
            let sets = self.recent.sets.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(found) = sets.young.get(&hash).filter(is).filter(&mut is_known) {
                return Arc::clone(found);
            }
            sets.old.get(&hash).filter(is).filter(&mut is_known).map(Arc::clone)
        };
        let decisions = aged.unwrap_or_else(|| Arc::new(LaunchDecisions::new(self, numbers, ready, due)));
        let mut sets = self.recent.sets.write().unwrap_or_else(PoisonError::into_inner);
        sets.add(hash, Arc::clone(&decisions));
        decisions
    }
}
