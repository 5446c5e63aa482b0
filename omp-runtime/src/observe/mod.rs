//! Output while the program runs: `OMP_INFO` lines, `OMP_TRACE` events, the table of `OMP_TIME`, reports of fallbacks, `OMP_DUMP`
//! files.
//!
//! An event is one line on stderr, `omp: EVENT region at file:line, …`. Observation that is off costs one load and one comparison
//! ([`wants`]): no clock is read, no text made.
pub mod display;
pub mod dump;
mod exit;
pub(crate) mod report;
pub(crate) mod times;
pub(crate) mod trace;
mod waits;

use crate::backend::erased::{DynEvent, DynQueue};
use crate::data::mapping::{Event, EventKind};
use crate::device::Dev;
use crate::env::{Env, Info, try_env};
use crate::error::{Error, Mapping, Place};
use crate::launch::outcome::HostLoop;
use crate::launch::outcome::report::Record;
use crate::launch::site::TypedSite;
use omp_ir::analysis::plan::{LaunchFacts, Verdict};
use omp_kernels::schedule::{About, Geometry, Reasons, Schedule};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use trace::{Arg, DisplayDebug, Track};
pub(crate) use waits::{Why, launch_copies, launch_waits, reports_waits};

const KERNEL: u32 = 1;
const DATA: u32 = 1 << 1;
const TRANSFER: u32 = 1 << 2;
const LAUNCH: u32 = 1 << 3;
const WAIT: u32 = 1 << 4;
const TRACE: u32 = 1 << 5;
const TIME: u32 = 1 << 6;
const REPORT: u32 = 1 << 7;
const TUNE: u32 = 1 << 8;
/// The environment has not been read.
const UNKNOWN: u32 = 1 << 31;

/// The reports that the environment requests.
static WANTED: AtomicU32 = AtomicU32::new(UNKNOWN);

/// Whether the environment requests one of these.
#[inline]
fn wants(any: u32) -> bool {
    let wanted = WANTED.load(Ordering::Relaxed);
    wanted & (any | UNKNOWN) != 0 && (wanted & any != 0 || read() & any != 0)
}

/// The slow way: the environment of the process decides. If it is malformed, nothing is printed.
#[cold]
fn read() -> u32 {
    if try_env().is_err() {
        WANTED.store(0, Ordering::Relaxed);
    }
    WANTED.load(Ordering::Relaxed)
}

/// The environment has been read.
pub(crate) fn begin(env: &Env) {
    let Info { kernel, data, transfer, launch, wait, tune } = env.info;
    let all = [
        (kernel, KERNEL),
        (data, DATA),
        (transfer, TRANSFER),
        (launch, LAUNCH),
        (wait, WAIT),
        (tune, TUNE),
        (env.trace.is_some(), TRACE),
        (env.time, TIME),
        (env.report.is_some(), REPORT),
    ];
    WANTED.store(all.iter().filter(|(on, _)| *on).map(|(_, bit)| bit).sum(), Ordering::Relaxed);
}

/// Whether any event is reported.
pub(crate) fn listens() -> bool {
    wants(KERNEL | DATA | TRANSFER | LAUNCH | WAIT | TRACE | TIME | REPORT)
}

/// The devices' own times of all kernels are wanted.
pub(crate) fn times_kernels() -> bool {
    wants(KERNEL | TRACE)
}

fn line(what: &str, place: &Place, rest: &dyn Display) {
    eprintln!("omp: {what} `{}` at {}:{}: {rest}", place.region, place.file, place.line);
}

fn axes(v: [u32; 3]) -> String {
    format!("{}x{}x{}", v[0], v[1], v[2])
}

/// An event of the trace, if there is one. `time`: since `start`; without it, a moment.
fn traced(
    track: Track<'_>,
    kind: &'static str,
    name: &dyn DisplayDebug,
    (start, time): (Instant, Option<Duration>),
    place: Option<&Place>,
    args: &[(&'static str, Arg<'_>)],
) {
    if wants(TRACE) {
        trace::add(&trace::Event { track, kind, name, start, time, place, args });
    }
}

/// A moment of this thread.
fn moment(kind: &'static str, name: &str, place: &Place, what: &dyn DisplayDebug) {
    let args = [("what", Arg::Text(what))];
    traced(Track::Thread, kind, &name, (Instant::now(), None), Some(place), &args);
}

// ---- regions

