//! The tasks of a scope that are under way, and those that failed.
use super::id_map::IdMap;
use crate::backend::api::DeviceError;
use crate::backend::erased::{DynBuffer, DynEvent};
use crate::data::block::{Coming, FailureSeen};
use crate::data::directive::update::Update;
use crate::device::Dev;
use crate::error::{Error, Place};
use crate::launch::outcome::Then;
use crate::launch::task::{Plain, Underway};
use crate::observe::Why;
use crate::task::graph::queue_assignment::{Mark, QueueAssignment};
use crate::task::graph::{Before, Graph, Quickly, TaskId};
use crate::task::guard::Used;
use crate::task::pool::mixed::Sent;
use crate::task::pool::staging_job::StagingJob;
use crate::task::{Reach, Touch};
use smallvec::SmallVec;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

/// The number of a task that is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaskNumber(pub(in crate::task) TaskId);

/// What a task does.
pub(in crate::task) enum Body {
    /// A loop of the host in the thread pool.
    Host,
    /// A task of a device that the thread pool begins or ends.
    DeviceInPool,
    Region(Box<Underway>),
    /// A region without results, and the event that it may share.
    Plain(Plain, Option<Rc<Mark>>),
    Update(Box<Update>),
    /// An update that another thread queues.
    Going(Going),
}

/// Gives the update, or what kept it from being queued.
pub(in crate::task) type Going = StagingJob<Sent<Result<Update, Error>>>;

impl Going {
    /// The update, or what kept it from being queued; once.
    pub fn update(&self) -> Option<Result<Update, Error>> {
        self.take().map(Sent::take)
    }
}

/// Guards, and whether their data may be changed.
pub(in crate::task) type Uses = SmallVec<[(usize, bool); 3]>;

/// The same of what a task uses.
pub(in crate::task) fn uses(used: &[Used]) -> Uses {
    used.iter().map(|u| (u.guard, u.writes)).collect()
}

/// A task that is under way.
pub(in crate::task) struct Pending {
    /// Counted over all tasks of the scope.
    pub number: u64,
    pub body: Body,
    /// The guards whose data it uses, and whether it may change that.
    pub used: Uses,
    /// The tasks that it follows.
    pub before: Before,
    /// The device's id, and the queue.
    pub lane: (usize, usize),
    /// How many bytes are kept for what it brings back.
    pub brings: usize,
    pub then: Option<Then>,
    /// The uses that are not in the graph: the variables that it reduces.
    pub values: Uses,
    /// The flag by which others see whether the failure was reported to the function.
    pub seen: Option<FailureSeen>,
}

impl Pending {
    /// The event at its end on the device.
    pub fn event(&self) -> Option<Result<&DynEvent, DeviceError>> {
        match &self.body {
            Body::Host | Body::DeviceInPool | Body::Going(_) => None,
            Body::Region(region) => Some(Ok(&region.last)),
            Body::Plain(region, mark) => Some(event_of(region, mark.as_deref())),
            Body::Update(update) => Some(Ok(&update.last)),
        }
    }

    /// Where it was launched, if that is known here.
    pub fn place(&self) -> Option<&'static Place> {
        match &self.body {
            Body::Region(region) => Some(region.place()),
            Body::Update(update) => Some(update.place()),
            Body::Host | Body::DeviceInPool | Body::Plain(..) | Body::Going(_) => None,
        }
    }

    /// Whether it runs on the host's threads, or is waited for there.
    pub const fn is_in_pool(&self) -> bool {
        matches!(self.body, Body::Host | Body::DeviceInPool)
    }

    /// Whether a thread that ends it now processes its results during their transfer.
    pub fn takes_long(&self) -> bool {
        matches!(&self.body, Body::Update(update) if update.takes_long())
    }

    /// Whether it has ended; `None` on the host. What failed has.
    pub fn is_reached(&self) -> Option<bool> {
        if let Body::Going(job) = &self.body {
            let reached = |last: Result<DynEvent, _>| last.and_then(|last| last.is_reached()).unwrap_or(true);
            return Some(job.known().is_some_and(reached));
        }
        Some(self.event()?.and_then(DynEvent::is_reached).unwrap_or(true))
    }
}

