//! Buffers: device memory from a caching pool, and mailboxes in pinned host memory that the device sees.
//!
//! Device memory may be handed out again while queued work still uses it, for its next user comes later in the same
//! stream. A mailbox may not: the host writes it directly. So a freed one rests until all kernels that were queued
//! when it was freed have ended.
use super::core::{Core, lock};
use super::driver::{Fault, check};
use crate::backend::api::DeviceError;
use crate::backend::pool::capacity_for;
use cudarc::driver::sys::{self, CUdeviceptr};
use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};

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
    core: Arc<Core>,
}

// SAFETY: an address on the device, and pinned memory that is accessed only as `read` and `write` say.
unsafe impl Send for CudaBuffer {}
// SAFETY: as above.
unsafe impl Sync for CudaBuffer {}

/// Device memory that nobody uses.
#[derive(Debug)]
pub(super) struct Block(CUdeviceptr);

impl Block {
    /// Gives it back to the driver; the context is current, and nothing is queued.
    pub(super) fn free(self) {
        // SAFETY: made by `cuMemAlloc`, owned.
        let _ = unsafe { sys::cuMemFree_v2(self.0) };
    }
}

/// A mailbox that nobody uses, but for kernels before number `after`.
#[derive(Debug)]
pub(super) struct FreeMailbox {
    host: NonNull<u8>,
    address: CUdeviceptr,
    capacity: usize,
    after: u64,
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
        if let Some(host) = self.host {
            let (address, capacity) = (self.address, self.capacity);
            lock(&core.mailboxes).push(FreeMailbox { host, address, capacity, after: core.queued() });
            return;
        }
        let gone = lock(&core.pool).put(self.capacity, Block(self.address));
        if !gone.is_empty()
            && let Ok(_current) = core.enter()
        {
            let _ = core.synchronize();
            gone.into_iter().for_each(Block::free);
        }
    }
}

impl CudaBuffer {
    /// Device memory.
    pub(super) fn alloc(core: &Arc<Core>, bytes: usize) -> Result<Self, DeviceError> {
        let wrap = |capacity, address| Self { address, host: None, bytes, capacity, core: core.clone() };
        let pooled = lock(&core.pool).take(bytes);
        if let Some((capacity, Block(address))) = pooled {
            return Ok(wrap(capacity, address));
        }
        let _current = core.enter()?;
        let capacity = capacity_for(bytes);
        match allocate(capacity) {
            Ok(address) => Ok(wrap(capacity, address)),
            Err(fault) if fault.no_memory() => {
                let cached = lock(&core.pool).drain();
                core.synchronize().map_err(|fault| core.note(fault.launch("cuStreamSynchronize")))?;
                cached.into_iter().for_each(Block::free);
                allocate(bytes)
                    .map(|address| wrap(bytes, address))
                    .map_err(|fault| failed(core, fault, bytes, "cuMemAlloc"))
            }
            Err(fault) => Err(failed(core, fault, bytes, "cuMemAlloc")),
        }
    }

    /// Pinned host memory that the device reads and writes over the bus.
    pub(super) fn mailbox(core: &Arc<Core>, bytes: usize) -> Result<Self, DeviceError> {
        let mut free = lock(&core.mailboxes);
        let fits = |m: &FreeMailbox| m.capacity >= bytes && m.capacity <= bytes.max(MAILBOX) * 2;
        if let Some(at) = free.iter().position(|m| fits(m) && core.ended(m.after)) {
            let FreeMailbox { host, address, capacity, after: _ } = free.swap_remove(at);
            return Ok(Self { address, host: Some(host), bytes, capacity, core: core.clone() });
        }
        drop(free);
        let _current = core.enter()?;
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
            (Ok(()), Some(host)) => {
                Ok(Self { address, host: Some(host), bytes, capacity, core: core.clone() })
            }
            (mapped, _) => {
                // SAFETY: allocated above, handed to nobody.
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
        // The launch that follows is a write to the device, which this orders behind the stores.
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
        return DeviceError::OutOfMemory { asked: bytes as u64, free };
    }
    core.note(fault.transfer(what))
}
