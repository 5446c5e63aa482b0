//! Compiled kernels on disk, found by content.
//!
//! An entry is named by the SHA-256 of everything that its bytes depend on: versions of template, emitter and this
//! format, the source, the compiler options, the device's name and architecture, driver and compiler versions. It
//! holds a header with a checksum, then the compiled kernel. Writers make a temporary file and rename it, so a reader
//! sees a whole entry or none. The directory belongs to the user alone (0700): what is loaded from it runs.
//! A fault of the cache (no directory, no space, a damaged entry) is reported and never fails a launch.
use crate::backend::api::DeviceFacts;
use omp_ir::template::TEMPLATE_VERSION;
use omp_kernels::back::{Dialect, Source};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Version of the format of an entry and of what goes into a key.
const FORMAT: u32 = 1;
const MAGIC: &[u8; 8] = b"ompkern\x01";
const CHECK: usize = 32;
/// Larger files are no entries.
const MOST_BYTES: u64 = 256 << 20;

/// The name of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key([u8; 32]);

impl Key {
    /// The key of a source on a device. Every field that its binary depends on takes part, each with its length, so
    /// that no two different lists give the same text.
    #[must_use]
    pub fn of(source: &Source, facts: &DeviceFacts) -> Self {
        let mut hash = Sha256::new();
        let mut field = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        field(&FORMAT.to_le_bytes());
        field(&TEMPLATE_VERSION.to_le_bytes());
        field(env!("CARGO_PKG_VERSION").as_bytes());
        field(match facts.dialect {
            Dialect::Cuda => b"cuda",
            Dialect::OpenCl => b"opencl",
        });
        field(facts.backend.as_bytes());
        field(facts.name.as_bytes());
        field(facts.versions.as_bytes());
        field(&facts.class.arch.to_le_bytes());
        field(source.entry.as_bytes());
        for option in &source.options {
            field(option.as_bytes());
        }
        field(b"");
        field(source.text.as_bytes());
        Self(hash.finalize().into())
    }

    /// In hexadecimal digits.
    #[must_use]
    pub fn hex(&self) -> String {
        use std::fmt::Write as _;
        self.0.iter().fold(String::with_capacity(64), |mut s, b| {
            let _ = write!(s, "{b:02x}");
            s
        })
    }
}

/// A cache directory.
#[derive(Debug, Clone)]
pub struct DiskCache {
    dir: PathBuf,
}

impl DiskCache {
    /// The cache in `dir`, which is made at the first store.
    #[must_use]
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into() }
    }

    /// How many files it has, and their bytes.
    ///
    /// # Errors
    /// If the directory can't be read; one that is not there yet is empty.
    pub fn usage(&self) -> io::Result<(u64, u64)> {
        let mut usage = (0, 0);
        let folders = match fs::read_dir(&self.dir) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(usage),
            folders => folders?,
        };
        for folder in folders {
            let folder = folder?;
            if folder.file_type()?.is_dir() {
                for file in fs::read_dir(folder.path())? {
                    let metadata = file?.metadata()?;
                    usage = (usage.0 + 1, usage.1 + metadata.len());
                }
            }
        }
        Ok(usage)
    }

    /// The file of a key.
    #[must_use]
    pub fn path(&self, key: Key) -> PathBuf {
        let hex = key.hex();
        self.dir.join(&hex[..2]).join(format!("{}.kernel", &hex[2..]))
    }

    /// The compiled kernel, if it is there and whole. A damaged entry is removed.
    #[must_use]
    pub fn load(&self, key: Key) -> Option<Vec<u8>> {
        let path = self.path(key);
        if let Err(e) = only_ours(&self.dir) {
            if e.kind() != io::ErrorKind::NotFound {
                note(&path, &e);
            }
            return None;
        }
        let bytes = match read(&path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return None,
            Err(e) => {
                note(&path, &e);
                return None;
            }
        };
        let Some(kernel) = unwrap(&bytes, key) else {
            note(&path, &"the entry is damaged; it is removed");
            self.remove(key);
            return None;
        };
        Some(kernel.to_vec())
    }

    /// Keeps a compiled kernel.
    pub fn store(&self, key: Key, kernel: &[u8]) {
        if kernel.len() as u64 >= MOST_BYTES / 2 {
            return; // It would not be read.
        }
        let path = self.path(key);
        if let Err(e) = self.write(&path, &[MAGIC.as_slice(), checksum(key, kernel).as_slice(), kernel]) {
            note(&path, &e);
        }
    }

    /// Keeps a source that does not compile, for its error to name.
    pub fn keep(&self, key: Key, extension: &str, text: &str) -> Option<PathBuf> {
        let path = self.path(key).with_extension(extension);
        self.write(&path, &[text.as_bytes()]).map_err(|e| note(&path, &e)).ok().map(|()| path)
    }

    /// Forgets an entry (the driver refused it).
    pub fn remove(&self, key: Key) {
        let path = self.path(key);
        match fs::remove_file(&path) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => note(&path, &e),
            _ => {}
        }
    }

    fn write(&self, path: &Path, parts: &[&[u8]]) -> io::Result<()> {
        static SERIAL: AtomicU64 = AtomicU64::new(0);
        let folder = path.parent().unwrap_or(&self.dir);
        private_dir(&self.dir)?;
        private_dir(folder)?;
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let temporary = folder.join(format!(".{}.{serial}.tmp", std::process::id()));
        let written = (|| {
            let mut options = fs::OpenOptions::new();
            options.write(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let mut file = options.open(&temporary)?;
            parts.iter().try_for_each(|part| file.write_all(part))?;
            file.flush()?;
            fs::rename(&temporary, path)
        })();
        if written.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        written
    }
}

/// The bytes of an entry. To read anything but a regular file may wait, or never end.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the entry is no regular file"));
    }
    if metadata.len() > MOST_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the entry is larger than any kernel"));
    }
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Makes a directory that only its owner can enter.
fn private_dir(dir: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)?;
    only_ours(dir)
}

/// Refuses a directory that others may write to, because code from it is executed.
fn only_ours(dir: &Path) -> io::Result<()> {
    let metadata = fs::metadata(dir)?;
    #[cfg(unix)]
    if std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o022 != 0 {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "others may write to the cache directory; `chmod go-w` it or set OMP_CACHE_DIR",
        ));
    }
    let _ = metadata;
    Ok(())
}

fn checksum(key: Key, kernel: &[u8]) -> [u8; CHECK] {
    let mut hash = Sha256::new();
    hash.update(key.0);
    hash.update(kernel);
    hash.finalize().into()
}

fn unwrap(bytes: &[u8], key: Key) -> Option<&[u8]> {
    let rest = bytes.strip_prefix(MAGIC.as_slice())?;
    let (check, kernel) = rest.split_at_checked(CHECK)?;
    (check == checksum(key, kernel)).then_some(kernel)
}

fn note(path: &Path, what: &dyn std::fmt::Display) {
    crate::observe::cache_fault(path, what);
}

#[cfg(test)]
mod tests;
