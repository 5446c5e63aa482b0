//! The driver library: whether it is there, its error codes as our errors, and the current context of a thread.
use crate::backend::Unavailable;
use crate::backend::api::DeviceError;
use cudarc::driver::sys::{self, CUcontext, CUevent, CUresult, CUstream};
use std::ffi::CStr;
use std::ptr;
use std::sync::OnceLock;

/// A result of the driver's that is not success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fault(pub(super) CUresult);

/// Success or the fault.
pub(super) fn check(result: CUresult) -> Result<(), Fault> {
    if result == CUresult::CUDA_SUCCESS { Ok(()) } else { Err(Fault(result)) }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = ptr::null();
        // SAFETY: `text` is written with a pointer to a static string, or left null for an unknown code.
        let known = unsafe { sys::cuGetErrorString(self.0, &mut text) } == CUresult::CUDA_SUCCESS;
        write!(f, "{:?}", self.0)?;
        if known && !text.is_null() {
            // SAFETY: a string of the driver's, ended by NUL, never freed.
            let text = unsafe { CStr::from_ptr(text) };
            write!(f, " ({})", text.to_string_lossy())?;
        }
        Ok(())
    }
}

impl Fault {
    /// After this the context answers every call with the same error.
    pub(super) fn lost(self) -> bool {
        /// `CUDA_ERROR_DEVICE_UNAVAILABLE`, which CUDA 11.4 has no name for.
        const UNAVAILABLE: u32 = 46;
        self.0 as u32 == UNAVAILABLE
            || matches!(
                self.0,
                CUresult::CUDA_ERROR_ILLEGAL_ADDRESS
                    | CUresult::CUDA_ERROR_LAUNCH_FAILED
                    | CUresult::CUDA_ERROR_LAUNCH_TIMEOUT
                    | CUresult::CUDA_ERROR_ASSERT
                    | CUresult::CUDA_ERROR_HARDWARE_STACK_ERROR
                    | CUresult::CUDA_ERROR_ILLEGAL_INSTRUCTION
                    | CUresult::CUDA_ERROR_MISALIGNED_ADDRESS
                    | CUresult::CUDA_ERROR_INVALID_ADDRESS_SPACE
                    | CUresult::CUDA_ERROR_INVALID_PC
                    | CUresult::CUDA_ERROR_ECC_UNCORRECTABLE
                    | CUresult::CUDA_ERROR_NVLINK_UNCORRECTABLE
                    | CUresult::CUDA_ERROR_DEINITIALIZED
                    | CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED
                    | CUresult::CUDA_ERROR_UNKNOWN
            )
    }

    /// Device or pinned host memory ran out.
    pub(super) fn no_memory(self) -> bool {
        self.0 == CUresult::CUDA_ERROR_OUT_OF_MEMORY
    }

    fn reason(self, what: &str) -> String {
        format!("{what}: {self}")
    }

    /// As the failure of a copy.
    pub(super) fn transfer(self, what: &str) -> DeviceError {
        let reason = self.reason(what);
        if self.lost() { DeviceError::Lost { reason } } else { DeviceError::Transfer { reason } }
    }

    /// As the failure of a launch or of launched work.
    pub(super) fn launch(self, what: &str) -> DeviceError {
        let reason = self.reason(what);
        if self.lost() { DeviceError::Lost { reason } } else { DeviceError::Launch { reason } }
    }

    /// As the failure to load a binary.
    pub(super) fn load(self, what: &str) -> DeviceError {
        let reason = self.reason(what);
        if self.lost() {
            DeviceError::Lost { reason }
        } else if self.no_memory() {
            DeviceError::OutOfMemory { requested: 0, free: 0 }
        } else {
            DeviceError::BadBinary { reason }
        }
    }
}

/// What stands in for cudarc's functions that exist only where it loads libraries at run time. Another crate of the
/// user's may have switched cudarc to linking; then the library is there, or the program would not have started.
#[allow(dead_code, reason = "used where cudarc links")]
pub(super) mod linked {
    /// No library to look symbols up in.
    pub(in super::super) struct Linked;

    impl Linked {
        /// Nothing is found.
        pub(in super::super) unsafe fn get<F>(&self, _symbol: &[u8]) -> Result<Box<F>, ()> {
            Err(())
        }
    }

    /// Stands in for `sys::culib`.
    pub(in super::super) unsafe fn culib() -> &'static Linked {
        &Linked
    }

    /// Stands in for `sys::is_culib_present`.
    pub(in super::super) unsafe fn is_culib_present() -> bool {
        true
    }
}

