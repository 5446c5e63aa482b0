//! How tasks begin: on a queue of a device, on the host's threads, or at once.
//!
//! Tasks of both kinds in one scope (a device was lost, a clause sends some to the host) take [`mixed`](crate::task::pool::mixed).
use super::state::{Body, Pending, State, TaskNumber, uses};
use super::{Depends, TaskScope};
use crate::backend::api::DeviceError;
use crate::backend::erased::DynQueue;
use crate::backend::submission::Submission;
use crate::data::block::{FailureSeen, User};
use crate::data::mapping::Forwarded;
use crate::device::Dev;
use crate::error::{Error, Place};
use crate::host::failure_record::wrap_hook;
use crate::launch::outcome::{HostRun, Launched, Then};
use crate::launch::plan::replay::{Brought, Known};
use crate::launch::region::Region;
use crate::launch::task::{Later, Started, Way};
use crate::observe::{self, Why};
use crate::task::graph::{Access, Before, TaskId};
use crate::task::guard::Used;
use crate::task::memory::LostMemory;
use crate::task::pool::mixed;
use crate::task::pool::pool_tasks::Work;
use crate::task::{Reach, Touch};
use std::ops::Range;
use std::sync::Arc;

/// While tasks under way have so many bytes for the host, those that need them of each other wait for them.
const MOST_KEPT: usize = 256 << 20;

impl TaskScope {
    /// Launches a region as a task.
    ///
    /// # Errors
    /// The reason why it can't run: the task has failed.
    pub fn launch(&self, region: &mut Region, used: &[Used], depends: &Depends) -> Result<Launched, Error> {
        region.is_task = true;
        let memory = region.memory_touched();
        if memory.is_empty() {
            return self.try_launch(region, used, depends);
        }
        self.is_known();
        self.launch_on_memory(region, &memory, used, depends)
    }

    /// A target block that is a task was not begun, or is left: its loops would have written this memory.
    pub fn lost(&self, memory: &LostMemory) {
        self.is_known();
        self.state.borrow_mut().spoil(&memory.0);
    }

    fn launch_on_memory(
        &self,
        region: &mut Region,
        memory: &[Touch],
        used: &[Used],
        depends: &Depends,
    ) -> Result<Launched, Error> {
        self.state.borrow_mut().refused = None;
        // A failure of another function's concerns it as well.
        let launched = match crate::task::memory::settle(self, memory) {
            Err(error) => {
                self.state.borrow_mut().started += 1;
                Err(error)
            }
            Ok(()) if self.state.borrow_mut().refuses_memory(memory, used) => Ok(Launched::Not),
            Ok(()) => self.try_launch(region, used, depends),
        };
        let mut state = self.state.borrow_mut();
        match launched {
            // It is the next failure.
            Err(_) => state.refused = Some(state.started),
            Ok(Launched::Not) => {}
            Ok(_) => return launched,
        }
        state.spoil(memory);
        launched
    }

