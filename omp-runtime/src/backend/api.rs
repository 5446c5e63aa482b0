//! The contract of a device backend.
//!
//! A backend has memory, kernels, a default queue that works in order, and further queues ([`super::queue`]). It knows no mapped
//! variables, sections or regions: those are in `data/` and `launch/`. Every method may be called from any thread. The calls of a
//! device take effect in the order in which they are made, except those of its further queues. After a method has failed, the
//! device is usable unless the error is [`DeviceError::Lost`].
use super::queue::Queue;
use omp_ir::kernel::Kernel;
use omp_kernels::back::{Dialect, Source};
use omp_kernels::schedule::{DeviceClass, Geometry};
use omp_kernels::valid::KernelInfo;
use std::mem::MaybeUninit;
use std::time::Duration;

/// The facts that a device reports.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceFacts {
    /// `cuda`, `opencl`, `mock`.
    pub backend: &'static str,
    /// The name that the driver gives.
    pub name: String,
    /// Driver, run-time compiler and their versions; part of cache keys together with `name` and `class`.
    pub versions: String,
    /// Bytes of device memory.
    pub memory: u64,
    /// Largest single allocation.
    pub max_alloc: u64,
    /// The facts that schedules are chosen by.
    pub class: DeviceClass,
    /// The language it takes.
    pub dialect: Dialect,
}

/// The limits of a device, as far as its driver reports them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Limits {
    /// Clock of the arithmetic, in hertz.
    pub clock: Option<f64>,
    /// Threads that a multiprocessor or compute unit runs at once.
    pub threads_per_unit: Option<u32>,
    /// Bytes of the last cache before memory.
    pub cache: Option<u64>,
    /// Bytes that memory gives or takes each second.
    pub bandwidth: Option<f64>,
    /// Operations on `f32` each second; a fused multiply-add is two.
    pub flops32: Option<f64>,
    /// The same of `f64`.
    pub flops64: Option<f64>,
}

/// What can go wrong on a device, without the region's context (`launch/` adds that).
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum DeviceError {
    /// More was requested than exists.
    #[error("out of device memory: {requested} bytes requested{}", super::size::free(*.free))]
    OutOfMemory {
        /// Requested bytes.
        requested: u64,
        /// Free bytes, as the driver reports them; `u64::MAX` if it does not.
        free: u64,
    },
    /// The source does not compile.
    #[error("the kernel does not compile: {log}")]
    Compile {
        /// The compiler's log.
        log: String,
    },
    /// A compiled kernel is refused (wrong architecture, corrupt) and has to be recompiled.
    #[error("the compiled kernel is refused: {reason}")]
    BadBinary {
        /// The driver's words.
        reason: String,
    },
    /// The launch is refused (too many resources, bad geometry).
    #[error("the launch is refused: {reason}")]
    Launch {
        /// The driver's words.
        reason: String,
    },
    /// A copy failed.
    #[error("the transfer failed: {reason}")]
    Transfer {
        /// The driver's words.
        reason: String,
    },
    /// The device does not work any more in this process.
    #[error("the device is lost: {reason}")]
    Lost {
        /// The driver's words.
        reason: String,
    },
}

/// Where parts of a buffer begin ([`ArgValue::Part`]): at multiples of so many bytes.
pub const PART_ALIGN: usize = 1024;

/// The value of a kernel argument.
#[derive(Debug)]
pub enum ArgValue<'a, B> {
    /// A buffer.
    Buffer(&'a B),
    /// The part of a buffer from `offset` on, a multiple of [`PART_ALIGN`].
    Part {
        /// The buffer.
        buffer: &'a B,
        /// Where it begins.
        offset: usize,
        /// How long it is; at least one byte.
        bytes: usize,
    },
    /// Plain bytes.
    Bytes(&'a [u8]),
}

impl<'a, B> ArgValue<'a, B> {
    /// The buffer that it is, or is a part of.
    pub(super) fn buffer(&self) -> Option<&'a B> {
        match self {
            Self::Buffer(buffer) | Self::Part { buffer, .. } => Some(buffer),
            Self::Bytes(_) => None,
        }
    }
}

