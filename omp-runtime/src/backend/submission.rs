//! Submission: whether the work of a region goes through the default queue or through a queue of its own.
use super::api::DeviceError;
use super::erased::{DynArg, DynBuffer, DynDevice, DynKernel, DynQueue};
use super::size::Bytes;
use omp_kernels::schedule::Geometry;
use std::mem::MaybeUninit;

/// A way to a device.
#[derive(Clone, Copy)]
#[allow(missing_debug_implementations, reason = "a device has no text")]
pub enum Submission<'a> {
    /// The default queue.
    Device(&'a dyn DynDevice),
    /// A queue.
    Queue(&'a DynQueue),
}

#[allow(clippy::missing_errors_doc, reason = "the errors are those of `Device` and `Queue`")]
impl Submission<'_> {
    /// The number of the queue.
    #[must_use]
    pub fn number(&self) -> u32 {
        match self {
            Self::Device(_) => 0,
            Self::Queue(queue) => queue.number(),
        }
    }

    /// Memory that this way uses first.
    pub fn alloc(&self, bytes: Bytes) -> Result<DynBuffer, DeviceError> {
        match self {
            Self::Device(device) => device.alloc(bytes),
            Self::Queue(queue) => queue.alloc(bytes),
        }
    }

    /// Whether small arrays may share a buffer.
    #[must_use]
    pub fn packs(&self) -> bool {
        match self {
            Self::Device(device) => device.packs(),
            Self::Queue(queue) => queue.packs(),
        }
    }

    /// Copies from the host. When it returns, `from` may change.
    pub fn upload(&self, to: &DynBuffer, at: usize, from: &[MaybeUninit<u8>]) -> Result<(), DeviceError> {
        match self {
            Self::Device(device) => device.upload(to, at, from),
            Self::Queue(queue) => queue.upload(to, at, from),
        }
    }

    /// Copies within the device's memory; in a queue only.
    pub fn copy(
        &self,
        to: (&DynBuffer, usize),
        from: (&DynBuffer, usize),
        bytes: usize,
    ) -> Result<(), DeviceError> {
        match self {
            Self::Device(_) => {
                Err(DeviceError::Transfer { reason: "only tasks forward values within a device".into() })
            }
            Self::Queue(queue) => queue.copy(to, from, bytes),
        }
    }

    /// Queues a kernel. The default queue's device times it if `timed`.
    pub fn launch(
        &self,
        kernel: &DynKernel,
        geometry: &Geometry,
        args: &[DynArg<'_>],
        timed: bool,
    ) -> Result<(), DeviceError> {
        match self {
            Self::Device(device) => device.launch(kernel, geometry, args, timed),
            Self::Queue(queue) => queue.launch(kernel, geometry, args),
        }
    }
}