/// A launch was queued, which has so much to do.
pub(crate) fn launched(
    site: &'static TypedSite,
    device: &Dev,
    geometry: &Geometry,
    checks: usize,
    work: Option<report::Work>,
) {
    if let Some(work) = work {
        times::launched(&site.place, device, work);
    }
    if wants(LAUNCH) {
        let (grid, block) = (axes(geometry.grid), axes(geometry.block));
        let rest = format_args!("{}, grid {grid}, block {block}, {checks} checks", device.label());
        line("launch", &site.place, &rest);
    }
}

/// A kernel that was launched at `start` has ended now. `time`: by the device's clock, if it was read.
pub(crate) fn kernel(
    site: &TypedSite,
    device: &Dev,
    geometry: &Geometry,
    start: Instant,
    time: Option<Duration>,
) {
    if !wants(KERNEL | TRACE) {
        return;
    }
    let since_launch = start.elapsed();
    let time = time.unwrap_or(since_launch);
    ran(site, device, 0, geometry, (start + since_launch.saturating_sub(time), time));
}

/// A kernel ran in a queue of a device.
fn ran(site: &TypedSite, device: &Dev, queue: u32, geometry: &Geometry, (start, time): (Instant, Duration)) {
    let (grid, block) = (axes(geometry.grid), axes(geometry.block));
    if wants(KERNEL) {
        line(
            "kernel",
            &site.place,
            &format_args!("{}, grid {grid}, block {block}, {time:?}", device.label()),
        );
    }
    let args = [("grid", Arg::Text(&grid)), ("block", Arg::Text(&block))];
    let span = (start, Some(time));
    traced(Track::Queue(device, queue), "kernel", &site.place.region, span, Some(&site.place), &args);
}

/// By device: an event and when it was reached, to convert the device's clock to the host's.
static ANCHORS: Mutex<Vec<(usize, Instant, DynEvent)>> = Mutex::new(Vec::new());

/// A task is about to be put into a queue. The first of a device, where times are wanted, waits for that queue.
pub(crate) fn anchor(device: &Dev, queue: &DynQueue) {
    if !wants(TRACE) {
        return;
    }
    let mut anchors = ANCHORS.lock().unwrap_or_else(PoisonError::into_inner);
    if anchors.iter().all(|(id, ..)| *id != device.id)
        && let Ok(event) = queue.record(true)
        && event.wait().is_ok()
    {
        anchors.push((device.id, Instant::now(), event));
    }
}

/// A task that was queued at `queued` has ended. It took `time` from its first event on, if the device reports it.
pub(crate) fn task(
    site: &TypedSite,
    device: &Dev,
    queue: u32,
    geometry: &Geometry,
    queued: Instant,
    (first, time): (Option<&DynEvent>, Option<Duration>),
) {
    if !wants(KERNEL | TRACE) {
        return;
    }
    let until_now = queued.elapsed();
    let time = time.unwrap_or(until_now);
    let reported = first.and_then(|first| {
        let anchors = ANCHORS.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, at, anchor) = anchors.iter().find(|(id, ..)| *id == device.id)?;
        Some(*at + first.since(anchor)?)
    });
    let start = reported.unwrap_or_else(|| queued + until_now.saturating_sub(time));
    ran(site, device, queue, geometry, (start, time));
}

/// Waits for the device.
pub(crate) fn waiting<T>(site: &TypedSite, device: &Dev, wait: impl FnOnce() -> T) -> T {
    if !wants(WAIT | TRACE) {
        return wait();
    }
    let start = Instant::now();
    let done = wait();
    let (time, label) = (start.elapsed(), device.label());
    if wants(WAIT) {
        line("wait", &site.place, &format_args!("{label}, {time:?}"));
    }
    let args = [("device", Arg::Text(&label))];
    traced(Track::Thread, "wait", &"wait", (start, Some(time)), Some(&site.place), &args);
    done
}

/// A launch has a schedule that none before had. `reasons`: those of its choice.
pub(crate) fn scheduled(
    site: &TypedSite,
    device: &Dev,
    (schedule, geometry): (&Schedule, &Geometry),
    facts: &LaunchFacts,
    reasons: impl Fn() -> Reasons,
) {
    report::scheduled(site, device, (schedule, geometry), facts, &reasons);
    if wants(KERNEL) {
        let (reasons, mut why) = (reasons(), String::new());
        if let Some(because) = reasons.of(About::Strategy) {
            why = format!(", because {because}");
        }
        // On a CPU there never are.
        if let Some((_, because)) =
            reasons.without().iter().find(|(what, _)| *what == "tiles" && device.is_gpu())
        {
            why.push_str(&format!("; no tiles, because {because}"));
        }
        let rest = format_args!("{}, {}{why}", device.label(), schedule.strategy.summary());
        line("schedule", &site.place, &rest);
    }
}

