//! The tasks of one call of a function.
use super::graph::{Access, TaskId};
use super::guard::Used;
use super::state::{Body, Failure, Pending, State, TaskNumber, Users, meet};
use super::{Reach, Touch};
use crate::backend::api::DeviceError;
use crate::backend::erased::DynQueue;
use crate::data::directive::Directive;
use crate::device::Dev;
use crate::error::{Error, Place};
use crate::launch::outcome::{Launched, Then};
use crate::launch::region::Region;
use crate::launch::task::{Later, Way};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;

/// After so many tasks, those that have ended are looked for.
const LOOK: u64 = 32;

/// So many tasks are under way at most.
const MOST: usize = 4096;

/// The scope of the tasks of one call of a function.
pub struct Tasks {
    /// Failures leave through [`Tasks::try_wait`] and its like, never as panics.
    try_: bool,
    /// There are tasks under way, or failures to tell.
    busy: Cell<bool>,
    /// Not borrowed while user code runs.
    state: RefCell<State>,
    /// What host memory there is to touch is that of the user's thread.
    thread: PhantomData<*mut ()>,
}

impl fmt::Debug for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tasks").field("busy", &self.busy).finish_non_exhaustive()
    }
}

/// Address, length and size of an element, of what `depend` names and no guard stands for.
#[must_use]
pub fn extent_of<T: ?Sized>(value: &T) -> (usize, usize, usize) {
    (std::ptr::from_ref(value).addr(), size_of_val(value), 1)
}

/// The same of an array, of which `depend` names a section.
#[must_use]
pub fn extent_of_array<T>(array: &[T]) -> (usize, usize, usize) {
    (array.as_ptr().addr(), array.len(), size_of::<T>())
}

/// The items of a task's `depend`.
#[derive(Debug, Default)]
pub struct Depends {
    touches: Vec<Touch>,
    wrong: Option<(&'static str, (u64, u64), u64)>,
}

impl Depends {
    /// None.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An item: address, length and size of an element, and its section.
    pub fn item(
        &mut self,
        variable: &'static str,
        writes: bool,
        (address, len, size): (usize, usize, usize),
        section: Option<(usize, usize)>,
    ) {
        let (lo, hi) = section.unwrap_or((0, len));
        if lo > hi || hi > len {
            self.wrong.get_or_insert((variable, (lo as u64, hi as u64), len as u64));
            return;
        }
        let at = |i: usize| address as u128 + i as u128 * size.max(1) as u128;
        self.touches.push(Touch::new(Reach::Named, at(lo), at(hi), writes));
    }

    fn check(&self, place: &'static Place) -> Result<(), Error> {
        match &self.wrong {
            None => Ok(()),
            Some((variable, section, len)) => {
                let variable = (*variable).to_owned();
                Err(Error::Section { place, variable, section: *section, len: *len })
            }
        }
    }
}

impl Tasks {
    /// A scope without tasks. With `try_`, only what has a `Result` tells of failures.
    #[must_use]
    pub fn new(try_: bool) -> Self {
        Self { try_, busy: Cell::new(false), state: RefCell::default(), thread: PhantomData }
    }

    /// The number of a new guard.
    pub(super) fn guard(&self) -> usize {
        let mut state = self.state.borrow_mut();
        state.guards.push(Users::default());
        state.guards.len()
    }

    /// A guard is gone, the last that was made among those that are left or not.
    pub(super) fn gone(&self, guard: usize) {
        let mut state = self.state.borrow_mut();
        if state.guards.len() == guard && !state.failures.iter().any(|f| f.used.iter().any(|u| u.0 == guard))
        {
            state.guards.pop();
        }
    }

    // ---- beginning

    /// Begins a task that runs at once: waits for those that it conflicts with. Whether it is to run.
    pub fn start(&self, used: &[Used]) -> bool {
        self.state.borrow_mut().started += 1;
        self.wait_quietly(used)
    }

    /// A task that ran at once has failed.
    pub fn failed(&self, used: &[Used], error: Error) {
        let used = used.iter().map(|u| (u.guard, u.writes)).collect();
        let mut state = self.state.borrow_mut();
        let number = state.started;
        state.failures.push(Failure { number, used, error });
        self.busy.set(true);
    }

