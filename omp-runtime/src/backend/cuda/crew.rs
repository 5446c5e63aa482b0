//! Threads that help with copies between pageable and pinned memory: one core copies about 10 GB/s, the bus takes
//! five times that.
//!
//! Not rayon's pool: a thread that waits there may take up another region of the user's, and the user may keep that
//! pool busy. The caller of [`run`] does a share of the work, and takes back what nobody has begun, so it never
//! waits for a thread that serves somebody else.
use std::collections::VecDeque;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

/// Most threads that copy at a time, the caller among them.
const MOST: usize = 10;

/// How many threads a copy should use on this machine: five of eight cores, at most ten.
pub(super) fn size() -> usize {
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
pub(super) fn run(workers: usize, work: &(dyn Fn(usize) + Sync)) {
    if workers <= 1 {
        return work(0);
    }
    let call = Arc::new(Call {
        left: Mutex::new(Left { count: workers - 1, panicked: false }),
        done: Condvar::new(),
    });
    // SAFETY: only the lifetime is dropped from the type. `run` does not return, nor unwind, before every job that
    // holds the pointer has ended or was taken back: the guard below waits for that.
    let work_ptr: *const (dyn Fn(usize) + Sync + 'static) = unsafe {
        std::mem::transmute::<*const (dyn Fn(usize) + Sync + '_), *const (dyn Fn(usize) + Sync + 'static)>(
            work,
        )
    };
    let crew = Crew::get(workers - 1);
    let jobs = (1..workers).map(|index| Job { work: work_ptr, index, call: call.clone() });
    lock(&crew.state).jobs.extend(jobs);
    crew.wake.notify_all();
    let guard = Finish { crew, call: &call };
    work(0);
    drop(guard);
    assert!(!lock(&call.left).panicked, "a copy thread panicked");
}

/// One call of [`run`].
struct Call {
    left: Mutex<Left>,
    done: Condvar,
}

struct Left {
    count: usize,
    panicked: bool,
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
        let mut left = lock(&self.call.left);
        left.count -= 1;
        left.panicked |= result.is_err();
        if left.count == 0 {
            self.call.done.notify_all();
        }
    }
}

/// Sees to it that no job of a call is left, even if the caller's own share panics.
struct Finish<'a> {
    crew: &'static Crew,
    call: &'a Arc<Call>,
}

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        loop {
            let mut state = lock(&self.crew.state);
            let Some(at) = state.jobs.iter().position(|job| Arc::ptr_eq(&job.call, self.call)) else { break };
            let job = state.jobs.remove(at);
            drop(state);
            if let Some(job) = job {
                job.run();
            }
        }
        let mut left = lock(&self.call.left);
        while left.count > 0 {
            left = self.call.done.wait(left).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The threads of the process. They are started when first needed and sleep in between.
#[derive(Default)]
struct Crew {
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    threads: usize,
}

impl Crew {
    /// The crew, with up to `wanted` threads. If the system gives no more threads, the caller does their jobs.
    fn get(wanted: usize) -> &'static Self {
        static CREW: OnceLock<Crew> = OnceLock::new();
        let crew = CREW.get_or_init(Self::default);
        let mut state = lock(&crew.state);
        while state.threads < wanted.min(MOST) {
            let thread = std::thread::Builder::new().name("omp-copy".into());
            if thread.spawn(|| crew.serve()).is_err() {
                break;
            }
            state.threads += 1;
        }
        drop(state);
        crew
    }

    fn serve(&self) {
        let mut state = lock(&self.state);
        loop {
            match state.jobs.pop_front() {
                Some(job) => {
                    drop(state);
                    job.run();
                    state = lock(&self.state);
                }
                None => state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner),
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
