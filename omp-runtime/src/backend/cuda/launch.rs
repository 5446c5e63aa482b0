//! Loading modules and launching kernels.
use super::core::{Core, lock};
use super::driver::{Fault, check};
use super::memory::CudaBuffer;
use crate::backend::api::{ArgValue, DeviceError};
use cudarc::driver::sys::{
    self, CUdeviceptr, CUfunction, CUfunction_attribute, CUlaunchAttribute, CUlaunchAttributeID,
    CUlaunchAttributeValue, CUlaunchConfig, CUlimit, CUmodule, CUstream,
};
use omp_kernels::back::{Constant, Source, WAIT};
use omp_kernels::schedule::Geometry;
use std::ffi::{CString, c_void};
use std::ptr;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// The stack of a thread by default, where device functions call themselves. The driver reserves it for every thread that the
/// device can run at once (`resident`), and keeps it: an eighth of the memory that is free; where that is little,
/// [`LEAST_STACK`], as long as half of the free memory is enough; never more than [`MOST_STACK`].
fn default_stack(free: u64, resident: u64) -> usize {
    let part = |share: u64| free / share / resident.max(1);
    let bytes = part(8).max(part(2).min(LEAST_STACK)).min(MOST_STACK);
    (bytes & !1023) as usize
}

/// Bytes.
const LEAST_STACK: u64 = 16 << 10;
const MOST_STACK: u64 = 64 << 10;

/// Arguments that are marshalled without allocating.
const INLINE_ARGS: usize = 64;

/// A loaded kernel.
#[derive(Debug)]
pub struct CudaKernel {
    function: CUfunction,
    module: CUmodule,
    core: Arc<Core>,
    /// The module's variable for the size of a thread's stack, if its functions are recursive.
    stack: Option<CUdeviceptr>,
    /// The size that was written there.
    stack_size: AtomicU64,
    /// Bytes of dynamic shared memory that launches may request.
    shared: AtomicU32,
    /// What launches copy to variables of the module, and where these are.
    constants: Vec<(Constant, CUdeviceptr)>,
    /// It waits itself for the work that was queued before it.
    waits: bool,
    /// The stream of the last launch, which reads these variables.
    reader: Mutex<Option<CUstream>>,
}

// SAFETY: module and function may be used from any thread in which their context is current.
unsafe impl Send for CudaKernel {}
// SAFETY: as above; launching does not change them.
unsafe impl Sync for CudaKernel {}

impl Drop for CudaKernel {
    fn drop(&mut self) {
        if let Ok(_current) = self.core.enter() {
            // A queued launch of this kernel must end first.
            let _ = self.core.synchronize_all();
            // SAFETY: loaded by `load`, owned, not running.
            let _ = unsafe { sys::cuModuleUnload(self.module) };
        }
    }
}

/// Loads a cubin, or PTX ended by NUL.
pub(super) fn load(core: &Arc<Core>, binary: &[u8], source: &Source) -> Result<CudaKernel, DeviceError> {
    let refused = |reason: &str| DeviceError::BadBinary { reason: reason.to_owned() };
    let entry = &*source.entry;
    let name = CString::new(entry).map_err(|_| refused("the kernel's name contains NUL"))?;
    check_format(binary).map_err(refused)?;
    let _current = core.enter()?;
    let mut module = ptr::null_mut();
    // SAFETY: an ELF image, or text ended by NUL (checked); the context is current.
    check(unsafe { sys::cuModuleLoadData(&mut module, binary.as_ptr().cast()) })
        .map_err(|fault| core.note(fault.load("cuModuleLoadData")))?;
    let mut kernel = CudaKernel {
        function: ptr::null_mut(),
        module,
        core: core.clone(),
        stack: None,
        stack_size: AtomicU64::new(0),
        shared: AtomicU32::new(0),
        constants: Vec::new(),
        waits: core.launches_early && source.text.contains(WAIT) && has_wait(binary),
        reader: Mutex::new(None),
    };
    // SAFETY: a loaded module and a NUL-ended name; writes one handle.
    check(unsafe { sys::cuModuleGetFunction(&mut kernel.function, module, name.as_ptr()) })
        .map_err(|fault| core.note(fault.load(entry)))?;
    kernel.stack = stack_of(module, binary);
    for constant in &source.constants {
        let at = variable(module, &constant.symbol, constant.bytes);
        let at = at.ok_or_else(|| refused("a variable in constant memory is missing"))?;
        kernel.constants.push((constant.clone(), at));
    }
    Ok(kernel)
}

/// Whether the wait that the source has for newer architectures is in the binary: PTX may be for an older one, machine code is for the
/// device.
fn has_wait(binary: &[u8]) -> bool {
    binary.starts_with(b"\x7fELF") || binary.windows(WAIT.len()).any(|part| part == WAIT.as_bytes())
}

