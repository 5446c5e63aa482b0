//! `OMP_DUMP=dir`: generated sources and compiler logs, one file each.
use crate::cache::Key;
use crate::launch::site::TypedSite;
use omp_kernels::back::{Dialect, Source};
use std::fs;
use std::path::{Path, PathBuf};

/// `region-line-key.cu`: regions of one name and instances of one region are kept apart.
fn path(dir: &Path, site: &TypedSite, key: Key, extension: &str) -> PathBuf {
    let clean = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' };
    let name: String = site.place.region.chars().map(clean).collect();
    dir.join(format!("{name}-{}-{}.{extension}", site.place.line, &key.hex()[..12]))
}

/// Writes a source with its options; gives its path.
pub(crate) fn source(
    dir: &Path,
    site: &TypedSite,
    key: Key,
    dialect: Dialect,
    source: &Source,
) -> Option<PathBuf> {
    let extension = match dialect {
        Dialect::Cuda => "cu",
        Dialect::OpenCl => "cl",
    };
    let head = format!("// {}\n// options: {}\n", site.place, source.options.join(" "));
    write(dir, path(dir, site, key, extension), &(head + &source.text))
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