/// The event of a region without results: its own, or one that it shares.
pub(in crate::task) fn event_of<'a>(
    region: &'a Plain,
    mark: Option<&'a Mark>,
) -> Result<&'a DynEvent, DeviceError> {
    match (&region.last, mark) {
        (Some(event), _) => Ok(event),
        (None, Some(mark)) => mark.event(),
        (None, None) => Err(DeviceError::Launch { reason: "internal error: a task without a queue".into() }),
    }
}

/// A failure that was not reported.
pub(in crate::task) struct Failure {
    pub number: u64,
    /// The data that the task, and those that needed it, would have used.
    pub used: Vec<(usize, bool)>,
    /// Of those, the variables whose parts the graph does not know: every use of a part is refused.
    pub whole: Vec<(usize, bool)>,
    pub error: Error,
    /// Of those, where others look up whether the failure was reported.
    pub others: Vec<FailureSeen>,
}

/// How many tasks use the data of a guard.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::task) struct Users {
    pub all: usize,
    pub writers: usize,
}

/// The state of a scope.
#[derive(Default)]
pub(in crate::task) struct State {
    /// By number, from 1.
    pub guards: Vec<Users>,
    pub started: u64,
    pub graph: Graph<Reach>,
    pub assignment: QueueAssignment,
    pub pending: IdMap<Pending>,
    /// How many bytes they bring back.
    pub brings: usize,
    /// How many of them are on the host.
    pub on_host: usize,
    /// Those that another thread queues.
    pub going: Vec<TaskId>,
    /// The last of them.
    pub lent: Option<Going>,
    /// Tasks that failed or needed one that did, with the number of that failure: while any task is under way, or the failure is
    /// not reported. Until it is, they are in the graph, so that what is launched later follows them.
    pub spoilt: HashMap<TaskId, u64, Quickly>,
    pub failures: Vec<Failure>,
    /// The failure for which something was refused last, or that came last.
    pub refused: Option<u64>,
    /// The work after which the next task of a queue has to run, in addition to the tasks before it in its queue.
    pub queues: HashMap<i64, Vec<Touch>>,
}

/// Whether uses of a guard's data conflict: one of them changes it.
pub(in crate::task) fn conflict(a: &[(usize, bool)], b: &[Used]) -> bool {
    a.iter().any(|(guard, writes)| b.iter().any(|u| u.guard == *guard && (*writes || u.writes)))
}

/// The same of two tasks.
pub(in crate::task) fn share(a: &[(usize, bool)], b: &[(usize, bool)]) -> bool {
    a.iter().any(|(guard, writes)| b.iter().any(|(other, too)| other == guard && (*writes || *too)))
}

impl State {
    /// A task is under way.
    pub fn add(&mut self, task: TaskId, pending: Pending) {
        for (guard, writes) in &*pending.used {
            let users = &mut self.guards[guard - 1];
            users.all += 1;
            users.writers += usize::from(*writes);
        }
        self.brings += pending.brings;
        self.on_host += usize::from(pending.is_in_pool());
        if matches!(pending.body, Body::Going(_)) {
            self.going.push(task);
        }
        self.pending.insert(task, pending);
    }

    /// No other thread queues it any more.
    pub fn arrived(&mut self, task: TaskId) {
        if !self.going.is_empty() {
            self.going.retain(|going| *going != task);
        }
    }

