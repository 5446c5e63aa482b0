//! Buffers: device memory from a caching pool, and mailboxes in pinned host memory that the device can access.
//!
//! The pool may reuse device memory while queued work still uses it: the next user comes later in the same stream, or waits
//! for the events recorded in the other streams that used the memory. Such waits happen only if the device has no other memory
//! left, so streams don't wait for each other without need. A mailbox can't be reused so early, because the host writes it
//! directly: a freed mailbox rests until all kernels that were queued when it was freed have ended.
pub(super) mod copy_pool;
pub(super) mod pinned;
pub(super) mod staging;

use super::core::{Core, lock};
use super::driver::{Fault, check, synchronize};
use super::events::Recorded;
use crate::backend::api::DeviceError;
use crate::backend::pool::{capacity_for, least_for};
use cudarc::driver::sys::{self, CUdeviceptr, CUstream};
use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering, fence};

/// Smallest mailbox; a page.
const MAILBOX: usize = 4096;

/// Memory of an NVIDIA device, or a mailbox that it can reach.
#[derive(Debug)]
pub struct CudaBuffer {
    /// Address on the device. A launch passes a pointer to this field.
    address: CUdeviceptr,
    /// The same memory as the host sees it; mailboxes only.
    host: Option<NonNull<u8>>,
    bytes: usize,
    capacity: usize,
    /// Which streams other than the default one have used it, by bits.
    pub(super) used: AtomicU64,
    core: Arc<Core>,
}

// SAFETY: an address on the device, and pinned memory that is accessed only as `read` and `write` say.
unsafe impl Send for CudaBuffer {}
// SAFETY: as above.
unsafe impl Sync for CudaBuffer {}

/// Free device memory, and the work that has to end before it is used outside of the default stream's order.
#[derive(Debug)]
pub(super) struct Block {
    address: CUdeviceptr,
    after: Vec<Arc<Recorded>>,
}

impl Block {
    /// Gives it back to the driver when nothing uses it any more; the context is current, and nothing is queued in the
    /// default stream.
    pub(super) fn free(self) {
        // If the wait fails, the device is lost, and the call below fails too.
        for event in &self.after {
            let _ = event.wait();
        }
        // SAFETY: made by `cuMemAlloc`, owned.
        let _ = unsafe { sys::cuMemFree_v2(self.address) };
    }

    /// Whether work that is queued in the stream now can't conflict with earlier uses.
    fn is_free_for(&self, stream: CUstream) -> bool {
        self.after.iter().all(|event| event.is_before(stream))
    }
}

/// A free mailbox. Work of the default stream before number `queued`, and work of other streams before events, may still use it.
#[derive(Debug)]
pub(super) struct FreeMailbox {
    host: NonNull<u8>,
    address: CUdeviceptr,
    capacity: usize,
    queued: u64,
    after: Vec<Arc<Recorded>>,
}

// SAFETY: it owns its pinned memory.
unsafe impl Send for FreeMailbox {}

impl FreeMailbox {
    /// Gives it back to the driver; the context is current, and nothing is queued.
    pub(super) fn free(self) {
        // SAFETY: made by `cuMemHostAlloc`, owned.
        let _ = unsafe { sys::cuMemFreeHost(self.host.as_ptr().cast()) };
    }
}

impl Drop for CudaBuffer {
    fn drop(&mut self) {
        let core = &self.core;
        // The memory of a lost device is not reused.
        let Ok(after) = self.users() else { return };
        let (address, capacity) = (self.address, self.capacity);
        if let Some(host) = self.host {
            let queued = core.default.queued();
            lock(&core.mailboxes).push(FreeMailbox { host, address, capacity, queued, after });
            return;
        }
        let gone = lock(&core.pool).put(self.capacity, Block { address, after });
        if !gone.is_empty()
            && let Ok(_current) = core.enter()
        {
            let _ = core.synchronize();
            gone.into_iter().for_each(Block::free);
        }
    }
}

