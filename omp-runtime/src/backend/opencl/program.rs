//! From source to a binary for the cache, and from there to a kernel.
use super::core::Core;
use super::discover::Capabilities;
use super::handles::{KernelObject, Program};
use super::status::Fault;
use crate::backend::api::DeviceError;
use omp_kernels::back::Source;
use opencl3::kernel::{CL_KERNEL_WORK_GROUP_SIZE, create_kernel, get_kernel_work_group_info};
use opencl3::program::{
    CL_PROGRAM_BINARIES, CL_PROGRAM_BUILD_LOG, build_program, create_program_with_binary,
    create_program_with_source, get_program_build_data, get_program_info,
};
use std::ffi::CString;
use std::sync::{Arc, Mutex, PoisonError};

/// A loaded kernel.
#[derive(Debug)]
pub struct OpenClKernel {
    /// Locked from the first argument to the launch.
    pub(super) object: Mutex<KernelObject>,
    /// Work-items that fit into one group of this kernel.
    pub(super) max_group: usize,
    _program: Arc<Program>,
}

/// The prefix of source text that is cached because the driver gives no binary.
const AS_SOURCE: &[u8] = b"omp-opencl-source\0";

/// The program built last with its binary: it is usually loaded next, without a second build.
#[derive(Debug)]
pub(super) struct Recent {
    binary: Vec<u8>,
    program: Arc<Program>,
}

/// The options for a source on this device.
fn options(source: &Source, can: &Capabilities) -> String {
    const ROUNDED: &str = "-cl-fp32-correctly-rounded-divide-sqrt";
    let mut words: Vec<&str> = source
        .options
        .iter()
        .map(String::as_str)
        .filter(|option| can.rounded_divide || *option != ROUNDED)
        .collect();
    if !words.iter().any(|option| option.starts_with("-cl-std")) {
        words.push(match can.c_version {
            30.. => "-cl-std=CL3.0",
            20.. => "-cl-std=CL2.0",
            _ => "-cl-std=CL1.2",
        });
    }
    // No warnings: they concern generated code, and some compilers print them on the user's terminal.
    words.push("-w");
    words.join(" ")
}

/// Builds from source and gives the binary.
pub(super) fn compile(core: &Core, source: &Source, can: &Capabilities) -> Result<Vec<u8>, DeviceError> {
    let options = options(source, can);
    let program = Arc::new(build_source(core, &source.text, &options)?);
    let binaries = get_program_info(program.0, CL_PROGRAM_BINARIES).map(Vec::<Vec<u8>>::from);
    let binary = match binaries.ok().and_then(|mut all| all.pop()).filter(|binary| !binary.is_empty()) {
        Some(binary) => binary,
        None => [AS_SOURCE, options.as_bytes(), b"\0", source.text.as_bytes()].concat(),
    };
    *core.recent.lock().unwrap_or_else(PoisonError::into_inner) =
        Some(Recent { binary: binary.clone(), program });
    Ok(binary)
}

fn build_source(core: &Core, text: &str, options: &str) -> Result<Program, DeviceError> {
    let failed = |log: String| DeviceError::Compile { log };
    let program = create_program_with_source(core.context.0, &[text])
        .map(Program)
        .map_err(|status| failed(format!("clCreateProgramWithSource: {}", Fault(status))))?;
    build(core, &program, options).map_err(failed)?;
    Ok(program)
}

/// Builds; the error is the log.
fn build(core: &Core, program: &Program, options: &str) -> Result<(), String> {
    let options = CString::new(options).map_err(|_| format!("an option contains NUL: {options:?}"))?;
    let built = build_program(program.0, &[core.device], &options, None, std::ptr::null_mut());
    built.map_err(|status| {
        let log = get_program_build_data(program.0, core.device, CL_PROGRAM_BUILD_LOG).unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        let log = log.trim_end_matches('\0').trim();
        format!("clBuildProgram: {}\n{log}", Fault(status)).trim_end().to_owned()
    })
}

/// Loads a binary of [`compile`].
pub(super) fn load(core: &Core, binary: &[u8], entry: &str) -> Result<OpenClKernel, DeviceError> {
    let program = match recent(core, binary) {
        Some(program) => program,
        None => Arc::new(revive(core, binary)?),
    };
    let refused = |reason: String| DeviceError::BadBinary { reason };
    let name = CString::new(entry).map_err(|_| refused(format!("the name {entry:?} contains NUL")))?;
    let object = create_kernel(program.0, &name)
        .map(KernelObject)
        .map_err(|status| refused(format!("it has no kernel `{entry}`: {}", Fault(status))))?;
    let max_group = get_kernel_work_group_info(object.0, core.device, CL_KERNEL_WORK_GROUP_SIZE)
        .map_or(usize::MAX, usize::from);
    Ok(OpenClKernel { object: Mutex::new(object), max_group, _program: program })
}

fn recent(core: &Core, binary: &[u8]) -> Option<Arc<Program>> {
    let recent = core.recent.lock().unwrap_or_else(PoisonError::into_inner);
    recent.as_ref().filter(|r| r.binary == binary).map(|r| r.program.clone())
}

fn revive(core: &Core, binary: &[u8]) -> Result<Program, DeviceError> {
    let refused = |reason: String| DeviceError::BadBinary { reason };
    if let Some(rest) = binary.strip_prefix(AS_SOURCE) {
        let text = std::str::from_utf8(rest).map_err(|_| refused("damaged source".into()))?;
        let (options, text) = text.split_once('\0').ok_or_else(|| refused("damaged source".into()))?;
        return build_source(core, text, options);
    }
    if binary.is_empty() {
        return Err(refused("it is empty".into()));
    }
    // SAFETY: the device is the context's one; the slice outlives the call.
    let program = unsafe { create_program_with_binary(core.context.0, &[core.device], &[binary]) }
        .map(Program)
        .map_err(|status| refused(format!("clCreateProgramWithBinary: {}", Fault(status))))?;
    build(core, &program, "").map_err(refused)?;
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::{Capabilities, Source, options};

    fn source(options: &[&str]) -> Source {
        Source {
            text: String::new(),
            entry: String::new(),
            args: Vec::new(),
            sites: Vec::new(),
            inner: Vec::new(),
            options: options.iter().map(ToString::to_string).collect(),
            phases: 1,
            constants: Vec::new(),
        }
    }

    #[test]
    fn options_suit_the_device() {
        let mut can = Capabilities {
            c_version: 30,
            version: 30,
            rounded_divide: true,
            work_items: [1024; 3],
            limits: crate::backend::api::Limits::default(),
        };
        let rounded = source(&["-cl-fp32-correctly-rounded-divide-sqrt"]);
        assert_eq!(options(&rounded, &can), "-cl-fp32-correctly-rounded-divide-sqrt -cl-std=CL3.0 -w");
        can.rounded_divide = false;
        can.c_version = 12;
        assert_eq!(options(&rounded, &can), "-cl-std=CL1.2 -w");
        assert_eq!(options(&source(&["-cl-std=CL2.0"]), &can), "-cl-std=CL2.0 -w");
    }
}
