//! The backend contract without its types, for all code above the backends.
//!
//! [`DynDevice`] is implemented once, for every [`Device`]. A buffer or kernel of one device passed to another is a
//! bug of ours, not of the user's; it panics with that message.
use super::api::{ArgValue, Device, DeviceError, DeviceFacts, Limits};
use super::queue::{Event, Landing, Queue};
use super::size::{Bytes, UNKNOWN};
use omp_ir::kernel::Kernel;
use omp_kernels::back::Source;
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

/// A queue of some backend; dropping it gives it back.
pub struct DynQueue(Box<dyn QueueOps>);

/// A place in a queue of some backend.
#[derive(Clone)]
pub struct DynEvent(Arc<dyn EventOps>);

/// Bytes on their way from some backend.
pub struct DynLanding(Box<dyn LandingOps>);

impl std::fmt::Debug for DynQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DynQueue({})", self.number())
    }
}

impl std::fmt::Debug for DynEvent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DynEvent")
    }
}

impl std::fmt::Debug for DynLanding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DynLanding({} bytes)", self.bytes())
    }
}

/// The value of a kernel argument.
#[derive(Debug, Clone, Copy)]
pub enum DynArg<'a> {
    /// A buffer.
    Buffer(&'a DynBuffer),
    /// The part of a buffer from an offset on, and its length in bytes; see [`ArgValue::Part`].
    Part(&'a DynBuffer, usize, usize),
    /// Plain bytes.
    Bytes(&'a [u8]),
}

/// [`Device`] without its types; see there for what each method promises.
#[allow(clippy::missing_errors_doc, reason = "the errors are those of `Device`")]
pub trait DynDevice: Send + Sync + 'static {
    /// See [`Device::facts`].
    fn facts(&self) -> &DeviceFacts;
    /// See [`Device::limits`].
    fn limits(&self) -> Limits;
    /// See [`Device::alloc`].
    fn alloc(&self, bytes: Bytes) -> Result<DynBuffer, DeviceError>;
    /// See [`Device::mailbox`].
    fn mailbox(&self, bytes: Bytes) -> Result<DynBuffer, DeviceError>;
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
    fn load(&self, binary: &[u8], source: &Source) -> Result<DynKernel, DeviceError>;
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
    /// See [`Device::runs_ahead`].
    fn runs_ahead(&self) -> bool;
    /// See [`Device::last_kernel_time`].
    fn last_kernel_time(&self) -> Option<Duration>;
    /// See [`Device::time_nothing`].
    fn time_nothing(&self) -> Result<bool, DeviceError>;
    /// See [`Device::packs`].
    fn packs(&self) -> bool;
    /// See [`Device::queue`].
    fn queue(&self) -> Result<DynQueue, DeviceError>;
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

fn own_kernel<K: 'static>(kernel: &DynKernel) -> &K {
    kernel.0.downcast_ref().expect("a kernel is used with the device that loaded it")
}

/// Gives arguments of a device's own types; few of them without memory for a list.
fn with_own_args<B: 'static, R>(args: &[DynArg<'_>], run: impl FnOnce(&[ArgValue<'_, B>]) -> R) -> R {
    match args.len() {
        0..=8 => run(&few::<B, 8>(args)[..args.len()]),
        9..=16 => run(&few::<B, 16>(args)[..args.len()]),
        _ => run(&args.iter().map(own_arg).collect::<Vec<_>>()),
    }
}

fn own_arg<'a, B: 'static>(arg: &DynArg<'a>) -> ArgValue<'a, B> {
    match *arg {
        DynArg::Buffer(b) => ArgValue::Buffer(own(b)),
        DynArg::Part(b, offset, bytes) => ArgValue::Part { buffer: own(b), offset, bytes },
        DynArg::Bytes(b) => ArgValue::Bytes(b),
    }
}

/// At most `N`, without bytes after them.
fn few<'a, B: 'static, const N: usize>(args: &[DynArg<'a>]) -> [ArgValue<'a, B>; N] {
    std::array::from_fn(|i| args.get(i).map_or(ArgValue::Bytes(&[]), own_arg))
}

impl<D: Device> DynDevice for D {
    fn limits(&self) -> Limits {
        Device::limits(self)
    }

    fn facts(&self) -> &DeviceFacts {
        Device::facts(self)
    }

    fn alloc(&self, bytes: Bytes) -> Result<DynBuffer, DeviceError> {
        let bytes = bytes.size(|| Device::memory(self).0)?;
        Ok(DynBuffer(Box::new(Device::alloc(self, bytes)?)))
    }

    fn mailbox(&self, bytes: Bytes) -> Result<DynBuffer, DeviceError> {
        let bytes = bytes.size(|| Device::memory(self).0)?;
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

    fn load(&self, binary: &[u8], source: &Source) -> Result<DynKernel, DeviceError> {
        Ok(DynKernel(Arc::new(Device::load(self, binary, source)?)))
    }

    fn max_block(&self, kernel: &DynKernel) -> Option<u32> {
        Device::max_block(self, own_kernel::<D::Kernel>(kernel))
    }

    fn launch(
        &self,
        kernel: &DynKernel,
        geometry: &Geometry,
        args: &[DynArg<'_>],
        timed: bool,
    ) -> Result<(), DeviceError> {
        let kernel = own_kernel::<D::Kernel>(kernel);
        with_own_args::<D::Buffer, _>(args, |args| {
            if timed {
                Device::launch(self, kernel, geometry, args)
            } else {
                Device::launch_untimed(self, kernel, geometry, args)
            }
        })
    }

    fn wait(&self) -> Result<(), DeviceError> {
        Device::wait(self)
    }

    fn runs_ahead(&self) -> bool {
        Device::runs_ahead(self)
    }

    fn last_kernel_time(&self) -> Option<Duration> {
        Device::last_kernel_time(self)
    }

    fn time_nothing(&self) -> Result<bool, DeviceError> {
        Device::time_nothing(self)
    }

    fn packs(&self) -> bool {
        Device::packs(self)
    }

    fn queue(&self) -> Result<DynQueue, DeviceError> {
        Ok(DynQueue(Box::new(Device::queue(self)?)))
    }

    fn memory(&self) -> (u64, u64) {
        Device::memory(self)
    }
}

/// [`Queue`] without its types; see there for what each method promises.
#[allow(clippy::missing_errors_doc, reason = "the errors are those of `Queue`")]
impl DynQueue {
    /// See [`Queue::number`].
    #[must_use]
    pub fn number(&self) -> u32 {
        self.0.number()
    }

    /// See [`Queue::packs`].
    #[must_use]
    pub fn packs(&self) -> bool {
        self.0.packs()
    }

    /// See [`Queue::alloc`].
    pub fn alloc(&self, bytes: Bytes) -> Result<DynBuffer, DeviceError> {
        self.0.alloc(bytes.size(|| UNKNOWN)?)
    }

    /// See [`Queue::upload`].
    pub fn upload(&self, to: &DynBuffer, offset: usize, from: &[MaybeUninit<u8>]) -> Result<(), DeviceError> {
        self.0.upload(to, offset, from)
    }

    /// See [`Queue::download`].
    pub fn download(&self, from: &DynBuffer, offset: usize, bytes: usize) -> Result<DynLanding, DeviceError> {
        self.0.download(from, offset, bytes)
    }

    /// See [`Queue::zero`].
    pub fn zero(&self, to: &DynBuffer, offset: usize, bytes: usize) -> Result<(), DeviceError> {
        self.0.zero(to, offset, bytes)
    }

    /// See [`Queue::copy`].
    pub fn copy(
        &self,
        to: (&DynBuffer, usize),
        from: (&DynBuffer, usize),
        bytes: usize,
    ) -> Result<(), DeviceError> {
        self.0.copy(to, from, bytes)
    }

    /// See [`Queue::launch`].
    pub fn launch(
        &self,
        kernel: &DynKernel,
        geometry: &Geometry,
        args: &[DynArg<'_>],
    ) -> Result<(), DeviceError> {
        self.0.launch(kernel, geometry, args)
    }

    /// See [`Queue::record`].
    pub fn record(&self, timed: bool) -> Result<DynEvent, DeviceError> {
        self.0.record(timed)
    }

    /// See [`Queue::follow`].
    pub fn follow(&self, event: &DynEvent) -> Result<(), DeviceError> {
        self.0.follow(event)
    }
}

/// [`Event`] without its type; see there for what each method promises.
#[allow(clippy::missing_errors_doc, reason = "the errors are those of `Event`")]
impl DynEvent {
    /// See [`Event::wait`].
    pub fn wait(&self) -> Result<(), DeviceError> {
        self.0.wait()
    }

    /// See [`Event::is_reached`].
    pub fn is_reached(&self) -> Result<bool, DeviceError> {
        self.0.is_reached()
    }

    /// See [`Event::since`].
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Option<Duration> {
        self.0.since(earlier.0.typed())
    }
}

/// [`Landing`] without its type; see there for what each method promises.
#[allow(clippy::missing_errors_doc, reason = "the errors are those of `Landing`")]
impl DynLanding {
    /// See [`Landing::bytes`].
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// See [`Landing::read`].
    pub fn read(&self, offset: usize, to: &mut [MaybeUninit<u8>]) -> Result<(), DeviceError> {
        self.0.read(offset, to)
    }
}

trait QueueOps: Send + Sync {
    fn number(&self) -> u32;
    fn packs(&self) -> bool;
    fn alloc(&self, bytes: usize) -> Result<DynBuffer, DeviceError>;
    fn upload(&self, to: &DynBuffer, offset: usize, from: &[MaybeUninit<u8>]) -> Result<(), DeviceError>;
    fn download(&self, from: &DynBuffer, offset: usize, bytes: usize) -> Result<DynLanding, DeviceError>;
    fn zero(&self, to: &DynBuffer, offset: usize, bytes: usize) -> Result<(), DeviceError>;
    fn copy(
        &self,
        to: (&DynBuffer, usize),
        from: (&DynBuffer, usize),
        bytes: usize,
    ) -> Result<(), DeviceError>;
    fn launch(&self, kernel: &DynKernel, geometry: &Geometry, args: &[DynArg<'_>])
    -> Result<(), DeviceError>;
    fn record(&self, timed: bool) -> Result<DynEvent, DeviceError>;
    fn follow(&self, event: &DynEvent) -> Result<(), DeviceError>;
}

impl<Q: Queue> QueueOps for Q {
    fn number(&self) -> u32 {
        Queue::number(self)
    }

    fn packs(&self) -> bool {
        Queue::packs(self)
    }

    fn alloc(&self, bytes: usize) -> Result<DynBuffer, DeviceError> {
        Ok(DynBuffer(Box::new(Queue::alloc(self, bytes)?)))
    }

    fn upload(&self, to: &DynBuffer, offset: usize, from: &[MaybeUninit<u8>]) -> Result<(), DeviceError> {
        Queue::upload(self, own(to), offset, from)
    }

    fn download(&self, from: &DynBuffer, offset: usize, bytes: usize) -> Result<DynLanding, DeviceError> {
        Ok(DynLanding(Box::new(Queue::download(self, own(from), offset, bytes)?)))
    }

    fn zero(&self, to: &DynBuffer, offset: usize, bytes: usize) -> Result<(), DeviceError> {
        Queue::zero(self, own(to), offset, bytes)
    }

    fn copy(
        &self,
        to: (&DynBuffer, usize),
        from: (&DynBuffer, usize),
        bytes: usize,
    ) -> Result<(), DeviceError> {
        Queue::copy(self, (own(to.0), to.1), (own(from.0), from.1), bytes)
    }

    fn launch(
        &self,
        kernel: &DynKernel,
        geometry: &Geometry,
        args: &[DynArg<'_>],
    ) -> Result<(), DeviceError> {
        with_own_args::<Q::Buffer, _>(args, |args| Queue::launch(self, own_kernel(kernel), geometry, args))
    }

    fn record(&self, timed: bool) -> Result<DynEvent, DeviceError> {
        Ok(DynEvent(Arc::new(Queue::record(self, timed)?)))
    }

    fn follow(&self, event: &DynEvent) -> Result<(), DeviceError> {
        let event = event.0.typed().downcast_ref();
        Queue::follow(self, event.expect("an event is used with the device that made it"))
    }
}

trait EventOps: Send + Sync {
    fn wait(&self) -> Result<(), DeviceError>;
    fn is_reached(&self) -> Result<bool, DeviceError>;
    fn since(&self, earlier: &dyn Any) -> Option<Duration>;
    fn typed(&self) -> &dyn Any;
}

impl<E: Event> EventOps for E {
    fn wait(&self) -> Result<(), DeviceError> {
        Event::wait(self)
    }

    fn is_reached(&self) -> Result<bool, DeviceError> {
        Event::is_reached(self)
    }

    fn since(&self, earlier: &dyn Any) -> Option<Duration> {
        Event::since(self, earlier.downcast_ref()?)
    }

    fn typed(&self) -> &dyn Any {
        self
    }
}

trait LandingOps: Send + Sync {
    fn bytes(&self) -> usize;
    fn read(&self, offset: usize, to: &mut [MaybeUninit<u8>]) -> Result<(), DeviceError>;
}

impl<L: Landing> LandingOps for L {
    fn bytes(&self) -> usize {
        Landing::bytes(self)
    }

    fn read(&self, offset: usize, to: &mut [MaybeUninit<u8>]) -> Result<(), DeviceError> {
        Landing::read(self, offset, to)
    }
}
