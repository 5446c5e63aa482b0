//! Task scopes: the tasks of one call of a function, the waits that end them, and the report of their failures.
pub(super) mod begin;
pub(super) mod id_map;
pub(super) mod send;
pub(super) mod state;

use super::graph::TaskId;
use super::graph::queue_assignment::Mark;
use super::guard::Used;
use super::pool::mixed;
use super::pool::pool_tasks::PoolTasks;
use super::{Reach, Touch};
use crate::backend::erased::DynEvent;
use crate::data::block::FailureSeen;
use crate::error::{Error, Place};
use crate::launch::outcome::report;
use crate::launch::outcome::report::Record;
use crate::observe;
use state::{Body, Failure, Pending, State, Users, conflict, event_of, share, uses};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::rc::{Rc, Weak};

/// After so many tasks, those that have ended are looked for.
const LOOK: u64 = 32;

/// The number of tasks that are polled for their end while the first of them has not ended.
const AHEAD: usize = 16;

/// So many tasks are under way at most.
const MOST: usize = 4096;

/// The scope of the tasks of one call of a function. Generated code speaks of it through a reference alone.
pub struct Tasks(Rc<TaskScope>);

impl Deref for Tasks {
    type Target = TaskScope;

    #[inline]
    fn deref(&self) -> &TaskScope {
        &self.0
    }
}

/// The scope of the tasks of a function.
pub struct TaskScope {
    /// Failures are reported by [`Self::try_wait`] and the like, never as panics.
    pub(super) try_: bool,
    /// There are tasks under way, or failures to report.
    pub(super) busy: Cell<bool>,
    /// Not borrowed while user code runs.
    pub(super) state: RefCell<State>,
    /// Those that run on the host's threads.
    pub(super) pool: PoolTasks<mixed::PoolResult>,
    /// Memory without a guard knows the scope ([`super::memory`]).
    pub(super) known: Cell<bool>,
    /// Routines about queues know of it ([`super::graph::queues`]).
    pub(super) queued: Cell<bool>,
    /// Not `Send`: the scope accesses host memory on the user's thread only.
    thread: PhantomData<*mut ()>,
    /// Itself, to be found by memory without a guard.
    own: Weak<TaskScope>,
}

impl fmt::Debug for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for TaskScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tasks").field("busy", &self.busy).finish_non_exhaustive()
    }
}

/// The extent of a `depend` item without a guard: `(&ExtentOf(&place)).omp_extent()`.
#[derive(Debug)]
pub struct ExtentOf<'a, T: ?Sized>(pub &'a T);

/// Address, length and size of an element, of arrays.
pub trait Extent {
    /// See there.
    fn omp_extent(&self) -> (usize, usize, usize);
}

/// The same, of all else.
pub trait ExtentOfValue {
    /// See there.
    fn omp_extent(&self) -> (usize, usize, usize);
}

impl<T: ?Sized> ExtentOfValue for &ExtentOf<'_, T> {
    fn omp_extent(&self) -> (usize, usize, usize) {
        (std::ptr::from_ref(self.0).addr(), size_of_val(self.0), 1)
    }
}

macro_rules! extent_of_arrays {
    ($([$($generic:tt)*] $array:ty;)*) => { $(
        impl<T, $($generic)*> Extent for ExtentOf<'_, $array> {
            fn omp_extent(&self) -> (usize, usize, usize) {
                extent_of_array(&self.0[..])
            }
        }
    )* };
}
extent_of_arrays! {
    [] [T];
    [] &[T];
    [] &mut [T];
    [] Vec<T>;
    [] &Vec<T>;
    [] &mut Vec<T>;
    [] Box<[T]>;
    [const N: usize] [T; N];
    [const N: usize] &[T; N];
    [const N: usize] &mut [T; N];
}

/// Address, length and size of an element of an array.
#[must_use]
pub fn extent_of_array<T>(array: &[T]) -> (usize, usize, usize) {
    (array.as_ptr().addr(), array.len(), size_of::<T>())
}

/// The items of a task's `depend`.
#[derive(Debug, Clone, Default)]
pub struct Depends {
    pub(super) touches: Vec<Touch>,
    /// The queue of OpenACC that the task goes to.
    pub(super) queue: Option<i64>,
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

