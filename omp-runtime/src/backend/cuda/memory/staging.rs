//! Copies between pageable host memory and the device, through pinned pieces.
//!
//! Up to [`DIRECT`] bytes go to the device through a shared pinned block ([`Open`](super::pinned::Open)), and come back
//! by the driver's own synchronous copy. Larger copies are cut into pieces. The threads of the [`copy_pool`] take pieces
//! as they become free, so a thread that the system suspends does not delay the others. Each thread has two pinned
//! pieces: while the bus transfers one, the thread copies the other. All transfers go through the device's default
//! stream, so they come after all work queued before, and before all work queued later. An upload returns when the last
//! piece is in pinned memory.
//!
//! Pieces are small enough to stay in the processor's cache between the copy and the transfer, and large enough to hide the gaps
//! between transfers. No lock is held while a thread waits or copies.
use super::copy_pool;
use super::pinned::{Flight, LARGE};
use crate::backend::cuda::core::{Core, lock};
use crate::backend::cuda::driver::{Fault, check, synchronize};
use crate::backend::cuda::events::event;
use cudarc::driver::sys::{self, CUdeviceptr, CUevent, CUresult, CUstream};
use std::collections::VecDeque;
use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Largest copy that is not cut up.
pub(in crate::backend::cuda) const DIRECT: usize = 64 << 10;
/// Smallest piece that is worth a thread of its own.
const SMALLEST: usize = 256 << 10;
/// The least size of pieces at the end, which are smaller to shorten the wait for the last one.
const LAST: usize = 1 << 20;
/// Size of a pinned piece.
const PIECE: usize = 4 << 20;
/// Free pieces kept.
const KEPT: usize = 24;
/// Threads that copy data from the device: with non-temporal stores, so a small number keeps up with the bus.
const DOWN: usize = 6;

/// The pinned pieces of a device.
#[derive(Debug)]
pub(in crate::backend::cuda) struct Staging {
    free: Mutex<VecDeque<Piece>>,
    /// How many pieces there are, in use or not. To make one, or to free one, takes longer than to wait for one.
    made: AtomicUsize,
    piece: AtomicUsize,
    threads: AtomicUsize,
}

/// Pinned memory and the event of the last transfer that uses it.
#[derive(Debug)]
struct Piece {
    host: NonNull<u8>,
    bytes: usize,
    event: CUevent,
}

// SAFETY: it owns its memory and its event, which may be used from any thread.
unsafe impl Send for Piece {}

impl Piece {
    fn new(bytes: usize) -> Result<Self, Fault> {
        let event = event(sys::CUevent_flags_enum::CU_EVENT_DISABLE_TIMING as u32)?;
        let mut host: *mut c_void = ptr::null_mut();
        // SAFETY: the context is current; writes one pointer.
        let result = check(unsafe { sys::cuMemHostAlloc(&mut host, bytes, sys::CU_MEMHOSTALLOC_PORTABLE) });
        match (result, NonNull::new(host.cast())) {
            (Ok(()), Some(host)) => Ok(Self { host, bytes, event }),
            (result, _) => {
                // SAFETY: made above, owned.
                let _ = unsafe { sys::cuEventDestroy_v2(event) };
                Err(result.err().unwrap_or(Fault(CUresult::CUDA_ERROR_OUT_OF_MEMORY)))
            }
        }
    }

    fn record(&self, stream: CUstream) -> Result<(), Fault> {
        // SAFETY: event and stream of the current context; earlier waits for the event have returned.
        check(unsafe { sys::cuEventRecord(self.event, stream) })
    }

    fn wait(&self) -> Result<(), Fault> {
        // SAFETY: an event of the current context; one never recorded counts as reached.
        check(unsafe { sys::cuEventSynchronize(self.event) })
    }

    fn idle(&self) -> bool {
        // SAFETY: as in `wait`.
        unsafe { sys::cuEventQuery(self.event) == CUresult::CUDA_SUCCESS }
    }

    /// The context is current.
    fn free(self) {
        let _ = self.wait();
        // SAFETY: both made by `new`, owned; no transfer uses the memory any more.
        unsafe {
            let _ = sys::cuMemFreeHost(self.host.as_ptr().cast());
            let _ = sys::cuEventDestroy_v2(self.event);
        }
    }
}

impl Staging {
    pub(in crate::backend::cuda) fn new() -> Self {
        Self {
            free: Mutex::new(VecDeque::new()),
            made: AtomicUsize::new(0),
            piece: AtomicUsize::new(PIECE),
            threads: AtomicUsize::new(copy_pool::size()),
        }
    }

