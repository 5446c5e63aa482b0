//! The primitives of the thread pool in tests: the usual ones, or shuttle's inside of [`model`], which runs the same source in
//! thousands of interleavings. Shuttle reports deadlocks.
use super::sync as real;
use shuttle::scheduler::{PctScheduler, RandomScheduler};
use std::cell::{Cell, RefCell};
use std::ops::{Deref, DerefMut};
use std::sync::PoisonError;

/// Threads of the pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pool {
    /// As many as there is work.
    Any,
    /// One, and it is the one that waits.
    Ours,
    /// One, in addition to the waiting thread.
    One,
}

thread_local! {
    /// Of the model that runs on this thread; shuttle's threads are all of one.
    static POOL: Cell<Option<Pool>> = const { Cell::new(None) };
}

type Work = Box<dyn FnOnce() + Send>;

shuttle::thread_local! {
    /// Of the only thread.
    static QUEUE: RefCell<Vec<Work>> = RefCell::default();
}

/// Runs a model in so many interleavings.
pub(crate) fn model(pool: Pool, schedules: usize, model: impl Fn() + Send + Sync + Clone + 'static) {
    struct Restore;
    impl Drop for Restore {
        fn drop(&mut self) {
            POOL.set(None);
        }
    }
    let _restore = Restore;
    POOL.set(Some(pool));
    let mut config = shuttle::Config::new();
    // The mock interprets kernels.
    config.stack_size = 1 << 20;
    shuttle::Runner::new(RandomScheduler::new(schedules), config.clone()).run(model.clone());
    // The others have one thread.
    if pool == Pool::Any {
        shuttle::Runner::new(PctScheduler::new(3, schedules), config).run(model);
    }
}

pub(super) enum Mutex<T> {
    Real(real::Mutex<T>),
    Model(shuttle::sync::Mutex<T>),
}

impl<T> Mutex<T> {
    pub fn new(value: T) -> Self {
        match POOL.get() {
            None => Self::Real(real::Mutex::new(value)),
            Some(_) => Self::Model(shuttle::sync::Mutex::new(value)),
        }
    }
}

pub(in crate::task) enum MutexGuard<'a, T> {
    Real(real::MutexGuard<'a, T>),
    Model(shuttle::sync::MutexGuard<'a, T>),
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Self::Real(guard) => guard,
            Self::Model(guard) => guard,
        }
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        match self {
            Self::Real(guard) => guard,
            Self::Model(guard) => guard,
        }
    }
}

pub(in crate::task) enum Condvar {
    Real(real::Condvar),
    Model(shuttle::sync::Condvar),
}

impl Condvar {
    pub fn new() -> Self {
        match POOL.get() {
            None => Self::Real(real::Condvar::new()),
            Some(_) => Self::Model(shuttle::sync::Condvar::new()),
        }
    }

    pub fn notify_all(&self) {
        match self {
            Self::Real(ended) => ended.notify_all(),
            Self::Model(ended) => ended.notify_all(),
        }
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    match mutex {
        Mutex::Real(mutex) => MutexGuard::Real(real::lock(mutex)),
        Mutex::Model(mutex) => MutexGuard::Model(mutex.lock().unwrap_or_else(PoisonError::into_inner)),
    }
}

/// The pool's only thread, in addition to the waiting one.
struct Worker {
    queue: shuttle::sync::Mutex<(std::collections::VecDeque<Work>, bool)>,
}

shuttle::lazy_static! {
    static ref WORKER: Worker = Worker { queue: shuttle::sync::Mutex::default() };
}

/// The worker ends when it has nothing to do, and is then started again.
fn send_to_worker(work: Work) {
    let mut queue = WORKER.queue.lock().unwrap_or_else(PoisonError::into_inner);
    queue.0.push_back(work);
    if std::mem::replace(&mut queue.1, true) {
        return;
    }
    drop(queue);
    drop(shuttle::thread::spawn(|| {
        loop {
            let mut queue = WORKER.queue.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(work) = queue.0.pop_front() else {
                queue.1 = false;
                return;
            };
            drop(queue);
            work();
        }
    }));
}

pub(super) fn spawn(work: impl FnOnce() + Send + 'static) {
    match POOL.get() {
        None => real::spawn(work),
        Some(Pool::Any) => drop(shuttle::thread::spawn(work)),
        Some(Pool::Ours) => QUEUE.with(|queue| queue.borrow_mut().push(Box::new(work))),
        Some(Pool::One) => send_to_worker(Box::new(work)),
    }
}

pub(in crate::task) fn rest<'a, T>(done: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    match (done, guard) {
        (Condvar::Real(done), MutexGuard::Real(guard)) => MutexGuard::Real(real::rest(done, guard)),
        (Condvar::Model(done), MutexGuard::Model(guard)) => {
            MutexGuard::Model(done.wait(guard).unwrap_or_else(PoisonError::into_inner))
        }
        (_, guard) => guard,
    }
}

pub(super) fn nap<T>(ended: &Condvar, guard: MutexGuard<'_, T>) {
    match (ended, guard) {
        (Condvar::Real(ended), MutexGuard::Real(guard)) => real::nap(ended, guard),
        (Condvar::Model(ended), MutexGuard::Model(guard)) if POOL.get() != Some(Pool::Ours) => {
            drop(ended.wait(guard).unwrap_or_else(PoisonError::into_inner));
        }
        (_, guard) => {
            drop(guard);
            match QUEUE.with(|queue| queue.borrow_mut().pop()) {
                Some(work) => work(),
                None => panic!("the only thread waits for nothing"),
            }
        }
    }
}
