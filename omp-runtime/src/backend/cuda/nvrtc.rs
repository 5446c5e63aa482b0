//! NVRTC: CUDA C++ to machine code for one architecture. Needs the library, but no device.
use crate::backend::Unavailable;
use crate::backend::api::DeviceError;
use cudarc::nvrtc::sys::{self, nvrtcProgram, nvrtcResult};
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Compiles CUDA C++ for compute capability `arch` (`90` for 9.0). The result goes to `cuModuleLoadData`: a cubin;
/// or PTX, ended by NUL, where the device is newer than this NVRTC.
///
/// # Errors
/// [`DeviceError::Compile`] with the compiler's log, or saying that NVRTC is missing.
pub fn compile(text: &str, arch: u32, options: &[String]) -> Result<Vec<u8>, DeviceError> {
    library().map_err(|u| failed(u.reason))?;
    let target = target(arch, &architectures());
    let options = complete(options, &target);
    let options: Vec<CString> = options
        .into_iter()
        .map(|o| CString::new(o).map_err(|e| failed(format!("an option contains NUL: {e}"))))
        .collect::<Result<_, _>>()?;
    let text = CString::new(text).map_err(|e| failed(format!("the source contains NUL: {e}")))?;
    with_deep_stack(move || {
        let program = Program::new(&text)?;
        program.compile(&options)?;
        match target {
            Target::Machine(_) => program.cubin(),
            Target::Virtual(_) => program.ptx(),
        }
    })
}

/// Bytes of the stack that NVRTC gets. It recurses along the text: 512 checked statements in a row end the 2 MiB of a thread of
/// Rust's. Memory is taken only as far as it is used.
const STACK: usize = 256 << 20;

type Job = Box<dyn FnOnce() + Send>;

/// Runs a compilation on a thread with such a stack, and waits for it. A thread that has ended its job takes the next one: there are as
/// many threads as compilations at the same time, and none of them ends before the process.
fn with_deep_stack<R: Send + 'static>(
    work: impl FnOnce() -> Result<R, DeviceError> + Send + 'static,
) -> Result<R, DeviceError> {
    static IDLE: Mutex<Vec<Sender<Job>>> = Mutex::new(Vec::new());
    let idle = || IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    let waiting = idle().pop();
    let worker = match waiting {
        Some(worker) => worker,
        None => {
            let (worker, jobs) = channel::<Job>();
            let thread = std::thread::Builder::new().name("omp-nvrtc".to_owned()).stack_size(STACK);
            thread
                .spawn(move || jobs.iter().for_each(|job| job()))
                .map_err(|e| failed(format!("no thread with a stack of 256 MiB for NVRTC: {e}")))?;
            worker
        }
    };
    let (done, result) = channel();
    let job: Job = Box::new(move || {
        // The caller waits for it.
        let _ = done.send(catch_unwind(AssertUnwindSafe(work)));
    });
    let gone = |_| failed("the thread of NVRTC has ended".into());
    worker.send(job).map_err(|_| failed("the thread of NVRTC has ended".into()))?;
    let result = result.recv().map_err(gone)?;
    idle().push(worker);
    result.unwrap_or_else(|panic| resume_unwind(panic))
}

/// The version of the NVRTC that is found, major and minor.
///
/// # Errors
/// If there is none.
pub fn version() -> Result<(u32, u32), Unavailable> {
    library()?;
    let (mut major, mut minor) = (0, 0);
    // SAFETY: the library is loaded; two integers are written.
    let result = unsafe { sys::nvrtcVersion(&mut major, &mut minor) };
    check("nvrtcVersion", result).map_err(|e| Unavailable { reason: e.to_string() })?;
    Ok((major.unsigned_abs(), minor.unsigned_abs()))
}

/// Which NVRTC this is, for cache keys. Loading the library costs more than starting a kernel from the disk cache
/// should (it has 100 MB), so where its file is found in one of the usual places, the file is named instead.
#[must_use]
pub fn identity() -> String {
    if let Some(file) = find(&search_path()) {
        let file = file.canonicalize().unwrap_or(file);
        let size = file.metadata().map_or(0, |m| m.len());
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        return format!("{name} of {size} bytes");
    }
    match version() {
        Ok((major, minor)) => format!("NVRTC {major}.{minor}"),
        Err(_) => "no NVRTC".to_owned(),
    }
}

fn failed(log: String) -> DeviceError {
    DeviceError::Compile { log }
}

fn check(what: &str, result: nvrtcResult) -> Result<(), DeviceError> {
    if result == nvrtcResult::NVRTC_SUCCESS {
        return Ok(());
    }
    // SAFETY: gives a static string for any code.
    let text = unsafe { CStr::from_ptr(sys::nvrtcGetErrorString(result)) };
    Err(failed(format!("{what}: {}", text.to_string_lossy())))
}

