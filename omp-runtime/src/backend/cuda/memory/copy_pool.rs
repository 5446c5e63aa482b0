//! Threads that help with copies between pageable and pinned memory: one core copies about 10 GB/s, and the bus is five times as
//! fast.
//!
//! They are not rayon's pool, because a thread that waits there may run another region of the user's, and the user may
//! keep that pool busy. The caller of [`run`] does a share of the work and takes back the shares that no thread has
//! begun, so it never waits for a thread that works for another caller. Copies come in sequences, and waking a thread
//! takes as long as copying a few hundred kilobytes. So threads look for more work for a moment before they sleep, and
//! yield their core meanwhile.
use std::collections::VecDeque;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Most threads that copy at a time, the caller among them.
const MOST: usize = 10;

/// How long a thread looks for more before it sleeps.
const MOMENT: Duration = Duration::from_micros(100);

/// How long it spins before it yields its core to other threads.
const ALONE: Duration = Duration::from_micros(3);

/// If a yield takes longer than this, other threads need the core.
const AWAY: Duration = Duration::from_micros(10);

/// Whether it becomes so within a moment. On a core that others want, the moment is over when they have had it.
fn soon(so: impl Fn() -> bool) -> bool {
    const TRIES: u32 = 64;
    let start = Instant::now();
    loop {
        for _ in 0..TRIES {
            if so() {
                return true;
            }
            std::hint::spin_loop();
        }
        let waited = start.elapsed();
        if waited > MOMENT {
            return false;
        }
        if waited > ALONE {
            std::thread::yield_now();
            if start.elapsed() > waited + AWAY {
                return so();
            }
        }
    }
}

/// How many threads a copy should use on this machine: five of eight cores, at most ten.
pub(in crate::backend::cuda) fn size() -> usize {
    static SIZE: OnceLock<usize> = OnceLock::new();
    *SIZE.get_or_init(|| {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        (cores * 5 / 8).clamp(1, MOST)
    })
}

/// Calls `work(0)` to `work(workers - 1)`, concurrently where threads are free, and returns when all have returned.
///
/// # Panics
/// If one of them does.
pub(in crate::backend::cuda) fn run(workers: usize, work: &(dyn Fn(usize) + Sync)) {
    if workers <= 1 {
        return work(0);
    }
    let call = Arc::new(Call {
        left: AtomicUsize::new(workers - 1),
        panicked: AtomicBool::new(false),
        waiting: Mutex::new(()),
        done: Condvar::new(),
    });
    // SAFETY: only the lifetime is dropped from the type. `run` does not return, nor unwind, before every job that
    // holds the pointer has ended or was taken back: the guard below waits for that.
    let work_ptr: *const (dyn Fn(usize) + Sync + 'static) = unsafe {
        std::mem::transmute::<*const (dyn Fn(usize) + Sync + '_), *const (dyn Fn(usize) + Sync + 'static)>(
            work,
        )
    };
    let pool = CopyPool::get(workers - 1);
    let jobs = (1..workers).map(|index| Job { work: work_ptr, index, call: call.clone() });
    pool.change(|state| state.jobs.extend(jobs));
    pool.wake.notify_all();
    let guard = Finish { pool, call: &call };
    work(0);
    drop(guard);
    assert!(!call.panicked.load(Ordering::Acquire), "a copy thread panicked");
}

/// One call of [`run`].
struct Call {
    /// Jobs that have not ended.
    left: AtomicUsize,
    panicked: AtomicBool,
    /// Locked by the caller from its look at `left` to its wait for `done`, and by the last job before it notifies `done`.
    waiting: Mutex<()>,
    done: Condvar,
}

