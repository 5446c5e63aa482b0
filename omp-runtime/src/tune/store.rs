//! Results of searches on disk: a JSON file that a person can read, and that can be shipped with a program.
//!
//! Writers reread the file under a lock, merge their results, write a temporary file and rename it. So several processes
//! may write at a time, and a reader sees a whole file or none. A faulty file is reported under `OMP_INFO=tune` and
//! never fails a launch. Its schedules are proposals: [`choose_as`](omp_kernels::schedule::choose_as) holds them to the legality of
//! each launch.
use miniserde::{Deserialize, Serialize, json};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// The format of the file.
const FORMAT: u32 = 1;

/// Larger files are no stores.
const MOST_BYTES: u64 = 16 << 20;

/// Entries that a file keeps: the latest.
const MOST_ENTRIES: usize = 4096;

/// A file.
#[derive(Debug, Deserialize)]
struct Stored {
    version: u32,
    entries: Vec<Entry>,
}

/// What was found for launches of a kernel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// For people: the region, and where it stands.
    pub region: String,
    /// `file:line`
    pub place: String,
    /// What the launches have in common.
    pub key: Key,
    /// The choice's text.
    pub schedule: String,
    /// What the default schedule takes, and the chosen one.
    pub default_us: f64,
    /// The same of the chosen one.
    pub best_us: f64,
    /// How many schedules were tried, and how many of these dropped.
    pub candidates: u64,
    /// The second of both.
    pub dropped: u64,
    /// What the search took.
    pub seconds: f64,
    /// When, in seconds since 1970.
    pub found: u64,
    /// All that was tried, in order.
    pub tried: Vec<Tried>,
}

/// What the launches of an entry have in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Key {
    /// A hash of the kernel's code, of its types, and of what clauses fix.
    pub kernel: String,
    /// Backend and name.
    pub device: String,
    /// Driver and compiler.
    pub driver: String,
    /// Version of the library.
    pub library: String,
    /// The trips of the loops, rounded down to powers of two.
    pub sizes: Vec<u64>,
    /// All trips are multiples of 32.
    pub whole: bool,
}

/// A schedule that was tried.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tried {
    /// The choice's text.
    pub schedule: String,
    /// Its place in the order of the model; `null` for what the search has added.
    pub rank: Option<u64>,
    /// Its time; `null` if it was dropped.
    pub us: Option<f64>,
    /// Why it was dropped.
    pub dropped: Option<String>,
}

impl Key {
    /// The same kernel on the same device, of another driver or version.
    pub fn is_of_another_version(&self, wanted: &Self) -> bool {
        self.kernel == wanted.kernel
            && self.device == wanted.device
            && (self.driver != wanted.driver || self.library != wanted.library)
    }
}

/// Why a file has no entries.
#[derive(Debug, PartialEq, Eq)]
pub enum Unread {
    /// It is not there, or empty.
    Missing,
    /// It can't be read, or is no such file.
    Bad(String),
}

/// The entries of a file.
pub fn read(path: &Path) -> Result<Vec<Entry>, Unread> {
    let bad = |e: io::Error| Unread::Bad(e.to_string());
    let metadata = match fs::metadata(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Err(Unread::Missing),
        metadata => metadata.map_err(bad)?,
    };
    // To read anything but a regular file may wait, or never end.
    if !metadata.is_file() || metadata.len() > MOST_BYTES {
        return Err(Unread::Bad("it is no regular file of a size that such files have".into()));
    }
    let mut text = String::new();
    fs::File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_string(&mut text)).map_err(bad)?;
    if text.trim().is_empty() {
        return Err(Unread::Missing);
    }
    let stored: Stored =
        json::from_str(&text).map_err(|_| Unread::Bad("it is damaged, or no file of schedules".into()))?;
    if stored.version != FORMAT {
        return Err(Unread::Bad(format!("its format is {}; this version has {FORMAT}", stored.version)));
    }
    Ok(stored.entries)
}

/// Adds an entry, in place of one with the same key. A damaged file is replaced if it is `ours`: only this module writes it.
pub fn add(path: &Path, entry: &Entry, ours: bool) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder)?;
    }
    // The lock has a file of its own: the one with the entries is another after each writing.
    let lock =
        fs::OpenOptions::new().write(true).create(true).truncate(false).open(path.with_extension("lock"))?;
    lock.lock()?;
    let mut entries = match read(path) {
        Ok(entries) => entries,
        Err(Unread::Missing) => Vec::new(),
        Err(Unread::Bad(_)) if ours => Vec::new(),
        Err(Unread::Bad(why)) => return Err(io::Error::new(io::ErrorKind::InvalidData, why)),
    };
    entries.retain(|other| other.key != entry.key);
    entries.push(entry.clone());
    let first = entries.len().saturating_sub(MOST_ENTRIES);
    replace(path, &text(&entries[first..]))
}

