//! Primitives of the thread pool for host tasks: locks, threads, and waiting. (Models replace them.)
use rayon::{ThreadPool, ThreadPoolBuilder};
pub(in crate::task) use std::sync::{Condvar, Mutex, MutexGuard};
use std::sync::{OnceLock, PoisonError};
use std::time::Duration;

/// No code panics under these locks.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The thread pool of tasks. It is not the user's pool: a thread that waits for parts of a task's loop runs other jobs of its pool, and a
/// job of the user's may wait for that very task.
fn pool() -> &'static ThreadPool {
    static POOL: OnceLock<ThreadPool> = OnceLock::new();
    POOL.get_or_init(|| {
        let built = ThreadPoolBuilder::new().thread_name(|k| format!("omp task {k}")).build();
        built.unwrap_or_else(|error| panic!("the threads of tasks on the host can't be started: {error}"))
    })
}

/// Gives work to the pool.
pub(super) fn spawn(work: impl FnOnce() + Send + 'static) {
    pool().spawn(work);
}

/// Waits until work that already runs on another thread may have made progress.
pub(in crate::task) fn rest<'a, T>(done: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    done.wait(guard).unwrap_or_else(PoisonError::into_inner)
}

/// How long a thread of the pool sleeps before it looks for jobs.
const SHORT: Duration = Duration::from_micros(100);

/// Waits until something may have ended. A thread of the pool runs other jobs meanwhile. Other threads only wait: a job that they could
/// run may wait for work that they have begun.
pub(super) fn nap<T>(ended: &Condvar, guard: MutexGuard<'_, T>) {
    if pool().current_thread_index().is_none() {
        drop(ended.wait(guard).unwrap_or_else(PoisonError::into_inner));
        return;
    }
    drop(guard);
    match pool().yield_now() {
        Some(rayon::Yield::Executed) => {}
        // The awaited work runs on another thread, and may still need this one.
        _ => std::thread::sleep(SHORT),
    }
}