impl CudaBuffer {
    /// The places in other streams after which nothing uses it.
    fn users(&self) -> Result<Vec<Arc<Recorded>>, DeviceError> {
        let used = self.used.load(Ordering::Relaxed);
        if used == 0 {
            return Ok(Vec::new());
        }
        let core = &self.core;
        let _current = core.enter()?;
        let lanes: Vec<_> = {
            let lanes = lock(&core.lanes);
            lanes
                .iter()
                .enumerate()
                .filter(|(slot, _)| used >> slot & 1 == 1)
                .map(|(_, l)| l.clone())
                .collect()
        };
        let recorded: Result<_, Fault> =
            lanes.iter().map(|lane| core.events.record(lane.stream, false)).collect();
        recorded
            // Without events it is free as soon as they have come so far.
            .or_else(|_| lanes.iter().try_for_each(|lane| synchronize(lane.stream)).map(|()| Vec::new()))
            .map_err(|fault| core.note(fault.launch("cuStreamSynchronize")))
    }

    /// Device memory that is used in `stream` first, whose bit `used` is.
    pub(super) fn alloc(
        core: &Arc<Core>,
        bytes: usize,
        stream: CUstream,
        used: u64,
    ) -> Result<Self, DeviceError> {
        // The stream comes after the memory's users of before, and other streams must not come before it: even if
        // nothing is done with this buffer.
        let wrap = |capacity, address| Self {
            address,
            host: None,
            bytes,
            capacity,
            used: AtomicU64::new(used),
            core: core.clone(),
        };
        let _current = core.enter()?;
        let pooled = lock(&core.pool).take_if(bytes, |block| block.is_free_for(stream));
        if let Some((capacity, Block { address, .. })) = pooled {
            return Ok(wrap(capacity, address));
        }
        let capacity = capacity_for(bytes);
        match allocate(capacity) {
            Ok(address) => Ok(wrap(capacity, address)),
            Err(fault) if fault.no_memory() => {
                // Memory that running work still uses: after that work.
                let pooled = lock(&core.pool).take_if(bytes, |_| true);
                if let Some((capacity, Block { address, after })) = pooled {
                    let ordered = after.iter().try_for_each(|event| event.hold_up(stream));
                    if used == 0 {
                        // Other streams come after that, even if the default stream does nothing with the buffer.
                        core.default.add();
                    }
                    return match ordered {
                        Ok(()) => Ok(wrap(capacity, address)),
                        Err(fault) => {
                            let back = lock(&core.pool).put(capacity, Block { address, after });
                            back.into_iter().for_each(Block::free);
                            Err(core.note(fault.launch("cuStreamWaitEvent")))
                        }
                    };
                }
                let cached = lock(&core.pool).drain();
                let ended = core.synchronize();
                cached.into_iter().for_each(Block::free);
                ended.map_err(|fault| core.note(fault.launch("cuStreamSynchronize")))?;
                let least = least_for(bytes);
                allocate(least)
                    .map(|address| wrap(least, address))
                    .map_err(|fault| failed(core, fault, bytes, "cuMemAlloc"))
            }
            Err(fault) => Err(failed(core, fault, bytes, "cuMemAlloc")),
        }
    }

