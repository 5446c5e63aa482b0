//! `OMP_DUMP=dir`: generated sources and compiler logs, one file each. A kernel is written as its device gets it, and
//! as devices of the other kinds would, so that any compiler can be tried on any machine.
use crate::cache::Key;
use crate::launch::site::TypedSite;
use omp_kernels::back::Dialect;
use omp_kernels::schedule::{DeviceClass, DeviceKind};
use std::fs;
use std::path::{Path, PathBuf};

/// Nominal devices: one for each kind of which the machine has no device.
pub(crate) static NOMINAL: [DeviceClass; 2] = [
    DeviceClass {
        kind: DeviceKind::Cuda,
        units: 132,
        max_block: 1024,
        warp: 32,
        shared_bytes: 48 << 10,
        arch: 90,
        f64: true,
        atomics64: true,
    },
    DeviceClass {
        kind: DeviceKind::OpenClGpu,
        units: 64,
        max_block: 256,
        warp: 32,
        shared_bytes: 32 << 10,
        arch: 0,
        f64: true,
        atomics64: true,
    },
];

/// The language of a kind of device.
pub(crate) fn dialect(kind: DeviceKind) -> Dialect {
    match kind {
        DeviceKind::Cuda => Dialect::Cuda,
        DeviceKind::OpenClGpu | DeviceKind::OpenClCpu => Dialect::OpenCl,
    }
}

/// `region-line-key.cu`: regions of one name and instances of one region are kept apart. The key is that of the
/// device's own source, in the names of the others too.
fn path(dir: &Path, site: &TypedSite, key: Key, extension: &str) -> PathBuf {
    let clean = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' };
    let name: String = site.place.region.chars().map(clean).collect();
    dir.join(format!("{name}-{}-{}.{extension}", site.place.line, &key.hex()[..12]))
}

/// Of a source for a kind of device.
pub(crate) fn extension(kind: DeviceKind) -> &'static str {
    match kind {
        DeviceKind::Cuda => "cu",
        DeviceKind::OpenClGpu => "gpu.cl",
        DeviceKind::OpenClCpu => "cpu.cl",
    }
}

/// Writes a source with its options; gives its path.
pub(crate) fn source(
    dir: &Path,
    site: &TypedSite,
    key: Key,
    kind: DeviceKind,
    options: &[String],
    text: &str,
) -> Option<PathBuf> {
    let extension = extension(kind);
    let head = format!("// {}\n// options: {}\n", site.place, options.join(" "));
    write(dir, path(dir, site, key, extension), &(head + text))
}

/// Writes a compiler's log.
pub(crate) fn log(dir: &Path, site: &TypedSite, key: Key, log: &str) {
    let _ = write(dir, path(dir, site, key, "log"), log);
}

fn write(dir: &Path, path: PathBuf, text: &str) -> Option<PathBuf> {
    match fs::create_dir_all(dir).and_then(|()| fs::write(&path, text)) {
        Ok(()) => Some(path),
        Err(e) => {
            eprintln!("omp: OMP_DUMP can't write {}: {e}", path.display());
            None
        }
    }
}
