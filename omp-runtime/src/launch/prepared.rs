//! What a launch decides from its numbers alone, remembered: a loop that runs again with the sizes it had before
//! (a time step, a solver's iteration) finds its facts, schedule and kernel by comparing a few words.
use super::args::Scalars;
use super::site::{Compiled, Ready, TypedSite};
use crate::data::mapping::Movement;
use crate::data::section::Mapped;
use omp_kernels::analysis::plan::{DimValues, LaunchFacts, LaunchValues};
use omp_kernels::schedule::{Geometry, Pins, Room};
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

/// Everything that follows from them.
#[derive(Debug)]
pub(crate) struct Prepared {
    key: Key,
    pub facts: LaunchFacts,
    /// The host has to run the loop as it stands.
    pub serial: bool,
    /// A subscript may leave the section that a `map` names: the host has to look.
    pub sections_open: bool,
    /// Schedule and kernel, once a device was asked for them; by where the arrays are.
    on_device: RwLock<Vec<(Origins, Arc<OnDevice>)>>,
}

/// By array: the element that stands at the start of its memory if that is present; `None` for a region's own.
pub(crate) type Origins = Vec<Option<i64>>;

/// What a device needs for a launch.
#[derive(Debug)]
pub(crate) struct OnDevice {
    pub geometry: Geometry,
    pub room: Room,
    pub checks: usize,
    pub movements: Vec<Movement>,
    pub compiled: Arc<Compiled>,
}

#[derive(Debug)]
struct Key {
    device: Option<usize>,
    dims: Vec<Option<DimValues>>,
    /// Length and section of each array.
    extents: Vec<(u64, (u64, u64))>,
    sections: Vec<Vec<(u64, u64)>>,
    /// By scalar: its value, if it is an integer. Others decide nothing.
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

impl Prepared {
    /// The length of an array.
    pub(crate) fn len_of(&self, array: usize) -> Option<u64> {
        self.key.extents.get(array).map(|extent| extent.0)
    }

    fn new(numbers: &Numbers<'_>, ready: &Ready) -> Self {
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
        let facts = ready.info.plan.decide(&values);
        let serial = !ready.host_is_safe(&facts.unproved) || ready.sums_are_checked();
        let sections_open = ready.leaves_sections(&facts.unproved);
        Self { key, facts, serial, sections_open, on_device: RwLock::default() }
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
        let prepared = Arc::new(prepare(&origins)?);
        let mut known = self.on_device.write().unwrap_or_else(PoisonError::into_inner);
        // A row of a matrix that is present begins elsewhere each time: the last few are enough.
        known.truncate(KEPT - 1);
        known.insert(0, (origins, Arc::clone(&prepared)));
        Ok(prepared)
    }
}

/// The last few launches of a region that differ in their numbers.
#[derive(Debug, Default)]
pub(crate) struct Recent {
    list: RwLock<(Vec<Arc<Prepared>>, usize)>,
}

/// Enough for a loop that goes through a handful of sizes; so few that looking costs nothing.
const KEPT: usize = 8;

impl TypedSite {
    /// What follows from these numbers, now or as it was found before.
    pub(crate) fn prepared(&self, ready: &Ready, numbers: &Numbers<'_>) -> Arc<Prepared> {
        {
            let list = self.recent.list.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(found) = list.0.iter().find(|p| numbers.are(&p.key, ready)) {
                return Arc::clone(found);
            }
        }
        let prepared = Arc::new(Prepared::new(numbers, ready));
        let mut list = self.recent.list.write().unwrap_or_else(PoisonError::into_inner);
        let (kept, next) = &mut *list;
        if kept.len() < KEPT {
            kept.push(Arc::clone(&prepared));
        } else {
            kept[*next] = Arc::clone(&prepared);
            *next = (*next + 1) % KEPT;
        }
        prepared
    }
}
