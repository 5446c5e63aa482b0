//! Queues other than the default one: in-order queues of the driver, ordered by markers and barriers.
//!
//! Transfers don't block. They go between device memory and host memory of the queue's own, which is kept until their events are
//! complete. Each buffer records the queues that have used it, so its memory is reused after their work.
use super::core::{Core, OpenClBuffer, lock, status};
use super::discover::Capabilities;
use super::handles::{Event, Queue as Handle};
use super::program::OpenClKernel;
use super::status::Fault;
use crate::backend::api::{ArgValue, DeviceError};
use crate::backend::queue::{Event as QueueEvent, Landing, Queue, have_landed};
use omp_kernels::schedule::Geometry;
use opencl3::command_queue::{
    enqueue_barrier_with_wait_list, enqueue_copy_buffer, enqueue_marker_with_wait_list, enqueue_read_buffer,
    enqueue_write_buffer, finish, flush,
};
use opencl3::event::{CL_COMPLETE, CL_PROFILING_COMMAND_END, get_event_profiling_info, wait_for_events};
use opencl3::types::{CL_NON_BLOCKING, cl_command_queue, cl_event};
use std::alloc::{Layout, alloc, dealloc};
use std::collections::VecDeque;
use std::mem::MaybeUninit;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The most queues; further ones share these. Less than the bits of a word.
const MOST: usize = 16;

/// Events kept for the next [`OpenClEvent`] before those that went well are forgotten.
const MANY: usize = 64;

/// A queue of the driver's, held by any number of [`OpenClQueue`]s.
#[derive(Debug)]
pub(super) struct Lane {
    handle: Handle,
    /// Its bit in [`OpenClBuffer`]'s `used`, and its number less one.
    slot: usize,
    holders: AtomicUsize,
    /// How much of the default queue's work it comes after.
    seen: AtomicU64,
    /// Host memory of transfers, in order.
    kept: Mutex<VecDeque<(Arc<Event>, Arc<Space>)>>,
    /// What was queued since the last event.
    since: Mutex<Vec<Arc<Event>>>,
    /// What was queued last.
    last: Mutex<Option<Arc<Event>>>,
}

/// Host memory of a transfer.
#[derive(Debug)]
struct Space {
    at: NonNull<u8>,
    layout: Layout,
}

// SAFETY: it owns its memory; it is written before it is shared, or by the driver until the transfer's event is
// complete, and only read after that.
unsafe impl Send for Space {}
// SAFETY: as above.
unsafe impl Sync for Space {}

impl Space {
    fn new(bytes: usize) -> Result<Self, DeviceError> {
        let none = || DeviceError::Transfer { reason: format!("no host memory for {bytes} bytes") };
        let layout = Layout::from_size_align(bytes.max(1), 64).map_err(|_| none())?;
        // SAFETY: of more than no bytes.
        let at = NonNull::new(unsafe { alloc(layout) }).ok_or_else(none)?;
        Ok(Self { at, layout })
    }
}

impl Drop for Space {
    fn drop(&mut self) {
        // SAFETY: made by `new` with this layout; the lane keeps it while a transfer uses it.
        unsafe { dealloc(self.at.as_ptr(), self.layout) };
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        // Transfers under way use the kept memory.
        if finish(self.handle.0).is_err() {
            std::mem::forget(std::mem::take(&mut *lock(&self.kept)));
        }
    }
}

/// A marker after all that was queued. It is flushed, because others may wait for it.
pub(super) fn marker(queue: cl_command_queue) -> Result<Event, Fault> {
    // SAFETY: a live queue; an empty list.
    let event = unsafe { enqueue_marker_with_wait_list(queue, 0, ptr::null()) }.map(Event).map_err(Fault)?;
    flush(queue).map_err(Fault)?;
    Ok(event)
}

/// Makes later work wait for the events.
pub(super) fn barrier(queue: cl_command_queue, events: &[Arc<Event>]) -> Result<(), Fault> {
    let list: Vec<cl_event> = events.iter().map(|event| event.0).collect();
    if list.is_empty() {
        return Ok(());
    }
    // SAFETY: a live queue and live events of its context, as many as said.
    unsafe { enqueue_barrier_with_wait_list(queue, list.len() as u32, list.as_ptr()) }
        .map(|event| drop(Event(event)))
        .map_err(Fault)
}