/// Something about the search for a region's schedule.
pub(crate) fn tuned(place: &Place, what: &dyn Display) {
    if wants(TUNE) {
        line("tune", place, what);
    }
}

/// Nothing is tried for a region.
pub(crate) fn not_tuned(place: &Place, why: &str) {
    report::not_tuned(place, why);
    tuned(place, &format_args!("not tried: {why}"));
}

/// Something about a file of schedules.
pub(crate) fn tune_file(path: &Path, what: &str) {
    if wants(TUNE) {
        eprintln!("omp: tune: {} {what}", path.display());
    }
}

/// The results of a search are lost at the end of the process. `always`: the search was waited for, so this is reported once in any case.
pub(crate) fn not_kept(path: &Path, why: &std::io::Error, always: bool) {
    use std::sync::atomic::{AtomicBool, Ordering};
    static REPORTED: AtomicBool = AtomicBool::new(false);
    if wants(TUNE) || always && !REPORTED.swap(true, Ordering::Relaxed) {
        eprintln!("omp: tune: {} is not written: {why}", path.display());
    }
}

/// A kernel was compiled or found on disk.
pub(crate) fn made(site: &TypedSite, device: &Dev, how: &str, start: Instant) {
    if !wants(KERNEL | TRACE) {
        return;
    }
    let (time, label) = (start.elapsed(), device.label());
    if wants(KERNEL) {
        line("compile", &site.place, &format_args!("{label}, {how}, {time:?}"));
    }
    let args = [("device", Arg::Text(&label)), ("how", Arg::Text(&how))];
    traced(Track::Thread, "compile", &"compile", (start, Some(time)), Some(&site.place), &args);
}

/// An inspection of all iterations has decided what the formulas of a launch left open.
pub(crate) fn inspected(site: &TypedSite, points: u64, (start, time): (Instant, Duration), verdict: Verdict) {
    if !wants(LAUNCH | TRACE) {
        return;
    }
    let found = match verdict {
        Verdict::Apart => "no two iterations conflict",
        Verdict::Race => "two iterations conflict",
        Verdict::Data => "data decides whether two iterations conflict: launches check it",
        Verdict::TooMuch => "too many iterations for an inspection: launches check it",
        Verdict::NotUnderstood => "a subscript depends on data",
    };
    if wants(LAUNCH) {
        line("inspection", &site.place, &format_args!("{points} subscripts in {time:?}, {found}"));
    }
    let args = [("found", Arg::Text(&found))];
    traced(Track::Thread, "inspection", &"inspection", (start, Some(time)), Some(&site.place), &args);
}

/// The kernel checks at run time what the formulas of a launch left open.
pub(crate) fn not_inspected(site: &TypedSite, expected: Duration) {
    if wants(LAUNCH) {
        let rest =
            format_args!("left out for new numbers, as it would take {expected:?}: the launch checks it");
        line("inspection", &site.place, &rest);
    }
}

/// A loop ran on the host, until now.
pub(crate) fn host_loop(host: &HostLoop, start: Instant, time: Duration) {
    report::on_host(host);
    let site = host.site;
    if wants(KERNEL) {
        line("kernel", &site.place, &format_args!("host, {time:?}"));
    }
    let span = (start, Some(time));
    traced(Track::Thread, "host loop", &site.place.region, span, Some(&site.place), &[]);
}

/// A region has ended on this thread.
pub(crate) fn region(record: &Record) {
    times::count(record);
    if !wants(TRACE) {
        return;
    }
    let (place, time) = (record.place, record.wall_time);
    let now = Instant::now();
    let start = now.checked_sub(time).unwrap_or(now);
    let device = record.device.map_or_else(|| "host".to_owned(), Dev::label);
    let (grid, block) = (axes(record.grid), axes(record.block));
    let mut args = vec![("device", Arg::Text(&device))];
    if record.device.is_some() {
        args.extend([
            ("grid", Arg::Text(&grid)),
            ("block", Arg::Text(&block)),
            ("bytes_to_device", Arg::Number(record.bytes_to_device)),
            ("bytes_from_device", Arg::Number(record.bytes_from_device)),
            ("residual_checks", Arg::Number(record.residual_checks as u64)),
        ]);
    }
    if let Some(reason) = &record.fallback {
        args.push(("fallback", Arg::Text(reason)));
    }
    traced(Track::Thread, "region", &place.region, (start, Some(time)), Some(place), &args);
}

