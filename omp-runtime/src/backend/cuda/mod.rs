//! CUDA through NVIDIA's driver, which is loaded at run time. If it is missing, [`devices`] returns the reason.
//!
//! Discovery queries the driver without making a context; the context is made when a device is first used. Every device
//! has its primary context (shared with the CUDA runtime and other libraries in the process), a non-blocking default
//! stream, whose work is in order, and further streams for concurrent work ([`queue`], [`events`],
//! [`pinned`](memory::pinned)). [`memory`] pools buffers, [`staging`](memory::staging) moves data through pinned memory
//! with the help of a few threads ([`copy_pool`](memory::copy_pool)), [`nvrtc`] compiles to cubin, [`launch`] loads and
//! launches, [`timing`] times with events.
//!
//! An illegal memory access of a kernel makes the CUDA context unusable: from then on every call returns
//! [`DeviceError::Lost`].
//!
//! Only driver functions that exist since CUDA 11 are called, because cudarc panics if one is missing. cudarc is built
//! for the toolkit that it finds, or else for the newest CUDA that it supports.
mod core;
mod driver;
mod events;
mod launch;
mod memory;
pub mod nvrtc;
mod queue;
mod timing;

pub use self::launch::CudaKernel;
pub use self::memory::CudaBuffer;
pub use self::queue::{CudaEvent, CudaLanding, CudaQueue};

use self::core::{Core, lock};
use self::driver::check;
use super::Unavailable;
use super::api::{ArgValue, Device, DeviceError, DeviceFacts, Limits};
use cudarc::driver::sys::{self, CUdevice, CUdevice_attribute};
use omp_kernels::back::{Dialect, Source};
use omp_kernels::schedule::{DeviceClass, DeviceKind, Geometry};
use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// The device of the tests' emulated driver, which watches the bounds of buffers.
const EMULATOR: &str = "CUDA emulator";

/// A CUDA device.
#[derive(Debug)]
pub struct CudaDevice {
    device: CUdevice,
    facts: DeviceFacts,
    core: OnceLock<Arc<Core>>,
    starting: Mutex<()>,
}

/// The CUDA devices, in the driver's order (`CUDA_VISIBLE_DEVICES` counts).
///
/// # Errors
/// The reason why there is none: no driver, no device, or a driver that does not start.
pub fn devices() -> Result<Vec<CudaDevice>, Unavailable> {
    let (version, count) = driver::initialise()?;
    let versions = format!(
        "driver for CUDA {}.{}; {}",
        version / 1000,
        version % 1000 / 10,
        if count > 0 { nvrtc::identity() } else { String::new() }
    );
    let found: Vec<_> = (0..count)
        .map(|ordinal| CudaDevice::describe(ordinal, &versions))
        .collect::<Result<_, _>>()
        .map_err(|fault| Unavailable { reason: format!("NVIDIA's driver does not answer: {fault}") })?;
    if found.is_empty() {
        return Err(Unavailable { reason: "NVIDIA's driver finds no CUDA device".into() });
    }
    Ok(found)
}