    /// Launches a region as a task.
    ///
    /// # Errors
    /// What keeps it from running: the task has failed.
    pub fn launch(&self, region: &mut Region, used: &[Used], depends: &Depends) -> Result<Launched, Error> {
        self.state.borrow_mut().started += 1;
        self.look();
        if self.state.borrow_mut().refuses(used) {
            return Ok(Launched::Not);
        }
        depends.check(region.place())?;
        let later = match region.way(used)? {
            Way::Nothing => return Ok(Launched::Not),
            Way::Later(later) => later,
            Way::Now => {
                // `depend` may name what is none of its data.
                self.follow_named(depends);
                return if self.wait_quietly(used) {
                    region.try_run().map(Launched::Now)
                } else {
                    Ok(Launched::Not)
                };
            }
        };
        match self.begin(region, later, used, depends) {
            Ok(task) => Ok(Launched::Later(TaskNumber(task))),
            Err(Begin::Failed) => Ok(Launched::Not),
            Err(Begin::Fault(fault, later)) => {
                if !self.wait_quietly(used) {
                    return Ok(Launched::Not);
                }
                region.instead(fault, &later).map(Launched::Now)
            }
        }
    }

    /// Begins it on a queue.
    fn begin(
        &self,
        region: &mut Region,
        mut later: Box<Later>,
        used: &[Used],
        depends: &Depends,
    ) -> Result<TaskId, Begin> {
        let mut again = true;
        loop {
            let touches: Vec<Touch> = later.touches.iter().chain(&depends.touches).cloned().collect();
            if !self.host_is_current(&touches, used) {
                return Err(Begin::Failed);
            }
            let device = later.device;
            let (task, before) = self.order(&touches);
            let queued = self.queue_for(device, &before).map_err(crate::launch::fault::Fault::from);
            let (lane, queue) = match queued {
                Ok(chosen) => chosen,
                Err(fault) => {
                    self.forget(task, before);
                    return Err(Begin::Fault(fault, later));
                }
            };
            let touches = std::mem::take(&mut later.touches);
            // SAFETY: the guards hold the borrows until they have waited for the task, and copies to the device are
            // of elements that no reference of the host's can write meanwhile: this is the host's thread.
            match unsafe { region.begin(later, &queue) } {
                Ok(underway) => {
                    let body = Body::Region(Box::new(underway));
                    self.add(task, body, used, before, (device, lane));
                    return Ok(task);
                }
                Err((fault, back)) => {
                    // What was queued of it may still run.
                    let _ = queue.record(false).and_then(|event| event.wait());
                    self.forget(task, before);
                    let short = fault.is_out_of_memory() && again && self.busy.get();
                    later = back;
                    later.touches = touches;
                    if !short {
                        return Err(Begin::Fault(fault, later));
                    }
                    // What others hold is free when they have ended.
                    again = false;
                    let all = self.state.borrow().pending.keys().copied().collect();
                    self.end(all);
                }
            }
        }
    }

    /// Waits until host memory that is about to be copied has what earlier tasks bring back. Whether they all did.
    fn host_is_current(&self, touches: &[Touch], used: &[Used]) -> bool {
        let mut before = Vec::new();
        {
            let state = self.state.borrow();
            for touch in touches.iter().filter(|t| t.reach == Reach::Host && !t.writes) {
                before.extend(state.graph.using(&Reach::Host, &touch.range, false));
            }
        }
        if before.is_empty() {
            return true;
        }
        self.end(before);
        !self.state.borrow_mut().refuses(used)
    }

    /// Gives a task its place, and those that it follows.
    fn order(&self, touches: &[Touch]) -> (TaskId, Vec<TaskId>) {
        // Host memory is read by now.
        let lasting = touches.iter().filter(|t| t.writes || t.reach != Reach::Host);
        let accesses: Vec<Access<Reach>> = lasting.map(Touch::access).collect();
        self.state.borrow_mut().graph.add(&accesses)
    }

    /// A queue for a task, which follows those before it.
    fn queue_for(&self, device: &Dev, before: &[TaskId]) -> Result<(usize, Rc<DynQueue>), DeviceError> {
        let mut state = self.state.borrow_mut();
        let state = &mut *state;
        let pending = &state.pending;
        let (lane, queue) = state.lanes.choose(device, before, |task| pending.contains_key(&task))?;
        for other in before.iter().filter_map(|task| pending.get(task)) {
            if other.lane != (device.id, lane) {
                queue.follow(other.event())?;
            }
        }
        Ok((lane, queue))
    }

    fn add(
        &self,
        task: TaskId,
        body: Body,
        used: &[Used],
        before: Vec<TaskId>,
        (device, lane): (&Dev, usize),
    ) {
        let mut state = self.state.borrow_mut();
        let number = state.started;
        state.lanes.queued(device, lane, task);
        let lane = (device.id, lane);
        state.add(task, Pending { number, body, used: used.to_vec(), before, lane, then: None });
        self.busy.set(true);
    }

