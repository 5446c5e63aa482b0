//! The report of a region: `omp::last_region`, and the number of fallbacks to the host.
//!
//! The record is made at the end of every region, on the thread that ran it, and contains no text; text is made on request. While
//! a thread waits, rayon may give it another region; that region ends before, so its record is overwritten.
use crate::device::Dev;
use crate::error::Place;
use crate::launch::execute::timing;
use crate::launch::site::lock;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A report of the last region of this thread whose loop has run.
///
/// | event | effect on the report |
/// |---|---|
/// | the loop had no iterations | reported |
/// | the loop failed (a check, an index out of bounds, a panic) | reported, with the times and bytes until the failure |
/// | the launch refused the region (a race, data that is not present) | the report does not change |
/// | a task did not run because a task that it depends on has failed | the report does not change |
/// | the device failed, and the host ran the loop | reported; `fallback` has the reason |
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct RegionReport {
    /// The `name` clause, or the function's name.
    pub name: String,
    /// `file:line:column` of the directive.
    pub place: String,
    /// The device's name, or `host`.
    pub device: String,
    /// `cuda`, `opencl` or `host`.
    pub backend: String,
    /// Number of teams along each axis; zeros on the host, and if nothing was launched.
    pub grid: [u32; 3],
    /// Number of threads of a team along each axis.
    pub block: [u32; 3],
    /// Bytes copied to the device.
    pub bytes_to_device: u64,
    /// Bytes copied back to the host.
    pub bytes_from_device: u64,
    /// Time of the kernel by the device's clock; on the host, time of the loop. Exception: if the program's first report comes after many
    /// launches of a kernel that it did not wait for, this is the host's time from the launch to the end of all queued work.
    pub kernel_time: Duration,
    /// Time from the start of the region to its end. If nothing is copied back and the data stays on the device, the region
    /// ends when its kernel is queued; later uses of the data wait for the kernel.
    pub wall_time: Duration,
    /// Number of checks in the kernel of this launch.
    pub residual_checks: usize,
    /// The reason of the fallback, if the region ran on the host although a device was chosen.
    pub fallback: Option<String>,
}

impl fmt::Display for RegionReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, place, device, backend, kernel_time, wall_time, .. } = self;
        if name.is_empty() {
            return f.write_str("no region has run on this thread");
        }
        write!(f, "`{name}` at {place} on {device}")?;
        if device != backend {
            write!(f, " ({backend})")?;
        }
        write!(f, ": {} in the loop, {} in all", Shown(*kernel_time), Shown(*wall_time))?;
        if backend != "host" {
            let (to, from) = (Bytes(self.bytes_to_device), Bytes(self.bytes_from_device));
            let ([gx, gy, gz], [bx, by, bz]) = (self.grid, self.block);
            write!(f, ", {to} to the device and {from} back, grid {gx}x{gy}x{gz}, block {bx}x{by}x{bz}")?;
            if self.residual_checks > 0 {
                write!(f, ", {} checks in the kernel", self.residual_checks)?;
            }
        }
        if let Some(reason) = &self.fallback {
            write!(f, "; fell back to the host: {reason}")?;
        }
        Ok(())
    }
}

/// A time in microseconds or milliseconds.
struct Shown(Duration);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = self.0.as_secs_f64() * 1e3;
        if ms < 1.0 { write!(f, "{:.1} us", ms * 1e3) } else { write!(f, "{ms:.2} ms") }
    }
}

/// A number of bytes in the largest unit that it fills.
struct Bytes(u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1u64 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
        match units.iter().find(|(size, _)| self.0 >= *size) {
            Some((size, unit)) => write!(f, "{:.1} {unit}", self.0 as f64 / *size as f64),
            None => write!(f, "{} bytes", self.0),
        }
    }
}

/// The source of the kernel's time in a report.
#[derive(Debug, Clone, Copy)]
pub(crate) enum KernelTime {
    Known(Duration),
    /// The device has measured it.
    OnDevice,
    /// The device does not measure it. The kernel was launched at this time.
    Since(Instant),
}

/// The data of a report, without text.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    pub place: &'static Place,
    /// The device; `None` is the host.
    pub device: Option<&'static Dev>,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub bytes_to_device: u64,
    pub bytes_from_device: u64,
    pub kernel_time: KernelTime,
    pub wall_time: Duration,
    pub residual_checks: usize,
    pub fallback: Option<Arc<str>>,
}

thread_local! {
    static LAST: RefCell<Option<Record>> = const { RefCell::new(None) };
    static FALLBACKS: Cell<u64> = const { Cell::new(0) };
}

/// How many regions of this thread have run on the host in place of their device.
#[must_use]
pub fn fallbacks() -> u64 {
    FALLBACKS.try_with(Cell::get).unwrap_or_default()
}

/// Makes a record that of this thread's last region.
pub(crate) fn remember(record: Record) {
    crate::observe::region(&record);
    let _ = FALLBACKS.try_with(|all| all.set(all.get() + u64::from(record.fallback.is_some())));
    let _ = LAST.try_with(|last| last.replace(Some(record)));
}

/// The record of this thread's last region.
fn last_record() -> Option<Record> {
    LAST.try_with(|last| last.borrow().clone()).ok().flatten()
}

/// Runs `deed`; returns the record of the last region in it, if there was one.
pub(crate) fn remembered(deed: impl FnOnce()) -> Option<Record> {
    let before = LAST.try_with(RefCell::take).ok().flatten();
    deed();
    let after = last_record();
    if after.is_none()
        && let Some(before) = before
    {
        is_last(before);
    }
    after
}