    /// Pinned host memory that the device reads and writes over the bus.
    pub(super) fn mailbox(core: &Arc<Core>, bytes: usize) -> Result<Self, DeviceError> {
        let _current = core.enter()?;
        let mut free = lock(&core.mailboxes);
        let fits = |m: &FreeMailbox| m.capacity >= bytes && m.capacity <= bytes.max(MAILBOX) * 2;
        let ended = |m: &FreeMailbox| {
            core.default.has_ended(m.queued) && m.after.iter().all(|event| event.is_reached() == Ok(true))
        };
        let wrap = |capacity, address, host| Self {
            address,
            host: Some(host),
            bytes,
            capacity,
            used: AtomicU64::new(0),
            core: core.clone(),
        };
        if let Some(at) = free.iter().position(|m| fits(m) && ended(m)) {
            let FreeMailbox { host, address, capacity, .. } = free.swap_remove(at);
            return Ok(wrap(capacity, address, host));
        }
        drop(free);
        let capacity = bytes.max(MAILBOX).checked_next_power_of_two().unwrap_or(bytes);
        let mut host: *mut c_void = ptr::null_mut();
        let flags = sys::CU_MEMHOSTALLOC_PORTABLE | sys::CU_MEMHOSTALLOC_DEVICEMAP;
        // SAFETY: the context is current; writes one pointer.
        check(unsafe { sys::cuMemHostAlloc(&mut host, capacity, flags) })
            .map_err(|fault| failed(core, fault, bytes, "cuMemHostAlloc"))?;
        let mut address = 0;
        // SAFETY: `host` was just allocated as mapped memory.
        let mapped = check(unsafe { sys::cuMemHostGetDevicePointer_v2(&mut address, host, 0) });
        match (mapped, NonNull::new(host.cast::<u8>())) {
            (Ok(()), Some(host)) => Ok(wrap(capacity, address, host)),
            (mapped, _) => {
                // SAFETY: allocated above, and nothing else has it.
                let _ = unsafe { sys::cuMemFreeHost(host) };
                let reason = match mapped {
                    Err(fault) => return Err(core.note(fault.transfer("cuMemHostGetDevicePointer"))),
                    Ok(()) => "pinned memory at address zero".to_owned(),
                };
                Err(DeviceError::Transfer { reason })
            }
        }
    }

    /// Where a kernel argument finds the device address.
    pub(super) fn argument(&self) -> *mut c_void {
        (&raw const self.address).cast_mut().cast()
    }

    /// The device address of a range, if it lies in the buffer.
    pub(super) fn range(&self, offset: usize, bytes: usize) -> Result<CUdeviceptr, DeviceError> {
        if offset.checked_add(bytes).is_some_and(|end| end <= self.bytes) {
            return Ok(self.address + offset as CUdeviceptr);
        }
        let reason = format!("bytes {offset}..+{bytes} of a buffer of {}", self.bytes);
        Err(DeviceError::Transfer { reason })
    }

    fn host_range(&self, bytes: usize) -> Result<NonNull<u8>, DeviceError> {
        self.range(0, bytes)?;
        self.host.ok_or_else(|| DeviceError::Transfer { reason: "the buffer is no mailbox".into() })
    }

    /// Writes a mailbox from its start; no queued kernel uses it (the contract of `Device::write_mailbox`).
    pub(super) fn write(&self, bytes: &[u8]) -> Result<(), DeviceError> {
        let host = self.host_range(bytes.len())?;
        // SAFETY: the range lies in the mailbox; by the contract nothing else accesses it now.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), host.as_ptr(), bytes.len()) };
        // The launch that follows is a write to the device, which this orders after the stores.
        fence(Ordering::SeqCst);
        Ok(())
    }

    /// Reads a mailbox from its start; all kernels that use it have ended (the contract of `Device::read_mailbox`).
    pub(super) fn read(&self, bytes: &mut [u8]) -> Result<(), DeviceError> {
        let host = self.host_range(bytes.len())?;
        fence(Ordering::SeqCst);
        // SAFETY: as in `write`.
        unsafe { ptr::copy_nonoverlapping(host.as_ptr(), bytes.as_mut_ptr(), bytes.len()) };
        Ok(())
    }
}

fn allocate(bytes: usize) -> Result<CUdeviceptr, Fault> {
    let mut address = 0;
    // SAFETY: the caller made the context current; writes one address.
    check(unsafe { sys::cuMemAlloc_v2(&mut address, bytes) })?;
    Ok(address)
}

fn failed(core: &Core, fault: Fault, bytes: usize, what: &str) -> DeviceError {
    if fault.no_memory() || fault.0 == sys::CUresult::CUDA_ERROR_INVALID_VALUE {
        let free = core.memory().map_or(0, |(free, _)| free);
        return DeviceError::OutOfMemory { requested: bytes as u64, free };
    }
    core.note(fault.transfer(what))
}
