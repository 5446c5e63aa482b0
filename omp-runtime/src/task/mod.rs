//! Tasks: regions and updates under `nowait`.
//!
//! * [`Tasks`] is the scope, the first variable that generated code declares in a function. No task outlives it.
//! * The guards ([`TaskArray`], [`TaskShared`], [`TaskValue`]) hold the borrows of the tasks' data, from the first `nowait` to
//!   the wait. Host code accesses the data only through them.
//! * [`graph`] decides which tasks a task has to follow, and `queue_assignment` its queue.
//!
//! # Who accesses host memory, and when
//!
//! For tasks on a device, only the function's thread does, at two times. When a task begins, data for the device is
//! copied into memory of the backend. At the wait, results are copied out of it. Both happen in calls of this module,
//! through the pointers that the guards made from their borrows. A task on the host (`pool_tasks`) accesses host memory
//! while it runs, through the same pointers. The graph orders it with other tasks that access the same elements. If tasks
//! of both kinds use the data of one guard, the thread pool ends or runs those of the device (`mixed`). A reference from
//! a guard borrows the guard, and first waits for all tasks that write its data. A task that may write the data needs the
//! guard exclusively. So while such a reference lives, no task that could write its data is under way.
//!
//! # Failures
//!
//! A task's failure is kept until the first wait for the task: `taskwait!`, the end of a group or of the function, or an
//! access through a guard. It is reported once. A task that depends on a failed one and is already on its way runs on
//! valid but unspecified values, and its results are dropped. A task that was not begun does not run.
pub mod graph;
mod guard;
pub(crate) mod memory;
pub(crate) mod pool;
mod scope;

#[cfg(test)]
pub use guard::Made;
pub use guard::{
    Guarded, OmpE0407UsedByTasks, Slot, TaskArray, TaskShared, TaskValue, Used, ended, task_never,
};
pub use memory::LostMemory;
pub(crate) use pool::mixed::with_uploads;
pub use scope::state::TaskNumber;
pub use scope::{Depends, Extent, ExtentOf, ExtentOfValue, TaskScope, Tasks, extent_of_array};

/// For a wait for a task on the host's threads outside of its scope.
pub(crate) type HostTicket = pool::pool_tasks::Ticket<pool::mixed::PoolResult>;

/// Memory in which tasks may conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reach {
    /// The host's.
    Host,
    /// The memory of this device with copies of the host's.
    Device(usize),
    /// The memory of this device without a host copy.
    Memory(usize),
    /// The memory that this target block has for itself.
    Block(u64),
    /// What `depend` names.
    Named,
    /// Queues of OpenACC, by number: a task of a queue writes its number, and a wait for the queue reads it.
    Queue,
}

/// Made-up addresses begin here, above all that pointers have.
pub(crate) const MADE_UP: u128 = 1 << 64;

/// An access of a task: a range of host addresses, or of numbers that stand for them.
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

    /// The same on a device. Artificial addresses ([`crate::DeviceSlice`]) are of memory without a host copy. `own`: in the memory of this
    /// target block.
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
