//! OpenACC's queues. A queue is an order of tasks: those of one queue run in the order of the program. Each task writes the number of
//! its queue in a space of the graph, so the graph keeps that order, and a wait for a queue reads the number. Their data
//! order them as under `nowait`. [`super::queue_assignment`] decides on which of the device's queues they run.
//!
//! Routines that wait or test (`acc::wait_all`, `acc::async_test`) are plain functions: they find the scopes of their
//! thread here. They end tasks. Failures are reported at the wait for the data or the scope.
use super::TaskId;
use crate::launch::ClauseInt;
use crate::task::scope::{Depends, TaskScope};
use crate::task::{Reach, Touch};
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use std::time::Duration;

/// Stands for the queue of `async` without a number: OpenACC's `acc_async_noval`.
pub const ASYNC_NOVAL: i64 = -1;

/// A number for no queue: a construct with this number is not a task, and the host waits for it. OpenACC's `acc_async_sync`.
pub const ASYNC_SYNC: i64 = -2;

thread_local! {
    static SCOPES: RefCell<Vec<Weak<TaskScope>>> = const { RefCell::new(Vec::new()) };
    static DEFAULT: Cell<i64> = const { Cell::new(ASYNC_NOVAL) };
}

/// A number as written; what no `i64` holds saturates.
fn written(queue: impl ClauseInt) -> i64 {
    let wide = queue.wide();
    i64::try_from(wide).unwrap_or(if wide < 0 { i64::MIN } else { i64::MAX })
}

/// The queue that a number stands for: [`ASYNC_NOVAL`] is the queue of `async` without a number.
fn number(queue: impl ClauseInt) -> i64 {
    match written(queue) {
        ASYNC_NOVAL => default_async(),
        queue => queue,
    }
}

/// A queue's place in the space of all queues; the last number has none of its own, as ranges end before `u64::MAX`.
fn place(queue: i64) -> u64 {
    queue.wrapping_sub(i64::MIN).cast_unsigned().min(u64::MAX - 1)
}

fn touch(queue: i64, writes: bool) -> Touch {
    Touch { reach: Reach::Queue, range: place(queue)..place(queue) + 1, writes }
}

const fn all() -> Touch {
    Touch { reach: Reach::Queue, range: 0..u64::MAX, writes: false }
}

impl Depends {
    /// The task comes after all that is in a queue.
    pub fn after_queue(&mut self, queue: impl ClauseInt) {
        self.touches.push(touch(number(queue), false));
    }

    /// The task comes after all that is in any queue.
    pub fn after_all_queues(&mut self) {
        self.touches.push(all());
    }
}

impl TaskScope {
    /// The task goes to a queue.
    pub fn queue(&self, depends: &mut Depends, queue: impl ClauseInt) {
        let queue = number(queue);
        self.has_queues();
        depends.queue = Some(queue);
        depends.touches.push(touch(queue, true));
        depends.touches.extend(self.state.borrow_mut().queues.remove(&queue).into_iter().flatten());
    }

    /// The task goes to the queue of `async` without a number.
    pub fn default_queue(&self, depends: &mut Depends) {
        self.queue(depends, default_async());
    }

    /// Makes later work in the queue of `depends` wait for what `depends` names. The calling thread does not wait, unless the queue is
    /// [`ASYNC_SYNC`].
    pub fn queue_waits(&self, depends: &Depends) {
        let Some(queue) = depends.queue else { return };
        let waited = depends.touches.iter().filter(|t| !t.writes).cloned();
        let waited: Vec<Touch> =
            if depends.touches.iter().all(|t| t.writes) { vec![all()] } else { waited.collect() };
        if queue == ASYNC_SYNC {
            waited.iter().for_each(|queues| self.end(self.in_queues(queues)));
        } else {
            self.state.borrow_mut().queues.entry(queue).or_default().extend(waited);
        }
    }

    /// A task was begun. [`ASYNC_SYNC`] is no queue: the host waits for the task here.
    pub fn goes_on(&self, depends: &Depends) {
        if depends.queue == Some(ASYNC_SYNC) {
            self.end(self.in_queues(&touch(ASYNC_SYNC, false)));
        }
    }