    /// A task could not begin. Those after it have to follow those before it all the same: they end now.
    fn forget(&self, task: TaskId, before: Vec<TaskId>) {
        self.end(before);
        self.state.borrow_mut().graph.retire(task);
    }

    /// What is to be done with the reduction items of a task when it has ended.
    pub fn then(&self, task: TaskNumber, then: Then) {
        if let Some(pending) = self.state.borrow_mut().pending.get_mut(&task.0) {
            pending.then = Some(then);
        }
    }

    /// Runs a `target_update!` as a task.
    pub fn update(&self, directive: &Directive<'_>, used: &[Used], depends: &Depends) {
        self.state.borrow_mut().started += 1;
        self.look();
        if self.state.borrow_mut().refuses(used) {
            return;
        }
        if let Err(error) = self.try_update(directive, used, depends) {
            self.failed(used, error);
        }
    }

    fn try_update(&self, directive: &Directive<'_>, used: &[Used], depends: &Depends) -> Result<(), Error> {
        depends.check(directive.place())?;
        let Some(mut plan) = directive.plan_update(used)? else { return Ok(()) };
        let touches: Vec<Touch> = plan.touches().into_iter().chain(depends.touches.iter().cloned()).collect();
        if !self.host_is_current(&touches, used) {
            return Ok(());
        }
        let device = plan.device();
        let (task, before) = self.order(&touches);
        let (lane, queue) = match self.queue_for(device, &before) {
            Ok(chosen) => chosen,
            Err(error) => {
                self.forget(task, before);
                return Err(plan.failed(error));
            }
        };
        // SAFETY: as in `begin`.
        match unsafe { plan.begin(&queue) } {
            Ok(update) => {
                self.add(task, Body::Update(Box::new(update)), used, before, (device, lane));
                Ok(())
            }
            Err(error) => {
                let _ = queue.record(false).and_then(|event| event.wait());
                self.forget(task, before);
                Err(error)
            }
        }
    }

    /// Waits for the tasks that a `depend` of one that runs at once names.
    fn follow_named(&self, depends: &Depends) {
        let mut before = Vec::new();
        for touch in &depends.touches {
            before.extend(self.state.borrow().graph.using(&touch.reach, &touch.range, touch.writes));
        }
        self.end(before);
    }

    /// Waits for the tasks that use these guards' data; whether none of them failed that conflicts. An update to the
    /// device only reads the host's copy, but whoever runs at once on the device needs what it sends.
    fn wait_quietly(&self, used: &[Used]) -> bool {
        let all: Vec<Used> = used.iter().map(|u| Used { writes: true, ..*u }).collect();
        let before = self.state.borrow().using(&all);
        self.end(before);
        !self.state.borrow_mut().refuses(used)
    }

    // ---- ending

    /// Now and then: ends what has ended by itself, and waits if too much is under way.
    fn look(&self) {
        let (count, due) = {
            let state = self.state.borrow();
            (state.pending.len(), state.started.is_multiple_of(LOOK))
        };
        if !due || count == 0 {
            return;
        }
        loop {
            let first = {
                let state = self.state.borrow();
                let Some((task, pending)) = state.pending.first_key_value() else { return };
                let reached = pending.event().is_reached().unwrap_or(true);
                (reached || state.pending.len() > MOST).then_some(*task)
            };
            match first {
                Some(task) => self.end(vec![task]),
                None => return,
            }
        }
    }

    /// Ends tasks and those that they follow, in the order of the program, and keeps what failed.
    fn end(&self, tasks: Vec<TaskId>) {
        if tasks.is_empty() {
            return;
        }
        let tasks = self.state.borrow().with_those_before(tasks);
        for task in tasks {
            let mut state = self.state.borrow_mut();
            let Some(pending) = state.remove(task) else { continue };
            let void = pending.before.iter().any(|b| state.spoilt.contains(b));
            drop(state);
            let Pending { number, body, used, then, .. } = pending;
            // SAFETY: the guards hold the borrows. What is brought back is written by nobody else: the host has no
            // reference to data of a guard that a task under way changes, and whoever asked for one waits here.
            let ended = unsafe {
                match body {
                    Body::Region(region) => region.end(void, then),
                    Body::Update(update) => update.end(void),
                }
            };
            let mut state = self.state.borrow_mut();
            state.graph.retire(task);
            let uses = used.iter().map(|u| (u.guard, u.writes));
            match ended {
                Err(error) if !void => {
                    state.spoilt.insert(task);
                    let used = uses.collect();
                    state.failures.push(Failure { number, used, error });
                }
                _ if void => {
                    state.spoilt.insert(task);
                    // It belongs to the failure that it followed.
                    let found: Vec<_> = uses.collect();
                    if let Some(failure) = state.failures.iter_mut().find(|f| meet(&f.used, &used)) {
                        failure.used.extend(found);
                    }
                }
                _ => {}
            }
        }
        let mut state = self.state.borrow_mut();
        if state.pending.is_empty() {
            state.spoilt.clear();
        }
        self.busy.set(!state.pending.is_empty() || !state.failures.is_empty());
    }