/// A region or directive has failed.
pub(crate) fn failed(place: &Place, error: impl FnOnce() -> Error) {
    if wants(TRACE) {
        let text = error().to_string();
        moment("failure", "failure", place, &text.lines().next().unwrap_or_default());
    }
}

/// A region runs on the host although a device was requested: reported once per region.
pub(crate) fn fallback(site: &TypedSite, reason: &str) {
    if site.site.fallbacks.first() {
        line("falls back to the host", &site.place, &reason);
    }
    moment("fallback", "falls back to the host", &site.place, &reason);
}

/// `OMP_VERIFY` can't compare a region: reported once for each.
pub(crate) fn unverified(site: &TypedSite, reason: &str) {
    static REPORTED: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());
    let new = REPORTED.lock().unwrap_or_else(PoisonError::into_inner).insert(std::ptr::from_ref(site).addr());
    if new {
        report::not_compared(&site.place, reason);
        line("not verified", &site.place, &reason);
    }
}

/// `OMP_VERIFY` has compared a region's results; floats differ by this fraction at most.
pub(crate) fn verified(place: &Place, largest: f64, found: Option<&Error>) {
    report::compared(place, largest, found);
}

// ---- data

/// A copy between host and device, in a queue of that, which began at `start` and has ended now.
fn copied(what: &str, place: &Place, (device, queue): (&Dev, u32), array: &Mapping, start: Instant) {
    let time = start.elapsed();
    if wants(TRANSFER) {
        let Mapping { variable, elements: (lo, hi), bytes } = array;
        let label = device.label();
        line(what, place, &format_args!("{label}, `{variable}[{lo}..{hi}]`, {bytes} bytes, {time:?}"));
    }
    if wants(TRACE) {
        let (lo, hi) = array.elements;
        let name = format!("{} {what}", array.variable);
        let elements = format!("{lo}..{hi}");
        let args = [
            ("variable", Arg::Text(&array.variable)),
            ("elements", Arg::Text(&elements)),
            ("bytes", Arg::Number(array.bytes)),
        ];
        traced(Track::Queue(device, queue), "transfer", &name, (start, Some(time)), Some(place), &args);
    }
}

/// Something else that happened to an array: it was mapped, found, released.
fn changed(what: &str, place: &Place, device: &Dev, array: &Mapping) {
    let label = device.label();
    if wants(DATA) {
        let Mapping { variable, elements: (lo, hi), bytes } = array;
        line(what, place, &format_args!("{label}, `{variable}[{lo}..{hi}]`, {bytes} bytes"));
    }
    if wants(TRACE) {
        let name = format!("{what} {}", array.variable);
        let args = [("device", Arg::Text(&label)), ("bytes", Arg::Number(array.bytes))];
        traced(Track::Thread, "data", &name, (Instant::now(), None), Some(place), &args);
    }
}

/// Whether events of data are reported.
pub(crate) fn reports_data() -> bool {
    wants(DATA)
}

/// The host runs a loop on its own copy of data that is on a device, where a kernel has written it.
pub(crate) fn host_copy(place: &Place, device: &Dev, variable: &str, on_device: &Mapping, mapped: &Place) {
    let Mapping { variable: there, elements: (lo, hi), .. } = on_device;
    let (label, file, line_) = (device.label(), mapped.file, mapped.line);
    let rest = format_args!(
        "`{variable}` as the host has it; a kernel has written `{there}[{lo}..{hi}]` on {label} since {file}:{line_} mapped it, which the host sees after `target_update!(from(…))`"
    );
    line("host copy", place, &rest);
}

/// The clock, for reports of data; only if they are requested.
#[must_use]
pub(crate) fn clock() -> Option<Instant> {
    wants(DATA | TRANSFER | TRACE | TIME).then(Instant::now)
}

/// Reports what happens to the arrays of a launch, and how long each step took. The clock is read only when
/// reports are requested.
#[derive(Debug)]
pub struct Moves {
    site: &'static TypedSite,
    device: &'static Dev,
    /// The number of its queue.
    queue: u32,
    last: Option<Instant>,
}

impl Moves {
    /// Of a launch.
    #[must_use]
    pub fn of(site: &'static TypedSite, device: &'static Dev, queue: u32) -> Self {
        Self { site, device, queue, last: clock() }
    }