/// Names under which the library may lie, best first. cudarc tries the same ones (and more).
#[cfg(not(windows))]
const NAMES: [&str; 3] = ["libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"];
#[cfg(windows)]
const NAMES: [&str; 3] = ["nvrtc.dll", "nvrtc64_130_0.dll", "nvrtc64_120_0.dll"];

/// Loads the library once, from the loader's own places or from a CUDA toolkit that is not on the library path.
fn library() -> Result<(), Unavailable> {
    static LOADED: OnceLock<Result<(), Unavailable>> = OnceLock::new();
    LOADED
        .get_or_init(|| {
            if NAMES.iter().any(|name| open(Path::new(name))) && present() {
                return Ok(());
            }
            // Once loaded by its path, the library is found by its name.
            let directories = toolkit_directories();
            if find(&directories).is_some_and(|file| open(&file)) && present() {
                return Ok(());
            }
            let looked: Vec<_> = directories.iter().map(|d| d.display().to_string()).collect();
            Err(Unavailable {
                reason: format!(
                    "{} (NVRTC, CUDA's run-time compiler) was not found on the library path, nor in {}; install \
                     the CUDA toolkit, or the Python package nvidia-cuda-nvrtc with its folder in LD_LIBRARY_PATH",
                    NAMES[0],
                    looked.join(", ")
                ),
            })
        })
        .clone()
}

/// Opens a library for the rest of the process.
fn open(path: &Path) -> bool {
    // SAFETY: NVRTC's initialisers have no preconditions.
    match unsafe { libloading::Library::new(path) } {
        Ok(library) => {
            std::mem::forget(library);
            true
        }
        Err(_) => false,
    }
}

/// Whether cudarc finds it (it panics later if not).
fn present() -> bool {
    #[allow(unused_imports, reason = "shadowed where cudarc has its own")]
    use super::driver::linked::is_culib_present;
    {
        #[allow(unused_imports, reason = "shadows the stand-in if cudarc has the function")]
        use cudarc::nvrtc::sys::*;
        // SAFETY: opens and closes the library.
        unsafe { is_culib_present() }
    }
}

fn toolkit_directories() -> Vec<PathBuf> {
    let homes = ["CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"].into_iter().filter_map(std::env::var_os);
    let homes = homes.map(PathBuf::from).chain([PathBuf::from("/usr/local/cuda")]);
    homes.flat_map(|home| ["lib64", "lib", "bin"].map(|folder| home.join(folder))).collect()
}

fn search_path() -> Vec<PathBuf> {
    let variable = if cfg!(windows) { "PATH" } else { "LD_LIBRARY_PATH" };
    let listed = std::env::var_os(variable).unwrap_or_default();
    let listed = std::env::split_paths(&listed).filter(|p| !p.as_os_str().is_empty());
    let usual = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/local/lib"];
    listed.chain(usual.map(PathBuf::from)).chain(toolkit_directories()).collect()
}

fn find(directories: &[PathBuf]) -> Option<PathBuf> {
    NAMES.iter().find_map(|name| directories.iter().map(|d| d.join(name)).find(|file| file.is_file()))
}

/// What to compile for.
#[derive(Debug, PartialEq)]
enum Target {
    /// `sm_90`.
    Machine(u32),
    /// `compute_90`, for the driver to finish.
    Virtual(u32),
}

/// The best target that this NVRTC knows (`known`) for a device: its own architecture; else an older one of the
/// same generation, whose machine code it runs; else PTX.
fn target(arch: u32, known: &[u32]) -> Target {
    if known.is_empty() || known.contains(&arch) {
        return Target::Machine(arch);
    }
    match known.iter().copied().filter(|&k| k < arch).max() {
        Some(older) if older / 10 == arch / 10 => Target::Machine(older),
        Some(older) => Target::Virtual(older),
        // Older than all that this NVRTC knows; its message says so.
        None => Target::Machine(arch),
    }
}

/// Fills in the options that the caller has not set.
fn complete(options: &[String], target: &Target) -> Vec<String> {
    let has = |starts: &[&str]| options.iter().any(|o| starts.iter().any(|s| o.starts_with(s)));
    let mut all = Vec::with_capacity(options.len() + 3);
    if !has(&["--gpu-architecture", "-arch"]) {
        all.push(match target {
            Target::Machine(arch) => format!("--gpu-architecture=sm_{arch}"),
            Target::Virtual(arch) => format!("--gpu-architecture=compute_{arch}"),
        });
    }
    if !has(&["--std", "-std"]) {
        all.push("--std=c++17".to_owned());
    }
    if !has(&["-default-device", "--device-as-default-execution-space"]) {
        all.push("-default-device".to_owned());
    }
    all.extend_from_slice(options);
    all
}