    /// The first failure among those that `meant` chooses; the others of them followed from it or are told no more.
    fn take(&self, meant: impl Fn(&Failure) -> bool) -> Result<(), Error> {
        let mut state = self.state.borrow_mut();
        let all = std::mem::take(&mut state.failures);
        let (mut told, kept): (Vec<_>, Vec<_>) = all.into_iter().partition(meant);
        state.failures = kept;
        self.busy.set(!state.pending.is_empty() || !state.failures.is_empty());
        told.sort_by_key(|f| f.number);
        told.into_iter().next().map_or(Ok(()), |failure| Err(failure.error))
    }

    /// Waits for all tasks.
    ///
    /// # Panics
    /// With the text of the first failure.
    #[track_caller]
    pub fn wait(&self) {
        raise(self.try_wait());
    }

    /// Waits for all tasks.
    ///
    /// # Errors
    /// The first failure.
    pub fn try_wait(&self) -> Result<(), Error> {
        let all = self.state.borrow().pending.keys().copied().collect();
        self.end(all);
        self.take(|_| true)
    }

    /// The start of a group.
    #[must_use]
    pub fn group(&self) -> u64 {
        self.state.borrow().started
    }

    /// Waits for the tasks of a group.
    ///
    /// # Panics
    /// With the text of their first failure.
    #[track_caller]
    pub fn wait_group(&self, group: u64) {
        raise(self.try_wait_group(group));
    }

    /// Waits for the tasks of a group.
    ///
    /// # Errors
    /// Their first failure.
    pub fn try_wait_group(&self, group: u64) -> Result<(), Error> {
        let tasks = {
            let state = self.state.borrow();
            let later = state.pending.iter().filter(|(_, p)| p.number > group);
            later.map(|(task, _)| *task).collect()
        };
        self.end(tasks);
        self.take(|f| f.number > group)
    }

    /// Waits for the tasks that use, or (without `writes`) change, the data of these guards.
    ///
    /// # Panics
    /// With the text of their first failure.
    #[track_caller]
    pub fn settle(&self, used: &[Used]) {
        raise(self.try_settle(used));
    }

    /// Waits for the tasks that use, or (without `writes`) change, the data of these guards.
    ///
    /// # Errors
    /// Their first failure.
    pub fn try_settle(&self, used: &[Used]) -> Result<(), Error> {
        let before = self.state.borrow().using(used);
        self.end(before);
        self.take(|f| meet(&f.used, used))
    }

    /// Before the host touches the data of a guard, or (`gone`) the guard goes.
    #[track_caller]
    #[inline]
    pub(super) fn touch(&self, guard: usize, writes: bool, gone: bool) {
        if self.busy.get() {
            self.touch_busily(guard, writes, gone);
        }
    }

    #[cold]
    #[track_caller]
    fn touch_busily(&self, guard: usize, writes: bool, gone: bool) {
        let used = [Used { guard, writes, root: std::ptr::null_mut(), bytes: 0 }];
        let before = self.state.borrow().using(&used);
        self.end(before);
        if self.try_ || gone && std::thread::panicking() {
            return;
        }
        raise(self.take(|f| meet(&f.used, &used)));
    }
}

/// Why a task did not begin.
enum Begin {
    /// What it needs has failed.
    Failed,
    Fault(crate::launch::fault::Fault, Box<Later>),
}

/// Goes on with a failure as a panic.
#[track_caller]
pub(super) fn raise(result: Result<(), Error>) {
    if let Err(error) = result {
        panic!("{error}");
    }
}

impl Drop for Tasks {
    fn drop(&mut self) {
        let waited = self.try_wait();
        if !self.try_ && !std::thread::panicking() {
            raise(waited);
        }
    }
}