impl Lane {
    pub(super) fn raw(&self) -> cl_command_queue {
        self.handle.0
    }

    fn bit(&self) -> u64 {
        1 << self.slot
    }

    pub(super) fn marker(&self) -> Result<Event, Fault> {
        marker(self.handle.0)
    }

    /// A queue without holders: an idle one, else a new one, else a busy one; or that with the fewest
    /// holders: round-robin, so that queues that are lent one after another run concurrently.
    fn take(core: &Core, can: &Capabilities) -> Result<Arc<Self>, DeviceError> {
        let mut lanes = lock(&core.lanes);
        let holders = |lane: &Self| lane.holders.load(Ordering::Relaxed);
        let turn = core.turn.fetch_add(1, Ordering::Relaxed);
        let (later, sooner) = lanes.split_at(turn % lanes.len().max(1));
        let least = sooner.iter().chain(later).min_by_key(|lane| holders(lane)).cloned();
        let full = lanes.len() >= MOST;
        let lane = match least {
            Some(lane) if full || holders(&lane) == 0 && lane.is_idle() => lane,
            _ => {
                let handle = core.new_queue(can).map_err(|fault| fault.launch("clCreateCommandQueue"))?;
                let lane = Arc::new(Self {
                    handle,
                    slot: lanes.len(),
                    holders: AtomicUsize::new(0),
                    seen: AtomicU64::new(0),
                    kept: Mutex::default(),
                    since: Mutex::default(),
                    last: Mutex::default(),
                });
                lanes.push(Arc::clone(&lane));
                lane
            }
        };
        lane.holders.fetch_add(1, Ordering::Relaxed);
        Ok(lane)
    }

    /// Whether nothing is queued.
    fn is_idle(&self) -> bool {
        lock(&self.last).as_ref().and_then(|event| status(event)).is_none_or(|code| code <= CL_COMPLETE)
    }

    /// Records that a command was queued.
    fn note(&self, event: Arc<Event>) {
        *lock(&self.last) = Some(Arc::clone(&event));
        let mut since = lock(&self.since);
        if since.len() >= MANY {
            since.retain(|event| status(event) != Some(CL_COMPLETE));
        }
        since.push(event);
    }

    /// Keeps a transfer's host memory; lets go of that of transfers that have ended.
    fn keep(&self, event: &Arc<Event>, space: &Arc<Space>) {
        let mut kept = lock(&self.kept);
        let ended = |event: &Event| status(event).is_some_and(|s| s <= CL_COMPLETE);
        while kept.front().is_some_and(|(event, _)| ended(event)) {
            kept.pop_front();
        }
        kept.push_back((Arc::clone(event), Arc::clone(space)));
    }
}

/// A queue of an OpenCL device.
#[derive(Debug)]
pub struct OpenClQueue {
    lane: Arc<Lane>,
    core: Arc<Core>,
    can: Capabilities,
}

impl Drop for OpenClQueue {
    fn drop(&mut self) {
        let _ = flush(self.lane.handle.0);
        self.lane.holders.fetch_sub(1, Ordering::Relaxed);
    }
}

impl OpenClQueue {
    pub(super) fn new(core: &Arc<Core>, can: &Capabilities) -> Result<Self, DeviceError> {
        Ok(Self { lane: Lane::take(core, can)?, core: Arc::clone(core), can: can.clone() })
    }

    /// Orders the next work after the work in the default queue. It uses these buffers.
    fn begin<'a>(&self, buffers: impl Iterator<Item = &'a OpenClBuffer>) -> Result<(), Fault> {
        for buffer in buffers {
            buffer.used.fetch_or(self.lane.bit(), Ordering::Relaxed);
        }
        let queued = self.core.default.queued();
        if self.core.default.has_ended(queued) || self.lane.seen.load(Ordering::Acquire) >= queued {
            return Ok(());
        }
        let event = Arc::new(self.core.default_marker()?);
        barrier(self.lane.handle.0, &[event])?;
        self.lane.seen.fetch_max(queued, Ordering::AcqRel);
        Ok(())
    }
}

