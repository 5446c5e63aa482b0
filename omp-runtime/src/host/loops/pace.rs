//! The time that the iterations of a loop took in its last execution. It decides whether more threads run the loop: a
//! loop of a few iterations is over before its first iterations could be measured.
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Picoseconds of an iteration and one; 0 before the first execution.
#[derive(Debug, Default)]
pub(crate) struct Pace(AtomicU64);

impl Pace {
    #[cfg(test)]
    pub(in crate::host) const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// What so many iterations take, if that is known.
    pub(in crate::host) fn of(&self, iterations: u64) -> Option<Duration> {
        let picoseconds = self.0.load(Ordering::Relaxed).checked_sub(1)?;
        Some(Duration::from_nanos(picoseconds.saturating_mul(iterations) / 1000))
    }

    /// So many iterations have taken so long.
    pub(in crate::host) fn set(&self, time: Duration, iterations: u64) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let each = nanoseconds.saturating_mul(1000) / iterations.max(1);
        self.0.store(each.saturating_add(1), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_execution_counts() {
        let pace = Pace::default();
        assert_eq!(pace.of(10), None);
        pace.set(Duration::from_nanos(30), 20);
        assert_eq!(pace.of(10), Some(Duration::from_nanos(15)));
        pace.set(Duration::ZERO, 7);
        assert_eq!(pace.of(u64::MAX), Some(Duration::ZERO));
        pace.set(Duration::MAX, 1);
        assert!(pace.of(u64::MAX) > Some(Duration::from_secs(1 << 20)));
    }
}
