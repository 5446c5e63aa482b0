//! Device memory of a host array, and the tasks on it that no guard orders, of this function or of others.
//!
//! If such a task fails, no thread uses the memory that the task was to write until the failure has been reported in the
//! function that began the task. From then on the memory can be used, with its old values.
use crate::backend::api::DeviceError;
use crate::backend::erased::{DynBuffer, DynEvent};
use crate::launch::site::lock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Device memory for a range of host addresses. The sections of one `map` share it, so that a kernel reaches all of
/// them from one address; what is between them is there and never used.
#[derive(Debug)]
pub struct Block {
    /// The device memory.
    pub buffer: DynBuffer,
    /// The host addresses that it is for.
    span: (u128, u128),
    /// Tasks under way that use the block, and that no guard orders against other uses.
    tasks: Mutex<InUse>,
    /// Whether there are any: a quick check without the lock.
    used: AtomicBool,
}

/// A task that no guard orders: it accesses device memory without a guard ([`crate::DeviceSlice`]), or it changes the device's copy of
/// an array that it only reads, which any function that gets the array may use on the device.
#[derive(Debug)]
struct UnderWay {
    range: (u128, u128),
    writes: bool,
    by: User,
    ending: Ending,
    /// A later task in the list follows it, so other tasks need not. It is kept only because it may fail.
    covered: bool,
}

impl UnderWay {
    /// Whether the task needs no more checks: it has ended, and its results are there, or later uses may run without them.
    fn is_over(&self) -> bool {
        self.ending.known().is_some_and(|ended| self.ending.judge(self.writes, ended).is_ok())
    }
}

/// Tasks in memory.
#[derive(Debug, Default)]
struct InUse {
    list: Vec<UnderWay>,
    /// How many were left after the last poll.
    cleaned: usize,
}

impl InUse {
    /// Forgets those that are over, once there are twice as many as after the last time.
    fn clean(&mut self) {
        const FEW: usize = 8;
        if self.list.len() >= FEW.max(2 * self.cleaned) {
            self.list.retain(|t| !t.is_over());
            self.cleaned = self.list.len();
        }
    }
}

/// The user of memory: a task, by its queue and scope.
#[derive(Debug, Clone, Copy)]
pub struct User {
    /// The number of the queue.
    pub queue: u32,
    /// The scope, which knows the failures of its own tasks.
    pub scope: usize,
    /// Whether the scope's guards order its tasks by their accesses to this memory.
    pub guarded: bool,
}

/// Work that another thread is about to queue.
pub trait Coming: std::fmt::Debug + Send + Sync {
    /// The event at its end; waits until the task is queued. Or the error that kept it from being queued: then its results are not
    /// there.
    fn event(&self) -> Result<DynEvent, DeviceError>;
    /// The same without a wait, if it is known.
    fn known(&self) -> Option<Result<DynEvent, DeviceError>>;
}

/// Whether the function that began a task has reported the task's failure. Until then, no thread uses the memory that the task
/// was to write; from then on, the user knows that its values are old.
#[derive(Debug, Clone, Default)]
pub struct FailureSeen(Arc<AtomicBool>);

impl FailureSeen {
    /// The failure was reported.
    pub fn set_seen(&self) {
        self.0.store(true, Ordering::Release);
    }