/// A device of some backend. Dropping a buffer or kernel frees it; the implementation keeps alive what queued
/// work still needs.
pub trait Device: Send + Sync + 'static {
    /// Device memory.
    type Buffer: Send + Sync + 'static;
    /// A loaded kernel.
    type Kernel: Send + Sync + 'static;
    /// Work in queues other than the default one.
    type Queue: Queue<Buffer = Self::Buffer, Kernel = Self::Kernel>;

    /// The facts that it reports.
    fn facts(&self) -> &DeviceFacts;

    /// Its limits, for reports alone: nothing depends on them.
    fn limits(&self) -> Limits {
        Limits::default()
    }

    /// Allocates `bytes` (> 0), aligned to at least 256 bytes, contents unspecified. May reuse memory freed before.
    ///
    /// # Errors
    /// [`DeviceError::OutOfMemory`] after cached memory was given back.
    fn alloc(&self, bytes: usize) -> Result<Self::Buffer, DeviceError>;

    /// Allocates a small buffer that the host reads cheaply after [`Self::wait`]: for reduction results and status.
    ///
    /// # Errors
    /// As [`Self::alloc`].
    fn mailbox(&self, bytes: usize) -> Result<Self::Buffer, DeviceError>;

    /// Writes a mailbox; only while no queued work uses it.
    ///
    /// # Errors
    /// [`DeviceError::Transfer`].
    fn write_mailbox(&self, mailbox: &Self::Buffer, bytes: &[u8]) -> Result<(), DeviceError>;

    /// Reads a mailbox; only after [`Self::wait`].
    ///
    /// # Errors
    /// [`DeviceError::Transfer`].
    fn read_mailbox(&self, mailbox: &Self::Buffer, bytes: &mut [u8]) -> Result<(), DeviceError>;

    /// Copies from the host. When it returns, `from` may change. Goes through pinned staging where that is faster.
    ///
    /// # Errors
    /// [`DeviceError::Transfer`].
    fn upload(&self, to: &Self::Buffer, offset: usize, from: &[MaybeUninit<u8>]) -> Result<(), DeviceError>;

    /// Copies to the host, after everything queued before. When it returns, `to` is filled.
    ///
    /// # Errors
    /// [`DeviceError::Transfer`]; `to` is then partly written.
    fn download(
        &self,
        to: &mut [MaybeUninit<u8>],
        from: &Self::Buffer,
        offset: usize,
    ) -> Result<(), DeviceError>;

    /// Sets bytes to zero.
    ///
    /// # Errors
    /// [`DeviceError::Transfer`].
    fn zero(&self, to: &Self::Buffer, offset: usize, bytes: usize) -> Result<(), DeviceError>;

    /// For a device that interprets kernels instead of compiling them (the mock): the typed form that `source` was
    /// written from. It is called before [`Self::compile`] or [`Self::load`]. Other backends don't need it.
    fn interpret(&self, kernel: &Kernel, info: &KernelInfo, source: &Source) {
        let _ = (kernel, info, source);
    }

    /// Compiles a source to the form that goes into the disk cache.
    ///
    /// # Errors
    /// [`DeviceError::Compile`] with the log.
    fn compile(&self, source: &Source) -> Result<Vec<u8>, DeviceError>;

    /// Loads what [`Self::compile`] gave of this source.
    ///
    /// # Errors
    /// [`DeviceError::BadBinary`].
    fn load(&self, binary: &[u8], source: &Source) -> Result<Self::Kernel, DeviceError>;

    /// The most threads that a block of this kernel may have, where that is known only after compiling and may be less
    /// than [`DeviceClass::max_block`].
    fn max_block(&self, kernel: &Self::Kernel) -> Option<u32> {
        let _ = kernel;
        None
    }

    /// Queues a kernel.
    ///
    /// # Errors
    /// [`DeviceError::Launch`].
    fn launch(
        &self,
        kernel: &Self::Kernel,
        geometry: &Geometry,
        args: &[ArgValue<'_, Self::Buffer>],
    ) -> Result<(), DeviceError>;

    /// As [`Self::launch`], but [`Self::last_kernel_time`] need not know of it: cheaper where times cost something.
    ///
    /// # Errors
    /// [`DeviceError::Launch`].
    fn launch_untimed(
        &self,
        kernel: &Self::Kernel,
        geometry: &Geometry,
        args: &[ArgValue<'_, Self::Buffer>],
    ) -> Result<(), DeviceError> {
        self.launch(kernel, geometry, args)
    }

    /// Waits for everything in the default queue.
    ///
    /// # Errors
    /// [`DeviceError::Launch`] or [`DeviceError::Lost`] when the work failed.
    fn wait(&self) -> Result<(), DeviceError>;

    /// Whether queued work begins without a wait, so that a kernel without results to read need not be waited for: everything that
    /// uses its data comes after it.
    fn runs_ahead(&self) -> bool {
        false
    }

    /// Device time of the last kernel launched by this thread, if it has ended.
    fn last_kernel_time(&self) -> Option<Duration>;

    /// Measures an empty interval: [`Self::last_kernel_time`] then gives the overhead of a measurement. `false` if the device has no
    /// such time.
    ///
    /// # Errors
    /// [`DeviceError::Launch`].
    fn time_nothing(&self) -> Result<bool, DeviceError> {
        Ok(false)
    }

    /// Whether small arrays may share a buffer: not on a device that watches the bounds of buffers.
    fn packs(&self) -> bool {
        true
    }

    /// A queue other than the default one, from a pool; it returns there when it is dropped. Those that are held at one time
    /// are different ones, as long as the device has as many.
    ///
    /// # Errors
    /// [`DeviceError::Launch`].
    fn queue(&self) -> Result<Self::Queue, DeviceError>;

    /// Bytes free and in all.
    fn memory(&self) -> (u64, u64);
}