    /// Changes the size of pieces and the number of threads; for measurements.
    pub(in crate::backend::cuda) fn configure(&self, piece: usize, threads: usize) {
        self.piece.store(piece.max(4096), Ordering::Relaxed);
        self.threads.store(threads.max(1), Ordering::Relaxed);
    }

    fn piece(&self) -> usize {
        self.piece.load(Ordering::Relaxed)
    }

    /// Frees the pinned memory; the context is current.
    pub(in crate::backend::cuda) fn free(&self) {
        let all = std::mem::take(&mut *lock(&self.free));
        all.into_iter().for_each(Piece::free);
    }

    /// A piece that no transfer uses, or a new one; once there are enough, the one that rested longest.
    fn take(&self) -> Result<Piece, Fault> {
        let bytes = self.piece.load(Ordering::Relaxed);
        let mut free = lock(&self.free);
        while let Some(piece) = free.pop_front() {
            if piece.bytes != bytes {
                self.made.fetch_sub(1, Ordering::Relaxed);
                piece.free();
            } else if self.made.load(Ordering::Relaxed) >= KEPT || piece.idle() {
                return Ok(piece);
            } else {
                free.push_front(piece);
                break;
            }
        }
        drop(free);
        let piece = Piece::new(bytes)?;
        self.made.fetch_add(1, Ordering::Relaxed);
        Ok(piece)
    }

    fn give(&self, piece: Piece) {
        let mut free = lock(&self.free);
        if free.len() < KEPT {
            free.push_back(piece);
        } else {
            drop(free);
            self.made.fetch_sub(1, Ordering::Relaxed);
            piece.free();
        }
    }

    /// How a copy of `bytes` is cut up, into pieces of at most `most` bytes.
    pub(in crate::backend::cuda) fn cut(&self, bytes: usize, most: usize) -> Cut {
        let threads = self.threads.load(Ordering::Relaxed);
        let piece = (bytes / (2 * threads)).next_multiple_of(4096).clamp(SMALLEST.min(most), most);
        let pieces = bytes.div_ceil(piece);
        let ends = [SMALLEST.min(piece), LAST.min(piece)];
        Cut { bytes, piece, ends, taken: AtomicUsize::new(0), workers: pieces.min(threads) }
    }
}

/// A copy cut into pieces, which workers take in order.
#[derive(Debug)]
pub(in crate::backend::cuda) struct Cut {
    bytes: usize,
    /// The most bytes of a piece.
    piece: usize,
    /// The fewest at the start and at the end.
    ends: [usize; 2],
    /// So many bytes, from the start.
    taken: AtomicUsize,
    workers: usize,
}