/// Architectures that this NVRTC compiles for; none if it does not list them.
fn architectures() -> Vec<u32> {
    let mut count = 0;
    // SAFETY: one integer is written.
    if unsafe { sys::nvrtcGetNumSupportedArchs(&mut count) } != nvrtcResult::NVRTC_SUCCESS {
        return Vec::new();
    }
    let mut all = vec![0; usize::try_from(count).unwrap_or(0)];
    // SAFETY: as many integers are written as the count said.
    if unsafe { sys::nvrtcGetSupportedArchs(all.as_mut_ptr()) } != nvrtcResult::NVRTC_SUCCESS {
        return Vec::new();
    }
    all.into_iter().filter_map(|arch| u32::try_from(arch).ok()).collect()
}

/// A program, destroyed when dropped.
struct Program(nvrtcProgram);

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: made by `nvrtcCreateProgram`, destroyed once.
        let _ = unsafe { sys::nvrtcDestroyProgram(&mut self.0) };
    }
}

impl Program {
    fn new(text: &CStr) -> Result<Self, DeviceError> {
        let mut program = ptr::null_mut();
        let name = c"kernel.cu".as_ptr();
        // SAFETY: NUL-ended strings that are copied; no headers.
        let result = unsafe {
            sys::nvrtcCreateProgram(&mut program, text.as_ptr(), name, 0, ptr::null(), ptr::null())
        };
        check("nvrtcCreateProgram", result)?;
        Ok(Self(program))
    }

    fn compile(&self, options: &[CString]) -> Result<(), DeviceError> {
        let pointers: Vec<*const c_char> = options.iter().map(|o| o.as_ptr()).collect();
        let count = i32::try_from(pointers.len()).unwrap_or(i32::MAX);
        // SAFETY: as many NUL-ended strings as counted.
        let result = unsafe { sys::nvrtcCompileProgram(self.0, count, pointers.as_ptr()) };
        check("nvrtcCompileProgram", result).map_err(|error| {
            let log = self.log();
            if log.is_empty() { error } else { failed(log) }
        })
    }

    fn log(&self) -> String {
        let log = self.output(
            // SAFETY: writes the size.
            |size| unsafe { sys::nvrtcGetProgramLogSize(self.0, size) },
            // SAFETY: writes as many bytes as the size said.
            |to| unsafe { sys::nvrtcGetProgramLog(self.0, to) },
        );
        String::from_utf8_lossy(&log.unwrap_or_default()).trim_end_matches('\0').trim().to_owned()
    }

    fn cubin(&self) -> Result<Vec<u8>, DeviceError> {
        self.output(
            // SAFETY: writes the size.
            |size| unsafe { sys::nvrtcGetCUBINSize(self.0, size) },
            // SAFETY: writes as many bytes as the size said.
            |to| unsafe { sys::nvrtcGetCUBIN(self.0, to) },
        )
    }

    fn ptx(&self) -> Result<Vec<u8>, DeviceError> {
        self.output(
            // SAFETY: writes the size.
            |size| unsafe { sys::nvrtcGetPTXSize(self.0, size) },
            // SAFETY: writes as many bytes as the size said.
            |to| unsafe { sys::nvrtcGetPTX(self.0, to) },
        )
    }

    fn output(
        &self,
        size_of: impl Fn(*mut usize) -> nvrtcResult,
        fill: impl Fn(*mut c_char) -> nvrtcResult,
    ) -> Result<Vec<u8>, DeviceError> {
        let mut size = 0;
        check("NVRTC's result", size_of(&mut size))?;
        let mut bytes = vec![0u8; size];
        check("NVRTC's result", fill(bytes.as_mut_ptr().cast()))?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::{Target, complete, target};

    #[test]
    fn the_target_runs_on_the_device() {
        let known = [75, 80, 86, 90, 100];
        assert_eq!(target(90, &known), Target::Machine(90));
        assert_eq!(target(89, &known), Target::Machine(86));
        assert_eq!(target(120, &known), Target::Virtual(100));
        assert_eq!(target(70, &known), Target::Machine(70));
        assert_eq!(target(70, &[]), Target::Machine(70));
    }

    #[test]
    fn options_of_the_source_win() {
        let own = ["--std=c++20".to_owned(), "--fmad=false".to_owned()];
        assert_eq!(
            complete(&own, &Target::Machine(90)),
            ["--gpu-architecture=sm_90", "-default-device", "--std=c++20", "--fmad=false"]
        );
        assert_eq!(
            complete(&[], &Target::Virtual(100))[..2],
            ["--gpu-architecture=compute_100", "--std=c++17"]
        );
    }
}
