//! The tasks of a scope that run on the thread pool of the host.
//!
//! A task without predecessors goes to a thread pool. A task that ends submits the tasks that waited for it alone. No task waits
//! for another one to begin, and no lock is held while user code runs. The pool runs nothing else: a thread that waits for parts
//! of a task's loop takes up another task or parts of one, and none of these waits for the first. So one thread is enough, and a
//! thread outside the pool that waits for a task only waits.
//!
//! A task does not run if its predecessor failed or did not run. If it is on a device already, it is waited for all the same,
//! because it still uses its memory.
#[cfg(not(test))]
use super::sync::{Condvar, Mutex, MutexGuard, lock, nap, spawn};
#[cfg(test)]
use super::sync_models::{Condvar, Mutex, MutexGuard, lock, nap, spawn};
use crate::task::graph::TaskId;
use std::any::Any;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// What a task does; gives whether the tasks after it may run, and its report, which includes panics of the user's code. Its own panics,
/// which are mistakes of the runtime, are resumed in the thread that waits.
pub(in crate::task) enum Work<T> {
    /// It does not run if what it follows failed.
    Run(Box<dyn FnOnce() -> (bool, T) + Send>),
    /// It runs all the same, and is notified: it ends what runs by itself.
    End(Box<dyn FnOnce(bool) -> (bool, T) + Send>),
}

impl<T> Work<T> {
    /// Whether it is not to run.
    const fn is_void(&self, spoilt: bool) -> bool {
        spoilt && matches!(self, Self::Run(_))
    }
}

type Panic = Box<dyn Any + Send>;

enum Stage<T> {
    /// For so many tasks that it follows.
    Waits(usize, Work<T>),
    /// The pool was notified.
    Ready(Work<T>),
    Runs,
    Ended(Result<T, Panic>),
    /// It did not run.
    Void,
}

struct Job<T> {
    stage: Stage<T>,
    /// One that it follows has failed, or itself.
    spoilt: bool,
    after: Vec<TaskId>,
}

type Jobs<T> = HashMap<TaskId, Job<T>>;

struct Board<T> {
    jobs: Mutex<Jobs<T>>,
    /// Some task has ended.
    ended: Condvar,
}

/// The tasks of a scope that run on the thread pool.
pub(in crate::task) struct PoolTasks<T>(Arc<Board<T>>);

impl<T> Default for PoolTasks<T> {
    fn default() -> Self {
        Self(Arc::new(Board { jobs: Mutex::new(HashMap::new()), ended: Condvar::new() }))
    }
}

impl<T: Send + 'static> PoolTasks<T> {
    /// Adds a task, which follows those of `before` that are here, and is `spoilt` by others of them already or not.
    pub fn add(&self, task: TaskId, before: &[TaskId], mut spoilt: bool, work: Work<T>) {
        let mut jobs = self.0.lock();
        let mut waits = 0;
        for other in before {
            let Some(job) = jobs.get_mut(other) else { continue };
            spoilt |= job.spoilt;
            if !matches!(job.stage, Stage::Ended(_) | Stage::Void) {
                job.after.push(task);
                waits += 1;
            }
        }
        let (ready, void) = (waits == 0, work.is_void(spoilt));
        let stage = match (ready, void) {
            (true, true) => Stage::Void,
            (true, false) => Stage::Ready(work),
            (false, _) => Stage::Waits(waits, work),
        };
        jobs.insert(task, Job { stage, spoilt, after: Vec::new() });
        drop(jobs);
        if ready && !void {
            self.0.send(task);
        }
    }

    /// Whether a task has nothing left to do.
    pub fn has_ended(&self, task: TaskId) -> bool {
        self.0.has_ended(task)
    }

    /// For others to wait for a task that was added.
    pub fn ticket(&self, task: TaskId) -> Ticket<T> {
        Ticket(Arc::clone(&self.0), task)
    }

    /// Waits for a task and takes it out; `None` if it did not run.
    ///
    /// # Panics
    /// If it did.
    pub fn wait(&self, task: TaskId) -> Option<T> {
        loop {
            let mut jobs = self.0.lock();
            match jobs.get(&task).map(|job| &job.stage) {
                None => return None,
                Some(Stage::Ended(_) | Stage::Void) => {
                    return match jobs.remove(&task)?.stage {
                        Stage::Ended(Ok(report)) => Some(report),
                        Stage::Ended(Err(panic)) => {
                            drop(jobs);
                            resume_unwind(panic)
                        }
                        _ => None,
                    };
                }
                Some(_) => {}
            }
            nap(&self.0.ended, jobs);
        }
    }
}

