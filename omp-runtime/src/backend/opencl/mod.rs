//! OpenCL 1.2 and later, through whatever platform the system's loader finds.
//!
//! The loader is opened at run time; if it is missing, [`devices`] returns the reason. [`discover`] queries the
//! platforms. A device's context and queue are made when it is first used ([`core`]). Every device has one in-order queue
//! with profiling, so a buffer may go back to the pool while queued work still uses it: its next user comes later in the
//! same queue, or waits for events of other queues that used it ([`queue`]). Copies block, as OpenCL drivers stage
//! pageable memory themselves. A mailbox is an ordinary buffer in memory that the host reads well. The disk cache takes
//! program binaries ([`program`]).
//!
//! OpenCL promises buffers aligned to its largest type (128 bytes, or what the device says), not to 256.
mod core;
mod discover;
mod handles;
mod program;
mod queue;
mod status;

pub use self::core::OpenClBuffer;
pub use self::program::OpenClKernel;
pub use self::queue::{OpenClEvent, OpenClLanding, OpenClQueue};

use self::core::Core;
use self::discover::Capabilities;
use super::Unavailable;
use super::api::{ArgValue, Device, DeviceError, DeviceFacts, Limits};
use omp_kernels::back::Source;
use omp_kernels::schedule::{DeviceKind, Geometry};
use opencl3::types::cl_device_id;
use std::mem::MaybeUninit;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// An OpenCL device.
#[derive(Debug)]
pub struct OpenClDevice {
    id: cl_device_id,
    facts: DeviceFacts,
    can: Capabilities,
    core: OnceLock<Arc<Core>>,
    starting: Mutex<()>,
}

// SAFETY: `id` is a handle of the platform's that is valid for the life of the process.
unsafe impl Send for OpenClDevice {}
// SAFETY: as above.
unsafe impl Sync for OpenClDevice {}

/// The devices of all platforms, GPUs and accelerators before CPUs.
///
/// # Errors
/// The reason why there is none: no loader, no driver, no device.
pub fn devices() -> Result<Vec<OpenClDevice>, Unavailable> {
    discover::devices()
}

impl OpenClDevice {
    fn new(id: cl_device_id, facts: DeviceFacts, can: Capabilities) -> Self {
        Self { id, facts, can, core: OnceLock::new(), starting: Mutex::new(()) }
    }

    fn is_cpu(&self) -> bool {
        self.facts.class.kind == DeviceKind::OpenClCpu
    }

    /// Context and queue, made on first use; a failure is not remembered.
    fn core(&self) -> Result<&Arc<Core>, DeviceError> {
        if let Some(core) = self.core.get() {
            return Ok(core);
        }
        let _one_at_a_time = self.starting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(core) = self.core.get() {
            return Ok(core);
        }
        let core = Arc::new(Core::new(self.id, &self.facts, &self.can)?);
        Ok(self.core.get_or_init(|| core))
    }
}

impl Device for OpenClDevice {
    type Buffer = OpenClBuffer;
    type Kernel = OpenClKernel;
    type Queue = OpenClQueue;

    fn facts(&self) -> &DeviceFacts {
        &self.facts
    }

    fn limits(&self) -> Limits {
        self.can.limits
    }

    fn alloc(&self, bytes: usize) -> Result<OpenClBuffer, DeviceError> {
        self.core()?.alloc_default(bytes, false)
    }

    fn mailbox(&self, bytes: usize) -> Result<OpenClBuffer, DeviceError> {
        self.core()?.alloc_default(bytes, true)
    }

    fn write_mailbox(&self, mailbox: &OpenClBuffer, bytes: &[u8]) -> Result<(), DeviceError> {
        self.core()?.upload(mailbox, 0, as_uninit(bytes))
    }

    fn read_mailbox(&self, mailbox: &OpenClBuffer, bytes: &mut [u8]) -> Result<(), DeviceError> {
        let length = bytes.len();
        let pointer = bytes.as_mut_ptr().cast::<MaybeUninit<u8>>();
        // SAFETY: the same memory, borrowed mutably; the download writes a byte or does not change it.
        let bytes = unsafe { std::slice::from_raw_parts_mut(pointer, length) };
        self.core()?.download(bytes, mailbox, 0)
    }

    fn upload(&self, to: &OpenClBuffer, offset: usize, from: &[MaybeUninit<u8>]) -> Result<(), DeviceError> {
        self.core()?.upload(to, offset, from)
    }

    fn download(
        &self,
        to: &mut [MaybeUninit<u8>],
        from: &OpenClBuffer,
        offset: usize,
    ) -> Result<(), DeviceError> {
        self.core()?.download(to, from, offset)
    }

    fn zero(&self, to: &OpenClBuffer, offset: usize, bytes: usize) -> Result<(), DeviceError> {
        self.core()?.zero(to, offset, bytes)
    }

    fn compile(&self, source: &Source) -> Result<Vec<u8>, DeviceError> {
        program::compile(self.core()?, source, &self.can)
    }

    fn load(&self, binary: &[u8], source: &Source) -> Result<OpenClKernel, DeviceError> {
        program::load(self.core()?, binary, &source.entry)
    }

    fn launch(
        &self,
        kernel: &OpenClKernel,
        geometry: &Geometry,
        args: &[ArgValue<'_, OpenClBuffer>],
    ) -> Result<(), DeviceError> {
        self.core()?.launch(kernel, geometry, args, &self.can)
    }

    fn wait(&self) -> Result<(), DeviceError> {
        self.core()?.wait()
    }

    fn max_block(&self, kernel: &OpenClKernel) -> Option<u32> {
        u32::try_from(kernel.max_group).ok()
    }

    fn last_kernel_time(&self) -> Option<Duration> {
        self.core.get()?.last_kernel_time()
    }

    fn queue(&self) -> Result<OpenClQueue, DeviceError> {
        OpenClQueue::new(self.core()?, &self.can)
    }

    fn memory(&self) -> (u64, u64) {
        self.core.get().map_or((self.facts.memory, self.facts.memory), |core| core.memory())
    }
}

fn as_uninit(bytes: &[u8]) -> &[MaybeUninit<u8>] {
    // SAFETY: initialised bytes are valid as possibly uninitialised ones.
    unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
}