/// Whether the driver library can be loaded.
fn present() -> bool {
    #[allow(unused_imports, reason = "shadowed where cudarc has its own")]
    use linked::is_culib_present;
    {
        #[allow(unused_imports, reason = "shadows the stand-in if cudarc has the function")]
        use cudarc::driver::sys::*;
        // SAFETY: opens and closes the library, which only runs its initialisers.
        unsafe { is_culib_present() }
    }
}

type ElapsedTime = unsafe extern "C" fn(*mut f32, CUevent, CUevent) -> CUresult;

/// `cuEventElapsedTime` by its name of old: cudarc names the one of the CUDA version that it was built for, which
/// an older driver need not have.
fn elapsed_function() -> Option<ElapsedTime> {
    static FOUND: OnceLock<Option<ElapsedTime>> = OnceLock::new();
    #[allow(unused_imports, reason = "shadowed where cudarc has its own")]
    use linked::culib;
    *FOUND.get_or_init(|| {
        #[allow(unused_imports, reason = "shadows the stand-in if cudarc has the function")]
        use cudarc::driver::sys::*;
        // SAFETY: the driver is present; the type is that of the driver API's reference for this symbol.
        let symbol = unsafe { culib().get::<ElapsedTime>(b"cuEventElapsedTime\0") };
        symbol.ok().map(|function| *function)
    })
}

/// Milliseconds between two events that have both been reached.
pub(super) fn elapsed_ms(start: CUevent, end: CUevent) -> Option<f32> {
    let function = elapsed_function()?;
    let mut ms = 0.0;
    // SAFETY: both are events of the current context.
    let result = unsafe { function(&mut ms, start, end) };
    (result == CUresult::CUDA_SUCCESS).then_some(ms)
}

/// Initialises the driver; gives its version as CUDA counts it (12040 for 12.4) and the number of devices.
pub(super) fn initialise() -> Result<(i32, i32), Unavailable> {
    let unavailable = |reason: String| Unavailable { reason };
    if !present() {
        let library = if cfg!(windows) { "nvcuda.dll" } else { "libcuda.so.1" };
        return Err(unavailable(format!(
            "{library} (NVIDIA's driver) was not found on the library path: no NVIDIA GPU, or its driver is not \
             installed"
        )));
    }
    let (mut version, mut count) = (0, 0);
    // SAFETY: the library is there; `cuInit` may be called any number of times, before everything else.
    check(unsafe { sys::cuInit(0) }).map_err(|fault| {
        unavailable(match fault.0 {
            CUresult::CUDA_ERROR_NO_DEVICE => "NVIDIA's driver finds no CUDA device".to_owned(),
            _ => format!("NVIDIA's driver does not start: {fault}"),
        })
    })?;
    let no_answer = |fault| unavailable(format!("NVIDIA's driver does not answer: {fault}"));
    // SAFETY: initialised; writes one integer.
    check(unsafe { sys::cuDriverGetVersion(&mut version) }).map_err(no_answer)?;
    // SAFETY: as above.
    check(unsafe { sys::cuDeviceGetCount(&mut count) }).map_err(no_answer)?;
    Ok((version, count))
}

/// Waits for everything in a stream of the current context.
pub(super) fn synchronize(stream: CUstream) -> Result<(), Fault> {
    // SAFETY: a live stream, as the caller says.
    check(unsafe { sys::cuStreamSynchronize(stream) })
}

/// Makes a context current on this thread while it lives. A thread that had none keeps this one; one that used another
/// context (another device, another library) gets it back.
pub(super) struct Current {
    previous: CUcontext,
}

impl Current {
    /// Enters `context`. The driver is queried each time, which costs nanoseconds: another library could invalidate a cached context.
    pub(super) fn enter(context: CUcontext) -> Result<Self, Fault> {
        let mut previous = ptr::null_mut();
        // SAFETY: writes one handle.
        check(unsafe { sys::cuCtxGetCurrent(&mut previous) })?;
        if previous == context {
            return Ok(Self { previous: ptr::null_mut() });
        }
        // SAFETY: a live context.
        check(unsafe { sys::cuCtxSetCurrent(context) })?;
        Ok(Self { previous })
    }
}

impl Drop for Current {
    fn drop(&mut self) {
        if !self.previous.is_null() {
            // SAFETY: it was current when we entered; if its owner destroyed it since, the call fails, harmlessly.
            let _ = unsafe { sys::cuCtxSetCurrent(self.previous) };
        }
    }
}
