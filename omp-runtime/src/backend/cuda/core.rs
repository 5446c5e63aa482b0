//! The state of a device in use: the primary context, the default stream and further streams, and the pools.
use super::driver::{Current, Fault, check, synchronize};
use super::events::Events;
use super::memory::Block;
use super::memory::pinned::{Open, Pinned};
use super::memory::staging::Staging;
use super::queue::Lane;
use super::timing::Timers;
use crate::backend::api::{DeviceError, DeviceFacts};
use crate::backend::count::Count;
use crate::backend::pool::Pool;
use cudarc::driver::sys::{self, CUcontext, CUdevice, CUdevice_attribute, CUstream, CUstream_flags_enum};
use std::ptr;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Share of the device's memory that the pool may keep.
const POOLED_SHARE: u64 = 4;

/// A device in use.
#[derive(Debug)]
pub(super) struct Core {
    device: CUdevice,
    context: CUcontext,
    /// The default stream.
    pub(super) stream: CUstream,
    /// Its work.
    pub(super) default: Count,
    /// The other streams.
    pub(super) lanes: Mutex<Vec<Arc<Lane>>>,
    /// The one that is lent next.
    pub(super) turn: AtomicUsize,
    pub(super) events: Arc<Events>,
    pub(super) pinned: Pinned,
    /// Device memory for reuse.
    pub(super) pool: Mutex<Pool<Block>>,
    /// Mailboxes for reuse.
    pub(super) mailboxes: Mutex<Vec<super::memory::FreeMailbox>>,
    pub(super) staging: Staging,
    /// The pinned block of small uploads through the default stream.
    pub(super) open: Open,
    pub(super) timers: Mutex<Timers>,
    /// The stack of a thread where `OMP_STACKSIZE` says nothing.
    stack: OnceLock<usize>,
    /// Its kernels can wait for the work before them.
    pub(super) launches_early: bool,
    /// Why nothing works any more.
    lost: OnceLock<String>,
}

// SAFETY: handles of the driver's may be used from any thread in which their context is current, which
// `Core::enter` ensures; the driver locks the objects behind them.
unsafe impl Send for Core {}
// SAFETY: as above.
unsafe impl Sync for Core {}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Core {
    /// Retains the primary context (shared with the CUDA runtime and other libraries) and makes a stream that does
    /// not wait for the default stream.
    pub(super) fn new(device: CUdevice, facts: &DeviceFacts) -> Result<Self, DeviceError> {
        let no_context = |fault: Fault| {
            if fault.no_memory() {
                DeviceError::OutOfMemory { requested: 0, free: 0 }
            } else {
                DeviceError::Lost { reason: format!("no context on {}: {fault}", facts.name) }
            }
        };
        let mut context = ptr::null_mut();
        // SAFETY: a device that `cuDeviceGet` gave; writes one handle.
        check(unsafe { sys::cuDevicePrimaryCtxRetain(&mut context, device) }).map_err(no_context)?;
        let stream = Current::enter(context).and_then(|_current| {
            let mut stream = ptr::null_mut();
            let flags = CUstream_flags_enum::CU_STREAM_NON_BLOCKING as u32;
            // SAFETY: the context is current; writes one handle.
            check(unsafe { sys::cuStreamCreate(&mut stream, flags) })?;
            Ok(stream)
        });
        let stream = stream.map_err(|fault| {
            // SAFETY: retained above.
            let _ = unsafe { sys::cuDevicePrimaryCtxRelease_v2(device) };
            no_context(fault)
        })?;
        let limit = usize::try_from(facts.memory / POOLED_SHARE).unwrap_or(usize::MAX);
        Ok(Self {
            device,
            context,
            stream,
            default: Count::default(),
            lanes: Mutex::default(),
            turn: AtomicUsize::new(0),
            events: Arc::default(),
            pinned: Pinned::default(),
            pool: Mutex::new(Pool::new(limit)),
            mailboxes: Mutex::new(Vec::new()),
            staging: Staging::new(),
            open: Open::default(),
            timers: Mutex::new(Timers::default()),
            stack: OnceLock::new(),
            launches_early: facts.class.arch >= 90,
            lost: OnceLock::new(),
        })
    }