    pub(super) fn check(&self, place: &'static Place) -> Result<(), Error> {
        match &self.wrong {
            None => Ok(()),
            Some((variable, section, len)) => {
                let variable = (*variable).to_owned();
                Err(Error::Section { place, variable, section: *section, len: *len })
            }
        }
    }
}

/// Tasks that were ended by a look.
#[derive(Default)]
struct Past {
    /// An event that is reached.
    mark: Option<Rc<Mark>>,
    /// The last of them.
    last: Option<Pending>,
}

impl Past {
    /// The report is that of the last one: those of the others were not read.
    fn report(&mut self) {
        if let Some(Pending { body: Body::Plain(region, _), .. }) = self.last.take() {
            region.remember();
        }
    }
}

impl Tasks {
    /// A scope without tasks. With `try_`, only functions with a `Result` report failures.
    #[must_use]
    pub fn new(try_: bool) -> Self {
        Self(Rc::new_cyclic(|own| TaskScope {
            try_,
            busy: Cell::new(false),
            state: RefCell::default(),
            pool: PoolTasks::default(),
            known: Cell::new(false),
            queued: Cell::new(false),
            thread: PhantomData,
            own: Weak::clone(own),
        }))
    }
}

impl TaskScope {
    /// Routines about queues are to find it.
    pub(super) fn has_queues(&self) {
        if !self.queued.replace(true) {
            super::graph::queues::know(Weak::clone(&self.own));
        }
    }

