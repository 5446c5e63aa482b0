//! What is told while the program runs: `OMP_INFO` lines, reports of fallbacks, `OMP_DUMP` files.
//!
//! One line per event on stderr, `omp: EVENT region at file:line, …`. Without `OMP_INFO` none of this costs more than a
//! look at a flag.
pub mod display;
pub mod dump;
pub(crate) mod times;

use crate::data::mapping::{Event, EventKind};
use crate::device::Dev;
use crate::env::{Info, try_env};
use crate::error::{Mapping, Place};
use crate::launch::site::TypedSite;
use omp_kernels::schedule::Geometry;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What `OMP_INFO` asks for.
#[must_use]
pub fn info() -> Info {
    try_env().map(|e| e.info).unwrap_or_default()
}

/// Lines about kernels are wanted, with their times.
pub(crate) fn times_kernels() -> bool {
    info().kernel
}

fn line(what: &str, site: &TypedSite, rest: &dyn Display) {
    let place = &site.place;
    eprintln!("omp: {what} `{}` at {}:{}: {rest}", place.region, place.file, place.line);
}

fn axes(v: [u32; 3]) -> String {
    format!("{}x{}x{}", v[0], v[1], v[2])
}

/// A launch was queued.
pub(crate) fn launched(site: &TypedSite, device: &Dev, geometry: &Geometry, checks: usize) {
    if info().launch {
        let (grid, block) = (axes(geometry.grid), axes(geometry.block));
        line(
            "launch",
            site,
            &format_args!("{}, grid {grid}, block {block}, {checks} checks", device.label()),
        );
    }
}

/// A kernel has ended.
pub(crate) fn kernel(site: &TypedSite, device: &Dev, geometry: &Geometry) {
    if info().kernel {
        let time = device.handle.last_kernel_time().unwrap_or_default();
        let (grid, block) = (axes(geometry.grid), axes(geometry.block));
        line("kernel", site, &format_args!("{}, grid {grid}, block {block}, {time:?}", device.label()));
    }
}

/// Waits for the device.
pub(crate) fn waiting<T>(site: &TypedSite, device: &Dev, wait: impl FnOnce() -> T) -> T {
    if !info().wait {
        return wait();
    }
    let start = Instant::now();
    let done = wait();
    line("wait", site, &format_args!("{}, {:?}", device.label(), start.elapsed()));
    done
}

/// A kernel was compiled or found on disk.
pub(crate) fn made(site: &TypedSite, device: &Dev, how: &str, time: Duration) {
    if info().kernel {
        line("compile", site, &format_args!("{}, {how}, {time:?}", device.label()));
    }
}

/// Tells what happens to the arrays of a launch, and how long each step took. The clock is read only when
/// somebody listens.
#[derive(Debug)]
pub struct Moves {
    site: &'static TypedSite,
    device: &'static Dev,
    last: Option<Instant>,
}

impl Moves {
    /// Of a launch.
    #[must_use]
    pub fn of(site: &'static TypedSite, device: &'static Dev) -> Self {
        let info = info();
        Self { site, device, last: (info.data || info.transfer).then(Instant::now) }
    }

    /// The next step begins now.
    pub fn start(&mut self) {
        if let Some(last) = &mut self.last {
            *last = Instant::now();
        }
    }

    /// A step has ended.
    pub fn tell(&mut self, event: &Event) {
        let Some(last) = self.last else { return };
        let info = info();
        let (what, told) = match event.kind {
            EventKind::Alloc => ("map", info.data),
            EventKind::Upload => ("to device", info.transfer),
            EventKind::Download => ("from device", info.transfer),
        };
        if told {
            let time = last.elapsed();
            let (lo, hi) = event.elements;
            let name = self.site.names.get(event.array).map_or("?", String::as_str);
            let label = self.device.label();
            line(
                what,
                self.site,
                &format_args!("{label}, `{name}[{lo}..{hi}]`, {} bytes, {time:?}", event.bytes),
            );
        }
        self.start();
    }
}

/// A data directive did something to an array.
pub(crate) fn data(what: &str, place: &Place, device: &Dev, array: &Mapping) {
    let info = info();
    if if what == "map" { info.data } else { info.transfer } {
        let (file, line, region) = (place.file, place.line, &place.region);
        eprintln!("omp: {what} `{region}` at {file}:{line}: {}, {array}", device.label());
    }
}

/// A data directive does nothing, because there is no device although one was asked for.
pub(crate) fn data_fallback(place: &Place, reason: &str) {
    let (file, line, region) = (place.file, place.line, &place.region);
    eprintln!("omp: falls back to the host `{region}` at {file}:{line}: {reason}");
}

/// A loop ran on the host.
pub(crate) fn host_loop(site: &TypedSite, time: Duration) {
    if info().kernel {
        line("kernel", site, &format_args!("host, {time:?}"));
    }
}

/// A region runs on the host although a device was asked for: told once per region.
pub(crate) fn fallback(site: &TypedSite, reason: &str) {
    if site.site.fallbacks.first() {
        line("falls back to the host", site, &reason);
    }
}

/// `OMP_VERIFY` can't compare a region: told once for each.
pub(crate) fn unverified(site: &TypedSite, reason: &str) {
    static TOLD: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());
    let new = TOLD.lock().unwrap_or_else(PoisonError::into_inner).insert(std::ptr::from_ref(site).addr());
    if new {
        line("not verified", site, &reason);
    }
}

/// The disk cache has a fault: told under `OMP_INFO=kernel`, once per process otherwise.
pub(crate) fn cache_fault(path: &Path, what: &dyn Display) {
    use std::sync::atomic::{AtomicBool, Ordering};
    static TOLD: AtomicBool = AtomicBool::new(false);
    if !TOLD.swap(true, Ordering::Relaxed) || info().kernel {
        eprintln!("omp: the kernel cache goes without {}: {what}", path.display());
    }
}