    fn is_seen(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// The end of a task on the device.
#[derive(Debug, Clone)]
pub enum Last {
    /// It is queued.
    Queued(DynEvent),
    /// It is not, yet.
    Coming(Arc<dyn Coming>),
    /// It never will be.
    Failed(DeviceError),
}

impl Last {
    fn event(&self) -> Result<DynEvent, DeviceError> {
        match self {
            Self::Queued(last) => Ok(last.clone()),
            Self::Coming(last) => last.event(),
            Self::Failed(error) => Err(error.clone()),
        }
    }
}

/// The end of a task.
#[derive(Debug, Clone)]
pub struct Ending {
    /// Its own.
    pub last: Last,
    /// Those of other functions' tasks: it goes well if they do.
    pub needs: Vec<DynEvent>,
    /// Whether its function knows how it went.
    pub seen: FailureSeen,
}

impl Ending {
    /// Of a task that is queued.
    #[must_use]
    pub fn queued(last: &DynEvent, needs: &[DynEvent], seen: &FailureSeen) -> Self {
        Self { last: Last::Queued(last.clone()), needs: needs.to_vec(), seen: seen.clone() }
    }

    /// How it went, if it has ended.
    fn known(&self) -> Option<Result<(), DeviceError>> {
        let reached = match &self.last {
            Last::Queued(last) => last.is_reached(),
            Last::Coming(last) => last.known()?.and_then(|last| last.is_reached()),
            Last::Failed(error) => Err(error.clone()),
        };
        let all = std::iter::once(reached).chain(self.needs.iter().map(DynEvent::is_reached));
        for reached in all {
            match reached {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
        Some(Ok(()))
    }

    /// Its failure, as far as it concerns other tasks: none if it should not have written (`writes`) anything for them, or if the failure
    /// was reported.
    fn judge(&self, writes: bool, ended: Result<(), DeviceError>) -> Result<(), DeviceError> {
        if !writes || self.seen.is_seen() { Ok(()) } else { ended }
    }

    /// Waits for it.
    fn wait(&self, writes: bool) -> Result<(), DeviceError> {
        let last = self.last.event().and_then(|last| last.wait());
        let ended = last.and_then(|()| self.needs.iter().try_for_each(DynEvent::wait));
        // Waiting itself may have failed.
        if ended.is_ok() || self.known().is_none() { ended } else { self.judge(writes, ended) }
    }
}

/// The predecessors of a task.
#[derive(Debug, Default)]
pub struct Predecessors {
    /// The events after which it has to run.
    pub follows: Vec<DynEvent>,
    /// The events of tasks that it needs: if one of these fails, so does the task.
    pub needs: Vec<DynEvent>,
}

impl Block {
    /// Memory for these host addresses.
    #[must_use]
    pub fn new(buffer: DynBuffer, span: (u128, u128)) -> Arc<Self> {
        Arc::new(Self { buffer, span, tasks: Mutex::default(), used: AtomicBool::new(false) })
    }

    /// The tasks after which a task that is about to use these addresses has to run.
    ///
    /// # Errors
    /// The error of one of those tasks: its results are not there.
    pub fn before(&self, range: (u128, u128), writes: bool, by: User) -> Result<Predecessors, DeviceError> {
        let mut predecessors = Predecessors::default();
        if !self.used.load(Ordering::Acquire) {
            return Ok(predecessors);
        }
        let conflict = |t: &UnderWay| {
            let same_queue = t.by.queue == by.queue && matches!(t.ending.last, Last::Queued(_));
            let ordered = t.covered || same_queue || by.guarded && t.by.scope == by.scope;
            // How its own tasks went a scope looks after by itself.
            let needs = t.writes && t.by.scope != by.scope;
            let conflicts = (writes || t.writes) && t.range.0 < range.1 && range.0 < t.range.1;
            (conflicts && (needs || !ordered)).then(|| (t.ending.clone(), needs, !ordered))
        };
        let found: Vec<_> = lock(&self.tasks).list.iter().filter_map(conflict).collect();
        for (ending, needs, follows) in found {
            if needs && let Some(ended) = ending.known() {
                ending.judge(true, ended)?;
                continue;
            }
            let event = match ending.last.event() {
                Ok(event) => event,
                Err(error) => {
                    ending.judge(true, Err(error))?;
                    continue;
                }
            };
            if needs {
                predecessors.needs.extend(ending.needs);
                predecessors.needs.push(event.clone());
            }
            if follows {
                predecessors.follows.push(event);
            }
        }
        Ok(predecessors)
    }

    /// A task that follows what it had to uses these addresses until its end.
    pub fn used(&self, range: (u128, u128), writes: bool, by: User, ending: Ending) {
        let mut tasks = lock(&self.tasks);
        // Once this task is queued, a wait for it includes the tasks that it follows.
        if writes && matches!(ending.last, Last::Queued(_)) {
            let covers = |t: &UnderWay| range.0 <= t.range.0 && t.range.1 <= range.1;
            tasks.list.retain_mut(|t| {
                t.covered |= covers(t);
                t.writes || !t.covered
            });
        }
        tasks.clean();
        tasks.list.push(UnderWay { range, writes, by, ending, covered: false });
        self.used.store(true, Ordering::Release);
    }

    /// Waits for the tasks that no guard orders.
    ///
    /// # Errors
    /// The error of the first one that failed: its results are not there. Every caller gets this error, until the function that began the
    /// task has got it (where it waits for the task).
    pub fn settle(&self) -> Result<(), DeviceError> {
        if !self.used.load(Ordering::Acquire) {
            return Ok(());
        }
        let tasks: Vec<_> = lock(&self.tasks).list.iter().map(|t| (t.ending.clone(), t.writes)).collect();
        let mut first = Ok(());
        for (ending, writes) in tasks {
            let ended = ending.wait(writes);
            first = first.and(ended);
        }
        // They stand here until they have ended: other threads wait for them as well.
        let mut tasks = lock(&self.tasks);
        tasks.list.retain(|t| !t.is_over());
        self.used.store(!tasks.list.is_empty(), Ordering::Release);
        first
    }

    /// Whether it has room for these host addresses.
    #[must_use]
    pub fn spans(&self, (lo, hi): (u128, u128)) -> bool {
        self.span.0 <= lo && hi <= self.span.1
    }

    /// The first host address that it is for.
    #[must_use]
    pub fn start(&self) -> u128 {
        self.span.0
    }

    /// The distance of a host address from its start.
    ///
    /// # Panics
    /// If the address is before the start.
    #[must_use]
    pub fn offset(&self, address: u128) -> usize {
        let bytes = address.checked_sub(self.span.0).expect("the memory holds the address");
        usize::try_from(bytes).expect("device memory is no larger than the host's")
    }
}
