//! Events of a device, used again: one is recorded anew only when nobody holds it any more.
use super::core::lock;
use super::driver::{Fault, check, elapsed_ms};
use cudarc::driver::sys::{self, CUevent, CUresult, CUstream};
use std::ptr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The events of a device that nobody holds, without and with times.
#[derive(Debug, Default)]
pub(super) struct Events(Mutex<[Vec<Free>; 2]>);

#[derive(Debug)]
struct Free(CUevent);

// SAFETY: events may be used from any thread in which their context is current.
unsafe impl Send for Free {}

/// An event that was recorded. The context is current in all calls but `drop`.
#[derive(Debug)]
pub(super) struct Recorded {
    event: CUevent,
    stream: CUstream,
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
    /// An event behind everything queued in the stream.
    pub(super) fn record(self: &Arc<Self>, stream: CUstream, timed: bool) -> Result<Arc<Recorded>, Fault> {
        let free = lock(&self.0)[usize::from(timed)].pop();
        let event = match free {
            Some(Free(event)) => event,
            None => event(if timed { 0 } else { sys::CUevent_flags_enum::CU_EVENT_DISABLE_TIMING as u32 })?,
        };
        // From here on it goes home when dropped, also if it can't be recorded.
        let recorded = Arc::new(Recorded { event, stream, timed, home: Arc::clone(self) });
        // SAFETY: event and stream of the current context.
        check(unsafe { sys::cuEventRecord(event, stream) })?;
        Ok(recorded)
    }

    /// Destroys the events that nobody holds.
    pub(super) fn free(&self) {
        for Free(event) in lock(&self.0).iter_mut().flat_map(std::mem::take) {
            // SAFETY: made by `event`, owned.
            let _ = unsafe { sys::cuEventDestroy_v2(event) };
        }
    }
}

impl Drop for Recorded {
    fn drop(&mut self) {
        // Streams that were told to wait for it wait for what it stood for then, whatever becomes of it.
        lock(&self.home.0)[usize::from(self.timed)].push(Free(self.event));
    }
}

impl Recorded {
    /// Waits until it is reached.
    pub(super) fn wait(&self) -> Result<(), Fault> {
        // SAFETY: an event of the current context.
        check(unsafe { sys::cuEventSynchronize(self.event) })
    }

    /// Whether it is reached.
    pub(super) fn is_reached(&self) -> Result<bool, Fault> {
        // SAFETY: as in `wait`.
        match unsafe { sys::cuEventQuery(self.event) } {
            CUresult::CUDA_SUCCESS => Ok(true),
            CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            other => Err(Fault(other)),
        }
    }

    /// Whether what is queued in the stream from now on comes after it anyway.
    pub(super) fn is_before(&self, stream: CUstream) -> bool {
        self.stream == stream || self.is_reached() == Ok(true)
    }

    /// What is queued in the stream from now on waits for it.
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