impl CudaDevice {
    fn describe(ordinal: i32, versions: &str) -> Result<Self, driver::Fault> {
        let mut device = 0;
        // SAFETY: the driver is initialised; writes one handle.
        check(unsafe { sys::cuDeviceGet(&mut device, ordinal) })?;
        let mut name = [0u8; 256];
        let mut memory = 0;
        // SAFETY: the length is the buffer's, less one byte that remains NUL.
        check(unsafe { sys::cuDeviceGetName(name.as_mut_ptr().cast(), 255, device) })?;
        // SAFETY: writes one size.
        check(unsafe { sys::cuDeviceTotalMem_v2(&mut memory, device) })?;
        let query = |attribute| {
            let mut value = 0;
            // SAFETY: writes one integer.
            check(unsafe { sys::cuDeviceGetAttribute(&mut value, attribute, device) })?;
            Ok(value.unsigned_abs())
        };
        use CUdevice_attribute as A;
        let class = DeviceClass {
            kind: DeviceKind::Cuda,
            units: query(A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            max_block: query(A::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
            warp: query(A::CU_DEVICE_ATTRIBUTE_WARP_SIZE)?,
            shared_bytes: query(A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)?,
            arch: query(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)? * 10
                + query(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
            f64: true,
            atomics64: true,
        };
        let name = CStr::from_bytes_until_nul(&name).unwrap_or_default();
        let facts = DeviceFacts {
            backend: "cuda",
            name: name.to_string_lossy().into_owned(),
            versions: versions.to_owned(),
            memory: memory as u64,
            max_alloc: memory as u64,
            class,
            dialect: Dialect::Cuda,
        };
        Ok(Self { device, facts, core: OnceLock::new(), starting: Mutex::new(()) })
    }

    /// Context and stream, made on first use; a failure is not remembered.
    fn core(&self) -> Result<&Arc<Core>, DeviceError> {
        if let Some(core) = self.core.get() {
            return Ok(core);
        }
        let _one_at_a_time = lock(&self.starting);
        if let Some(core) = self.core.get() {
            return Ok(core);
        }
        let core = Arc::new(Core::new(self.device, &self.facts)?);
        Ok(self.core.get_or_init(|| core))
    }

    /// Sets the size of a pinned piece and the number of threads that large copies use; for measurements.
    ///
    /// # Errors
    /// If the device can't be used.
    pub fn set_staging(&self, piece: usize, threads: usize) -> Result<(), DeviceError> {
        self.core()?.staging.configure(piece, threads);
        Ok(())
    }
}

/// The limits that the driver reports, and what follows from them. A limit for which it reports an error or 0 is unknown.
fn limits(device: CUdevice, class: &DeviceClass) -> Limits {
    use CUdevice_attribute as A;
    let query = |attribute| {
        let mut value = 0;
        // SAFETY: the driver is initialised; writes one integer.
        check(unsafe { sys::cuDeviceGetAttribute(&mut value, attribute, device) }).ok()?;
        u32::try_from(value).ok().filter(|n| *n > 0)
    };
    let kilohertz = |attribute| query(attribute).map(|k| f64::from(k) * 1e3);
    let clock = kilohertz(A::CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    let bits = query(A::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
    // Lanes for f32 and for f64 of a multiprocessor, by compute capability (CUDA programming guide, arithmetic instructions).
    let lanes = match class.arch {
        50 | 52 | 53 => Some((128, 4)),
        60 => Some((64, 32)),
        61 | 62 => Some((128, 4)),
        70 | 72 => Some((64, 32)),
        75 => Some((64, 2)),
        80 => Some((64, 32)),
        86 | 87 | 89 => Some((128, 2)),
        90 | 100 => Some((128, 64)),
        103 | 120 | 121 => Some((128, 2)),
        _ => None,
    };
    let flops = |lanes: u32| clock.map(|hertz| 2.0 * f64::from(lanes) * f64::from(class.units) * hertz);
    Limits {
        clock,
        threads_per_unit: query(A::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
        cache: query(A::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE).map(u64::from),
        // Two transfers in each clock.
        bandwidth: kilohertz(A::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE)
            .zip(bits)
            .map(|(hertz, bits)| 2.0 * hertz * f64::from(bits) / 8.0),
        flops32: lanes.and_then(|(lanes, _)| flops(lanes)),
        flops64: lanes.and_then(|(_, lanes)| flops(lanes)),
    }
}

impl Device for CudaDevice {
    type Buffer = CudaBuffer;
    type Kernel = CudaKernel;
    type Queue = CudaQueue;

    fn facts(&self) -> &DeviceFacts {
        &self.facts
    }

    fn limits(&self) -> Limits {
        limits(self.device, &self.facts.class)
    }

    fn alloc(&self, bytes: usize) -> Result<CudaBuffer, DeviceError> {
        let core = self.core()?;
        CudaBuffer::alloc(core, bytes, core.stream, 0)
    }

    fn mailbox(&self, bytes: usize) -> Result<CudaBuffer, DeviceError> {
        CudaBuffer::mailbox(self.core()?, bytes)
    }

    fn write_mailbox(&self, mailbox: &CudaBuffer, bytes: &[u8]) -> Result<(), DeviceError> {
        mailbox.write(bytes)
    }

    fn read_mailbox(&self, mailbox: &CudaBuffer, bytes: &mut [u8]) -> Result<(), DeviceError> {
        mailbox.read(bytes)
    }

    fn upload(&self, to: &CudaBuffer, offset: usize, from: &[MaybeUninit<u8>]) -> Result<(), DeviceError> {
        let address = to.range(offset, from.len())?;
        if from.is_empty() {
            return Ok(());
        }
        let core = self.core()?;
        let _current = core.enter()?;
        let source = from.as_ptr().cast();
        // SAFETY: a slice, and a device range of its length; padding is copied as bytes.
        let copied = unsafe {
            if from.len() <= memory::staging::DIRECT {
                core.open.upload(core, core.stream, (address, source), from.len())
            } else {
                memory::staging::upload(core, core.stream, (address, source), from.len(), None)
            }
        };
        core.default.add();
        copied.map_err(|fault| core.note(fault.transfer("copy to the device")))
    }

    fn download(
        &self,
        to: &mut [MaybeUninit<u8>],
        from: &CudaBuffer,
        offset: usize,
    ) -> Result<(), DeviceError> {
        let address = from.range(offset, to.len())?;
        if to.is_empty() {
            return Ok(());
        }
        let core = self.core()?;
        let _current = core.enter()?;
        // SAFETY: a slice, and a device range of its length.
        unsafe { memory::staging::download(core, to.as_mut_ptr().cast(), address, to.len()) }
            .map_err(|fault| core.note(fault.transfer("copy from the device")))
    }

    fn zero(&self, to: &CudaBuffer, offset: usize, bytes: usize) -> Result<(), DeviceError> {
        let address = to.range(offset, bytes)?;
        if bytes == 0 {
            return Ok(());
        }
        let core = self.core()?;
        let _current = core.enter()?;
        // SAFETY: the range lies in the buffer.
        let set = check(unsafe { sys::cuMemsetD8Async(address, 0, bytes, core.stream) });
        core.default.add();
        set.map_err(|fault| core.note(fault.transfer("cuMemsetD8Async")))
    }

    fn compile(&self, source: &Source) -> Result<Vec<u8>, DeviceError> {
        nvrtc::compile(&source.text, self.facts.class.arch, &source.options)
    }

    fn load(&self, binary: &[u8], source: &Source) -> Result<CudaKernel, DeviceError> {
        launch::load(self.core()?, binary, source)
    }

    fn launch(
        &self,
        kernel: &CudaKernel,
        geometry: &Geometry,
        args: &[ArgValue<'_, CudaBuffer>],
    ) -> Result<(), DeviceError> {
        launch::launch(self.core()?, kernel, geometry, args, true)
    }

    fn launch_untimed(
        &self,
        kernel: &CudaKernel,
        geometry: &Geometry,
        args: &[ArgValue<'_, CudaBuffer>],
    ) -> Result<(), DeviceError> {
        launch::launch(self.core()?, kernel, geometry, args, false)
    }

    fn wait(&self) -> Result<(), DeviceError> {
        let core = self.core()?;
        let _current = core.enter()?;
        core.synchronize().map_err(|fault| core.note(fault.launch("the kernel failed")))
    }

    fn runs_ahead(&self) -> bool {
        true
    }

    fn last_kernel_time(&self) -> Option<Duration> {
        let core = self.core.get()?;
        let _current = core.enter().ok()?;
        lock(&core.timers).last()
    }

    fn time_nothing(&self) -> Result<bool, DeviceError> {
        launch::time_nothing(self.core()?)
    }

    fn packs(&self) -> bool {
        self.facts.name != EMULATOR
    }

    fn queue(&self) -> Result<CudaQueue, DeviceError> {
        CudaQueue::new(self.core()?, Device::packs(self))
    }

    fn memory(&self) -> (u64, u64) {
        let whole = (self.facts.memory, self.facts.memory);
        self.core.get().map_or(whole, |core| core.memory().unwrap_or(whole))
    }
}