/// For waits for a task outside of its scope: uses of memory on any thread.
pub(crate) struct Ticket<T>(Arc<Board<T>>, TaskId);

impl<T> Clone for Ticket<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0), self.1)
    }
}

impl<T> std::fmt::Debug for Ticket<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Ticket").field(&self.1).finish()
    }
}

impl<T: Send + 'static> Ticket<T> {
    /// Whether the task is one of this pool's.
    pub(in crate::task) fn is_of(&self, pool: &PoolTasks<T>) -> bool {
        Arc::ptr_eq(&self.0, &pool.0)
    }

    /// Whether the task has nothing left to do.
    pub fn has_ended(&self) -> bool {
        self.0.has_ended(self.1)
    }

    /// Waits until it has.
    pub fn wait(&self) {
        let Self(board, task) = self;
        loop {
            let jobs = board.lock();
            if has_ended(&jobs, *task) {
                return;
            }
            nap(&board.ended, jobs);
        }
    }
}

/// Whether a task has nothing left to do; nor has one that was taken out.
fn has_ended<T>(jobs: &Jobs<T>, task: TaskId) -> bool {
    jobs.get(&task).is_none_or(|job| matches!(job.stage, Stage::Ended(_) | Stage::Void))
}

impl<T: Send + 'static> Board<T> {
    fn has_ended(&self, task: TaskId) -> bool {
        has_ended(&self.lock(), task)
    }

    fn lock(&self) -> MutexGuard<'_, Jobs<T>> {
        lock(&self.jobs)
    }

    /// Submits a task to the pool.
    fn send(self: &Arc<Self>, task: TaskId) {
        let board = Arc::clone(self);
        spawn(move || board.run(task));
    }

    /// Runs a task, if no other thread has taken it.
    fn run(self: &Arc<Self>, task: TaskId) {
        let (work, spoilt) = {
            let mut jobs = self.lock();
            let Some(job) = jobs.get_mut(&task) else { return };
            match std::mem::replace(&mut job.stage, Stage::Runs) {
                Stage::Ready(work) => (work, job.spoilt),
                other => {
                    job.stage = other;
                    return;
                }
            }
        };
        let ran = catch_unwind(AssertUnwindSafe(|| match work {
            Work::Run(work) => work(),
            Work::End(work) => work(spoilt),
        }));
        let (went_well, report) = match ran {
            Ok((went_well, report)) => (went_well, Ok(report)),
            Err(panic) => (false, Err(panic)),
        };
        let mut jobs = self.lock();
        if let Some(job) = jobs.get_mut(&task) {
            job.stage = Stage::Ended(report);
            job.spoilt |= !went_well;
        }
        let ready = release(&mut jobs, task);
        drop(jobs);
        self.ended.notify_all();
        ready.into_iter().for_each(|task| self.send(task));
    }
}

/// A task has ended: what waited for it alone is ready, or will not run. In the second case, the tasks after it are released, too.
fn release<T>(jobs: &mut Jobs<T>, task: TaskId) -> Vec<TaskId> {
    let (mut open, mut ready) = (vec![task], Vec::new());
    while let Some(task) = open.pop() {
        let Some(job) = jobs.get_mut(&task) else { continue };
        let (after, spoilt) = (std::mem::take(&mut job.after), job.spoilt);
        for task in after {
            let Some(job) = jobs.get_mut(&task) else { continue };
            job.spoilt |= spoilt;
            job.stage = match std::mem::replace(&mut job.stage, Stage::Runs) {
                Stage::Waits(1, work) if work.is_void(job.spoilt) => {
                    open.push(task);
                    Stage::Void
                }
                Stage::Waits(1, work) => {
                    ready.push(task);
                    Stage::Ready(work)
                }
                Stage::Waits(n, work) => Stage::Waits(n - 1, work),
                other => other,
            };
        }
    }
    ready
}