    /// Makes the context current on this thread.
    ///
    /// # Errors
    /// [`DeviceError::Lost`], without a call of the driver, after the device has been lost.
    pub(super) fn enter(&self) -> Result<Current, DeviceError> {
        if let Some(reason) = self.lost.get() {
            return Err(DeviceError::Lost { reason: reason.clone() });
        }
        Current::enter(self.context).map_err(|fault| self.note(fault.launch("cuCtxSetCurrent")))
    }

    /// As [`Self::enter`] for a thread that helps.
    pub(super) fn enter_raw(&self) -> Result<Current, Fault> {
        Current::enter(self.context)
    }

    /// Remembers an error that says that the device is lost.
    pub(super) fn note(&self, error: DeviceError) -> DeviceError {
        if let DeviceError::Lost { reason } = &error {
            let _ = self.lost.set(reason.clone());
        }
        error
    }

    /// Waits for everything in the default stream; the context is current.
    pub(super) fn synchronize(&self) -> Result<(), Fault> {
        let queued = self.default.queued();
        synchronize(self.stream)?;
        self.default.end(queued);
        Ok(())
    }

    /// Waits for everything in all streams; the context is current.
    pub(super) fn synchronize_all(&self) -> Result<(), Fault> {
        let lanes = lock(&self.lanes).clone();
        lanes.iter().try_for_each(|lane| synchronize(lane.stream))?;
        self.synchronize()
    }

    /// The stack of a thread by `rule`, of the bytes free and the threads that the device can run at once when a kernel first needs
    /// one. The context is current.
    pub(super) fn default_stack(&self, rule: impl FnOnce(u64, u64) -> usize) -> Result<usize, Fault> {
        if let Some(stack) = self.stack.get() {
            return Ok(*stack);
        }
        let (mut free, mut total) = (0, 0);
        // SAFETY: the context is current; writes two sizes.
        check(unsafe { sys::cuMemGetInfo_v2(&mut free, &mut total) })?;
        let query = |attribute| {
            let mut value = 0;
            // SAFETY: writes one integer.
            check(unsafe { sys::cuDeviceGetAttribute(&mut value, attribute, self.device) })?;
            Ok(u64::from(value.unsigned_abs()))
        };
        let units = query(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        let threads = query(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR)?;
        Ok(*self.stack.get_or_init(|| rule(free as u64, units * threads)))
    }

    /// Bytes free and in all, pooled bytes among the free ones.
    pub(super) fn memory(&self) -> Result<(u64, u64), DeviceError> {
        let _current = self.enter()?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: the context is current; writes two sizes.
        check(unsafe { sys::cuMemGetInfo_v2(&mut free, &mut total) })
            .map_err(|fault| self.note(fault.transfer("cuMemGetInfo")))?;
        let cached = lock(&self.pool).cached();
        Ok(((free + cached) as u64, total as u64))
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        // On a lost device (or at the end of the process) all of these fail, and there is nothing left to free.
        if let Ok(_current) = Current::enter(self.context) {
            let _ = self.synchronize_all();
            let blocks = lock(&self.pool).drain();
            blocks.into_iter().for_each(Block::free);
            let mailboxes = std::mem::take(&mut *lock(&self.mailboxes));
            mailboxes.into_iter().for_each(super::memory::FreeMailbox::free);
            lock(&self.lanes).drain(..).for_each(|lane| lane.destroy(&self.pinned));
            self.open.close(&self.pinned);
            self.pinned.free();
            self.staging.free();
            self.events.free();
            lock(&self.timers).free();
            // SAFETY: made by `new`; nothing is queued.
            let _ = unsafe { sys::cuStreamDestroy_v2(self.stream) };
        }
        // SAFETY: retained once in `new`.
        let _ = unsafe { sys::cuDevicePrimaryCtxRelease_v2(self.device) };
    }
}
