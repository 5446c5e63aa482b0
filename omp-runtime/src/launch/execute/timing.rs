//! When the device's own clock times a kernel.
//!
//! Device time is taken by events around the kernel, which cost about as much as a quarter of launching an empty one. So
//! kernels that turn out to be short are not timed after their first launches; their report then has the host's time of
//! launch and wait. Kernels that are not waited for are timed in their first launches, and always in a program that
//! requests reports (a request waits for them). With `OMP_INFO=kernel` every launch is timed.
use crate::backend::api::DeviceError;
use crate::backend::erased::DynDevice;
use crate::observe;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

/// A kernel below this is short.
const SHORT: Duration = Duration::from_micros(100);

/// So many launches must have been short.
const ENOUGH: u32 = 3;

/// So many launches that are not waited for are timed although no report was requested.
const UNREQUESTED: u32 = 64;

/// A report was requested.
static REQUESTED: AtomicBool = AtomicBool::new(false);

/// From now on the reports of kernels that are not waited for have the device's time.
pub(crate) fn request() {
    REQUESTED.store(true, Ordering::Relaxed);
}

/// Whether the launches of a kernel are timed.
#[derive(Debug, Default)]
pub(crate) struct Timing {
    short_launches: AtomicU32,
    /// Launches that were not waited for, up to [`UNREQUESTED`].
    unrequested: AtomicU32,
}

impl Timing {
    /// The next launch is to be timed by the device.
    pub fn wanted(&self) -> bool {
        self.short_launches.load(Ordering::Relaxed) < ENOUGH || observe::times_kernels()
    }

    /// The same of a launch that will not be waited for.
    pub fn wanted_ahead(&self) -> bool {
        self.is_early() || REQUESTED.load(Ordering::Relaxed) || observe::times_kernels()
    }

    /// Counts a launch that is not waited for; says whether it is one of the first.
    fn is_early(&self) -> bool {
        // Two threads may count one: it is no more than a number that has to be reached.
        let before = self.unrequested.load(Ordering::Relaxed);
        if before < UNREQUESTED {
            self.unrequested.store(before + 1, Ordering::Relaxed);
        }
        before < UNREQUESTED
    }

    /// After the wait: the time for the report, `None` if the device has it. A long kernel is timed again in later launches.
    pub fn judge(
        &self,
        timed: bool,
        launch_and_wait: Duration,
        device_time: impl FnOnce() -> Option<Duration>,
    ) -> Option<Duration> {
        if !timed {
            if launch_and_wait > SHORT {
                self.short_launches.store(0, Ordering::Relaxed);
            }
            return Some(launch_and_wait);
        }
        if self.short_launches.load(Ordering::Relaxed) < ENOUGH && device_time().is_some_and(|t| t < SHORT) {
            self.short_launches.fetch_add(1, Ordering::Relaxed);
        }
        None
    }
}

/// Launches in the queue before the one that is timed.
const AHEAD: usize = 4;

static REPEATS: AtomicUsize = AtomicUsize::new(0);

/// The time of the kernels since the last call of [`repeat_kernels`], in nanoseconds, without the overhead of measurements.
static TOTAL: AtomicU64 = AtomicU64::new(0);

/// The last measured overhead: the time of an empty interval.
static NOTHING: AtomicU64 = AtomicU64::new(0);

/// For benchmarks of kernels that may run repeatedly on their own output: after each launch of a region, its kernel is launched `9 *
/// times` more times, with its data on the device. One of nine launches is timed, and the region reports the median. 0 ends it. Gives
/// the time of all kernels since the last call, each by its median, as if one pair of events had timed all of them: the time that the
/// events of an empty interval show is counted once.
pub fn repeat_kernels(times: usize) -> Duration {
    REPEATS.store(times, Ordering::Relaxed);
    Duration::from_nanos(TOTAL.swap(0, Ordering::Relaxed) + NOTHING.swap(0, Ordering::Relaxed))
}

/// The number that [`repeat_kernels`] has set.
pub(crate) fn repeats() -> usize {
    REPEATS.load(Ordering::Relaxed)
}

/// The median device time of `times` launches of a phase: the sum of the medians of all phases, as if one pair of events had timed them.
/// Each is queued after others of the same kernel, so that the device is busy while it is launched and finds in its caches what
/// it would find there.
pub(crate) fn repeated(
    device: &dyn DynDevice,
    times: usize,
    phases: u32,
    launch: impl Fn(u32, bool) -> Result<(), DeviceError>,
) -> Result<Option<Duration>, DeviceError> {
    let (mut sum, mut nothings) = (None, Vec::with_capacity(times));
    for phase in 0..phases {
        let mut all = Vec::with_capacity(times);
        for _ in 0..times {
            for _ in 0..AHEAD {
                (0..phases).try_for_each(|p| launch(p, false))?;
            }
            (0..phase).try_for_each(|p| launch(p, false))?;
            launch(phase, true)?;
            device.wait()?;
            all.extend(device.last_kernel_time());
            (phase + 1..phases).try_for_each(|p| launch(p, false))?;
        }
        device.wait()?;
        sum = median(&mut all).map(|t| sum.unwrap_or(Duration::ZERO) + t).or(sum);
    }
    for _ in 0..times {
        for _ in 0..AHEAD {
            (0..phases).try_for_each(|p| launch(p, false))?;
        }
        let timed = device.time_nothing()?;
        device.wait()?;
        nothings.extend(device.last_kernel_time().filter(|_| timed));
    }
    let nothing = median(&mut nothings).unwrap_or(Duration::ZERO);
    let sum: Option<Duration> = sum.map(|t| t.saturating_sub(nothing * phases));
    let nanos = |t: Duration| u64::try_from(t.as_nanos()).unwrap_or(u64::MAX);
    TOTAL.fetch_add(sum.map_or(0, nanos), Ordering::Relaxed);
    NOTHING.store(nanos(nothing), Ordering::Relaxed);
    Ok(sum.map(|t| t + nothing))
}

fn median(times: &mut [Duration]) -> Option<Duration> {
    times.sort();
    times.get(times.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_launches_ahead_are_timed_and_all_after_a_request() {
        let timing = Timing::default();
        assert!((0..UNREQUESTED).all(|_| timing.is_early()));
        assert!(!timing.is_early() && !timing.is_early());
        request();
        assert!(timing.wanted_ahead());
    }
}