struct Job {
    work: *const (dyn Fn(usize) + Sync + 'static),
    index: usize,
    call: Arc<Call>,
}

// SAFETY: the pointee is `Sync`, and `run` keeps it alive until the job has ended.
unsafe impl Send for Job {}

impl Job {
    fn run(self) {
        // SAFETY: `run` waits for this job, so the closure is alive.
        let work = unsafe { &*self.work };
        let result = catch_unwind(AssertUnwindSafe(|| work(self.index)));
        if result.is_err() {
            self.call.panicked.store(true, Ordering::Release);
        }
        if self.call.left.fetch_sub(1, Ordering::AcqRel) == 1 {
            drop(lock(&self.call.waiting));
            self.call.done.notify_all();
        }
    }
}

/// Sees to it that no job of a call is left, even if the caller's own share panics.
struct Finish<'a> {
    pool: &'static CopyPool,
    call: &'a Arc<Call>,
}

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        loop {
            let job = self.pool.change(|state| {
                let at = state.jobs.iter().position(|job| Arc::ptr_eq(&job.call, self.call))?;
                state.jobs.remove(at)
            });
            let Some(job) = job else { break };
            job.run();
        }
        let ended = || self.call.left.load(Ordering::Acquire) == 0;
        if soon(ended) {
            return;
        }
        let mut waiting = lock(&self.call.waiting);
        while !ended() {
            waiting = self.call.done.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The threads of the process. They are started when first needed and sleep in between.
#[derive(Default)]
struct CopyPool {
    state: Mutex<State>,
    wake: Condvar,
    /// How many jobs there are: to be looked at without the lock.
    jobs: AtomicUsize,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    threads: usize,
}

impl CopyPool {
    /// The pool, with up to `wanted` threads. If the system gives no more threads, the caller does their jobs.
    fn get(wanted: usize) -> &'static Self {
        static POOL: OnceLock<CopyPool> = OnceLock::new();
        let pool = POOL.get_or_init(Self::default);
        let mut state = lock(&pool.state);
        while state.threads < wanted.min(MOST) {
            let thread = std::thread::Builder::new().name("omp-copy".into());
            if thread.spawn(|| pool.serve()).is_err() {
                break;
            }
            state.threads += 1;
        }
        drop(state);
        pool
    }

    fn change<R>(&self, change: impl FnOnce(&mut State) -> R) -> R {
        let mut state = lock(&self.state);
        let result = change(&mut state);
        self.jobs.store(state.jobs.len(), Ordering::Release);
        result
    }

    fn serve(&self) {
        loop {
            while let Some(job) = self.change(|state| state.jobs.pop_front()) {
                job.run();
            }
            if soon(|| self.jobs.load(Ordering::Acquire) > 0) {
                continue;
            }
            let mut state = lock(&self.state);
            while state.jobs.is_empty() {
                state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::run;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn every_share_is_done_once() {
        for workers in [1, 2, 5, 8, 20] {
            let counts: Vec<AtomicUsize> = (0..workers).map(|_| AtomicUsize::new(0)).collect();
            run(workers, &|w| {
                counts[w].fetch_add(1, Ordering::Relaxed);
            });
            assert!(counts.iter().all(|c| c.load(Ordering::Relaxed) == 1), "{counts:?}");
        }
    }

    #[test]
    fn callers_do_not_wait_for_each_other() {
        let total = AtomicUsize::new(0);
        std::thread::scope(|s| {
            for _ in 0..6 {
                s.spawn(|| {
                    for _ in 0..200 {
                        run(4, &|_| {
                            run(2, &|_| {
                                total.fetch_add(1, Ordering::Relaxed);
                            });
                        });
                    }
                });
            }
        });
        assert_eq!(total.load(Ordering::Relaxed), 6 * 200 * 4 * 2);
    }

    #[test]
    fn a_panic_arrives_after_all_have_ended() {
        let ended = AtomicUsize::new(0);
        for bad in [0, 3] {
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                run(4, &|w| {
                    assert_ne!(w, bad, "as the test wants it");
                    ended.fetch_add(1, Ordering::Relaxed);
                });
            }));
            assert!(result.is_err());
        }
        assert_eq!(ended.load(Ordering::Relaxed), 6);
    }
}
