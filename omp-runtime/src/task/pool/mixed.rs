//! Tasks on the host and on a device that share data. The thread pool runs the tasks that follow a task on the host, and ends the
//! tasks that a task on the host follows.
//!
//! * A task on the host that follows tasks on a device: a thread of the pool waits for those and stores their results
//!   ([`TaskScope::hand_over`]).
//! * A task on a device that follows tasks on the host needs their results in host memory: a thread of the pool runs it, from its
//!   copies to the device to those back ([`TaskScope::after_host`]).
//! * An update that copies to the host is treated in the same way ([`TaskScope::update_after_host`]).
//!
//! So no launch waits. Work of the pool waits only for work that is queued already, which devices complete by themselves.
use super::pool_tasks::Work;
use crate::backend::api::DeviceError;
use crate::backend::erased::DynEvent;
use crate::data::block;
use crate::data::directive::update::{Plan, Update};
use crate::device::team::Settings;
use crate::error::Error;
use crate::host::failure_record::wrap_hook;
use crate::launch::outcome::report;
use crate::launch::outcome::report::Record;
use crate::launch::outcome::{Outcome, Ran, Then};
use crate::launch::region::Region;
use crate::launch::task::{Plain, Underway};
use crate::task::graph::{Before, TaskId};
use crate::task::guard::Used;
use crate::task::scope::begin::on_host_lane;
use crate::task::scope::state::{Body, Going, Pending, Uses, event_of, share, uses};
use crate::task::scope::{Depends, TaskScope};
use crate::task::{Reach, Touch};
use std::collections::BTreeSet;

/// What a task of the pool reports.
pub(crate) enum PoolResult {
    /// It was a loop of the host's.
    Ran(Ran),
    /// It was a device's: its end, and the report.
    Ended(Result<(), Error>, Option<Record>),
}

impl PoolResult {
    /// Whether those after it may run.
    pub fn went_well(&self) -> bool {
        match self {
            Self::Ran(ran) => ran.went_well(),
            Self::Ended(ended, _) => ended.is_ok(),
        }
    }

    /// Reports it, on the thread of the function that it is of.
    pub fn report(self) -> Result<(), Error> {
        match self {
            Self::Ran(ran) => ran.report(),
            Self::Ended(ended, record) => {
                record.into_iter().for_each(report::is_last);
                ended
            }
        }
    }

    /// Runs work that ends on a device, and keeps its report for another thread.
    fn of(deed: impl FnOnce() -> Result<(), Error>) -> Self {
        let mut ended = Ok(());
        let record = report::for_others(|| ended = deed());
        Self::Ended(ended, record)
    }
}

/// A task that is queued on a device, and its event.
enum Queued {
    Region(Box<Underway>, Option<Then>),
    Plain(Plain, Result<DynEvent, DeviceError>),
    Update(Box<Update>),
    Going(Going),
}

/// Something with pointers to host memory that goes to another thread.
pub(in crate::task) struct Sent<T>(pub(in crate::task) T);

// SAFETY: all in it may be sent but the pointers to host memory, and those are the guards': they hold the borrows until the task
// has ended, and the graph orders tasks that access the same elements.
unsafe impl Send for Sent<Queued> {}
// SAFETY: as above.
unsafe impl Send for Sent<Region> {}
// SAFETY: as above.
unsafe impl Send for Sent<Plan> {}
// SAFETY: as above.
unsafe impl Send for Sent<Result<Update, Error>> {}

impl<T> Sent<T> {
    /// What is in it. (As a method, so that a closure takes all of it.)
    pub(in crate::task) fn take(self) -> T {
        self.0
    }
}

impl Queued {
    /// Waits for it, and takes what it brings back unless it is `void`.
    fn end(self, void: bool) -> Result<(), Error> {
        // SAFETY: the guards hold the borrows, and the pool runs it when all that it follows have ended: no other code accesses what
        // it copies back.
        unsafe {
            match self {
                Self::Region(region, then) => region.end(void, then),
                Self::Plain(region, event) => region.end(event.as_ref().map_err(Clone::clone), void),
                Self::Update(update) => update.end(void),
                Self::Going(job) => match job.update() {
                    Some(Ok(update)) => update.end(void),
                    Some(Err(error)) => Err(error),
                    None => Ok(()),
                },
            }
        }
    }
}

impl TaskScope {
    /// Has the pool end those of some tasks that are on a device, and the tasks that they follow.
    pub(in crate::task) fn hand_over(&self, tasks: &[TaskId]) {
        let there = self.state.borrow().by_place(tasks, false);
        if there.is_empty() {
            return;
        }
        // The graph does not know the variables that are assigned at a task's end, so tasks on a guard's data end in their order.
        let mut open = there;
        let mut all = BTreeSet::new();
        while let Some(task) = open.pop() {
            if all.insert(task) {
                open.extend(self.state.borrow().earlier(task));
            }
        }
        for task in all {
            let Some((queued, before, void)) = self.state.borrow_mut().take_queued(task) else { continue };
            let queued = Sent(queued);
            let work = move |void: bool| {
                let result = PoolResult::of(|| queued.take().end(void));
                (!void && result.went_well(), result)
            };
            self.pool.add(task, &before, void, Work::End(Box::new(work)));
        }
    }

    /// Whether tasks on the host use these guards' data, or what `depend` names.
    pub(in crate::task) fn conflicts_with_host(&self, used: &[Used], depends: &Depends) -> bool {
        let state = self.state.borrow();
        if state.on_host == 0 {
            return false;
        }
        let mut met = state.using(&all(used));
        for touch in &depends.touches {
            met.extend(state.graph.using(&touch.reach, &touch.range, touch.writes));
        }
        !state.by_place(&met, true).is_empty()
    }

