//! The progress of a device's default queue, which other queues wait for.
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts of work that was queued, and of work that is known to have ended.
#[derive(Debug, Default)]
pub(super) struct Count {
    queued: AtomicU64,
    ended: AtomicU64,
}

impl Count {
    /// Something was queued. To be called after that, and before any notification.
    pub(super) fn add(&self) {
        self.queued.fetch_add(1, Ordering::AcqRel);
    }

    /// How much was queued so far.
    pub(super) fn queued(&self) -> u64 {
        self.queued.load(Ordering::Acquire)
    }

    /// Whether the first `count` are known to have ended.
    pub(super) fn has_ended(&self, count: u64) -> bool {
        self.ended.load(Ordering::Acquire) >= count
    }

    /// The first `count` have ended. The caller has read `count` before the wait that shows it.
    pub(super) fn end(&self, count: u64) {
        self.ended.fetch_max(count, Ordering::AcqRel);
    }
}