    /// Those that another thread queues and that use data of these guards, or (`writes`) of those that may be changed.
    pub fn going_on(&self, used: &[Used], writes: bool) -> Vec<TaskId> {
        let conflicts = |p: &Pending| {
            p.used.iter().any(|(guard, _)| used.iter().any(|u| u.guard == *guard && (u.writes || !writes)))
        };
        self.going.iter().copied().filter(|task| self.pending.get(*task).is_some_and(conflicts)).collect()
    }

    /// The failure of these tasks, because of which their successors must not run.
    pub fn failed_before(&self, before: &[TaskId]) -> Option<u64> {
        before.iter().find_map(|task| self.spoilt.get(task)).copied()
    }

    /// The tasks that a use of this memory has to follow.
    pub fn using_memory(&self, memory: &[Touch]) -> Vec<TaskId> {
        memory.iter().flat_map(|touch| self.graph.using(&touch.reach, &touch.range, touch.writes)).collect()
    }

    /// The failure because of which this memory has wrong values.
    pub fn failure_of(&self, memory: &[Touch]) -> Option<u64> {
        let open = |task: &TaskId| {
            let number = *self.spoilt.get(task)?;
            self.failures.iter().any(|f| f.number == number).then_some(number)
        };
        self.using_memory(memory).iter().find_map(open)
    }

    /// Whether memory without a guard has wrong values, because a task failed. Then what was to use it has failed, too.
    pub fn refuses_memory(&mut self, memory: &[Touch], used: &[Used]) -> bool {
        let Some(number) = self.failure_of(memory) else { return false };
        let Some(failure) = self.failures.iter_mut().find(|f| f.number == number) else { return false };
        failure.used.extend(&*uses(used));
        // It is not in the graph, so others can't follow it there.
        failure.whole.extend(&*uses(used));
        self.refused = Some(number);
        true
    }

    /// A task that was refused, or failed before it was queued, would have written some of this memory. Later uses of the memory depend on
    /// the failure.
    pub fn spoil(&mut self, memory: &[Touch]) {
        let Some(number) = self.refused else { return };
        let accesses: Vec<_> = memory.iter().filter(|touch| touch.writes).map(Touch::access).collect();
        if !accesses.is_empty() {
            let (task, _) = self.graph.add(&accesses);
            self.spoilt.insert(task, number);
        }
    }

