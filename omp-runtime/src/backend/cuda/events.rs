//! A pool of events: an event is reused only after its last holder has dropped it.
use super::core::lock;
use super::driver::{Fault, check, elapsed_ms};
use cudarc::driver::sys::{self, CUevent, CUresult, CUstream};
use std::collections::HashMap;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The events of a device that are not held, without and with times, and its streams.
#[derive(Debug, Default)]
pub(super) struct Events {
    free: Mutex<[Vec<Free>; 2]>,
    lines: Mutex<HashMap<usize, Arc<Line>>>,
}

#[derive(Debug)]
struct Free(CUevent);

// SAFETY: events may be used from any thread in which their context is current.
unsafe impl Send for Free {}

/// The known progress of a stream: if an event is reached, so are all that were recorded before it. A query of the driver takes
/// longer than a record.
#[derive(Debug, Default)]
struct Line {
    recorded: Mutex<u64>,
    reached: AtomicU64,
}

/// An event that was recorded. The context is current in all calls but `drop`.
#[derive(Debug)]
pub(super) struct Recorded {
    event: CUevent,
    stream: CUstream,
    line: Arc<Line>,
    /// Counted along the line; 0: it could not be recorded.
    number: u64,
    timed: bool,
    home: Arc<Events>,
}

// SAFETY: as above; it is recorded by its maker only.
unsafe impl Send for Recorded {}
// SAFETY: as above.
unsafe impl Sync for Recorded {}

/// A new event; the context is current.
pub(super) fn event(flags: u32) -> Result<CUevent, Fault> {
    let mut event = ptr::null_mut();
    // SAFETY: writes one handle.
    check(unsafe { sys::cuEventCreate(&mut event, flags) })?;
    Ok(event)
}

impl Events {
    /// An event after everything queued in the stream.
    pub(super) fn record(self: &Arc<Self>, stream: CUstream, timed: bool) -> Result<Arc<Recorded>, Fault> {
        let free = lock(&self.free)[usize::from(timed)].pop();
        let event = match free {
            Some(Free(event)) => event,
            None => event(if timed { 0 } else { sys::CUevent_flags_enum::CU_EVENT_DISABLE_TIMING as u32 })?,
        };
        // From here on it goes home when dropped, also if it can't be recorded.
        let line = Arc::clone(lock(&self.lines).entry(stream.addr()).or_default());
        let mut recorded = Recorded { event, stream, line, number: 0, timed, home: Arc::clone(self) };
        let line = Arc::clone(&recorded.line);
        // Numbers have the order of the stream.
        let mut last = lock(&line.recorded);
        // SAFETY: event and stream of the current context.
        check(unsafe { sys::cuEventRecord(event, stream) })?;
        *last += 1;
        recorded.number = *last;
        Ok(Arc::new(recorded))
    }

    /// Destroys the events that are not held.
    pub(super) fn free(&self) {
        for Free(event) in lock(&self.free).iter_mut().flat_map(std::mem::take) {
            // SAFETY: made by `event`, owned.
            let _ = unsafe { sys::cuEventDestroy_v2(event) };
        }
    }
}

impl Drop for Recorded {
    fn drop(&mut self) {
        // Streams that wait for it wait for the work that it stood for at that time, whatever is recorded later.
        lock(&self.home.free)[usize::from(self.timed)].push(Free(self.event));
    }
}

impl Recorded {
    /// Waits until it is reached.
    pub(super) fn wait(&self) -> Result<(), Fault> {
        if self.is_known() {
            return Ok(());
        }
        // SAFETY: an event of the current context.
        check(unsafe { sys::cuEventSynchronize(self.event) })?;
        self.know();
        Ok(())
    }

    /// Whether it is known to be reached.
    pub(super) fn is_known(&self) -> bool {
        self.line.reached.load(Ordering::Acquire) >= self.number
    }

    fn know(&self) {
        self.line.reached.fetch_max(self.number, Ordering::AcqRel);
    }

    /// Whether it is reached.
    pub(super) fn is_reached(&self) -> Result<bool, Fault> {
        if self.is_known() {
            return Ok(true);
        }
        // SAFETY: as in `wait`.
        match unsafe { sys::cuEventQuery(self.event) } {
            CUresult::CUDA_SUCCESS => {
                self.know();
                Ok(true)
            }
            CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            other => Err(Fault(other)),
        }
    }

    /// Whether later work of the stream is ordered after it without a wait.
    pub(super) fn is_before(&self, stream: CUstream) -> bool {
        self.stream == stream || self.is_reached() == Ok(true)
    }

    /// Makes later work of the stream wait for it.
    pub(super) fn hold_up(&self, stream: CUstream) -> Result<(), Fault> {
        // SAFETY: event and stream of the current context.
        check(unsafe { sys::cuStreamWaitEvent(stream, self.event, 0) })
    }

    /// Device time since another timed one.
    pub(super) fn since(&self, earlier: &Self) -> Option<Duration> {
        let ms = elapsed_ms(earlier.event, self.event).filter(|_| self.timed && earlier.timed)?;
        Some(Duration::from_secs_f64(f64::from(ms.max(0.0)) / 1e3))
    }
}