    fn try_launch(&self, region: &mut Region, used: &[Used], depends: &Depends) -> Result<Launched, Error> {
        self.state.borrow_mut().started += 1;
        self.look();
        // Which data has values on the device is known when the tasks are queued.
        self.arrive(|state| match region.uses_memory() {
            true => state.going.clone(),
            false => state.going_on(used, false),
        });
        let values = region.values(used);
        if self.state.borrow_mut().refuses_whole(used, &values) {
            return Ok(Launched::Not);
        }
        depends.check(region.place())?;
        if let Some(known) = region.known(Some((used, &depends.touches)))
            && let Some(launched) = self.replay(region, &known, used)
        {
            return Ok(launched);
        }
        let brought = region.brought();
        let later = match region.way(used)? {
            Way::Nothing => return Ok(Launched::Not),
            Way::Later(later) => later,
            // `on_host` or `at_once` is next.
            Way::Host => return region.try_run().map(Launched::Now),
            Way::Now => {
                return if self.at_once(used, depends) && self.memory_is_ready(region, used) {
                    region.try_run().map(Launched::Now)
                } else {
                    Ok(Launched::Not)
                };
            }
        };
        // Copies into data that is present on the device have to be queued before other tasks get the array, as for an update.
        if region.may_wait && later.sends.is_empty() && self.conflicts_with_host(used, depends) {
            return Ok(Launched::Now(region.after_others(*later)));
        }
        match self.begin(region, (later, brought), (used, &values), depends) {
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

    /// The identity of the scope while it lives.
    pub(in crate::task) fn id(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    /// Replays a launch plan, if it is still valid. `None`: the task has to be launched in the usual way.
    fn replay(&self, region: &Region, known: &Known, used: &[Used]) -> Option<Launched> {
        if self.state.borrow().on_host > 0 {
            return None;
        }
        let (entries, device) = (known.hold()?, known.decided().device);
        let (task, before) = self.state.borrow_mut().graph.add(&known.decided().accesses);
        if self.refuses(task, &before, used, &[]) {
            return Some(Launched::Not);
        }
        let launched = self.queue_for(device, &before, false).and_then(|(lane, queue)| {
            let mut needs = Vec::new();
            for entry in &entries {
                let by = User { queue: queue.number(), scope: self.id(), guarded: true };
                let before = entry.block().before(entry.range(), true, by)?;
                before.follows.iter().try_for_each(|last| queue.follow(last))?;
                needs.extend(before.needs);
            }
            known.launch(region, Submission::Queue(&queue), &entries, true)?;
            Ok((lane, needs))
        });
        match launched {
            Ok((lane, needs)) => {
                let body = Body::Plain(known.plain(region, needs), None);
                self.add(task, (body, 0, None), (used, &[]), before, (device, lane));
                Some(Launched::Later(TaskNumber(task)))
            }
            Err(_) => {
                self.forget(task, &before);
                None
            }
        }
    }

    /// Begins it on a queue.
    fn begin(
        &self,
        region: &mut Region,
        (mut later, brought): (Box<Later>, Option<Brought>),
        (used, values): (&[Used], &[Used]),
        depends: &Depends,
    ) -> Result<TaskId, Begin> {
        let mut again = true;
        let why = || region.why_waits(&later);
        if !self.leave_host(used, region.place(), why) {
            return Err(Begin::Failed);
        }
        loop {
            let touches: Vec<Touch> = later.touches.iter().chain(&depends.touches).cloned().collect();
            let (forwarded, waited) = self.forwarded(region.place(), &later, &touches);
            let device = later.device;
            let (task, before) = self.order(&touches, false, forwarded.iter().map(|(_, _, task)| *task));
            if self.refuses(task, &waited, used, values) || self.refuses(task, &before, used, values) {
                return Err(Begin::Failed);
            }
            self.end_those(&before, true);
            let queued =
                self.queue_for(device, &before, false).map_err(crate::launch::outcome::fault::Fault::from);
            let (lane, queue) = match queued {
                Ok(chosen) => chosen,
                Err(fault) => {
                    self.forget(task, &before);
                    return Err(Begin::Fault(fault, later));
                }
            };
            let touches = std::mem::take(&mut later.touches);
            let begun = {
                let state = self.state.borrow();
                // A task that has ended in the meantime has copied its values to the host.
                let part = |(array, range, task): &ForwardedPart| {
                    let from = state.holds(*task, device, range)?;
                    Some(Forwarded { array: *array, range: range.start.into()..range.end.into(), from })
                };
                let forwarded: Vec<Forwarded<'_>> = forwarded.iter().filter_map(part).collect();
                // SAFETY: the guards hold the borrows until they have waited for the task, and copies to the device are
                // of elements that no reference of the host's can write meanwhile: this is the host's thread.
                unsafe { region.begin(later, (&queue, self.id()), &forwarded) }
            };
            match begun {
                Ok(started) => {
                    let body = match started {
                        Started::Whole(region, seen) => {
                            let brings = region.brings();
                            (Body::Region(region), brings, seen)
                        }
                        Started::Plain(plain, decided, seen) => {
                            if let Some(decided) = decided {
                                region.learn(*decided, brought, Some((used, &depends.touches)));
                            }
                            (Body::Plain(plain, None), 0, seen)
                        }
                    };
                    self.add(task, body, (used, values), before, (device, lane));
                    return Ok(task);
                }
                Err((fault, back)) => {
                    // The part of the task that was queued may still run.
                    let _ = queue.record(false).and_then(|event| event.wait());
                    self.forget(task, &before);
                    let short = fault.is_out_of_memory() && again && self.busy.get();
                    later = back;
                    later.touches = touches;
                    if !short {
                        return Err(Begin::Fault(fault, later));
                    }
                    // When other tasks have ended, their memory is free.
                    again = false;
                    let all = self.state.borrow().pending.tasks().collect();
                    self.end(all);
                    // One of them may have failed that it was to follow.
                    if self.state.borrow_mut().refuses_whole(used, values) {
                        return Err(Begin::Failed);
                    }
                }
            }
        }
    }

    /// A task that has its place: whether it follows one that failed, and so does not run.
    pub(super) fn refuses(&self, task: TaskId, before: &[TaskId], used: &[Used], values: &[Used]) -> bool {
        let mut state = self.state.borrow_mut();
        let Some(number) = state.failed_before(before) else { return false };
        state.refuse(task, number, used, values);
        true
    }

    /// Waits until earlier tasks have copied their results to the host memory that is about to be copied. Gives these tasks.
    pub(super) fn host_is_current(&self, touches: &[Touch]) -> Vec<TaskId> {
        let mut before = Vec::new();
        {
            let state = self.state.borrow();
            for touch in touches.iter().filter(|t| t.reach == Reach::Host && !t.writes) {
                before.extend(state.graph.using(&Reach::Host, &touch.range, false));
            }
        }
        self.end(before.clone());
        before
    }

    /// The values of tasks under way that are forwarded to a task that begins on the same device: the array, the host addresses, and the
    /// task that has them. Waits for the tasks that copy back other values that it reads in host memory, and gives these tasks, too.
    fn forwarded(
        &self,
        place: &'static Place,
        later: &Later,
        touches: &[Touch],
    ) -> (Vec<ForwardedPart>, Vec<TaskId>) {
        let (mut forwarded, mut waited) = (Vec::new(), Vec::new());
        {
            let state = self.state.borrow();
            for touch in touches.iter().filter(|t| t.reach == Reach::Host && !t.writes) {
                waited.extend(state.graph.using(&Reach::Host, &touch.range, false));
            }
            let much = state.brings > MOST_KEPT;
            let report = |task: TaskId, why: Why| {
                let other = state.pending.get(task).and_then(Pending::place);
                other.into_iter().for_each(|other| observe::launch_waits(place, Some(other), why));
            };
            if observe::reports_waits() {
                waited.iter().for_each(|task| report(*task, state.why_not_held(*task)));
            }
            for (array, range) in &later.uploads {
                for (part, task) in state.graph.writers(&Reach::Host, range) {
                    if much || state.holds(task, later.device, &part).is_none() {
                        report(task, if much { Why::Much } else { state.why_not_held(task) });
                        waited.push(task);
                    } else {
                        forwarded.push((*array, part, task));
                    }
                }
            }
        }
        if !waited.is_empty() {
            self.end(waited.clone());
            // Some of the forwarding tasks have ended meanwhile, too.
            let state = self.state.borrow();
            let (kept, ended): (Vec<_>, Vec<_>) =
                forwarded.into_iter().partition(|(_, _, task)| state.pending.contains(*task));
            waited.extend(ended.into_iter().map(|(_, _, task)| task));
            forwarded = kept;
        }
        (forwarded, waited)
    }

    /// Adds a task to the graph, and gives the tasks that it follows. With `reads` it reads host memory while it runs; otherwise that has
    /// been read by now. It also follows those of `after`.
    pub(in crate::task) fn order(
        &self,
        touches: &[Touch],
        reads: bool,
        after: impl Iterator<Item = TaskId>,
    ) -> (TaskId, Before) {
        let lasting = touches.iter().filter(|t| reads || t.writes || t.reach != Reach::Host);
        let accesses: Vec<Access<Reach>> = lasting.map(Touch::access).collect();
        self.state.borrow_mut().graph.add_after(&accesses, after)
    }

    /// Waits until tasks are queued that another thread queues: some of those that there are. What failed has ended.
    pub(super) fn arrive(&self, some: impl FnOnce(&State) -> Vec<TaskId>) {
        let tasks = {
            let state = self.state.borrow();
            if state.going.is_empty() {
                return;
            }
            some(&state)
        };
        for task in tasks {
            let going = match self.state.borrow().pending.get(task).map(|pending| &pending.body) {
                Some(Body::Going(job)) => job.clone(),
                _ => continue,
            };
            going.finish();
            if !going.went_well() {
                self.end(vec![task]);
            } else if let Some(Ok(update)) = going.update() {
                let mut state = self.state.borrow_mut();
                state.arrived(task);
                if let Some(pending) = state.pending.get_mut(task) {
                    pending.body = Body::Update(Box::new(update));
                }
            }
        }
    }

    /// A queue for a task, which follows those before it.
    pub(super) fn queue_for(
        &self,
        device: &Dev,
        before: &[TaskId],
        lent: bool,
    ) -> Result<(usize, Arc<DynQueue>), DeviceError> {
        self.arrive(|state| state.going.iter().copied().filter(|task| before.contains(task)).collect());
        let mut state = self.state.borrow_mut();
        let state = &mut *state;
        let pending = &state.pending;
        let (lane, queue) = state.assignment.choose(device, before, |task| pending.contains(task), lent)?;
        for other in before.iter().filter_map(|task| pending.get(*task)) {
            if other.lane != (device.id, lane)
                && let Some(event) = other.event()
            {
                queue.follow(event?)?;
            }
        }
        Ok((lane, queue))
    }

    pub(in crate::task) fn add(
        &self,
        task: TaskId,
        (body, brings, seen): (Body, usize, Option<FailureSeen>),
        (used, values): (&[Used], &[Used]),
        before: Before,
        (device, lane): (&Dev, usize),
    ) {
        let mut state = self.state.borrow_mut();
        let number = state.started;
        let own = match &body {
            Body::Host | Body::DeviceInPool | Body::Going(_) => None,
            Body::Region(region) => Some(&region.last),
            Body::Plain(region, _) => region.last.as_ref(),
            Body::Update(update) => Some(&update.last),
        };
        let mark = match body {
            Body::Going(_) => {
                state.assignment.lent(device, lane, task);
                None
            }
            _ => state.assignment.queued(device, lane, task, own),
        };
        let body = match body {
            Body::Plain(region, _) => Body::Plain(region, mark),
            body => body,
        };
        let lane = (device.id, lane);
        state.add(
            task,
            Pending {
                number,
                body,
                used: uses(used),
                before,
                lane,
                brings,
                then: None,
                values: uses(values),
                seen,
            },
        );
        self.busy.set(true);
    }

    /// A task could not begin. Those after it have to follow those before it all the same: they end now.
    pub(in crate::task) fn forget(&self, task: TaskId, before: &[TaskId]) {
        self.end(before.to_vec());
        self.state.borrow_mut().graph.retire(task);
    }

    /// What is to be done with the reduction items of a task when it has ended.
    pub fn then(&self, task: TaskNumber, then: Then) {
        if let Some(pending) = self.state.borrow_mut().pending.get_mut(task.0) {
            pending.then = Some(then);
        }
    }

    /// Runs a region's loop on the host's threads, once what it follows has ended. `whole`: the arrays that the loop sees as
    /// slices.
    ///
    /// # Errors
    /// Where it runs at once (`OMP_VERIFY`), its failure.
    pub fn on_host(
        &self,
        region: &mut Region,
        run: HostRun,
        (used, depends): (&[Used], &Depends),
        whole: &[usize],
        work: impl FnOnce() + Send + 'static,
    ) -> Result<(), Error> {
        if region.verifying() {
            return region.try_on_host(work);
        }
        if !region.keeps_memory() {
            if !self.at_once(used, depends) || !self.memory_is_ready(region, used) {
                return Ok(());
            }
            return region.try_on_host(work);
        }
        if let Some(touches) = region.waits.take() {
            self.after_host(region, touches, (used, depends), work);
            return Ok(());
        }
        if self.state.borrow_mut().refuses_whole(used, &[]) {
            return Ok(());
        }
        let others = {
            let state = self.state.borrow();
            let loops =
                |task: &TaskId| state.pending.get(*task).is_some_and(|p| matches!(p.body, Body::Host));
            // The graph knows all of these.
            state.using(used).into_iter().filter(|task| !loops(task)).collect::<Vec<_>>()
        };
        let mut touches = region.touches_on_host(run, used, whole);
        touches.extend(depends.touches.iter().cloned());
        let (task, before) = self.order(&touches, true, others.into_iter());
        self.hand_over(&before);
        wrap_hook();
        let host = region.host_loop();
        let work = move || {
            let result = mixed::PoolResult::Ran(host.run_elsewhere(work));
            (result.went_well(), result)
        };
        let spoilt = self.state.borrow().failed_before(&before).is_some();
        // Others may use the same memory.
        region.slice_owners().for_each(|memory| memory.wait(|other| !other.is_of(&self.pool)));
        self.pool.add(task, &before, spoilt, Work::Run(Box::new(work)));
        region.slice_owners().for_each(|memory| memory.used_by(self.pool.ticket(task)));
        self.add_to_pool(task, Body::Host, used, before);
        Ok(())
    }

    /// Before work that runs at once: waits for its predecessors. Gives whether the work may run.
    pub fn at_once(&self, used: &[Used], depends: &Depends) -> bool {
        // `depend` may name data that the work does not use.
        self.follow_named(depends);
        self.wait_quietly(used)
    }

    /// Before work that runs at once on memory without a guard: waits for the tasks on it. Gives whether the work may run.
    pub fn memory_is_ready(&self, region: &Region, used: &[Used]) -> bool {
        let memory = region.memory_touched();
        if memory.is_empty() {
            return true;
        }
        let before = self.state.borrow().using_memory(&memory);
        self.end(before);
        region.slice_owners().for_each(|memory| memory.wait(|_| true));
        !self.state.borrow_mut().refuses_memory(&memory, used)
    }

    /// Before a task on a device: waits for tasks on the host that use these guards' data. Gives whether the task may run.
    pub(super) fn leave_host(&self, used: &[Used], place: &'static Place, why: impl FnOnce() -> Why) -> bool {
        if self.state.borrow().on_host == 0 {
            return true;
        }
        let all: Vec<Used> = used.iter().map(|u| Used { writes: true, ..*u }).collect();
        let before = self.state.borrow().using(&all);
        let there = self.state.borrow().by_place(&before, true);
        if there.is_empty() {
            return true;
        }
        if observe::reports_waits() {
            observe::launch_waits(place, None, why());
        }
        self.end(there);
        !self.state.borrow_mut().refuses_whole(used, &[])
    }

    /// Ends those of some tasks that run on the host, or that do not; whether there was one.
    pub(super) fn end_those(&self, tasks: &[TaskId], host: bool) -> bool {
        let there = self.state.borrow().by_place(tasks, host);
        let some = !there.is_empty();
        self.end(there);
        some
    }

    /// Waits for the tasks that a `depend` of one that runs at once names.
    pub(super) fn follow_named(&self, depends: &Depends) {
        let mut before = Vec::new();
        for touch in &depends.touches {
            before.extend(self.state.borrow().graph.using(&touch.reach, &touch.range, touch.writes));
        }
        self.end(before);
    }

    /// Waits for the tasks that use these guards' data; whether none of them failed that conflicts. An update to the
    /// device only reads the host's copy, but a region that runs now on the device needs what the update sends.
    pub(super) fn wait_quietly(&self, used: &[Used]) -> bool {
        let all: Vec<Used> = used.iter().map(|u| Used { writes: true, ..*u }).collect();
        let before = self.state.borrow().using(&all);
        self.end(before);
        !self.state.borrow_mut().refuses(used)
    }
}

/// The place of tasks that are on no queue.
pub(in crate::task) const fn on_host_lane() -> (usize, usize) {
    (usize::MAX, 0)
}

/// An array, host addresses, and the task under way that has their values.
type ForwardedPart = (usize, Range<u64>, TaskId);

/// Why a task did not begin.
enum Begin {
    /// What it needs has failed.
    Failed,
    Fault(crate::launch::outcome::fault::Fault, Box<Later>),
}