    /// The tasks under way in some queues.
    fn in_queues(&self, queues: &Touch) -> Vec<TaskId> {
        let state = self.state.borrow();
        state.graph.using(&queues.reach, &queues.range, false)
    }

    /// Whether all tasks in some queues have ended.
    fn have_ended(&self, queues: &Touch) -> bool {
        let tasks = self.in_queues(queues);
        let state = self.state.borrow();
        let mut pending = tasks.iter().filter_map(|task| Some((*task, state.pending.get(*task)?)));
        pending.all(|(task, pending)| pending.is_reached().unwrap_or_else(|| self.pool.has_ended(task)))
    }
}

/// A scope has tasks in queues.
pub(in crate::task) fn know(scope: Weak<TaskScope>) {
    SCOPES.with_borrow_mut(|scopes| {
        scopes.retain(|scope| scope.strong_count() > 0);
        scopes.push(scope);
    });
}

/// The scopes of this thread, the latest last.
fn scopes() -> Vec<Rc<TaskScope>> {
    SCOPES.with_borrow(|scopes| scopes.iter().filter_map(Weak::upgrade).collect())
}

/// Whether all tasks that this thread has put into a queue have ended. Does not wait.
#[must_use]
pub fn async_test(queue: impl ClauseInt) -> bool {
    let queue = touch(number(queue), false);
    scopes().iter().all(|scope| scope.have_ended(&queue))
}

/// Whether all tasks that this thread has put into any queue have ended. Does not wait.
#[must_use]
pub fn async_test_all() -> bool {
    scopes().iter().all(|scope| scope.have_ended(&all()))
}

/// Waits for the tasks that this thread has put into a queue.
pub fn wait(queue: impl ClauseInt) {
    let queue = touch(number(queue), false);
    scopes().iter().for_each(|scope| scope.end(scope.in_queues(&queue)));
}

/// Waits for the tasks that this thread has put into any queue.
pub fn wait_all() {
    scopes().iter().for_each(|scope| scope.end(scope.in_queues(&all())));
}

/// The longest pause between two tests of [`wait_any`].
const LONGEST_PAUSE: Duration = Duration::from_micros(100);

/// Waits until all tasks of this thread in one of these queues have ended, and returns the index of that queue in `queues`;
/// `None` if `queues` is empty.
pub fn wait_any<Q: ClauseInt + Copy>(queues: &[Q]) -> Option<usize> {
    let ended = || queues.iter().position(|queue| async_test(*queue));
    // There is no event for the first of several queues that ends, so the host polls them, less and less often.
    let mut pause = Duration::from_micros(1);
    while !queues.is_empty() {
        if let Some(at) = ended() {
            wait(queues[at]);
            return Some(at);
        }
        std::thread::sleep(pause);
        pause = (2 * pause).min(LONGEST_PAUSE);
    }
    None
}

fn wait_in(queue: i64, waited: &Touch) {
    for scope in scopes() {
        if queue == ASYNC_SYNC {
            scope.end(scope.in_queues(waited));
            continue;
        }
        scope.state.borrow_mut().queues.entry(queue).or_default().push(waited.clone());
    }
}

/// Orders later tasks of the queue `queue` after the tasks that are in `waited` now. The caller does not wait, unless `queue` is
/// [`ASYNC_SYNC`].
pub fn wait_async(waited: impl ClauseInt, queue: impl ClauseInt) {
    wait_in(number(queue), &touch(number(waited), false));
}

/// Orders later tasks of a queue after the tasks that are in any queue now. The caller does not wait, unless `queue` is
/// [`ASYNC_SYNC`].
pub fn wait_all_async(queue: impl ClauseInt) {
    wait_in(number(queue), &all());
}

/// The queue of `async` without a number, on this thread.
#[must_use]
pub fn default_async() -> i64 {
    DEFAULT.get()
}

/// Sets the queue of `async` without a number, for this thread. At first it is [`ASYNC_NOVAL`].
pub fn set_default_async(queue: impl ClauseInt) {
    DEFAULT.set(written(queue));
}