    /// Registers the scope for memory without a guard.
    pub(super) fn is_known(&self) {
        if let Some(own) = self.own.upgrade() {
            super::memory::know(&own);
        }
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

    /// Begins a task that runs at once: waits for those that it conflicts with. Gives whether it may run.
    pub fn start(&self, used: &[Used]) -> bool {
        self.state.borrow_mut().started += 1;
        self.wait_quietly(used)
    }

    /// Begins a target block whose regions are tasks. Gives whether it may run.
    pub fn open(&self, used: &[Used]) -> bool {
        let mut state = self.state.borrow_mut();
        state.started += 1;
        !state.refuses(used)
    }

    /// Before work that runs at once in such a block: waits for the tasks on its data. Gives whether the work may run.
    pub fn ready(&self, used: &[Used]) -> bool {
        self.wait_quietly(used)
    }

    /// Before a task captures values of `now`: waits for the tasks that change them. Gives whether the task may run.
    pub fn taking(&self, now: &[Used], used: &[Used]) -> bool {
        let before = self.state.borrow().using(now);
        self.end(before);
        !self.state.borrow_mut().refuses_whole(used, now)
    }

    /// A task that ran at once has failed.
    pub fn failed(&self, used: &[Used], error: Error) {
        self.failed_for(used, error, None);
    }

    /// A task has failed; where others look up whether the failure was reported.
    pub(super) fn failed_for(&self, used: &[Used], error: Error, others: Option<FailureSeen>) {
        let used = uses(used).to_vec();
        let mut state = self.state.borrow_mut();
        let number = state.started;
        let (whole, others) = (used.clone(), others.into_iter().collect());
        state.failures.push(Failure { number, used, whole, error, others });
        state.refused = Some(number);
        self.busy.set(true);
    }

    // ---- ending

    /// From time to time: ends tasks whose work has ended, and waits if too many are under way.
    pub(super) fn look(&self) {
        let (count, due) = {
            let state = self.state.borrow();
            (state.pending.len(), state.started.is_multiple_of(LOOK))
        };
        if !due || count == 0 {
            return;
        }
        self.poll();
        let mut past = Past::default();
        loop {
            let first = {
                let state = self.state.borrow();
                let Some((task, pending)) = state.pending.first() else { break };
                let too_many = state.pending.len() > MOST;
                let ended = || pending.is_reached().unwrap_or_else(|| self.pool.has_ended(task));
                (too_many || ended()).then_some(task)
            };
            match first {
                Some(task) if self.is_past(task, &mut past) => {}
                Some(task) => {
                    past.report();
                    self.end(vec![task]);
                }
                None => break,
            }
        }
        past.report();
        self.rest();
    }

    /// Polls the progress of the queues, the latest tasks first: a queue that has reached a task has reached those before it, and devices
    /// remember that.
    fn poll(&self) {
        let state = self.state.borrow();
        let _ = state.pending.halves().take_while(|task| task.is_reached() == Some(false)).count();
    }

    /// Ends a task if that is quick: it has ended well, has no results, and needed nothing that failed.
    fn is_past(&self, task: TaskId, past: &mut Past) -> bool {
        let mut state = self.state.borrow_mut();
        let state = &mut *state;
        let Some(pending) = state.pending.get(task) else { return true };
        let Body::Plain(region, Some(mark)) = &pending.body else { return false };
        if pending.then.is_some() || region.leaves_more() || !state.spoilt.is_empty() || observe::listens() {
            return false;
        }
        let known = past.mark.as_ref().is_some_and(|known| Rc::ptr_eq(known, mark));
        if !known {
            let reached = event_of(region, Some(mark)).and_then(DynEvent::is_reached);
            if reached != Ok(true) {
                return false;
            }
            past.mark = Some(Rc::clone(mark));
        }
        past.last = state.remove(task);
        state.graph.retire(task);
        true
    }

    /// Something was ended.
    fn rest(&self) {
        let mut state = self.state.borrow_mut();
        state.forget_spoilt();
        self.busy.set(!state.pending.is_empty() || !state.failures.is_empty());
    }

    /// Ends tasks and those that they follow, and keeps the failures: in the order of the program, except that independent tasks that have
    /// ended already are taken while one is waited for.
    pub(super) fn end(&self, tasks: Vec<TaskId>) {
        if tasks.is_empty() {
            return;
        }
        let mut left = VecDeque::from(self.state.borrow().with_those_before(tasks));
        // The last region of the program's order, once some ended before others. (Not all tasks are regions.)
        let mut last: Option<(TaskId, Record)> = None;
        let mut ended: usize = 0;
        while !left.is_empty() {
            let mut past = Past::default();
            while last.is_none()
                && let Some(task) = left.front()
                && self.is_past(*task, &mut past)
            {
                left.pop_front();
                ended += 1;
            }
            past.report();
            if ended % LOOK as usize == 1 {
                self.poll();
            }
            let turn = self.next(&left);
            let Some(task) = left.remove(turn) else { break };
            ended += 1;
            if turn == 0 && last.is_none() {
                self.end_one(task);
            } else if let Some(record) = report::remembered(|| self.end_one(task))
                && last.as_ref().is_none_or(|(before, _)| *before < task)
            {
                last = Some((task, record));
            }
        }
        if let Some((_, record)) = last {
            report::is_last(record);
        }
        self.rest();
    }

    /// Which of these tasks is to be ended next: the first one. While that is under way, another one that has ended (or copies much back,
    /// which is processed during the transfer), if it follows none of these tasks and has no results whose order counts. At most one task
    /// of each queue is polled: those after it end later.
    fn next(&self, left: &VecDeque<TaskId>) -> usize {
        let state = self.state.borrow();
        if left.len() <= 1 {
            return 0;
        }
        let Some(first) = left.front().and_then(|task| state.pending.get(*task)) else { return 0 };
        if first.is_reached().is_none_or(|reached| reached) {
            return 0;
        }
        let mut waited = vec![first.lane];
        let mut before = vec![first];
        for (at, task) in left.iter().enumerate().take(AHEAD).skip(1) {
            let Some(pending) = state.pending.get(*task) else { continue };
            // A variable that an earlier one has yet to put its result into is no array: it is not among what the graph knows.
            let puts = |earlier: &&Pending| earlier.then.is_some() && share(&earlier.used, &pending.used);
            let free = !waited.contains(&pending.lane) && pending.then.is_none() && state.is_free(pending);
            if free && !before.iter().any(puts) {
                if pending.takes_long() || pending.is_reached() == Some(true) {
                    return at;
                }
                waited.push(pending.lane);
            }
            before.push(pending);
        }
        0
    }

    fn end_one(&self, task: TaskId) {
        let mut state = self.state.borrow_mut();
        let Some(pending) = state.remove(task) else { return };
        let mut failed = state.failed_before(&pending.before).or_else(|| {
            let earlier = state.failures.iter().filter(|f| f.number < pending.number);
            earlier.filter(|f| share(&f.whole, &pending.values)).map(|f| f.number).next()
        });
        let mut void = failed.is_some();
        drop(state);
        let Pending { number, body, used, then, values, seen, .. } = pending;
        // SAFETY: the guards hold the borrows. No other code writes what is copied back: the host has no reference to data of
        // a guard that a task under way changes, and code that needs such a reference waits here.
        let ended = unsafe {
            match body {
                Body::Region(region) => region.end(void, then),
                Body::Plain(region, mark) => region.end(event_of(&region, mark.as_deref()), void),
                Body::Update(update) => update.end(void),
                Body::Going(job) => match job.update() {
                    Some(Ok(update)) => update.end(void),
                    Some(Err(error)) => Err(error),
                    None => Ok(()),
                },
                Body::Host | Body::DeviceInPool => match self.pool.wait(task) {
                    Some(result) => result.report(),
                    None => {
                        void = true;
                        Ok(())
                    }
                },
            }
        };
        let mut state = self.state.borrow_mut();
        match ended {
            Err(error) if !void => {
                state.spoilt.insert(task, number);
                let (whole, others) = (values.to_vec(), seen.into_iter().collect());
                state.failures.push(Failure { number, used: used.to_vec(), whole, error, others });
            }
            _ if void => {
                // It belongs to the failure that it followed, or if that was reported, to another on its data.
                let followed = state.failures.iter().position(|f| Some(f.number) == failed);
                let at = followed.or_else(|| state.failures.iter().position(|f| share(&f.used, &used)));
                if let Some(failure) = at.map(|at| &mut state.failures[at]) {
                    failure.used.extend(&*used);
                    failure.whole.extend(&*values);
                    failure.others.extend(seen);
                    failed = Some(failure.number);
                } else {
                    seen.iter().for_each(FailureSeen::set_seen);
                }
                state.spoilt.insert(task, failed.unwrap_or(number));
            }
            _ => state.graph.retire(task),
        }
    }

    /// The first failure among those that `meant` chooses; the others of them followed from it or are not reported.
    pub(super) fn take(&self, meant: impl Fn(&Failure) -> bool) -> Result<(), Error> {
        let mut state = self.state.borrow_mut();
        let mut reported = state.take_failures(meant);
        self.busy.set(!state.pending.is_empty() || !state.failures.is_empty());
        reported.sort_by_key(|f| f.number);
        reported.into_iter().next().map_or(Ok(()), |failure| Err(failure.error))
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
        let all = self.state.borrow().pending.tasks().collect();
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
            later.map(|(task, _)| task).collect()
        };
        self.end(tasks);
        self.take(|f| f.number > group)
    }

    /// Waits for the tasks that name what `depends` names.
    ///
    /// # Panics
    /// With the text of their first failure.
    #[track_caller]
    pub fn wait_named(&self, depends: &Depends) {
        raise(self.try_wait_named(depends));
    }

    /// Waits for the tasks that name what `depends` names.
    ///
    /// # Errors
    /// Their first failure, if they were not ended before.
    pub fn try_wait_named(&self, depends: &Depends) -> Result<(), Error> {
        let numbers: Vec<u64> = {
            let state = self.state.borrow();
            let named = depends.touches.iter().flat_map(|t| state.graph.using(&t.reach, &t.range, t.writes));
            let all = state.with_those_before(named.collect::<Vec<_>>());
            all.iter().filter_map(|task| Some(state.pending.get(*task)?.number)).collect()
        };
        self.follow_named(depends);
        self.take(|f| numbers.contains(&f.number))
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
        self.take(|f| conflict(&f.used, used))
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
        raise(self.take(|f| conflict(&f.used, &used)));
    }
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
        super::memory::forget(&self.0);
        let waited = self.try_wait();
        if !self.try_ && !std::thread::panicking() {
            raise(waited);
        }
    }
}
