//! What the crew of host tasks is made of: locks, rayon's pool, and how a thread waits. (Its models put others in their
//! place.)
use std::sync::PoisonError;
pub(super) use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// Nobody panics under these locks.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives work to the pool.
pub(super) fn spawn(work: impl FnOnce() + Send + 'static) {
    rayon::spawn(work);
}

/// So long a thread of the pool sleeps before it looks whether the pool has something to do.
const SHORT: Duration = Duration::from_micros(100);

/// Waits until something may have ended. A thread of the pool works meanwhile.
pub(super) fn nap<T>(ended: &Condvar, guard: MutexGuard<'_, T>) {
    if rayon::current_thread_index().is_none() {
        drop(ended.wait(guard).unwrap_or_else(PoisonError::into_inner));
        return;
    }
    drop(guard);
    match rayon::yield_now() {
        Some(rayon::Yield::Executed) => {}
        // What it waits for runs elsewhere, and may need this thread yet.
        _ => std::thread::sleep(SHORT),
    }
}