    /// The next step begins now.
    pub fn start(&mut self) {
        if let Some(last) = &mut self.last {
            *last = Instant::now();
        }
    }

    /// A step has ended.
    pub fn record(&mut self, event: &Event) {
        let Some(last) = self.last else { return };
        let (place, device, there) = (&self.site.place, self.device, (self.device, self.queue));
        let variable = self.site.names.get(event.array).map_or("?", String::as_str).to_owned();
        let array = Mapping { variable, elements: event.elements, bytes: event.bytes };
        match event.kind {
            EventKind::Alloc => changed("map", place, device, &array),
            EventKind::Present => changed("present", place, device, &array),
            EventKind::Forwarded => changed("forward", place, device, &array),
            EventKind::Upload => copied("to device", place, there, &array, last),
            EventKind::Download => copied("from device", place, there, &array, last),
        }
        self.start();
    }
}

/// An event of a data directive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DataEvent {
    Map,
    Present,
    Release,
    Delete,
    ToDevice,
    FromDevice,
}

/// A data directive did something to an array, from `start` until now.
pub(crate) fn data(
    deed: DataEvent,
    place: &Place,
    device: &Dev,
    start: Option<Instant>,
    array: impl FnOnce() -> Mapping,
) {
    data_in(deed, place, (device, 0), start, array);
}

/// The same in a queue of the device.
pub(crate) fn data_in(
    deed: DataEvent,
    place: &Place,
    there: (&Dev, u32),
    start: Option<Instant>,
    array: impl FnOnce() -> Mapping,
) {
    let device = there.0;
    let Some(start) = start else { return };
    match deed {
        DataEvent::Map => changed("map", place, device, &array()),
        DataEvent::Present => changed("present", place, device, &array()),
        DataEvent::Release => changed("release", place, device, &array()),
        DataEvent::Delete => changed("delete", place, device, &array()),
        DataEvent::ToDevice => copied("to device", place, there, &array(), start),
        DataEvent::FromDevice => copied("from device", place, there, &array(), start),
    }
}

/// Bytes copied to a device and back.
pub(crate) type Moved = Cell<(u64, u64)>;

/// Runs a data directive, which counts what it copies.
pub(crate) fn directive<T>(
    kind: &'static str,
    place: &'static Place,
    device: &Dev,
    run: impl FnOnce(&Moved) -> Result<T, Error>,
) -> Result<T, Error> {
    let start = clock();
    let moved = Moved::default();
    let result = run(&moved);
    if let Some(start) = start {
        let moved = moved.get();
        let time = start.elapsed();
        times::directive(place, kind, device, time, moved);
        let label = device.label();
        let args = [
            ("device", Arg::Text(&label)),
            ("bytes_to_device", Arg::Number(moved.0)),
            ("bytes_from_device", Arg::Number(moved.1)),
        ];
        traced(Track::Thread, "directive", &kind, (start, Some(time)), Some(place), &args);
        if let Err(error) = &result {
            failed(place, || error.clone());
        }
    }
    result
}

/// A data directive does nothing, because there is no device although one was requested.
pub(crate) fn data_fallback(place: &Place, reason: &str) {
    line("falls back to the host", place, &reason);
}

/// A device has less stack for each thread than `OMP_STACKSIZE` requires, in bytes: reported once per process.
pub(crate) fn less_stack(wanted: u64, given: u64) {
    static REPORTED: std::sync::Once = std::sync::Once::new();
    REPORTED.call_once(|| {
        eprintln!(
            "omp: OMP_STACKSIZE requests {wanted} bytes of stack for each thread, which the device can't give: it is {given}; request less"
        );
    });
}

/// The stack of a device's threads has been made larger, for functions that call themselves.
pub(crate) fn stack(bytes: u64) {
    if wants(LAUNCH) {
        eprintln!(
            "omp: stack: {bytes} bytes for each thread of a kernel whose functions call themselves (OMP_STACKSIZE)"
        );
    }
}

/// The disk cache has a fault: reported under `OMP_INFO=kernel`, once per process otherwise.
pub(crate) fn cache_fault(path: &Path, what: &dyn Display) {
    use std::sync::atomic::{AtomicBool, Ordering};
    static REPORTED: AtomicBool = AtomicBool::new(false);
    if !REPORTED.swap(true, Ordering::Relaxed) || wants(KERNEL) {
        eprintln!("omp: the kernel cache goes without {}: {what}", path.display());
    }
}
