//! The kernel of a schedule: its text, the kernel cache, the device's compiler, and the dump of sources.
use super::Launch;
use super::prepare::{alignments, extents, shifted};
use crate::backend::api::DeviceError;
use crate::backend::erased::DynKernel;
use crate::cache::{DiskCache, Key};
use crate::device::Dev;
use crate::launch::outcome::fault::Fault;
use crate::launch::plan::decisions::Origins;
use crate::launch::site::{Compiled, Ready};
use crate::observe;
use omp_kernels::back::{self, Source};
use omp_kernels::schedule::{self, DeviceKind, Request, Schedule};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Makes the kernel: from the disk cache if it is there, else by the device's compiler.
pub(super) fn compile(
    launch: &Launch<'_>,
    schedule: &Schedule,
    origins: &Origins,
) -> Result<Compiled, Fault> {
    let start = Instant::now();
    let (site, dev) = (launch.site, launch.device);
    let source = emit(launch.ready, dev, schedule)?;
    let key = Key::of(&source, dev.handle.facts());
    let path = launch.dump.and_then(|dir| dump(launch, dir, key, &source, origins));
    let (kernel, how) = load_or_compile(launch.ready, dev, launch.disk, &source).map_err(|error| {
        let path = match (&error, launch.dump) {
            (DeviceError::Compile { log }, Some(dir)) => {
                observe::dump::log(dir, site, key, log);
                path
            }
            (DeviceError::Compile { .. }, None) => {
                let extension = observe::dump::extension(dev.handle.facts().class.kind);
                launch.disk.and_then(|disk| disk.keep(key, extension, &source.text))
            }
            _ => None,
        };
        Fault::Device { error, array: None, source: path }
    })?;
    observe::made(site, dev, how, start);
    Ok(Compiled::new(source, kernel))
}

/// The variables of a work-group's threads on a CPU, at most. They are on the stack of one thread of the host's, which has 8 MiB by
/// default and which no OpenCL guards: where they take more, kernels write other memory.
const MOST_PRIVATE: u64 = 2 << 20;

/// The text of a kernel.
pub(in crate::launch) fn emit(ready: &Ready, device: &Dev, schedule: &Schedule) -> Result<Source, Fault> {
    let threads: u64 = schedule.block.iter().map(|&n| u64::from(n)).product();
    let bytes = ready.kernel.private_bytes().saturating_mul(threads);
    if bytes > MOST_PRIVATE && device.handle.facts().class.kind == DeviceKind::OpenClCpu {
        return Err(Fault::Unsupported(format!(
            "the variables of a work-group take {bytes} bytes of stack, and it has {MOST_PRIVATE} for them: map an array with a row \
             for each iteration, or let the host run the region (`if(false)`)"
        )));
    }
    back::emit(&ready.kernel, &ready.info, schedule, device.handle.facts().dialect)
        .map_err(|unsupported| Fault::Unsupported(unsupported.message))
}

/// The kernel of a text, and where it comes from.
pub(in crate::launch) fn load_or_compile(
    ready: &Ready,
    dev: &Dev,
    disk: Option<&DiskCache>,
    source: &Source,
) -> Result<(DynKernel, &'static str), DeviceError> {
    let device = &*dev.handle;
    let key = Key::of(source, device.facts());
    device.interpret(&ready.kernel, &ready.info, source);
    if let Some(kernel) = disk.and_then(|disk| from_disk(disk, dev, key, source)) {
        return Ok((kernel, "found in the kernel cache"));
    }
    let binary = device.compile(source)?;
    let kernel = device.load(&binary, source)?;
    if let Some(disk) = disk {
        disk.store(key, &binary);
    }
    Ok((kernel, "compiled"))
}

/// Writes the source, and the sources for the same launch on devices of the other kinds; gives the path of the first one.
fn dump(launch: &Launch<'_>, dir: &Path, key: Key, source: &Source, origins: &Origins) -> Option<PathBuf> {
    let (site, Ready { kernel, info, .. }) = (launch.site, launch.ready);
    let own = launch.device.handle.facts();
    let path = observe::dump::source(dir, site, key, own.class.kind, &source.options, &source.text);
    let alignment = alignments(launch, origins);
    let extents = extents(launch.arrays);
    for device in observe::dump::NOMINAL.iter().filter(|d| d.kind != own.class.kind) {
        let (num_teams, thread_limit) = (launch.num_teams, launch.thread_limit);
        let facts = &launch.decisions.facts;
        let mut schedule = schedule::choose(
            kernel,
            info,
            &Request {
                extents: &extents,
                facts,
                device,
                num_teams,
                thread_limit,
                alignment: &alignment,
                pins: launch.pins,
                specialised: false,
                parts: false,
                reasons: None,
            },
        );
        schedule.shifted = shifted(kernel, origins);
        if let Ok(source) = back::emit(kernel, info, &schedule, observe::dump::dialect(device.kind)) {
            observe::dump::source(dir, site, key, device.kind, &source.options, &source.text);
        }
    }
    path
}

fn from_disk(disk: &DiskCache, device: &Dev, key: Key, source: &Source) -> Option<DynKernel> {
    let binary = disk.load(key)?;
    match device.handle.load(&binary, source) {
        Ok(kernel) => Some(kernel),
        Err(DeviceError::BadBinary { .. }) => {
            // Another driver under the same name, or damage that the checksum can't see.
            disk.remove(key);
            None
        }
        // The compiler's own result will fail with the same error, which is reported.
        Err(_) => None,
    }
}
