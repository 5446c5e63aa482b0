//! Tasks: regions and updates under `nowait`.
//!
//! * [`Tasks`] is the scope that generated code makes first of all in a function. No task outlives it.
//! * The guards ([`TaskArray`], [`TaskShared`], [`TaskValue`]) hold the borrows of what tasks use, from the first
//!   `nowait` to the wait. Host code reaches the data through them alone.
//! * [`graph`] tells which tasks a task has to follow; `lanes` on which queue it goes.
//!
//! # Who touches host memory, and when
//!
//! For tasks on a device the user's thread alone, at two points: when a task begins, what goes to the device is copied into
//! memory of the backend's; when somebody waits, what came back is copied out of it. Both happen in calls of this module,
//! through the pointers that the guards made from their borrows. A task on the host (`crew`) touches it while it runs,
//! through the same pointers: the graph keeps it apart from others that touch the same elements, and where tasks of both
//! kinds use the data of one guard, the crew ends those of the device, or runs them (`turns`). A reference that a guard gives out borrows the guard, and waits
//! first for all tasks that bring something back to its data; a task that may bring something back needs the guard
//! exclusively. So while such a reference lives no task is under way that could write behind it.
//!
//! # Failures
//!
//! A task's failure is kept until somebody waits for the task: `taskwait!`, the end of a group or of the function, or
//! an access through a guard. It is told once. What depends on a failed task and is on its way already runs on whatever
//! there is (valid values all of them), and brings nothing back; what was not begun does not run.
mod begin;
mod crew;
#[cfg(test)]
mod crew_models;
mod errand;
pub mod graph;
mod guard;
mod lanes;
pub(crate) mod memory;
pub mod queues;
mod scope;
mod send;
mod state;
mod sync;
#[cfg(test)]
pub(crate) mod sync_models;
mod turns;
mod window;

#[cfg(test)]
pub use guard::Made;
pub use guard::{
    Guarded, OmpE0407UsedByTasks, Slot, TaskArray, TaskShared, TaskValue, Used, ended, task_never,
};
pub use memory::LostMemory;
pub use scope::{Depends, Extent, ExtentOf, ExtentOfValue, TaskScope, Tasks, extent_of_array};
pub use state::TaskNumber;
pub(crate) use turns::with_uploads;

/// For who waits for a task on the host's threads and is not its scope.
pub(crate) type HostTicket = crew::Ticket<turns::Told>;

/// Memory that tasks may meet in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reach {
    /// The host's.
    Host,
    /// The memory of this device that stands for the host's.
    Device(usize),
    /// The memory of this device that stands for nothing.
    Memory(usize),
    /// The memory that this target block has for itself.
    Block(u64),
    /// What `depend` names.
    Named,
    /// Queues of OpenACC, by number: a task of a queue writes its number, who waits for the queue reads it.
    Queue,
}

/// Made-up addresses begin here, above all that pointers have.
pub(crate) const MADE_UP: u128 = 1 << 64;

/// What a task touches: a range of host addresses, or what stands for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touch {
    pub(crate) reach: Reach,
    pub(crate) range: std::ops::Range<u64>,
    pub(crate) writes: bool,
}

impl Touch {
    pub(crate) fn new(reach: Reach, lo: u128, hi: u128, writes: bool) -> Self {
        let narrow = |a: u128| u64::try_from(a).unwrap_or(u64::MAX);
        Self { reach, range: narrow(lo)..narrow(hi), writes }
    }

    /// The same on a device: what has made-up addresses ([`crate::DeviceSlice`]) stands for nothing of the host's. `own`: in
    /// the memory of this target block.
    pub(crate) fn on_device(device: usize, own: Option<u64>, (lo, hi): (u128, u128), writes: bool) -> Self {
        if lo < MADE_UP {
            let reach = own.map_or(Reach::Device(device), Reach::Block);
            return Self::new(reach, lo, hi, writes);
        }
        Self { reach: Reach::Memory(device), range: Self::made_up(lo)..Self::made_up(hi), writes }
    }

    /// A made-up address as a number.
    pub(crate) fn made_up(address: u128) -> u64 {
        u64::try_from(address.saturating_sub(MADE_UP)).unwrap_or(u64::MAX)
    }

    pub(crate) fn access(&self) -> graph::Access<Reach> {
        graph::Access { space: self.reach, range: self.range.clone(), writes: self.writes }
    }
}
