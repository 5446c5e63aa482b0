//! Queues other than the default stream: pooled streams, ordered by events.
//!
//! Each buffer records the queues that have used it, so its memory is reused after their work. An upload into an idle stream goes
//! through the double-buffered pieces of synchronous uploads ([`super::memory::staging`]). Into a busy stream, or while the default
//! stream delays it, an upload must not wait for the bus, so all of it is copied to pinned memory. Downloads land in pinned
//! memory.
use super::CudaKernel;
use super::core::{Core, lock};
use super::driver::{Fault, check};
use super::events::Recorded;
use super::launch;
use super::memory::CudaBuffer;
use super::memory::pinned::{Block, Flight, LARGE, Open, Pinned};
use super::memory::staging;
use super::memory::staging::{DIRECT, Host};
use crate::backend::api::{ArgValue, DeviceError};
use crate::backend::queue::{Event, Landing, Queue, have_landed};
use cudarc::driver::sys::{self, CUdeviceptr, CUresult, CUstream, CUstream_flags_enum};
use omp_kernels::schedule::Geometry;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

/// The most streams other than the default one; further requests share them. Less than the bits of a word.
const MOST: usize = 32;

/// How long a piece of an upload is waited for: longer than all pieces of all threads take on the bus.
const PATIENCE: Duration = Duration::from_millis(3);

/// Bytes of a download under one event: bytes that have arrived are copied to their place while the rest is on the bus.
const GROUP: usize = 8 * LARGE;

/// A stream, held by any number of [`CudaQueue`]s.
#[derive(Debug)]
pub(super) struct Lane {
    pub(super) stream: CUstream,
    /// Its bit in [`CudaBuffer`]'s `used`, and its number less one.
    slot: usize,
    holders: AtomicUsize,
    /// How much of the default stream's work it comes after.
    seen: AtomicU64,
    /// The pinned block of small uploads.
    open: Open,
}

// SAFETY: a stream may be used from any thread in which its context is current.
unsafe impl Send for Lane {}
// SAFETY: as above.
unsafe impl Sync for Lane {}

impl Lane {
    /// A stream without holders: an idle one, else a new one, else a busy one; or that with the
    /// fewest holders: round-robin, so that queues that are lent one after another run concurrently. The context is current.
    fn take(core: &Core) -> Result<Arc<Self>, Fault> {
        let mut lanes = lock(&core.lanes);
        let holders = |lane: &Self| lane.holders.load(Ordering::Relaxed);
        let turn = core.turn.fetch_add(1, Ordering::Relaxed);
        let (later, sooner) = lanes.split_at(turn % lanes.len().max(1));
        let least = sooner.iter().chain(later).min_by_key(|lane| holders(lane)).cloned();
        let full = lanes.len() >= MOST;
        let lane = match least {
            Some(lane) if full || holders(&lane) == 0 && lane.is_idle()? => lane,
            _ => {
                let mut stream = ptr::null_mut();
                let flags = CUstream_flags_enum::CU_STREAM_NON_BLOCKING as u32;
                // SAFETY: the context is current; writes one handle.
                check(unsafe { sys::cuStreamCreate(&mut stream, flags) })?;
                let lane = Arc::new(Self {
                    stream,
                    slot: lanes.len(),
                    holders: AtomicUsize::new(0),
                    seen: AtomicU64::new(0),
                    open: Open::default(),
                });
                lanes.push(Arc::clone(&lane));
                lane
            }
        };
        lane.holders.fetch_add(1, Ordering::Relaxed);
        Ok(lane)
    }

    /// At the end of the device: nothing is queued.
    pub(super) fn destroy(&self, pinned: &Pinned) {
        self.open.close(pinned);
        // SAFETY: made by `take`; it is not used any more.
        let _ = unsafe { sys::cuStreamDestroy_v2(self.stream) };
    }

    fn bit(&self) -> u64 {
        1 << self.slot
    }

    /// Orders the next work after the work in the default stream. It uses these buffers.
    fn begin<'a>(&self, core: &Core, buffers: impl Iterator<Item = &'a CudaBuffer>) -> Result<(), Fault> {
        for buffer in buffers {
            // Mostly it is known: to look is less than to write.
            if buffer.used.load(Ordering::Relaxed) & self.bit() == 0 {
                buffer.used.fetch_or(self.bit(), Ordering::Relaxed);
            }
        }
        let queued = core.default.queued();
        if core.default.has_ended(queued) || self.seen.load(Ordering::Acquire) >= queued {
            return Ok(());
        }
        core.events.record(core.stream, false)?.hold_up(self.stream)?;
        self.seen.fetch_max(queued, Ordering::AcqRel);
        Ok(())
    }

    /// Whether nothing is queued.
    fn is_idle(&self) -> Result<bool, Fault> {
        // SAFETY: a stream of the current context.
        match unsafe { sys::cuStreamQuery(self.stream) } {
            CUresult::CUDA_SUCCESS => Ok(true),
            CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            other => Err(Fault(other)),
        }
    }
}