/// An entry a line is too long for people, and a member a line too many lines.
fn text(entries: &[Entry]) -> String {
    let mut text = format!("{{ \"version\": {FORMAT},\n  \"entries\": [");
    for (n, entry) in entries.iter().enumerate() {
        let Entry {
            region,
            place,
            key,
            schedule,
            default_us,
            best_us,
            candidates,
            dropped,
            seconds,
            found,
            tried,
        } = entry;
        let comma = if n > 0 { "," } else { "" };
        let string = |s: &String| json::to_string(s);
        let _ = write!(text, "{comma}\n    {{ \"region\": {}, \"place\": {},", string(region), string(place));
        let _ = write!(text, "\n      \"key\": {},", json::to_string(key));
        let _ = write!(text, "\n      \"schedule\": {},", string(schedule));
        let _ = write!(text, "\n      \"default_us\": {default_us:.3}, \"best_us\": {best_us:.3},");
        let _ = write!(text, " \"candidates\": {candidates}, \"dropped\": {dropped},");
        let _ = write!(text, " \"seconds\": {seconds:.3}, \"found\": {found},\n      \"tried\": [");
        for (n, one) in tried.iter().enumerate() {
            let comma = if n > 0 { "," } else { "" };
            let _ = write!(text, "{comma}\n        {}", json::to_string(one));
        }
        text.push_str("] }");
    }
    text + "] }\n"
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    static SERIAL: AtomicU64 = AtomicU64::new(0);
    let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
    let temporary = path.with_extension(format!("{}.{serial}.tmp", std::process::id()));
    let written = (|| {
        let mut file = fs::OpenOptions::new().write(true).create_new(true).open(&temporary)?;
        file.write_all(text.as_bytes())?;
        file.flush()?;
        fs::rename(&temporary, path)
    })();
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(kernel: &str, best_us: f64) -> Entry {
        Entry {
            region: "a \"region\"".into(),
            place: "src/main.rs:3".into(),
            key: Key {
                kernel: kernel.into(),
                device: "mock Mock".into(),
                driver: "1".into(),
                library: "0".into(),
                sizes: vec![1024, 512],
                whole: true,
            },
            schedule: "plain unroll 2".into(),
            default_us: 2.5,
            best_us,
            candidates: 3,
            dropped: 1,
            seconds: 0.25,
            found: 1_700_000_000,
            tried: vec![
                Tried { schedule: "default".into(), rank: Some(0), us: Some(2.5), dropped: None },
                Tried {
                    schedule: "plain".into(),
                    rank: None,
                    us: None,
                    dropped: Some("line 1\nline 2".into()),
                },
            ],
        }
    }

    #[test]
    fn entries_are_read_as_they_were_written_and_replaced_by_their_key() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("deep/er/tune.json");
        assert_eq!(read(&path), Err(Unread::Missing));
        for one in [entry("a", 1.0), entry("b", 2.0), entry("a", 3.0)] {
            add(&path, &one, false).expect("it can be written");
        }
        assert_eq!(read(&path), Ok(vec![entry("b", 2.0), entry("a", 3.0)]));
        let left = fs::read_dir(path.parent().expect("a folder")).expect("it is there").count();
        assert_eq!(left, 2, "the file and its lock");
    }

    #[test]
    fn damaged_files_are_no_entries_and_only_our_own_are_replaced() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("tune.json");
        add(&path, &entry("a", 1.0), true).expect("it can be written");
        let whole = fs::read(&path).expect("it is there");
        let deep = "[".repeat(1 << 20);
        let mut others = vec![b"fn main() {}".to_vec(), deep.into_bytes(), vec![0xff; 9]];
        others.push(String::from_utf8_lossy(&whole).replace("\"version\": 1", "\"version\": 2").into_bytes());
        others.extend((1..whole.len() - 2).step_by(7).map(|n| whole[..n].to_vec()));
        for bytes in others {
            fs::write(&path, &bytes).expect("it can be written");
            assert!(matches!(read(&path), Err(Unread::Bad(_))), "{}", String::from_utf8_lossy(&bytes));
            assert!(add(&path, &entry("b", 1.0), false).is_err());
            assert_eq!(
                fs::read(&path).expect("it is there"),
                bytes,
                "the file of another program is not changed"
            );
            add(&path, &entry("b", 1.0), true).expect("it can be written");
            assert_eq!(read(&path), Ok(vec![entry("b", 1.0)]));
        }
    }

    #[test]
    fn several_writers_lose_nothing() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = &dir.path().join("tune.json");
        std::thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    for n in 0..8 {
                        add(path, &entry(&format!("{thread}.{n}"), 1.0), true).expect("it can be written");
                    }
                });
            }
        });
        assert_eq!(read(path).expect("it is whole").len(), 32);
    }
}
