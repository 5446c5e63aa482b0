//! The backend contract without its types: what everything above the backends holds.
//!
//! [`DynDevice`] is implemented once, for every [`Device`]. A buffer or kernel of one device handed to another is a
//! bug of ours, not of the user's; it panics with that message.
use super::api::{ArgValue, Device, DeviceError, DeviceFacts};
use omp_kernels::back::Source;
use omp_kernels::ir::kernel::Kernel;
use omp_kernels::schedule::Geometry;
use omp_kernels::valid::KernelInfo;
use std::any::Any;
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::time::Duration;

/// Device memory of some backend; dropping it frees it.
pub struct DynBuffer(Box<dyn Any + Send + Sync>);

impl std::fmt::Debug for DynBuffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DynBuffer")
    }
}

/// A loaded kernel of some backend; dropping the last clone unloads it.
#[derive(Clone)]
pub struct DynKernel(Arc<dyn Any + Send + Sync>);

impl std::fmt::Debug for DynKernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DynKernel")
    }
}

/// The value of a kernel argument.
#[derive(Debug, Clone, Copy)]
pub enum DynArg<'a> {
    /// A buffer.
    Buffer(&'a DynBuffer),
    /// Plain bytes.
    Bytes(&'a [u8]),
}

/// [`Device`] without its types; see there for what each method promises.
#[allow(clippy::missing_errors_doc, reason = "the errors are those of `Device`")]
pub trait DynDevice: Send + Sync + 'static {
    /// See [`Device::facts`].
    fn facts(&self) -> &DeviceFacts;
    /// See [`Device::alloc`].
    fn alloc(&self, bytes: usize) -> Result<DynBuffer, DeviceError>;
    /// See [`Device::mailbox`].
    fn mailbox(&self, bytes: usize) -> Result<DynBuffer, DeviceError>;
    /// See [`Device::write_mailbox`].
    fn write_mailbox(&self, mailbox: &DynBuffer, bytes: &[u8]) -> Result<(), DeviceError>;
    /// See [`Device::read_mailbox`].
    fn read_mailbox(&self, mailbox: &DynBuffer, bytes: &mut [u8]) -> Result<(), DeviceError>;
    /// See [`Device::upload`].
    fn upload(&self, to: &DynBuffer, offset: usize, from: &[MaybeUninit<u8>]) -> Result<(), DeviceError>;
    /// See [`Device::download`].
    fn download(
        &self,
        to: &mut [MaybeUninit<u8>],
        from: &DynBuffer,
        offset: usize,
    ) -> Result<(), DeviceError>;
    /// See [`Device::zero`].
    fn zero(&self, to: &DynBuffer, offset: usize, bytes: usize) -> Result<(), DeviceError>;
    /// See [`Device::interpret`].
    fn interpret(&self, kernel: &Kernel, info: &KernelInfo, source: &Source);
    /// See [`Device::compile`].
    fn compile(&self, source: &Source) -> Result<Vec<u8>, DeviceError>;
    /// See [`Device::load`].
    fn load(&self, binary: &[u8], entry: &str) -> Result<DynKernel, DeviceError>;
    /// See [`Device::max_block`].
    fn max_block(&self, kernel: &DynKernel) -> Option<u32>;
    /// See [`Device::launch`] and, unless `timed`, [`Device::launch_untimed`].
    fn launch(
        &self,
        kernel: &DynKernel,
        geometry: &Geometry,
        args: &[DynArg<'_>],
        timed: bool,
    ) -> Result<(), DeviceError>;
    /// See [`Device::wait`].
    fn wait(&self) -> Result<(), DeviceError>;
    /// See [`Device::last_kernel_time`].
    fn last_kernel_time(&self) -> Option<Duration>;
    /// See [`Device::memory`].
    fn memory(&self) -> (u64, u64);
}

/// A device without its types.
#[must_use]
pub fn erase(device: impl Device) -> Box<dyn DynDevice> {
    Box::new(device)
}

fn own<B: 'static>(buffer: &DynBuffer) -> &B {
    buffer.0.downcast_ref().expect("a buffer is used with the device that made it")
}

fn own_kernel<D: Device>(kernel: &DynKernel) -> &D::Kernel {
    kernel.0.downcast_ref().expect("a kernel is used with the device that loaded it")
}

impl<D: Device> DynDevice for D {
    fn facts(&self) -> &DeviceFacts {
        Device::facts(self)
    }

    fn alloc(&self, bytes: usize) -> Result<DynBuffer, DeviceError> {
        Ok(DynBuffer(Box::new(Device::alloc(self, bytes)?)))
    }

    fn mailbox(&self, bytes: usize) -> Result<DynBuffer, DeviceError> {
        Ok(DynBuffer(Box::new(Device::mailbox(self, bytes)?)))
    }

    fn write_mailbox(&self, mailbox: &DynBuffer, bytes: &[u8]) -> Result<(), DeviceError> {
        Device::write_mailbox(self, own(mailbox), bytes)
    }

    fn read_mailbox(&self, mailbox: &DynBuffer, bytes: &mut [u8]) -> Result<(), DeviceError> {
        Device::read_mailbox(self, own(mailbox), bytes)
    }

    fn upload(&self, to: &DynBuffer, offset: usize, from: &[MaybeUninit<u8>]) -> Result<(), DeviceError> {
        Device::upload(self, own(to), offset, from)
    }

    fn download(
        &self,
        to: &mut [MaybeUninit<u8>],
        from: &DynBuffer,
        offset: usize,
    ) -> Result<(), DeviceError> {
        Device::download(self, to, own(from), offset)
    }

    fn zero(&self, to: &DynBuffer, offset: usize, bytes: usize) -> Result<(), DeviceError> {
        Device::zero(self, own(to), offset, bytes)
    }

    fn interpret(&self, kernel: &Kernel, info: &KernelInfo, source: &Source) {
        Device::interpret(self, kernel, info, source);
    }

    fn compile(&self, source: &Source) -> Result<Vec<u8>, DeviceError> {
        Device::compile(self, source)
    }

    fn load(&self, binary: &[u8], entry: &str) -> Result<DynKernel, DeviceError> {
        Ok(DynKernel(Arc::new(Device::load(self, binary, entry)?)))
    }

    fn max_block(&self, kernel: &DynKernel) -> Option<u32> {
        Device::max_block(self, own_kernel::<D>(kernel))
    }

    fn launch(
        &self,
        kernel: &DynKernel,
        geometry: &Geometry,
        args: &[DynArg<'_>],
        timed: bool,
    ) -> Result<(), DeviceError> {
        let kernel = own_kernel::<D>(kernel);
        let args: Vec<ArgValue<'_, D::Buffer>> = args
            .iter()
            .map(|arg| match arg {
                DynArg::Buffer(b) => ArgValue::Buffer(own(b)),
                DynArg::Bytes(b) => ArgValue::Bytes(b),
            })
            .collect();
        if timed {
            Device::launch(self, kernel, geometry, &args)
        } else {
            Device::launch_untimed(self, kernel, geometry, &args)
        }
    }

    fn wait(&self) -> Result<(), DeviceError> {
        Device::wait(self)
    }

    fn last_kernel_time(&self) -> Option<Duration> {
        Device::last_kernel_time(self)
    }

    fn memory(&self) -> (u64, u64) {
        Device::memory(self)
    }
}