    /// Makes the pool run an update when its predecessors have ended.
    pub(in crate::task) fn update_after_host(&self, plan: Plan, used: &[Used], depends: &Depends) {
        let touches: Vec<Touch> =
            plan.touches_later().into_iter().chain(depends.touches.iter().cloned()).collect();
        let before_it = self.state.borrow().using(&all(used));
        let (task, before) = self.order(&touches, true, before_it.into_iter());
        self.hand_over(&before);
        let (plan, scope) = (Sent(plan), self.id());
        let work = move || {
            let result = PoolResult::of(|| {
                let mut plan = plan.take();
                let queue = plan.device().handle.queue().map_err(|error| plan.failed(error))?;
                let needs = plan.follow(&queue, scope)?;
                // SAFETY: the guards hold the borrows, and the pool runs it when all that it follows have ended: no other code accesses
                // what it copies.
                unsafe { plan.begin(&queue, needs, (scope, &block::FailureSeen::default()))?.end(false) }
            });
            (result.went_well(), result)
        };
        let spoilt = self.state.borrow().failed_before(&before).is_some();
        self.pool.add(task, &before, spoilt, Work::Run(Box::new(work)));
        self.add_to_pool(task, Body::DeviceInPool, used, before);
    }

    /// Has the pool run a region on its device once what it follows has ended; `work` is its loop for the host, in case that the
    /// device fails to.
    pub(in crate::task) fn after_host(
        &self,
        region: &mut Region,
        mut touches: Vec<Touch>,
        (used, depends): (&[Used], &Depends),
        work: impl FnOnce() + Send + 'static,
    ) {
        touches.extend(depends.touches.iter().cloned());
        let before_it = self.state.borrow().using(&all(used));
        let (task, before) = self.order(&touches, true, before_it.into_iter());
        self.hand_over(&before);
        wrap_hook();
        let region = Sent(std::mem::replace(region, Region::of(region.site())));
        // Which device it runs on is what this thread has set.
        let settings = Settings::get();
        let work = move || {
            let mut region = region.take();
            let mut here = false;
            let mut run = || region.try_run().map(|outcome| here = matches!(outcome, Outcome::Host(_)));
            let result = PoolResult::of(|| settings.during(&mut run));
            let result = if here { PoolResult::Ran(region.host_loop().run_elsewhere(work)) } else { result };
            (result.went_well(), result)
        };
        let spoilt = self.state.borrow().failed_before(&before).is_some();
        self.pool.add(task, &before, spoilt, Work::Run(Box::new(work)));
        self.add_to_pool(task, Body::DeviceInPool, used, before);
    }

    /// Adds a task to the pool.
    pub(in crate::task) fn add_to_pool(&self, task: TaskId, body: Body, used: &[Used], before: Before) {
        let mut state = self.state.borrow_mut();
        let (number, used) = (state.started, uses(used));
        let lane = on_host_lane();
        state.add(
            task,
            Pending {
                number,
                body,
                used,
                before,
                lane,
                brings: 0,
                then: None,
                values: Uses::default(),
                seen: None,
            },
        );
        drop(state);
        self.busy.set(true);
    }
}

/// All tasks on the data of these guards are meant, those that only read it, too.
fn all(used: &[Used]) -> Vec<Used> {
    used.iter().map(|u| Used { writes: true, ..*u }).collect()
}

impl crate::task::scope::state::State {
    /// Tasks under way that a task follows, or that have data of a guard in common with it which one of them changes.
    fn earlier(&self, task: TaskId) -> Vec<TaskId> {
        let Some(own) = self.pending.get(task) else { return Vec::new() };
        let earlier = self.pending.iter().take_while(|(other, _)| *other < task);
        let met = earlier.filter(|(_, p)| share(&p.used, &own.used)).map(|(other, _)| other);
        own.before.iter().copied().chain(met).collect()
    }

    /// Takes what is queued of a task on a device, which belongs to the pool from now on. Also gives the tasks that it follows, and
    /// whether one of these has failed.
    fn take_queued(&mut self, task: TaskId) -> Option<(Queued, Before, bool)> {
        let before: Before = self.earlier(task).into_iter().collect();
        let pending = self.pending.get_mut(task).filter(|p| !p.is_in_pool())?;
        let body = std::mem::replace(&mut pending.body, Body::DeviceInPool);
        let (then, brings) = (pending.then.take(), std::mem::take(&mut pending.brings));
        pending.lane = on_host_lane();
        // A waiter ends them first: work that was left out is reported with their failure.
        pending.before = before.clone();
        self.on_host += 1;
        self.brings -= brings;
        self.arrived(task);
        let void = self.failed_before(&before).is_some();
        let queued = match body {
            Body::Region(region) => Queued::Region(region, then),
            Body::Plain(region, mark) => {
                let event = event_of(&region, mark.as_deref()).cloned();
                Queued::Plain(region, event)
            }
            Body::Update(update) => Queued::Update(update),
            Body::Going(job) => Queued::Going(job),
            Body::Host | Body::DeviceInPool => return None,
        };
        Some((queued, before, void))
    }
}

/// The reads and writes of a region that runs after tasks on the host, with its copies to the device.
pub(crate) fn with_uploads(touches: Vec<Touch>, uploads: &[(usize, std::ops::Range<u64>)]) -> Vec<Touch> {
    let reads = |(_, range): &(usize, std::ops::Range<u64>)| {
        Touch::new(Reach::Host, range.start.into(), range.end.into(), false)
    };
    let uploads: Vec<Touch> = uploads.iter().map(reads).collect();
    touches.into_iter().chain(uploads).collect()
}
