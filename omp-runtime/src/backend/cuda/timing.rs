//! Device time of the last kernel of each thread, by two events around it.
use super::driver::{Fault, check, elapsed_ms};
use super::events::event;
use cudarc::driver::sys::{self, CUevent, CUresult, CUstream};
use std::thread::ThreadId;
use std::time::Duration;

/// Threads whose last kernel is remembered.
const REMEMBERED: usize = 64;

/// Pairs of events by thread.
#[derive(Debug, Default)]
pub(super) struct Timers(Vec<Timer>);

#[derive(Debug)]
struct Timer {
    thread: ThreadId,
    start: CUevent,
    end: CUevent,
    /// Both events belong to the same kernel.
    valid: bool,
}

// SAFETY: events may be used from any thread in which their context is current.
unsafe impl Send for Timers {}

impl Timers {
    /// Runs `launch` between this thread's two events, whose faults `refuse` puts in words. The context is current.
    pub(super) fn around<E>(
        &mut self,
        stream: CUstream,
        launch: impl FnOnce() -> Result<(), E>,
        refuse: impl Fn(Fault) -> E,
    ) -> Result<(), E> {
        let timer = self.mine().map_err(&refuse)?;
        timer.valid = false;
        // SAFETY: event and stream belong to the current context.
        check(unsafe { sys::cuEventRecord(timer.start, stream) }).map_err(&refuse)?;
        launch()?;
        // SAFETY: as above.
        check(unsafe { sys::cuEventRecord(timer.end, stream) }).map_err(&refuse)?;
        timer.valid = true;
        Ok(())
    }

    fn mine(&mut self) -> Result<&mut Timer, Fault> {
        let thread = std::thread::current().id();
        let at = match self.0.iter().position(|timer| timer.thread == thread) {
            Some(at) => at,
            None if self.0.len() >= REMEMBERED => {
                // The oldest one's events go to this thread.
                self.0.rotate_left(1);
                let last = self.0.len() - 1;
                self.0[last].thread = thread;
                last
            }
            None => {
                let start = event(0)?;
                let end = event(0).inspect_err(|_| {
                    // SAFETY: just made, owned.
                    let _ = unsafe { sys::cuEventDestroy_v2(start) };
                })?;
                self.0.push(Timer { thread, start, end, valid: false });
                self.0.len() - 1
            }
        };
        Ok(&mut self.0[at])
    }

    /// Time of this thread's last kernel, if it has ended. The context is current.
    pub(super) fn last(&self) -> Option<Duration> {
        let thread = std::thread::current().id();
        let timer = self.0.iter().find(|timer| timer.thread == thread && timer.valid)?;
        // SAFETY: an event of the current context.
        if unsafe { sys::cuEventQuery(timer.end) } != CUresult::CUDA_SUCCESS {
            return None;
        }
        let ms = elapsed_ms(timer.start, timer.end)?;
        Some(Duration::from_secs_f64(f64::from(ms.max(0.0)) / 1e3))
    }

    /// Destroys the events; the context is current.
    pub(super) fn free(&mut self) {
        for Timer { start, end, .. } in self.0.drain(..) {
            for event in [start, end] {
                // SAFETY: made by `event`, owned.
                let _ = unsafe { sys::cuEventDestroy_v2(event) };
            }
        }
    }
}