/// The address of a module's variable, if it has one of this name and size.
fn variable(module: CUmodule, name: &str, size: usize) -> Option<CUdeviceptr> {
    let name = CString::new(name).ok()?;
    let (mut at, mut bytes) = (0, 0);
    // SAFETY: a loaded module and a NUL-ended name; writes an address and a size.
    let found = check(unsafe { sys::cuModuleGetGlobal_v2(&mut at, &mut bytes, module, name.as_ptr()) });
    (found.is_ok() && bytes == size).then_some(at)
}

/// The module's variable for the size of the stack. It is not looked up in a module whose image does not mention it, because tools show
/// that as an error.
fn stack_of(module: CUmodule, image: &[u8]) -> Option<CUdeviceptr> {
    let name = omp_kernels::back::STACK;
    if !image.windows(name.len()).any(|part| part == name.as_bytes()) {
        return None;
    }
    variable(module, name, size_of::<u64>())
}

/// Sets the bytes of stack for each thread: to `OMP_STACKSIZE`, or to [`default_stack`] without it, or if the device has no memory for
/// it. Gives how many there are. The limit belongs to the context: a library that shares the context may have changed it.
fn grant_stack(core: &Core) -> Result<u64, Fault> {
    let limit = CUlimit::CU_LIMIT_STACK_SIZE;
    let requested = crate::env::env().stack_size;
    let default = || core.default_stack(default_stack);
    let wanted = requested.map_or_else(default, Ok)?;
    let mut bytes = 0;
    // SAFETY: the context is current; writes one size.
    check(unsafe { sys::cuCtxGetLimit(&mut bytes, limit) })?;
    if bytes < wanted {
        // A device without the memory for either keeps what it has.
        // SAFETY: the context is current.
        let set = |size| check(unsafe { sys::cuCtxSetLimit(limit, size) });
        let given = set(wanted).is_ok();
        if !given && requested.is_some() && bytes < default()? {
            let _ = set(default()?);
        }
        // SAFETY: as above.
        check(unsafe { sys::cuCtxGetLimit(&mut bytes, limit) })?;
        if !given && requested.is_some() {
            crate::observe::less_stack(wanted as u64, bytes as u64);
        }
        crate::observe::stack(bytes as u64);
    }
    Ok(bytes as u64)
}

/// Writes the size of a thread's stack to the variable of a module that has one, through the default stream, before everything that is
/// queued later. The context is current.
pub(super) fn set_stack_size(core: &Core, kernel: &CudaKernel) -> Result<(), DeviceError> {
    let Some(variable) = kernel.stack else { return Ok(()) };
    let set = || {
        let bytes = grant_stack(core)?;
        if kernel.stack_size.load(Ordering::Acquire) == bytes {
            return Ok(());
        }
        // SAFETY: the variable is of 8 bytes, in a loaded module of the current context; the source is pageable memory,
        // which the driver copies before it returns.
        check(unsafe {
            sys::cuMemcpyHtoDAsync_v2(variable, ptr::from_ref(&bytes).cast(), size_of::<u64>(), core.stream)
        })?;
        core.default.add();
        kernel.stack_size.store(bytes, Ordering::Release);
        Ok(())
    };
    set().map_err(|fault: Fault| core.note(fault.launch("the stack")))
}

/// The driver takes an address without a length, so a damaged file must not reach it: an ELF header that promises
/// more than there is, or text without end.
fn check_format(binary: &[u8]) -> Result<(), &'static str> {
    const HEADER: usize = 64;
    let word = |at: usize, bytes: usize| {
        binary[at..at + bytes].iter().rev().fold(0u64, |all, &byte| all << 8 | u64::from(byte))
    };
    if !binary.starts_with(b"\x7fELF") {
        let ptx = binary.ends_with(b"\0") && binary.is_ascii();
        return if ptx { Ok(()) } else { Err("it is neither a cubin nor PTX") };
    }
    if binary.len() < HEADER {
        return Err("the cubin is cut off");
    }
    for (table, entry_size, count) in [(32, 54, 56), (40, 58, 60)] {
        let end = (word(entry_size, 2) * word(count, 2)).checked_add(word(table, 8));
        if end.is_none_or(|end| end > binary.len() as u64) {
            return Err("the cubin is cut off");
        }
    }
    Ok(())
}