impl Cut {
    /// Offset and length of the next piece. The first ones are smaller, so that the bus begins soon, and the last ones, so that the wait
    /// for the last thread is short.
    fn take(&self) -> Option<(usize, usize)> {
        let length = |offset: usize| {
            let left = self.bytes - offset;
            let part = |bytes: usize, least: usize| (bytes / self.workers.max(1)).max(least);
            let [first, last] = self.ends;
            let near = part(offset, first).min(part(left, last)).next_multiple_of(4096);
            near.min(self.piece).min(left)
        };
        let next = |offset: usize| (offset < self.bytes).then(|| offset + length(offset));
        let offset = self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).ok()?;
        Some((offset, length(offset)))
    }

    /// The pieces that a worker comes to.
    pub(in crate::backend::cuda) fn parts(&self) -> impl Iterator<Item = (usize, usize)> {
        std::iter::from_fn(|| self.take())
    }

    /// Runs `work` for every worker with the context current; the first fault counts.
    pub(in crate::backend::cuda) fn run(
        &self,
        core: &Core,
        work: impl Fn() -> Result<(), Fault> + Sync,
    ) -> Result<(), Fault> {
        if self.workers <= 1 {
            return work();
        }
        let first = Mutex::new(Ok(()));
        copy_pool::run(self.workers, &|_| {
            let result = core.enter_raw().and_then(|_current| work());
            if let Err(fault) = result {
                let mut first = lock(&first);
                if first.is_ok() {
                    *first = Err(fault);
                }
            }
        });
        first.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// Host memory that several threads copy to or from, each its own part.
pub(in crate::backend::cuda) struct Host(*mut u8);

// SAFETY: its maker borrows the memory for as long as threads use it, and gives them disjoint parts.
unsafe impl Sync for Host {}

impl Host {
    pub(in crate::backend::cuda) fn new(memory: *mut u8) -> Self {
        Self(memory)
    }

    /// # Safety
    /// `offset` lies in the memory.
    pub(in crate::backend::cuda) unsafe fn at(&self, offset: usize) -> *mut u8 {
        // SAFETY: as the caller says.
        unsafe { self.0.add(offset) }
    }
}

/// A stream that the threads of a copy use.
#[derive(Clone, Copy)]
struct Shared(CUstream);

// SAFETY: a stream may be used from any thread in which its context is current.
unsafe impl Sync for Shared {}

impl Shared {
    fn stream(&self) -> CUstream {
        self.0
    }
}

/// Queues a copy of more than [`DIRECT`] bytes to the device; when it returns, the host memory may change. Where a piece is not
/// free in so much time (other work of the stream is in the way), what is left is put into memory of its own at once.
/// The context is current.
///
/// # Safety
/// `from` is readable and `to` a device range of that size.
pub(in crate::backend::cuda) unsafe fn upload(
    core: &Core,
    stream: CUstream,
    (to, from): (CUdeviceptr, *const u8),
    bytes: usize,
    patience: Option<Duration>,
) -> Result<(), Fault> {
    let cut = core.staging.cut(bytes, core.staging.piece());
    let (host, shared) = (Host::new(from.cast_mut()), Shared(stream));
    let stalled = AtomicBool::new(patience == Some(Duration::ZERO));
    cut.run(core, || {
        let stream = shared.stream();
        let mut flight = Flight::new(core, stream);
        let mut pair = [None, None];
        let send = |staged: *mut u8, offset: usize, length: usize| {
            // SAFETY: the part lies in the host memory, and in the device range; no transfer uses what it is staged in, which is as
            // large.
            unsafe {
                ptr::copy_nonoverlapping(host.at(offset), staged, length);
                let to = to + offset as CUdeviceptr;
                check(sys::cuMemcpyHtoDAsync_v2(to, staged.cast_const().cast(), length, stream))
            }
        };
        let mut pump = || {
            for (turn, (offset, length)) in cut.parts().enumerate() {
                let slot = &mut pair[turn % 2];
                if !stalled.load(Ordering::Relaxed) {
                    if is_free(core, slot, patience)? {
                        fill(core, stream, slot, |piece| send(piece.as_ptr(), offset, length))?;
                        continue;
                    }
                    stalled.store(true, Ordering::Relaxed);
                }
                for start in (offset..offset + length).step_by(LARGE) {
                    let length = LARGE.min(offset + length - start);
                    send(flight.add(length)?.host(), start, length)?;
                }
            }
            Ok(())
        };
        let result = pump();
        pair.into_iter().flatten().for_each(|piece| core.staging.give(piece));
        result
    })
}

/// Whether the slot's piece is idle within some time; takes one if there is none.
fn is_free(core: &Core, slot: &mut Option<Piece>, patience: Option<Duration>) -> Result<bool, Fault> {
    /// Much less than what a pair of pieces of each thread takes on the bus.
    const NAP: Duration = Duration::from_micros(30);
    let Some(patience) = patience else { return Ok(true) };
    let piece = match slot {
        Some(piece) => piece,
        None => slot.insert(core.staging.take()?),
    };
    let start = Instant::now();
    while !piece.idle() {
        if start.elapsed() > patience {
            return Ok(false);
        }
        std::thread::sleep(NAP);
    }
    Ok(true)
}

/// Waits until the slot's piece is idle (or takes one), lets `start` use it and queue a transfer, and records that.
fn fill(
    core: &Core,
    stream: CUstream,
    slot: &mut Option<Piece>,
    start: impl FnOnce(NonNull<u8>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let piece = match slot {
        Some(piece) => piece,
        None => slot.insert(core.staging.take()?),
    };
    piece.wait()?;
    start(piece.host)?;
    piece.record(stream).inspect_err(|_| {
        // A piece whose transfer can't be waited for is not reused (its memory is leaked: it has no destructor).
        if synchronize(stream).is_err() {
            *slot = None;
        }
    })
}

/// Copies `bytes` bytes from the device after what was queued in the default stream before; when it returns, `to` is filled. The context
/// is current.
///
/// # Safety
/// `to` is writable and `from` a device range of that size.
pub(in crate::backend::cuda) unsafe fn download(
    core: &Core,
    to: *mut u8,
    from: CUdeviceptr,
    bytes: usize,
) -> Result<(), Fault> {
    if bytes <= DIRECT {
        // SAFETY: ranges as the caller says, alive until the synchronisation.
        check(unsafe { sys::cuMemcpyDtoHAsync_v2(to.cast(), from, bytes, core.stream) })?;
        return core.synchronize();
    }
    let mut cut = core.staging.cut(bytes, core.staging.piece());
    cut.workers = cut.workers.min(DOWN);
    let host = Host::new(to);
    cut.run(core, || {
        let mut pair = [None, None];
        let request = |slot: &mut Option<Piece>| {
            let Some((offset, length)) = cut.take() else { return Ok(None) };
            fill(core, core.stream, slot, |piece| {
                // SAFETY: the part lies in the device range; the piece is idle and large enough.
                check(unsafe {
                    sys::cuMemcpyDtoHAsync_v2(
                        piece.as_ptr().cast(),
                        from + offset as CUdeviceptr,
                        length,
                        core.stream,
                    )
                })
            })?;
            Ok(Some((offset, length)))
        };
        let mut pump = || {
            let mut parts = [request(&mut pair[0])?, request(&mut pair[1])?];
            let mut turn = 0;
            while let Some((offset, length)) = parts[turn % 2] {
                let slot = &mut pair[turn % 2];
                if let Some(piece) = slot {
                    piece.wait()?;
                    // SAFETY: the transfer into the piece has ended; the part lies in the host memory.
                    unsafe { streaming_copy(piece.host.as_ptr(), host.at(offset), length) };
                }
                parts[turn % 2] = request(slot)?;
                turn += 1;
            }
            Ok(())
        };
        let result = pump();
        pair.into_iter().flatten().for_each(|piece| core.staging.give(piece));
        result
    })
}

/// A copy with streaming (non-temporal) stores, for data that is not read soon: these stores don't fetch cache lines first, which saves
/// half of the memory traffic.
///
/// # Safety
/// As for [`ptr::copy_nonoverlapping`].
#[cfg(target_arch = "x86_64")]
pub(in crate::backend::cuda) unsafe fn streaming_copy(from: *const u8, to: *mut u8, bytes: usize) {
    use std::arch::x86_64::{_mm_loadu_si128, _mm_sfence, _mm_stream_si128};
    const LINE: usize = 64;
    let head = to.align_offset(LINE).min(bytes);
    let lines = (bytes - head) / LINE;
    let tail = head + lines * LINE;
    // SAFETY: all parts lie in both ranges; the lines of `to` are aligned, and SSE2 is part of x86-64.
    unsafe {
        ptr::copy_nonoverlapping(from, to, head);
        for at in (head..tail).step_by(LINE) {
            for part in [0, 16, 32, 48] {
                _mm_stream_si128(to.add(at + part).cast(), _mm_loadu_si128(from.add(at + part).cast()));
            }
        }
        // Others see these stores like any.
        _mm_sfence();
        ptr::copy_nonoverlapping(from.add(tail), to.add(tail), bytes - tail);
    }
}

/// # Safety
/// As for [`ptr::copy_nonoverlapping`].
#[cfg(not(target_arch = "x86_64"))]
pub(in crate::backend::cuda) unsafe fn streaming_copy(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: as the caller says.
    unsafe { ptr::copy_nonoverlapping(from, to, bytes) };
}

#[cfg(test)]
mod tests {
    use super::{PIECE, Staging, streaming_copy};

    #[test]
    fn streaming_copies_are_copies() {
        let from: Vec<u8> = (0..4096u32).map(|i| (i * 7 % 251) as u8).collect();
        for (start, bytes) in [(0, 4096), (1, 0), (3, 1), (5, 63), (64, 64), (7, 200), (1, 4095), (63, 129)] {
            let mut to = vec![0xee; 4200];
            // SAFETY: both ranges lie in their vectors.
            unsafe { streaming_copy(from.as_ptr(), to.as_mut_ptr().add(start), bytes) };
            assert_eq!(to[start..start + bytes], from[..bytes]);
            assert!(to[..start].iter().chain(&to[start + bytes..]).all(|v| *v == 0xee));
        }
    }

    #[test]
    fn pieces_cover_a_copy_once() {
        let staging = Staging::new();
        for threads in [1, 2, 8] {
            staging.configure(PIECE, threads);
            for bytes in [65537, 1 << 20, (1 << 20) + 1, (64 << 20) - 1, (1 << 30) + 12345] {
                let cut = staging.cut(bytes, PIECE);
                assert!(cut.workers >= 1 && cut.workers <= threads && cut.piece <= PIECE, "{cut:?}");
                let mut end = 0;
                for (offset, length) in cut.parts() {
                    assert_eq!(offset, end);
                    assert!(length > 0);
                    end += length;
                }
                assert_eq!(end, bytes);
            }
        }
    }
}