/// Runs `deed`, whose report is for another thread: returns its record, and restores this thread's.
pub(crate) fn for_others(deed: impl FnOnce()) -> Option<Record> {
    let before = LAST.try_with(RefCell::take).ok().flatten();
    deed();
    LAST.try_with(|last| last.replace(before)).ok().flatten()
}

/// Restores a record: regions that ended later come earlier in the program.
pub(crate) fn is_last(record: Record) {
    let _ = LAST.try_with(|last| last.replace(Some(record)));
}

/// The report of the last region that ended on this thread. Before the first region, it is empty and has no name.
#[must_use]
pub fn last_region() -> RegionReport {
    timing::request();
    last_record().map(Record::report).unwrap_or_default()
}

impl Record {
    fn report(self) -> RegionReport {
        let place = self.place;
        let facts = self.device.map(|d| d.handle.facts());
        let device = || self.device.map(|d| &d.handle);
        let kernel_time = match self.kernel_time {
            KernelTime::Known(time) => Some(time),
            KernelTime::OnDevice => device().and_then(|d| {
                // Its kernel may be under way.
                d.last_kernel_time().or_else(|| d.wait().ok().and_then(|()| d.last_kernel_time()))
            }),
            KernelTime::Since(launch) => device().and_then(|d| d.wait().ok()).map(|()| launch.elapsed()),
        };
        let kernel_time = kernel_time.unwrap_or_default();
        RegionReport {
            name: place.region.to_string(),
            place: format!("{}:{}:{}", place.file, place.line, place.column),
            device: facts.map_or("host", |f| f.name.as_str()).to_owned(),
            backend: facts.map_or("host", |f| f.backend).to_owned(),
            grid: self.grid,
            block: self.block,
            bytes_to_device: self.bytes_to_device,
            bytes_from_device: self.bytes_from_device,
            kernel_time,
            // The region may have returned before its kernel ended.
            wall_time: self.wall_time.max(kernel_time),
            residual_checks: self.residual_checks,
            fallback: self.fallback.as_deref().map(str::to_owned),
        }
    }
}

/// The sums of the reports of a target block's regions.
#[derive(Debug)]
pub(crate) struct Totals {
    started: Instant,
    sum: Mutex<Sum>,
}

#[derive(Debug, Default)]
struct Sum {
    last: Option<Record>,
    bytes_to_device: u64,
    bytes_from_device: u64,
    kernel_time: Duration,
    residual_checks: usize,
    fallback: Option<Arc<str>>,
}

impl Totals {
    pub(crate) fn new() -> Self {
        Self { started: Instant::now(), sum: Mutex::default() }
    }

    /// Adds the report of one of the regions.
    pub(crate) fn add(&self, record: &Record) {
        let time = match record.kernel_time {
            KernelTime::Known(time) => Some(time),
            KernelTime::OnDevice => record.device.and_then(|d| d.handle.last_kernel_time()),
            KernelTime::Since(_) => None,
        };
        let mut sum = lock(&self.sum);
        sum.bytes_to_device += record.bytes_to_device;
        sum.bytes_from_device += record.bytes_from_device;
        sum.kernel_time += time.unwrap_or_default();
        sum.residual_checks += record.residual_checks;
        sum.fallback = sum.fallback.take().or_else(|| record.fallback.clone());
        sum.last = Some(record.clone());
    }

    /// Adds bytes that the end of the block has copied to the host.
    pub(crate) fn brought_back(&self, bytes: u64) {
        lock(&self.sum).bytes_from_device += bytes;
    }

    /// Ends the block: its record becomes that of this thread's last region, with the grid of its last kernel.
    pub(crate) fn remember(&self, place: &'static Place, device: Option<&'static Dev>) {
        let sum = std::mem::take(&mut *lock(&self.sum));
        let (grid, block) = sum.last.map_or(([0; 3], [0; 3]), |last| (last.grid, last.block));
        remember(Record {
            place,
            device,
            grid,
            block,
            bytes_to_device: sum.bytes_to_device,
            bytes_from_device: sum.bytes_from_device,
            kernel_time: KernelTime::Known(sum.kernel_time),
            wall_time: self.started.elapsed(),
            residual_checks: sum.residual_checks,
            fallback: sum.fallback,
        });
    }
}

/// How often a region fell back to the host. The first time is printed on stderr.
#[derive(Debug)]
pub(crate) struct FallbackCount(AtomicU64);

impl FallbackCount {
    pub(crate) const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Counts a fallback; returns whether it is the first.
    pub(crate) fn first(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) == 0
    }

    /// The number of fallbacks.
    #[cfg_attr(not(test), expect(dead_code, reason = "the table at exit will show it"))]
    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_show_what_matters() {
        assert_eq!(RegionReport::default().to_string(), "no region has run on this thread");
        let mut report = RegionReport {
            name: "saxpy".into(),
            place: "a.rs:1:2".into(),
            device: "NVIDIA H200".into(),
            backend: "cuda".into(),
            grid: [7, 1, 1],
            block: [256, 1, 1],
            bytes_to_device: 3 << 20,
            bytes_from_device: 100,
            kernel_time: Duration::from_nanos(12_340),
            wall_time: Duration::from_micros(1500),
            residual_checks: 1,
            fallback: None,
        };
        assert_eq!(
            report.to_string(),
            "`saxpy` at a.rs:1:2 on NVIDIA H200 (cuda): 12.3 us in the loop, 1.50 ms in all, 3.0 MiB to the device and \
             100 bytes back, grid 7x1x1, block 256x1x1, 1 checks in the kernel"
        );
        (report.device, report.backend) = ("host".into(), "host".into());
        report.fallback = Some("out of memory".into());
        assert_eq!(
            report.to_string(),
            "`saxpy` at a.rs:1:2 on host: 12.3 us in the loop, 1.50 ms in all; fell back to the host: out of memory"
        );
    }
}