/// Queues a kernel in the default stream; if `timed`, between two events, which cost as much as a quarter of a short
/// launch.
pub(super) fn launch(
    core: &Core,
    kernel: &CudaKernel,
    geometry: &Geometry,
    args: &[ArgValue<'_, CudaBuffer>],
    timed: bool,
) -> Result<(), DeviceError> {
    let _current = core.enter()?;
    set_stack_size(core, kernel)?;
    let queue = || enqueue(core, core.stream, kernel, geometry, args);
    let result = if timed {
        let refuse = |fault: Fault| core.note(fault.launch("cuEventRecord"));
        // The lock is held, so that no other thread's kernel comes between the events.
        lock(&core.timers).around(core.stream, queue, refuse)
    } else {
        queue()
    };
    core.default.add();
    result
}

/// Queues the events of a timed launch without a kernel between.
pub(super) fn time_nothing(core: &Core) -> Result<bool, DeviceError> {
    let _current = core.enter()?;
    let refuse = |fault: Fault| core.note(fault.launch("cuEventRecord"));
    lock(&core.timers).around(core.stream, || Ok(()), refuse)?;
    core.default.add();
    Ok(true)
}

/// Queues a kernel in a stream; the context is current.
pub(super) fn enqueue(
    core: &Core,
    stream: CUstream,
    kernel: &CudaKernel,
    geometry: &Geometry,
    args: &[ArgValue<'_, CudaBuffer>],
) -> Result<(), DeviceError> {
    // The addresses of parts of buffers, as far as there are any.
    let parts = args.iter().map(|arg| match arg {
        ArgValue::Part { buffer, offset, bytes } => buffer.range(*offset, *bytes),
        ArgValue::Buffer(_) | ArgValue::Bytes(_) => Ok(0),
    });
    let has_parts = args.iter().any(|arg| matches!(arg, ArgValue::Part { .. }));
    let parts: Vec<CUdeviceptr> = if has_parts { parts.collect::<Result<_, _>>()? } else { Vec::new() };
    let pointer = |(i, arg): (usize, &ArgValue<'_, CudaBuffer>)| match arg {
        ArgValue::Buffer(buffer) => buffer.argument(),
        ArgValue::Part { .. } => (&raw const parts[i]).cast_mut().cast(),
        ArgValue::Bytes(bytes) => bytes.as_ptr().cast_mut().cast(),
    };
    let mut inline = [ptr::null_mut::<c_void>(); INLINE_ARGS];
    let mut many;
    let params = if args.len() <= INLINE_ARGS {
        inline.iter_mut().zip(args.iter().enumerate()).for_each(|(to, arg)| *to = pointer(arg));
        &mut inline[..]
    } else {
        many = args.iter().enumerate().map(pointer).collect::<Vec<_>>();
        &mut many[..]
    };
    let Geometry { grid, block, shared } = *geometry;
    grant_shared(kernel, shared).map_err(|fault| core.note(refused(fault, kernel, geometry)))?;
    // Held until the kernel is queued: no other launch writes its variables between.
    let mut reader = (!kernel.constants.is_empty()).then(|| lock(&kernel.reader));
    if let Some(reader) = &mut reader {
        copy_constants(core, stream, kernel, args, reader)?;
    }
    let [grid_x, grid_y, grid_z] = grid;
    let [block_x, block_y, block_z] = block;
    let (function, params, none) = (kernel.function, params.as_mut_ptr(), ptr::null_mut());
    let queued = check(if kernel.waits {
        let mut early = CUlaunchAttribute {
            id: CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
            pad: [0; 4],
            value: CUlaunchAttributeValue { programmaticStreamSerializationAllowed: 1 },
        };
        let config = CUlaunchConfig {
            gridDimX: grid_x,
            gridDimY: grid_y,
            gridDimZ: grid_z,
            blockDimX: block_x,
            blockDimY: block_y,
            blockDimZ: block_z,
            sharedMemBytes: shared,
            hStream: stream,
            attrs: &raw mut early,
            numAttrs: 1,
        };
        // SAFETY: the context is current; each parameter points to the bytes of the kernel's argument, which the driver copies before it
        // returns; the kernel waits for the work before it.
        unsafe { sys::cuLaunchKernelEx(&raw const config, function, params, none) }
    } else {
        // SAFETY: as above, but the device waits.
        unsafe {
            sys::cuLaunchKernel(
                function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, params, none,
            )
        }
    });
    queued.map_err(|fault| core.note(refused(fault, kernel, geometry)))
}

/// Queues the copies that fill the variables of a kernel's module, after the last kernel that reads them; the context is current.
fn copy_constants(
    core: &Core,
    stream: CUstream,
    kernel: &CudaKernel,
    args: &[ArgValue<'_, CudaBuffer>],
    reader: &mut Option<CUstream>,
) -> Result<(), DeviceError> {
    let failed = |fault: Fault| core.note(fault.transfer("copy to constant memory"));
    if let Some(other) = reader.filter(|other| *other != stream) {
        let last = core.events.record(other, false);
        last.and_then(|last| last.hold_up(stream)).map_err(failed)?;
    }
    *reader = Some(stream);
    for (constant, to) in &kernel.constants {
        let from = source_of(constant, args)?;
        // SAFETY: the range lies in its buffer, and the variable is as large; the module is loaded.
        check(unsafe { sys::cuMemcpyDtoDAsync_v2(*to, from, constant.bytes, stream) }).map_err(failed)?;
    }
    Ok(())
}

/// The device address of the elements that a launch copies.
fn source_of(constant: &Constant, args: &[ArgValue<'_, CudaBuffer>]) -> Result<CUdeviceptr, DeviceError> {
    let refused = || DeviceError::Transfer {
        reason: format!("the elements for `{}` are not on the device", constant.symbol),
    };
    let number = |place: Option<usize>| match place.map(|place| &args[place]) {
        None => Some(0),
        Some(ArgValue::Bytes(bytes)) => Some(i64::from_ne_bytes((*bytes).try_into().ok()?)),
        Some(_) => None,
    };
    let offset = || {
        let (origin, first) = (number(constant.origin)?, number(constant.first)?);
        let skipped = origin.checked_mul(i64::try_from(constant.element).ok()?)?;
        let start = first.checked_mul(i64::try_from(constant.number).ok()?)?;
        usize::try_from(start.checked_sub(skipped)?).ok()
    };
    let offset = offset().ok_or_else(refused)?;
    match &args[constant.array] {
        ArgValue::Buffer(buffer) => buffer.range(offset, constant.bytes),
        ArgValue::Part { buffer, offset: part, bytes } => {
            let fits = offset.checked_add(constant.bytes).is_some_and(|end| end <= *bytes);
            if fits { buffer.range(part + offset, constant.bytes) } else { Err(refused()) }
        }
        ArgValue::Bytes(_) => Err(refused()),
    }
}

/// Lets a kernel have more shared memory than it could declare; the context is current.
fn grant_shared(kernel: &CudaKernel, bytes: u32) -> Result<(), Fault> {
    if bytes == 0 || kernel.shared.load(Ordering::Acquire) >= bytes {
        return Ok(());
    }
    let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    let value = i32::try_from(bytes).unwrap_or(i32::MAX);
    // SAFETY: a loaded function of the current context.
    check(unsafe { sys::cuFuncSetAttribute(kernel.function, attribute, value) })?;
    kernel.shared.store(bytes, Ordering::Release);
    Ok(())
}

fn refused(fault: Fault, kernel: &CudaKernel, geometry: &Geometry) -> DeviceError {
    let Geometry { grid, block, shared: _ } = *geometry;
    let mut most = 0;
    let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK;
    // SAFETY: a loaded function; writes one integer.
    let known = check(unsafe { sys::cuFuncGetAttribute(&mut most, attribute, kernel.function) }).is_ok();
    let limit = if known { format!(", of which this kernel takes {most} threads") } else { String::new() };
    fault.launch(&format!("grid {grid:?} of blocks {block:?}{limit}"))
}

#[cfg(test)]
mod tests {
    use super::{check_format, default_stack};

    #[test]
    fn stacks_are_what_memory_allows() {
        // 132 multiprocessors of 2048 threads; 28 of 1536.
        let (large, small) = (132 * 2048, 28 * 1536);
        assert_eq!(default_stack(79 << 30, large), 38 << 10);
        assert_eq!(default_stack(11 << 30, small), 33 << 10);
        // Hardly any memory is left: a half of it is not too much for the least that is of use.
        assert_eq!(default_stack(16 << 30, large), 16 << 10);
        assert_eq!(default_stack(4 << 30, large), 7 << 10);
        assert_eq!(default_stack(0, large), 0);
        assert_eq!((default_stack(u64::MAX, small), default_stack(1 << 30, 0)), (64 << 10, 64 << 10));
    }

    #[test]
    fn damaged_binaries_do_not_reach_the_driver() {
        assert!(check_format(b"").is_err());
        assert!(check_format(b"\x7fELF").is_err());
        assert!(check_format(b".version 8.0").is_err());
        assert!(check_format(b".version 8.0\0").is_ok());
        let mut elf = vec![0u8; 256];
        elf[..4].copy_from_slice(b"\x7fELF");
        elf[32] = 64;
        elf[40] = 128;
        elf[54] = 56;
        elf[56] = 1;
        elf[58] = 64;
        elf[60] = 2;
        assert_eq!(check_format(&elf), Ok(()));
        elf.truncate(255);
        assert!(check_format(&elf).is_err());
    }

    #[test]
    fn cubins_pass_and_cut_ones_do_not() {
        let text = "extern \"C\" __global__ void k(int* x) { *x = 1; }";
        let Ok(cubin) = super::super::nvrtc::compile(text, 90, &[]) else {
            println!("skipped: no NVRTC");
            return;
        };
        assert_eq!(check_format(&cubin), Ok(()));
        for length in [10, 64, cubin.len() / 2, cubin.len() - 1] {
            assert!(check_format(&cubin[..length]).is_err(), "{length} of {}", cubin.len());
        }
    }
}
