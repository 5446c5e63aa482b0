//! The tasks of one call of a function.
use super::guard::Guarded;
use crate::error::Error;
use std::cell::{Cell, RefCell};
use std::marker::PhantomData;

/// What a task does with the data of a guard: the guard's number, and whether it may change it.
type Access = (u64, bool);

/// A task that failed.
#[derive(Debug)]
struct Failure {
    /// The number of the task.
    task: u64,
    accesses: Vec<Access>,
    error: Error,
}

/// The scope of the tasks of one call of a function.
#[derive(Debug)]
pub struct Tasks {
    /// Failures leave through [`Tasks::try_wait`], never as panics.
    try_: bool,
    guards: Cell<u64>,
    started: Cell<u64>,
    /// Those of the task that is being started.
    accesses: RefCell<Vec<Access>>,
    failures: RefCell<Vec<Failure>>,
    thread: PhantomData<*mut ()>,
}

impl Tasks {
    /// A scope without tasks. With `try_`, only what has a `Result` tells of failures.
    #[must_use]
    pub const fn new(try_: bool) -> Self {
        Self {
            try_,
            guards: Cell::new(0),
            started: Cell::new(0),
            accesses: RefCell::new(Vec::new()),
            failures: RefCell::new(Vec::new()),
            thread: PhantomData,
        }
    }

    /// The number of a new guard.
    pub(super) fn guard(&self) -> u64 {
        self.guards.set(self.guards.get() + 1);
        self.guards.get()
    }

    /// Begins a task that uses, or (`true`) changes, the data of these guards; whether it is to run.
    pub fn start(&self, used: &[(&dyn Guarded, bool)]) -> bool {
        self.started.set(self.started.get() + 1);
        let accesses: Vec<Access> = used.iter().map(|(g, write)| (g.number(), *write)).collect();
        let mut failures = self.failures.borrow_mut();
        let before = failures.iter_mut().find(|f| conflict(&f.accesses, &accesses));
        if let Some(failure) = before {
            // What would have used this one's results does not run either.
            failure.accesses.extend(accesses);
            return false;
        }
        *self.accesses.borrow_mut() = accesses;
        true
    }

    /// The task that was started has failed.
    pub fn failed(&self, error: Error) {
        let accesses = self.accesses.take();
        self.failures.borrow_mut().push(Failure { task: self.started.get(), accesses, error });
    }

    /// The task that was started has ended well.
    pub fn ended(&self) {
        self.accesses.take();
    }

    /// The first failure among those that `meant` chooses; the others of them followed from it or are told no more.
    fn take(&self, meant: impl Fn(&Failure) -> bool) -> Result<(), Error> {
        let mut failures = self.failures.borrow_mut();
        let all = std::mem::take(&mut *failures);
        let (told, kept): (Vec<_>, Vec<_>) = all.into_iter().partition(meant);
        *failures = kept;
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
        self.take(|_| true)
    }

    /// The start of a group.
    #[must_use]
    pub fn group(&self) -> u64 {
        self.started.get()
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
        self.take(|f| f.task > group)
    }

    /// Waits for the tasks that use, or (`false`) change, the data of these guards.
    ///
    /// # Panics
    /// With the text of their first failure.
    #[track_caller]
    pub fn settle(&self, used: &[(&dyn Guarded, bool)]) {
        raise(self.try_settle(used));
    }

    /// Waits for the tasks that use, or (`false`) change, the data of these guards.
    ///
    /// # Errors
    /// Their first failure.
    pub fn try_settle(&self, used: &[(&dyn Guarded, bool)]) -> Result<(), Error> {
        let accesses: Vec<Access> = used.iter().map(|(g, write)| (g.number(), *write)).collect();
        self.take(|f| conflict(&f.accesses, &accesses))
    }

    /// Before the host touches the data of a guard, or (`gone`) the guard goes.
    #[track_caller]
    pub(super) fn touch(&self, guard: u64, write: bool, gone: bool) {
        if self.try_ || gone && std::thread::panicking() {
            return;
        }
        raise(self.take(|f| conflict(&f.accesses, &[(guard, write)])));
    }
}

/// Goes on with a failure as a panic.
#[track_caller]
pub(super) fn raise(result: Result<(), Error>) {
    if let Err(error) = result {
        panic!("{error}");
    }
}

/// Whether two sets of accesses meet in a guard that one of them changes.
fn conflict(a: &[Access], b: &[Access]) -> bool {
    a.iter().any(|(n, write)| b.iter().any(|(m, other)| n == m && (*write || *other)))
}

impl Drop for Tasks {
    fn drop(&mut self) {
        if !self.try_ && !std::thread::panicking() {
            raise(self.try_wait());
        }
    }
}
