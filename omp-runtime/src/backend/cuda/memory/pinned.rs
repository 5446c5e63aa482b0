//! Pinned host memory: the staging memory of uploads that return before the copy has ended, and the landings of downloads.
//!
//! Blocks have three sizes. Small blocks are cut from slabs, which are never freed. Large blocks go back to the system when many
//! are free. A block is reused after the transfers that use it have ended.
use crate::backend::cuda::core::{Core, lock};
use crate::backend::cuda::driver::{Fault, check, synchronize};
use crate::backend::cuda::events::Recorded;
use cudarc::driver::sys::{self, CUdeviceptr, CUresult};
use std::collections::VecDeque;
use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Bytes of a block by class.
const CLASSES: [usize; 3] = [4 << 10, 64 << 10, 2 << 20];
/// The largest class, and the size of a slab.
pub(in crate::backend::cuda) const LARGE: usize = CLASSES[2];
/// From so many bytes in large blocks on, a block that is still in use is waited for instead of making another.
const ENOUGH: usize = 512 << 20;
/// Bytes in free large blocks that are kept.
const KEPT: usize = ENOUGH;

/// Pinned memory that one transfer, or several, use.
#[derive(Debug)]
pub(in crate::backend::cuda) struct Block {
    host: NonNull<u8>,
    class: usize,
}

// SAFETY: it owns its memory.
unsafe impl Send for Block {}
// SAFETY: the memory is only read through shared references, when its transfer has ended.
unsafe impl Sync for Block {}

impl Block {
    pub(in crate::backend::cuda) fn host(&self) -> *mut u8 {
        self.host.as_ptr()
    }

    pub(in crate::backend::cuda) fn bytes(&self) -> usize {
        CLASSES[self.class]
    }
}

/// A free block, and the transfer that has to end before it is used.
#[derive(Debug)]
struct Resting {
    block: Block,
    after: Arc<Recorded>,
}

/// The pinned blocks of a device. The context is current in all calls.
#[derive(Debug, Default)]
pub(in crate::backend::cuda) struct Pinned {
    resting: [Mutex<VecDeque<Resting>>; 3],
    fresh: [Mutex<Vec<Block>>; 3],
    slabs: Mutex<Vec<Block>>,
    /// Bytes in large blocks.
    large: AtomicUsize,
}

fn allocate(bytes: usize) -> Result<NonNull<u8>, Fault> {
    let mut host: *mut c_void = ptr::null_mut();
    // SAFETY: the context is current; writes one pointer.
    check(unsafe { sys::cuMemHostAlloc(&mut host, bytes, sys::CU_MEMHOSTALLOC_PORTABLE) })?;
    NonNull::new(host.cast()).ok_or(Fault(CUresult::CUDA_ERROR_OUT_OF_MEMORY))
}

fn free(block: &Block) {
    // SAFETY: made by `allocate`, owned; no transfer uses it.
    let _ = unsafe { sys::cuMemFreeHost(block.host.as_ptr().cast()) };
}

impl Pinned {
    /// A block of at least so many bytes, at most [`LARGE`], that no transfer uses.
    pub(in crate::backend::cuda) fn take(&self, bytes: usize) -> Result<Block, Fault> {
        let class = CLASSES.iter().position(|c| *c >= bytes).unwrap_or(CLASSES.len() - 1);
        if let Some(block) = lock(&self.fresh[class]).pop() {
            return Ok(block);
        }
        let mut resting = lock(&self.resting[class]);
        let oldest = resting.front().map(|r| r.after.is_reached()).transpose()?;
        let enough = CLASSES[class] == LARGE && self.large.load(Ordering::Relaxed) >= ENOUGH;
        if (oldest == Some(true) || enough)
            && let Some(Resting { block, after }) = resting.pop_front()
        {
            drop(resting);
            if oldest != Some(true)
                && let Err(fault) = after.wait()
            {
                self.give(block, after);
                return Err(fault);
            }
            return Ok(block);
        }
        drop(resting);
        self.make(class)
    }

    fn make(&self, class: usize) -> Result<Block, Fault> {
        let host = allocate(LARGE)?;
        if CLASSES[class] == LARGE {
            self.large.fetch_add(LARGE, Ordering::Relaxed);
            return Ok(Block { host, class });
        }
        lock(&self.slabs).push(Block { host, class: CLASSES.len() - 1 });
        let part = |i: usize| {
            // SAFETY: inside the slab.
            let host = unsafe { host.add(i * CLASSES[class]) };
            Block { host, class }
        };
        lock(&self.fresh[class]).extend((1..LARGE / CLASSES[class]).map(part));
        Ok(part(0))
    }