    /// Takes the failures that `meant` chooses. Later launches don't depend on them.
    pub fn take_failures(&mut self, meant: impl Fn(&Failure) -> bool) -> Vec<Failure> {
        let (reported, kept): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.failures).into_iter().partition(meant);
        self.failures = kept;
        for (task, number) in &self.spoilt {
            if !self.failures.iter().any(|f| f.number == *number) {
                self.graph.retire(*task);
            }
        }
        self.forget_spoilt();
        reported.iter().flat_map(|failure| &failure.others).for_each(FailureSeen::set_seen);
        reported
    }

    /// No task can follow a failed task any more.
    pub fn forget_spoilt(&mut self) {
        if self.pending.is_empty() && self.failures.is_empty() {
            self.spoilt.drain().for_each(|(task, _)| self.graph.retire(task));
        }
    }

    /// A task is taken out, to be ended.
    pub fn remove(&mut self, task: TaskId) -> Option<Pending> {
        let pending = self.pending.remove(task)?;
        self.brings -= pending.brings;
        self.on_host -= usize::from(pending.is_in_pool());
        self.arrived(task);
        for (guard, writes) in &*pending.used {
            let users = &mut self.guards[guard - 1];
            users.all -= 1;
            users.writers -= usize::from(*writes);
        }
        Some(pending)
    }

    /// These tasks, and those that they follow, in the order of the program.
    pub fn with_those_before(&self, tasks: Vec<TaskId>) -> Vec<TaskId> {
        let waits = |task: &TaskId| self.pending.get(*task).is_some_and(|p| !self.is_free(p));
        // All of them, in order; or those that follow no task.
        if tasks.len() == self.pending.len() && tasks.is_sorted() || !tasks.iter().any(waits) {
            let mut tasks = tasks;
            tasks.retain(|task| self.pending.contains(*task));
            tasks.sort_unstable();
            tasks.dedup();
            return tasks;
        }
        let mut found: HashSet<TaskId, Quickly> = HashSet::default();
        let mut open = tasks;
        while let Some(task) = open.pop() {
            if let Some(pending) = self.pending.get(task)
                && found.insert(task)
            {
                open.extend(&*pending.before);
            }
        }
        let mut list: Vec<TaskId> = found.into_iter().collect();
        list.sort_unstable();
        list
    }

    /// Whether all predecessors of a task have ended.
    pub fn is_free(&self, pending: &Pending) -> bool {
        !pending.before.iter().any(|b| self.pending.contains(*b))
    }

    /// The device memory in which a task under way has values that it copies back.
    pub fn holds(&self, task: TaskId, device: &Dev, range: &Range<u64>) -> Option<(&DynBuffer, usize)> {
        match &self.pending.get(task)?.body {
            Body::Region(region) => region.holds(device, range),
            Body::Host | Body::DeviceInPool | Body::Plain(..) | Body::Update(_) | Body::Going(_) => None,
        }
    }

    /// The reason why the values that a task copies back are not forwarded from its memory.
    pub fn why_not_held(&self, task: TaskId) -> Why {
        match self.pending.get(task).map(|pending| &pending.body) {
            Some(Body::Update(_)) => Why::Brings,
            Some(Body::Region(region)) if region.may_stop() => Why::MayStop,
            _ => Why::InPieces,
        }
    }

    /// The tasks that a use of the data of these guards has to wait for.
    pub fn using(&self, used: &[Used]) -> Vec<TaskId> {
        let busy = |u: &Used| {
            let users = self.guards[u.guard - 1];
            if u.writes { users.all > 0 } else { users.writers > 0 }
        };
        if !used.iter().any(busy) {
            return Vec::new();
        }
        self.pending.iter().filter(|(_, p)| conflict(&p.used, used)).map(|(task, _)| task).collect()
    }

    /// Those of some tasks that run on the host, or that do not.
    pub fn by_place(&self, tasks: &[TaskId], host: bool) -> Vec<TaskId> {
        if self.on_host == if host { 0 } else { self.pending.len() } {
            return Vec::new();
        }
        let is = |task: &TaskId| self.pending.get(*task).is_some_and(|p| p.is_in_pool() == host);
        tasks.iter().copied().filter(is).collect()
    }

    /// Whether data of these guards may be wrong, because a task failed. Then what was to use it has failed, too.
    pub fn refuses(&mut self, used: &[Used]) -> bool {
        self.refuses_if(used, |f| conflict(&f.used, used))
    }

    /// Whether it is wrong as a whole; or, for `values`, which the graph does not know, whether it may be. For other results of failed
    /// tasks, the graph knows the parts ([`Self::failed_before`]).
    pub fn refuses_whole(&mut self, used: &[Used], values: &[Used]) -> bool {
        self.refuses_if(used, |f| conflict(&f.whole, used) || conflict(&f.used, values))
    }

    fn refuses_if(&mut self, used: &[Used], conflicts: impl Fn(&Failure) -> bool) -> bool {
        let Some(failure) = self.failures.iter_mut().find(|f| conflicts(f)) else { return false };
        failure.used.extend(&*uses(used));
        failure.whole.extend(&*uses(used));
        self.refused = Some(failure.number);
        true
    }

    /// Refuses a task of the graph, because it follows the failure with this number.
    pub fn refuse(&mut self, task: TaskId, number: u64, used: &[Used], values: &[Used]) {
        self.spoilt.insert(task, number);
        if let Some(failure) = self.failures.iter_mut().find(|f| f.number == number) {
            failure.used.extend(&*uses(used));
            failure.whole.extend(&*uses(values));
        }
        self.refused = Some(number);
    }
}
