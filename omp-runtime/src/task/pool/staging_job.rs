//! Staging jobs: work that a function's thread lends to the pool, such as copying many bytes to a device from memory that the
//! function's guards hold. If no thread has begun a job when its result is needed, the thread that needs it does the job. So no
//! job waits for a thread.
//!
//! A job waits only for jobs that were made before it, so there is no cycle of waits.
#[cfg(not(test))]
use super::sync::{Condvar, Mutex, lock, rest, spawn};
#[cfg(test)]
use super::sync_models::{Condvar, Mutex, lock, rest, spawn};
use crate::backend::api::DeviceError;
use crate::backend::erased::DynEvent;
use crate::data::block::{Coming, FailureSeen};
use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, OnceLock};

type Work<T> = Box<dyn FnOnce() -> T + Send>;

enum Stage<T> {
    /// Not begun.
    Waits(Work<T>),
    Runs,
    Done(Result<T, Box<dyn Any + Send>>),
    /// The owner has taken the result.
    Taken,
}

struct Slip<T> {
    stage: Mutex<Stage<T>>,
    done: Condvar,
}

/// A job, under way or done.
pub(in crate::task) struct StagingJob<T> {
    slip: Arc<Slip<T>>,
    /// (Not in the slip: the pool may have that a little longer.)
    end: Arc<End>,
}

#[derive(Debug, Default)]
struct End {
    /// The event at its end on the device, or its failure.
    last: OnceLock<Result<DynEvent, DeviceError>>,
    /// Whether the failure was reported to the lender: from then on other users of the data go on with what is there.
    seen: FailureSeen,
}

impl<T> Clone for StagingJob<T> {
    fn clone(&self) -> Self {
        Self { slip: Arc::clone(&self.slip), end: Arc::clone(&self.end) }
    }
}

impl<T> fmt::Debug for StagingJob<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StagingJob").field("end", &self.end).finish_non_exhaustive()
    }
}

impl<T: Send + 'static> StagingJob<T> {
    /// A job that was not reported: gives what it made, and what a device reaches when that has ended, or what it failed
    /// at.
    pub fn new(work: impl FnOnce() -> (T, Result<DynEvent, DeviceError>) + Send + 'static) -> Self {
        let end = Arc::<End>::default();
        let known = Arc::clone(&end);
        let work = move || match catch_unwind(AssertUnwindSafe(work)) {
            Ok((made, last)) => {
                let _ = known.last.set(last);
                made
            }
            // The panic is resumed in the thread that takes the result; others get a failure.
            Err(panic) => {
                let reason = "internal error: what was to queue it has panicked".into();
                let _ = known.last.set(Err(DeviceError::Transfer { reason }));
                resume_unwind(panic)
            }
        };
        let stage = Mutex::new(Stage::Waits(Box::new(work)));
        Self { slip: Arc::new(Slip { stage, done: Condvar::new() }), end }
    }

    /// Submits it to the pool.
    pub fn send(&self) {
        let slip = Arc::clone(&self.slip);
        spawn(move || slip.run());
    }

    /// Sees it done.
    pub fn finish(&self) {
        self.slip.finish();
    }

    /// Whether it is done, and has not failed.
    pub fn went_well(&self) -> bool {
        self.end.last.get().is_some_and(Result::is_ok)
    }

    /// Where the lender records that the failure was reported to it.
    pub fn seen(&self) -> &FailureSeen {
        &self.end.seen
    }

    /// Takes the result, once.
    ///
    /// # Panics
    /// If it did.
    pub fn take(&self) -> Option<T> {
        self.finish();
        let stage = std::mem::replace(&mut *lock(&self.slip.stage), Stage::Taken);
        match stage {
            Stage::Done(Ok(made)) => Some(made),
            Stage::Done(Err(panic)) => resume_unwind(panic),
            _ => None,
        }
    }
}

impl<T: Send + 'static> Coming for StagingJob<T> {
    fn event(&self) -> Result<DynEvent, DeviceError> {
        self.finish();
        self.end.last.get().expect("it is done").clone()
    }

    fn known(&self) -> Option<Result<DynEvent, DeviceError>> {
        self.end.last.get().cloned()
    }
}

impl<T> Slip<T> {
    /// Does it, if it was not begun.
    fn run(&self) {
        let work = {
            let mut stage = lock(&self.stage);
            match std::mem::replace(&mut *stage, Stage::Runs) {
                Stage::Waits(work) => work,
                other => {
                    *stage = other;
                    return;
                }
            }
        };
        let made = catch_unwind(AssertUnwindSafe(work));
        *lock(&self.stage) = Stage::Done(made);
        self.done.notify_all();
    }

    fn finish(&self) {
        self.run();
        let mut stage = lock(&self.stage);
        while matches!(*stage, Stage::Runs) {
            stage = rest(&self.done, stage);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_failure_to_others() {
        let job = StagingJob::<()>::new(|| panic!("in the middle"));
        job.finish();
        assert!(!job.went_well());
        assert!(matches!(job.known(), Some(Err(_))));
        assert!(job.event().is_err());
        assert!(catch_unwind(AssertUnwindSafe(|| job.take())).is_err(), "it goes on in its function");
    }
}
