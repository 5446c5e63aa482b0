//! A digest of a file that need not fit into memory: while a device works on one block of it, the host reads the next
//! one into a second buffer.
use clap::Parser;
use example_support::{hash, offloaded, timed};
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// A digest and a histogram of a file, block by block, on the best device of this machine.
#[derive(Parser)]
struct Options {
    /// The file; without one, a temporary one is made
    file: Option<PathBuf>,
    /// Bytes of the made file
    #[arg(short, long, default_value_t = 256 << 20)]
    size: usize,
    /// Bytes that both buffers may take together
    #[arg(short, long, default_value_t = 32 << 20, value_parser = clap::value_parser!(u64).range(2..))]
    memory: u64,
    /// How often to run it
    #[arg(short, long, default_value_t = 2)]
    repeat: usize,
}

/// What is known of the bytes so far.
#[derive(Clone, Debug, PartialEq)]
struct Digest {
    /// The sum of the mixed bytes: each mixed with its place.
    sum: u64,
    /// How often each byte was there.
    counts: [u64; 256],
}

impl Digest {
    fn new() -> Self {
        Self { sum: 0, counts: [0; 256] }
    }
}

/// A byte and its place, mixed well.
#[omp::declare_target]
fn mixed(byte: u8, place: u64) -> u64 {
    let mut v = (place << 8 | u64::from(byte)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    v = (v ^ v >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    v ^ v >> 32
}

/// Adds a block that starts at `place`. The host does `meanwhile` at the same time.
#[omp::offload]
fn add<R>(digest: &mut Digest, block: &[u8], place: u64, meanwhile: impl FnOnce() -> R) -> R {
    let mut sum = digest.sum;
    let mut counts = digest.counts;
    #[omp::target(nowait, map(to: block), reduction(+: sum, counts))]
    for i in 0..block.len() {
        sum = sum.wrapping_add(mixed(block[i], place + i as u64));
        counts[block[i] as usize] += 1;
    }
    let result = meanwhile();
    omp::taskwait!();
    (digest.sum, digest.counts) = (sum, counts);
    result
}

/// Reads until the buffer is full or the file ends.
fn fill(file: &mut File, buffer: &mut [u8]) -> io::Result<usize> {
    let mut full = 0;
    while full < buffer.len() {
        match file.read(&mut buffer[full..])? {
            0 => break,
            n => full += n,
        }
    }
    Ok(full)
}

fn streamed(path: &Path, memory: usize) -> io::Result<Digest> {
    let mut file = File::open(path)?;
    let (mut now, mut next) = (vec![0u8; memory / 2], vec![0u8; memory / 2]);
    let mut digest = Digest::new();
    let (mut place, mut full) = (0, fill(&mut file, &mut now)?);
    while full > 0 {
        let more = add(&mut digest, &now[..full], place, || fill(&mut file, &mut next))?;
        place += full as u64;
        (full, (now, next)) = (more, (next, now));
    }
    Ok(digest)
}

fn serial(path: &Path, memory: usize) -> io::Result<Digest> {
    let mut file = File::open(path)?;
    let mut buffer = vec![0u8; memory];
    let mut digest = Digest::new();
    let mut place = 0;
    loop {
        let full = fill(&mut file, &mut buffer)?;
        if full == 0 {
            return Ok(digest);
        }
        for byte in &buffer[..full] {
            digest.sum = digest.sum.wrapping_add(mixed(*byte, place));
            digest.counts[*byte as usize] += 1;
            place += 1;
        }
    }
}

/// Writes a file of so many bytes.
fn make(path: &Path, size: usize) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    for word in 0..size.div_ceil(4) {
        let left = size - 4 * word;
        file.write_all(&hash(word).to_le_bytes()[..left.min(4)])?;
    }
    file.flush()
}

fn run(o: &Options, path: &Path) -> io::Result<()> {
    let memory = o.memory as usize;
    let (want, time) = timed("serial", o.repeat, || (), |()| serial(path, memory));
    let got = offloaded("streamed", o.repeat, time, || (), |()| streamed(path, memory));
    let (got, want) = (got?, want?);
    assert!(got == want, "{got:?}, not {want:?}");
    let bytes: u64 = got.counts.iter().sum();
    println!("checked: {bytes} bytes in {} of memory, digest {:016x}", o.memory, got.sum);
    Ok(())
}

fn main() -> Result<(), String> {
    let o = Options::parse();
    let said = |path: &Path, e: io::Error| format!("{}: {e}", path.display());
    if let Some(path) = &o.file {
        return run(&o, path).map_err(|e| said(path, e));
    }
    let path = std::env::temp_dir().join(format!("streaming-{}.bin", std::process::id()));
    let result = make(&path, o.size).and_then(|()| run(&o, &path));
    let removed = std::fs::remove_file(&path);
    result.and(removed).map_err(|e| said(&path, e))
}
