//! The tasks of a scope that are under way, and those that failed.
use super::Reach;
use super::graph::{Graph, Quickly, TaskId};
use super::guard::Used;
use super::lanes::{Lanes, Mark};
use crate::backend::api::DeviceError;
use crate::backend::erased::{DynBuffer, DynEvent};
use crate::data::update::Update;
use crate::device::Dev;
use crate::error::Error;
use crate::launch::outcome::Then;
use crate::launch::task::{Plain, Underway};
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

/// The number of a task that is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaskNumber(pub(super) TaskId);

/// What a task does.
pub(super) enum Body {
    /// The scope's crew has it.
    Host,
    Region(Box<Underway>),
    /// A region that leaves nothing, and the event that it may share.
    Plain(Box<Plain>, Option<Rc<Mark>>),
    Update(Box<Update>),
}

/// A task that is under way.
pub(super) struct Pending {
    /// Counted over all tasks of the scope.
    pub number: u64,
    pub body: Body,
    pub used: Vec<Used>,
    /// The tasks that it follows.
    pub before: Vec<TaskId>,
    /// The device's id, and the queue.
    pub lane: (usize, usize),
    /// How many bytes are kept for what it brings back.
    pub brings: usize,
    pub then: Option<Then>,
}

impl Pending {
    /// What a device reaches when it has ended.
    pub fn event(&self) -> Option<Result<&DynEvent, DeviceError>> {
        match &self.body {
            Body::Host => None,
            Body::Region(region) => Some(Ok(&region.last)),
            Body::Plain(region, mark) => Some(event_of(region, mark.as_deref())),
            Body::Update(update) => Some(Ok(&update.last)),
        }
    }

    /// Whether it has ended; `None` on the host. What failed has.
    pub fn is_reached(&self) -> Option<bool> {
        Some(self.event()?.and_then(DynEvent::is_reached).unwrap_or(true))
    }
}

/// The event of a region that leaves nothing: its own, or one that it shares.
pub(super) fn event_of<'a>(region: &'a Plain, mark: Option<&'a Mark>) -> Result<&'a DynEvent, DeviceError> {
    match (&region.last, mark) {
        (Some(event), _) => Ok(event),
        (None, Some(mark)) => mark.event(),
        (None, None) => Err(DeviceError::Launch { reason: "internal error: a task without a queue".into() }),
    }
}

/// A failure that nobody was told of.
pub(super) struct Failure {
    pub number: u64,
    /// What it and those that needed it would have used.
    pub used: Vec<(usize, bool)>,
    pub error: Error,
}

/// How many tasks use the data of a guard.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Users {
    pub all: usize,
    pub writers: usize,
}

/// What a scope knows.
#[derive(Default)]
pub(super) struct State {
    /// By number, from 1.
    pub guards: Vec<Users>,
    pub started: u64,
    pub graph: Graph<Reach>,
    pub lanes: Lanes,
    pub pending: BTreeMap<TaskId, Pending>,
    /// How many bytes they bring back.
    pub brings: usize,
    /// How many of them are on the host.
    pub on_host: usize,
    /// Tasks that failed or needed one that did, while any is under way.
    pub spoilt: HashSet<TaskId, Quickly>,
    pub failures: Vec<Failure>,
}

/// Whether uses meet in a guard's data that one of them changes.
pub(super) fn meet(a: &[(usize, bool)], b: &[Used]) -> bool {
    a.iter().any(|(guard, writes)| b.iter().any(|u| u.guard == *guard && (*writes || u.writes)))
}

impl State {
    /// A task is under way.
    pub fn add(&mut self, task: TaskId, pending: Pending) {
        for used in &pending.used {
            let users = &mut self.guards[used.guard - 1];
            users.all += 1;
            users.writers += usize::from(used.writes);
        }
        self.brings += pending.brings;
        self.on_host += usize::from(matches!(pending.body, Body::Host));
        self.pending.insert(task, pending);
    }

    /// A task is taken out, to be ended.
    pub fn remove(&mut self, task: TaskId) -> Option<Pending> {
        let pending = self.pending.remove(&task)?;
        self.brings -= pending.brings;
        self.on_host -= usize::from(matches!(pending.body, Body::Host));
        for used in &pending.used {
            let users = &mut self.guards[used.guard - 1];
            users.all -= 1;
            users.writers -= usize::from(used.writes);
        }
        Some(pending)
    }

    /// These tasks, and those that they follow, in the order of the program.
    pub fn with_those_before(&self, tasks: impl IntoIterator<Item = TaskId>) -> Vec<TaskId> {
        let mut found: HashSet<TaskId, Quickly> = HashSet::default();
        let mut open: Vec<TaskId> = tasks.into_iter().collect();
        if let [task] = open[..]
            && self.pending.get(&task).is_some_and(|p| !p.before.iter().any(|b| self.pending.contains_key(b)))
        {
            return open;
        }
        while let Some(task) = open.pop() {
            if let Some(pending) = self.pending.get(&task)
                && found.insert(task)
            {
                open.extend(&pending.before);
            }
        }
        let mut list: Vec<TaskId> = found.into_iter().collect();
        list.sort_unstable();
        list
    }

    /// Where a task under way has values on this device that it brings back.
    pub fn holds(&self, task: TaskId, device: &Dev, range: &Range<u64>) -> Option<(&DynBuffer, usize)> {
        match &self.pending.get(&task)?.body {
            Body::Region(region) => region.holds(device, range),
            Body::Host | Body::Plain(..) | Body::Update(_) => None,
        }
    }

    /// The tasks that somebody waits for who uses the data of these guards.
    pub fn using(&self, used: &[Used]) -> Vec<TaskId> {
        let busy = |u: &Used| {
            let users = self.guards[u.guard - 1];
            if u.writes { users.all > 0 } else { users.writers > 0 }
        };
        if !used.iter().any(busy) {
            return Vec::new();
        }
        let meets = |p: &Pending| {
            p.used.iter().any(|mine| used.iter().any(|u| u.guard == mine.guard && (mine.writes || u.writes)))
        };
        self.pending.iter().filter(|(_, p)| meets(p)).map(|(task, _)| *task).collect()
    }

    /// Those of some tasks that run on the host, or that do not.
    pub fn by_place(&self, tasks: &[TaskId], host: bool) -> Vec<TaskId> {
        if self.on_host == if host { 0 } else { self.pending.len() } {
            return Vec::new();
        }
        let is = |task: &TaskId| self.pending.get(task).is_some_and(|p| matches!(p.body, Body::Host) == host);
        tasks.iter().copied().filter(is).collect()
    }

    /// Whether data of these guards is not what it should be, because a task failed. What was to use it has then failed, too.
    pub fn refuses(&mut self, used: &[Used]) -> bool {
        match self.failures.iter_mut().find(|f| meet(&f.used, used)) {
            Some(failure) => {
                failure.used.extend(used.iter().map(|u| (u.guard, u.writes)));
                true
            }
            None => false,
        }
    }
}