impl Queue for OpenClQueue {
    type Buffer = OpenClBuffer;
    type Kernel = OpenClKernel;
    type Event = OpenClEvent;
    type Landing = OpenClLanding;

    fn number(&self) -> u32 {
        self.lane.slot as u32 + 1
    }

    fn alloc(&self, bytes: usize) -> Result<OpenClBuffer, DeviceError> {
        self.core.alloc(bytes, false, self.lane.raw(), self.lane.bit())
    }

    fn upload(&self, to: &OpenClBuffer, offset: usize, from: &[MaybeUninit<u8>]) -> Result<(), DeviceError> {
        to.check(offset, from.len())?;
        if from.is_empty() {
            return Ok(());
        }
        let space = Arc::new(Space::new(from.len())?);
        // SAFETY: new memory of that many bytes; padding is copied as bytes.
        unsafe { ptr::copy_nonoverlapping(from.as_ptr().cast(), space.at.as_ptr(), from.len()) };
        self.begin([to].into_iter()).map_err(|fault| fault.transfer("clEnqueueBarrierWithWaitList"))?;
        let source = space.at.as_ptr().cast();
        // SAFETY: the range lies in the buffer; the memory is kept until the event is complete.
        let written = unsafe {
            let (queue, mem) = (self.lane.raw(), to.raw());
            enqueue_write_buffer(queue, mem, CL_NON_BLOCKING, offset, from.len(), source, 0, ptr::null())
        };
        let event = Arc::new(Event(written.map_err(|s| Fault(s).transfer("clEnqueueWriteBuffer"))?));
        self.lane.keep(&event, &space);
        self.lane.note(event);
        Ok(())
    }

    fn download(
        &self,
        from: &OpenClBuffer,
        offset: usize,
        bytes: usize,
    ) -> Result<OpenClLanding, DeviceError> {
        from.check(offset, bytes)?;
        let space = Arc::new(Space::new(bytes)?);
        if bytes == 0 {
            return Ok(OpenClLanding { event: None, space, bytes });
        }
        self.begin([from].into_iter()).map_err(|fault| fault.transfer("clEnqueueBarrierWithWaitList"))?;
        let target = space.at.as_ptr().cast();
        // SAFETY: the range lies in the buffer; the memory is kept until the event is complete.
        let read = unsafe {
            let (queue, mem) = (self.lane.raw(), from.raw());
            enqueue_read_buffer(queue, mem, CL_NON_BLOCKING, offset, bytes, target, 0, ptr::null())
        };
        let event = Arc::new(Event(read.map_err(|s| Fault(s).transfer("clEnqueueReadBuffer"))?));
        self.lane.keep(&event, &space);
        self.lane.note(Arc::clone(&event));
        let _ = flush(self.lane.raw());
        Ok(OpenClLanding { event: Some(event), space, bytes })
    }

    fn zero(&self, to: &OpenClBuffer, offset: usize, bytes: usize) -> Result<(), DeviceError> {
        to.check(offset, bytes)?;
        self.begin([to].into_iter()).map_err(|fault| fault.transfer("clEnqueueBarrierWithWaitList"))?;
        let events = self.core.fill(self.lane.raw(), to, offset, bytes)?;
        events.into_iter().for_each(|event| self.lane.note(Arc::new(event)));
        Ok(())
    }

    fn copy(
        &self,
        (to, to_offset): (&OpenClBuffer, usize),
        (from, from_offset): (&OpenClBuffer, usize),
        bytes: usize,
    ) -> Result<(), DeviceError> {
        to.check(to_offset, bytes)?;
        from.check(from_offset, bytes)?;
        if bytes == 0 {
            return Ok(());
        }
        self.begin([to, from].into_iter()).map_err(|fault| fault.transfer("clEnqueueBarrierWithWaitList"))?;
        // SAFETY: the ranges lie in their buffers, which are different ones.
        let copied = unsafe {
            let (queue, from, to) = (self.lane.raw(), from.raw(), to.raw());
            enqueue_copy_buffer(queue, from, to, from_offset, to_offset, bytes, 0, ptr::null())
        };
        let event = copied.map_err(|s| Fault(s).transfer("clEnqueueCopyBuffer"))?;
        self.lane.note(Arc::new(Event(event)));
        Ok(())
    }