    /// Gives a block back that transfers before `after` use.
    pub(in crate::backend::cuda) fn give(&self, block: Block, after: Arc<Recorded>) {
        let class = block.class;
        let mut resting = lock(&self.resting[class]);
        resting.push_back(Resting { block, after });
        if CLASSES[class] == LARGE
            && resting.len() * LARGE > KEPT
            && resting.front().is_some_and(|r| r.after.is_reached() == Ok(true))
            && let Some(Resting { block, .. }) = resting.pop_front()
        {
            drop(resting);
            self.large.fetch_sub(LARGE, Ordering::Relaxed);
            free(&block);
        }
    }

    /// Gives a block back that no transfer has used.
    pub(super) fn give_unused(&self, block: Block) {
        lock(&self.fresh[block.class]).push(block);
    }

    /// Frees everything; nothing is queued.
    pub(in crate::backend::cuda) fn free(&self) {
        let large = CLASSES.len() - 1;
        lock(&self.resting[large]).drain(..).for_each(|r| free(&r.block));
        lock(&self.fresh[large]).drain(..).for_each(|block| free(&block));
        for class in 0..large {
            lock(&self.resting[class]).clear();
            lock(&self.fresh[class]).clear();
        }
        lock(&self.slabs).drain(..).for_each(|slab| free(&slab));
    }
}

/// A block that small uploads of one stream share, and how much of it is taken.
#[derive(Debug, Default)]
pub(in crate::backend::cuda) struct Open(Mutex<Option<(Block, usize)>>);

impl Open {
    /// Queues a copy of few bytes. When it returns, `from` may change, also if it is pinned memory of another library, which the driver
    /// would read only when the copy runs.
    ///
    /// # Safety
    /// `from` is readable and `to` a device range of that size; no more than [`LARGE`] bytes. All calls are for one stream.
    pub(in crate::backend::cuda) unsafe fn upload(
        &self,
        core: &Core,
        stream: sys::CUstream,
        (to, from): (CUdeviceptr, *const u8),
        bytes: usize,
    ) -> Result<(), Fault> {
        const ALIGN: usize = 64;
        let mut open = lock(&self.0);
        if let Some((block, _)) = open.take_if(|(block, used)| *used + bytes > block.bytes()) {
            // All uses of it are queued in this stream.
            match core.events.record(stream, false) {
                Ok(after) => core.pinned.give(block, after),
                Err(_) => {
                    // If this fails, too, it is not reused.
                    synchronize(stream)?;
                    core.pinned.give_unused(block);
                }
            }
        }
        if open.is_none() {
            *open = Some((core.pinned.take(LARGE)?, 0));
        }
        let Some((block, used)) = &mut *open else { return Ok(()) };
        // SAFETY: inside the block, after the part that running transfers use.
        let staged = unsafe { block.host().add(*used) };
        *used = (*used + bytes).next_multiple_of(ALIGN);
        // SAFETY: ranges as the caller says; the pinned memory is kept until the stream has come so far.
        unsafe {
            ptr::copy_nonoverlapping(from, staged, bytes);
            check(sys::cuMemcpyHtoDAsync_v2(to, staged.cast_const().cast(), bytes, stream))
        }
    }

    /// At the end of the device: nothing is queued.
    pub(in crate::backend::cuda) fn close(&self, pinned: &Pinned) {
        if let Some((block, _)) = lock(&self.0).take() {
            pinned.give_unused(block);
        }
    }
}

/// Blocks that a running transfer uses; they are returned after it.
#[derive(Debug)]
pub(in crate::backend::cuda) struct Flight<'a> {
    core: &'a Core,
    stream: sys::CUstream,
    blocks: Vec<Block>,
}

impl<'a> Flight<'a> {
    pub(in crate::backend::cuda) fn new(core: &'a Core, stream: sys::CUstream) -> Self {
        Self { core, stream, blocks: Vec::new() }
    }

    /// One block more.
    pub(in crate::backend::cuda) fn add(&mut self, bytes: usize) -> Result<&Block, Fault> {
        let block = self.core.pinned.take(bytes)?;
        self.blocks.push(block);
        Ok(&self.blocks[self.blocks.len() - 1])
    }

    /// Everything is queued: the blocks and the event after it.
    pub(in crate::backend::cuda) fn land(mut self) -> Result<(Vec<Block>, Arc<Recorded>), Fault> {
        let after = self.core.events.record(self.stream, false)?;
        Ok((std::mem::take(&mut self.blocks), after))
    }
}

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        if self.blocks.is_empty() {
            return;
        }
        match self.core.events.record(self.stream, false) {
            Ok(after) => self.blocks.drain(..).for_each(|b| self.core.pinned.give(b, Arc::clone(&after))),
            // After this, there is no way to find out when they are free.
            Err(_) if synchronize(self.stream).is_ok() => {
                self.blocks.drain(..).for_each(|block| self.core.pinned.give_unused(block));
            }
            // They are not reused.
            Err(_) => self.blocks.clear(),
        }
    }
}