/// A queue of an NVIDIA device.
#[derive(Debug)]
pub struct CudaQueue {
    lane: Arc<Lane>,
    core: Arc<Core>,
    packs: bool,
}

impl Drop for CudaQueue {
    fn drop(&mut self) {
        self.lane.holders.fetch_sub(1, Ordering::Relaxed);
    }
}

impl CudaQueue {
    pub(super) fn new(core: &Arc<Core>, packs: bool) -> Result<Self, DeviceError> {
        let _current = core.enter()?;
        let lane = Lane::take(core).map_err(|fault| core.note(fault.launch("cuStreamCreate")))?;
        Ok(Self { lane, core: Arc::clone(core), packs })
    }

    fn transfer(&self, what: &'static str) -> impl Fn(Fault) -> DeviceError + '_ {
        move |fault| self.core.note(fault.transfer(what))
    }

    fn failed(&self, what: &'static str) -> impl Fn(Fault) -> DeviceError + '_ {
        move |fault| self.core.note(fault.launch(what))
    }
}

impl Queue for CudaQueue {
    type Buffer = CudaBuffer;
    type Kernel = CudaKernel;
    type Event = CudaEvent;
    type Landing = CudaLanding;

    fn number(&self) -> u32 {
        self.lane.slot as u32 + 1
    }

    fn packs(&self) -> bool {
        self.packs
    }

    fn alloc(&self, bytes: usize) -> Result<CudaBuffer, DeviceError> {
        CudaBuffer::alloc(&self.core, bytes, self.lane.stream, self.lane.bit())
    }

    fn upload(&self, to: &CudaBuffer, offset: usize, from: &[MaybeUninit<u8>]) -> Result<(), DeviceError> {
        let address = to.range(offset, from.len())?;
        if from.is_empty() {
            return Ok(());
        }
        let (core, lane, source) = (&*self.core, &*self.lane, from.as_ptr().cast());
        let _current = core.enter()?;
        // A busy stream may be busy for long; an idle one has to wait at most for the work in the default stream.
        let idle = |lane: &Lane| Ok(from.len() > LARGE && lane.is_idle()?);
        let copied = idle(lane).and_then(|idle| {
            lane.begin(core, [to].into_iter())?;
            let patience = if idle { PATIENCE } else { Duration::ZERO };
            // SAFETY: a slice, and a device range of its length; padding is copied as bytes.
            unsafe {
                if from.len() <= DIRECT {
                    lane.open.upload(core, lane.stream, (address, source), from.len())
                } else {
                    staging::upload(core, lane.stream, (address, source), from.len(), Some(patience))
                }
            }
        });
        copied.map_err(self.transfer("copy to the device"))
    }

    fn download(&self, from: &CudaBuffer, offset: usize, bytes: usize) -> Result<CudaLanding, DeviceError> {
        let address = from.range(offset, bytes)?;
        let (core, lane) = (&*self.core, &*self.lane);
        let _current = core.enter()?;
        let mut landing = CudaLanding { groups: Vec::new(), bytes, core: Arc::clone(&self.core) };
        let landed = lane.begin(core, [from].into_iter()).and_then(|()| {
            for group in (0..bytes).step_by(GROUP) {
                let mut flight = Flight::new(core, lane.stream);
                for start in (group..bytes.min(group + GROUP)).step_by(LARGE) {
                    let length = LARGE.min(bytes - start);
                    let (to, from) = (flight.add(length)?.host(), address + start as CUdeviceptr);
                    // SAFETY: the part lies in the device range; the block is as large, and unused.
                    check(unsafe { sys::cuMemcpyDtoHAsync_v2(to.cast(), from, length, lane.stream) })?;
                }
                landing.groups.push(flight.land()?);
            }
            Ok(())
        });
        landed.map_err(self.transfer("copy from the device"))?;
        Ok(landing)
    }

    fn zero(&self, to: &CudaBuffer, offset: usize, bytes: usize) -> Result<(), DeviceError> {
        let address = to.range(offset, bytes)?;
        if bytes == 0 {
            return Ok(());
        }
        let (core, lane) = (&*self.core, &*self.lane);
        let _current = core.enter()?;
        lane.begin(core, [to].into_iter())
            // SAFETY: the range lies in the buffer.
            .and_then(|()| check(unsafe { sys::cuMemsetD8Async(address, 0, bytes, lane.stream) }))
            .map_err(self.transfer("cuMemsetD8Async"))
    }

    fn copy(
        &self,
        (to, to_offset): (&CudaBuffer, usize),
        (from, from_offset): (&CudaBuffer, usize),
        bytes: usize,
    ) -> Result<(), DeviceError> {
        let (target, source) = (to.range(to_offset, bytes)?, from.range(from_offset, bytes)?);
        if bytes == 0 {
            return Ok(());
        }
        let (core, lane) = (&*self.core, &*self.lane);
        let _current = core.enter()?;
        lane.begin(core, [to, from].into_iter())
            // SAFETY: the ranges lie in their buffers.
            .and_then(|()| check(unsafe { sys::cuMemcpyDtoDAsync_v2(target, source, bytes, lane.stream) }))
            .map_err(self.transfer("cuMemcpyDtoDAsync"))
    }

    fn launch(
        &self,
        kernel: &CudaKernel,
        geometry: &Geometry,
        args: &[ArgValue<'_, CudaBuffer>],
    ) -> Result<(), DeviceError> {
        let (core, lane) = (&*self.core, &*self.lane);
        let _current = core.enter()?;
        launch::set_stack_size(core, kernel)?;
        let buffers = args.iter().filter_map(ArgValue::buffer);
        lane.begin(core, buffers).map_err(self.failed("cuStreamWaitEvent"))?;
        launch::enqueue(core, lane.stream, kernel, geometry, args)
    }

    fn record(&self, timed: bool) -> Result<CudaEvent, DeviceError> {
        let _current = self.core.enter()?;
        let recorded = self.core.events.record(self.lane.stream, timed);
        let recorded = recorded.map_err(self.failed("cuEventRecord"))?;
        Ok(CudaEvent { recorded, core: Arc::clone(&self.core) })
    }

    fn follow(&self, event: &CudaEvent) -> Result<(), DeviceError> {
        let _current = self.core.enter()?;
        event.recorded.hold_up(self.lane.stream).map_err(self.failed("cuStreamWaitEvent"))
    }
}

/// An event of an NVIDIA device.
#[derive(Debug)]
pub struct CudaEvent {
    // Before the core: events go home to it.
    recorded: Arc<Recorded>,
    core: Arc<Core>,
}

impl Event for CudaEvent {
    fn wait(&self) -> Result<(), DeviceError> {
        if self.recorded.is_known() {
            return Ok(());
        }
        let _current = self.core.enter()?;
        self.recorded.wait().map_err(|fault| self.core.note(fault.launch("the queued work failed")))
    }

    fn is_reached(&self) -> Result<bool, DeviceError> {
        if self.recorded.is_known() {
            return Ok(true);
        }
        let _current = self.core.enter()?;
        self.recorded.is_reached().map_err(|fault| self.core.note(fault.launch("the queued work failed")))
    }

    fn since(&self, earlier: &Self) -> Option<Duration> {
        let _current = self.core.enter().ok()?;
        self.recorded.since(&earlier.recorded)
    }
}

/// A landing of an NVIDIA device.
#[derive(Debug)]
pub struct CudaLanding {
    /// Blocks for [`GROUP`] bytes each, all but the last full, and when they have arrived.
    groups: Vec<(Vec<Block>, Arc<Recorded>)>,
    bytes: usize,
    core: Arc<Core>,
}

impl Drop for CudaLanding {
    fn drop(&mut self) {
        // A lost device's memory is left alone.
        if let Ok(_current) = self.core.enter() {
            for (blocks, after) in self.groups.drain(..) {
                blocks.into_iter().for_each(|block| self.core.pinned.give(block, Arc::clone(&after)));
            }
        }
    }
}

impl Landing for CudaLanding {
    fn bytes(&self) -> usize {
        self.bytes
    }

    fn read(&self, offset: usize, to: &mut [MaybeUninit<u8>]) -> Result<(), DeviceError> {
        have_landed(self.bytes, offset, to.len())?;
        let core = &self.core;
        let _current = core.enter()?;
        let host = Host::new(to.as_mut_ptr().cast());
        let cut = core.staging.cut(to.len(), LARGE);
        let read = cut.run(core, || {
            for (start, length) in cut.parts() {
                // SAFETY: the part lies in the landing and in the host's memory.
                unsafe { self.copy(offset + start, host.at(start), length) }?;
            }
            Ok(())
        });
        read.map_err(|fault| core.note(fault.transfer("copy from the device")))
    }
}

impl CudaLanding {
    /// Waits until the range has arrived, and copies it.
    ///
    /// # Safety
    /// The range lies in the landing, and `to` is writable as far.
    unsafe fn copy(&self, mut offset: usize, mut to: *mut u8, mut length: usize) -> Result<(), Fault> {
        while length > 0 {
            let (blocks, after) = &self.groups[offset / GROUP];
            after.wait()?;
            let (index, within) = (offset % GROUP / LARGE, offset % LARGE);
            let now = length.min(LARGE - within);
            // SAFETY: as the caller says: block `index` of the group has the bytes from `index * LARGE` on, and the
            // transfer to it has ended.
            unsafe {
                staging::streaming_copy(blocks[index].host().add(within).cast_const(), to, now);
                to = to.add(now);
            }
            offset += now;
            length -= now;
        }
        Ok(())
    }
}