    fn launch(
        &self,
        kernel: &OpenClKernel,
        geometry: &Geometry,
        args: &[ArgValue<'_, OpenClBuffer>],
    ) -> Result<(), DeviceError> {
        let buffers = args.iter().filter_map(ArgValue::buffer);
        self.begin(buffers).map_err(|fault| fault.launch("clEnqueueBarrierWithWaitList"))?;
        let event = self.core.enqueue(self.lane.raw(), kernel, geometry, args, &self.can)?;
        self.lane.note(Arc::new(event));
        Ok(())
    }

    fn record(&self, _timed: bool) -> Result<OpenClEvent, DeviceError> {
        let marker = self.lane.marker().map_err(|fault| fault.launch("clEnqueueMarkerWithWaitList"))?;
        let work = std::mem::take(&mut *lock(&self.lane.since));
        Ok(OpenClEvent { marker: Arc::new(marker), work })
    }

    fn follow(&self, event: &OpenClEvent) -> Result<(), DeviceError> {
        barrier(self.lane.raw(), std::slice::from_ref(&event.marker))
            .map_err(|fault| fault.launch("clEnqueueBarrierWithWaitList"))
    }
}

/// An event of an OpenCL device.
#[derive(Debug)]
pub struct OpenClEvent {
    marker: Arc<Event>,
    /// The commands that the marker follows and the marker before it does not.
    work: Vec<Arc<Event>>,
}

impl OpenClEvent {
    /// What failed, once the marker is reached.
    fn outcome(&self) -> Result<(), DeviceError> {
        let codes = self.work.iter().chain([&self.marker]).filter_map(|event| status(event));
        match codes.into_iter().find(|code| *code < 0) {
            Some(code) => Err(Fault(code).launch("what was queued ended with an error")),
            None => Ok(()),
        }
    }
}

impl QueueEvent for OpenClEvent {
    fn wait(&self) -> Result<(), DeviceError> {
        let waited = wait_for_events(&[self.marker.0]);
        self.outcome()?;
        waited.map_err(|s| Fault(s).launch("clWaitForEvents"))
    }

    fn is_reached(&self) -> Result<bool, DeviceError> {
        let reached = status(&self.marker).is_none_or(|code| code <= CL_COMPLETE);
        if reached { self.outcome().map(|()| true) } else { Ok(false) }
    }

    fn since(&self, earlier: &Self) -> Option<Duration> {
        let end = |event: &Event| {
            let done = status(event)? == CL_COMPLETE;
            let ns = get_event_profiling_info(event.0, CL_PROFILING_COMMAND_END).ok().map(u64::from);
            ns.filter(|_| done)
        };
        Some(Duration::from_nanos(end(&self.marker)?.saturating_sub(end(&earlier.marker)?)))
    }
}

/// A landing of an OpenCL device.
#[derive(Debug)]
pub struct OpenClLanding {
    /// None of no bytes.
    event: Option<Arc<Event>>,
    space: Arc<Space>,
    bytes: usize,
}

impl Landing for OpenClLanding {
    fn bytes(&self) -> usize {
        self.bytes
    }

    fn read(&self, offset: usize, to: &mut [MaybeUninit<u8>]) -> Result<(), DeviceError> {
        have_landed(self.bytes, offset, to.len())?;
        let Some(event) = &self.event else { return Ok(()) };
        wait_for_events(&[event.0]).map_err(|s| Fault(s).transfer("clWaitForEvents"))?;
        // SAFETY: the range lies in the memory, all of which the transfer has written: it is complete, without an error.
        unsafe {
            ptr::copy_nonoverlapping(self.space.at.as_ptr().add(offset), to.as_mut_ptr().cast(), to.len());
        }
        Ok(())
    }
}
