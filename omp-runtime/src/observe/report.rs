//! `OMP_REPORT=file.json`: the regions of a program, where they ran and how long, for programs that read the file (`cargo omp`).
//! The file is written when the process ends.
//!
//! ```text
//! { "version": 1,
//!   "runs":    [ a region or data directive on a device: how often, times, bytes, operations, fallbacks ],
//!   "regions": [ an instance of a region: loops, arrays, subscripts with their checks, its IR,
//!                and "launches": the schedules that it had on devices, step by step with the reasons that the choice recorded ("why")
//!                and what would make it faster ("faster"), or that it ran on the host,
//!                "more": how many runs are none of those ],
//!   "compared": [ a region under OMP_VERIFY: how often, the largest difference, what differs or why it isn't compared ],
//!   "untuned":  [ a region under OMP_TUNE=full that no search tried, and why ] }
//! ```
//!
//! While a search tries candidates (`OMP_TUNE=full`), the file has its state instead:
//! `{"searching":{"region":…,"file":…,"line":…,"column":…,"tried":3,"of":14,"best_us":8.2}}`.
//!
//! A number that is not known is `null`. Times are nanoseconds.
use super::trace::{DisplayDebug, Json};
use super::{REPORT, times, wants};
use crate::device::Dev;
use crate::error::{Error, Place};
use crate::launch::outcome::HostLoop;
use crate::launch::plan::decisions::{LaunchDecisions, Serial};
use crate::launch::site::{Ready, TypedSite, lock};
use omp_ir::analysis::plan::LaunchFacts;
use omp_ir::analysis::work::operations;
use omp_ir::kernel::{BoundsVerdict, Kernel};
use omp_ir::print;
use omp_ir::template::MapType;
use omp_kernels::schedule::{Geometry, Reasons, Schedule, explain};
use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};
use std::fs::File;
use std::io::{self, Seek as _, Write as _};
use std::path::Path;
use std::sync::{Mutex, OnceLock};

/// What a launch has to do at least.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Work {
    /// Elements that are read and elements that are written, each once, in bytes.
    pub bytes: Option<u64>,
    /// See [`operations`].
    pub operations: Option<u64>,
}

/// The regions by the address of their site, and the comparisons by that of their place.
#[derive(Debug, Default)]
struct Report {
    regions: BTreeMap<usize, Region>,
    compared: BTreeMap<usize, Compared>,
    /// Places, with the reason that nothing was tried.
    untuned: BTreeMap<String, String>,
}

#[derive(Debug)]
struct Region {
    /// The members of its object, without the launches.
    members: String,
    launches: Vec<String>,
    /// Others than those, counted each time that they ran.
    more: u64,
}

#[derive(Debug)]
struct Compared {
    place: String,
    count: u64,
    largest: f64,
    differs: Option<String>,
    not_compared: Option<String>,
}

static FILE: OnceLock<Mutex<File>> = OnceLock::new();
static REPORTED: Mutex<Option<Report>> = Mutex::new(None);

/// Makes the file, so that one that can't be written is an error at the start.
pub(crate) fn open(path: &Path) -> io::Result<()> {
    let _ = FILE.set(Mutex::new(File::create(path)?));
    super::exit::expect_the_end();
    Ok(())
}

/// The members of an object or the elements of a list.
#[derive(Default)]
struct Members(String);

impl Members {
    fn next(&mut self) -> &mut String {
        if !self.0.is_empty() {
            self.0.push(',');
        }
        &mut self.0
    }

    /// A member whose value is JSON: a number, an object, a list.
    fn json(&mut self, key: &str, value: impl Display) -> &mut Self {
        let _ = write!(self.next(), "\"{key}\":{value}");
        self
    }

    fn text(&mut self, key: &str, value: &dyn DisplayDebug) -> &mut Self {
        self.json(key, Json(value))
    }

    fn maybe<T: Display>(&mut self, key: &str, value: Option<T>) -> &mut Self {
        match value {
            Some(value) => self.json(key, value),
            None => self.json(key, "null"),
        }
    }

    fn maybe_text(&mut self, key: &str, value: Option<&dyn DisplayDebug>) -> &mut Self {
        self.maybe(key, value.map(Json))
    }

    fn object(&self) -> String {
        format!("{{{}}}", self.0)
    }
}

fn list(elements: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", elements.into_iter().collect::<Vec<_>>().join(","))
}

fn of_place(place: &Place) -> Members {
    let mut members = Members::default();
    members
        .text("region", &place.region)
        .text("file", &place.file)
        .json("line", place.line)
        .json("column", place.column);
    members
}

/// What a launch has to do, if the report is wanted. `elem`: bytes of an array's element.
pub(crate) fn work(kernel: &Kernel, facts: &LaunchFacts, elem: impl Fn(usize) -> usize) -> Option<Work> {
    wants(REPORT).then(|| {
        let touched = |ranges: &[(u64, u64)]| ranges.iter().map(|(lo, hi)| hi - lo).sum::<u64>();
        let of_array = |(i, param): (usize, &omp_ir::template::ArrayParam)| {
            let footprint = facts.footprint.get(i)?.as_ref()?;
            let read = if param.read { touched(&footprint.all) } else { 0 };
            (read + touched(&footprint.written)).checked_mul(elem(i) as u64)
        };
        let arrays = kernel.template.arrays.iter().enumerate();
        let bytes = arrays.map(of_array).try_fold(0u64, |sum, bytes| sum.checked_add(bytes?));
        Work { bytes, operations: operations(kernel, facts) }
    })
}

/// A launch has a schedule that none before had on its device.
pub(crate) fn scheduled(
    site: &TypedSite,
    device: &Dev,
    (schedule, geometry): (&Schedule, &Geometry),
    facts: &LaunchFacts,
    reasons: &dyn Fn() -> Reasons,
) {
    if !wants(REPORT) {
        return;
    }
    let Ok(Ready { kernel, .. }) = &site.body else { return };
    let (mut launch, reasons) = (Members::default(), reasons());
    launch
        .text("device", &device.handle.facts().name)
        .text("backend", &device.handle.facts().backend)
        .json("grid", list(geometry.grid.map(|n| n.to_string())))
        .json("block", list(geometry.block.map(|n| n.to_string())))
        .text("schedule", &schedule.strategy.summary())
        .json("steps", list(explain::steps(schedule, kernel, &reasons).iter().map(step)))
        .json("faster", list(reasons.faster().iter().map(|what| Json(what).to_string())))
        .maybe_text("program", explain::program(schedule, kernel).as_ref().map(|p| p as _));
    launch.json("gpu", device.is_gpu());
    sizes(&mut launch, facts, schedule.checks.iter().map(|access| access.index()));
    add(site, launch.object());
}

fn step(step: &explain::Step) -> String {
    let mut members = Members::default();
    members.text("step", &step.what).maybe_text("why", step.why.as_ref().map(|why| why as _));
    members.object()
}

/// What depends on the sizes of a launch.
fn sizes(launch: &mut Members, facts: &LaunchFacts, checked: impl Iterator<Item = usize>) {
    launch
        .json("trips", list(facts.dims.iter().map(|dim| dim.count.to_string())))
        .maybe("iterations", facts.total)
        .json("checked", list(checked.map(|access| access.to_string())));
}

/// The host ran a region's loop.
pub(crate) fn on_host(host: &HostLoop) {
    if !wants(REPORT) {
        return;
    }
    let mut launch = Members::default();
    launch
        .text("device", &"host")
        .text("backend", &"host")
        .json("gpu", false)
        .maybe_text("fallback", host.fallback.as_ref().map(|why| why as _));
    if let Some(LaunchDecisions { facts, serial, .. }) = host.decided.as_deref() {
        let why = serial.map(|why| match why {
            Serial::MayConflict => "data",
            Serial::Bounds => "bounds",
            Serial::Sums => "sums",
        });
        launch.maybe_text("serial", why.as_ref().map(|why| why as _));
        sizes(&mut launch, facts, facts.unproved.iter().map(|access| access.index()));
    }
    add(host.site, launch.object());
}

/// So many different launches of a region are reported.
const LAUNCHES: usize = 16;

fn add(site: &TypedSite, launch: String) {
    let mut report = lock(&REPORTED);
    let regions = &mut report.get_or_insert_default().regions;
    let region = regions.entry(std::ptr::from_ref(site).addr()).or_insert_with(|| Region {
        members: described(site),
        launches: Vec::new(),
        more: 0,
    });
    if region.launches.contains(&launch) {
    } else if region.launches.len() < LAUNCHES {
        region.launches.push(launch);
    } else {
        region.more += 1;
    }
}

/// What is known of a region at build time.
fn described(site: &TypedSite) -> String {
    let template = &site.template;
    let local = |id: omp_ir::ids::LocalId| template.code.locals[id.index()].name.as_str();
    let loops = template.dims.iter().map(|dim| {
        let src = template.code.srcs.get(dim.src.index());
        let mut members = Members::default();
        members.text("variable", &local(dim.var)).maybe("line", src.map(|src| src.line));
        members.object()
    });
    let arrays = template.arrays.iter().map(|array| {
        let map = match (array.map, array.read, array.written) {
            (Some(MapType::To), ..) | (None, _, false) => "to",
            (Some(MapType::From), ..) => "from",
            (Some(MapType::Alloc), ..) => "alloc",
            (Some(MapType::ToFrom), ..) | (None, _, true) => "tofrom",
        };
        let mut members = Members::default();
        members
            .text("name", &array.name)
            .text("map", &map)
            .json("derived", array.map.is_none())
            .json("read", array.read)
            .json("written", array.written);
        members.object()
    });
    let reductions = template.reductions.iter().map(|reduction| {
        let mut members = Members::default();
        members.text("variable", &reduction.name).text("operator", &reduction.op.symbol());
        members.object()
    });
    let mut region = of_place(&site.place);
    region
        .json("loops", list(loops))
        .json("arrays", list(arrays))
        .json("reductions", list(reductions))
        .json("scan", template.scan.is_some())
        .json("subscripts", list(subscripts(site)))
        .maybe_text("not_on_devices", site.body.as_ref().err().map(|why| why as _))
        .text("ir", &print::kernel(template));
    region.0
}

/// The subscripts of the region's own code.
fn subscripts(site: &TypedSite) -> Vec<String> {
    let ready = site.body.as_ref().ok();
    let code = ready.map_or(&site.template.code, |ready| &ready.kernel.body.code);
    let named = code.accesses.iter().enumerate().filter(|(_, access)| !access.name.is_empty());
    let described = named.map(|(i, access)| {
        let src = code.srcs.get(access.src.index());
        let verdict = ready.and_then(|ready| ready.kernel.body.bounds.get(i)).map(|verdict| match verdict {
            BoundsVerdict::Proved => "proved",
            BoundsVerdict::AtLaunch => "at launch",
            BoundsVerdict::Residual => "in the kernel",
            BoundsVerdict::Trusted => "promised",
        });
        let stride = ready.and_then(|ready| ready.info.plan.strides().iter().find(|s| s.access.index() == i));
        let mut members = Members::default();
        members
            .json("number", i)
            .text("array", &access.name)
            .maybe("line", src.map(|src| src.line))
            .maybe("column", src.map(|src| src.column))
            .json("read", access.read)
            .json("written", access.write)
            .maybe_text("check", verdict.as_ref().map(|v| v as _))
            .maybe(
                "strides",
                stride.map(|stride| {
                    let number =
                        |step: &Option<i64>| step.map_or_else(|| "null".to_owned(), |n| n.to_string());
                    list(stride.per_dim.iter().map(number))
                }),
            )
            .json("in_loop", stride.is_some_and(|stride| stride.in_loop))
            .json("conditional", stride.is_some_and(|stride| !stride.unconditional));
        members.object()
    });
    described.collect()
}

fn with_compared(place: &Place, change: impl FnOnce(&mut Compared)) {
    if !wants(REPORT) {
        return;
    }
    let mut report = lock(&REPORTED);
    let compared = &mut report.get_or_insert_default().compared;
    change(compared.entry(std::ptr::from_ref(place).addr()).or_insert_with(|| Compared {
        place: of_place(place).0,
        count: 0,
        largest: 0.0,
        differs: None,
        not_compared: None,
    }));
}

/// `OMP_VERIFY` has compared a region.
pub(super) fn compared(place: &Place, largest: f64, found: Option<&Error>) {
    with_compared(place, |compared| {
        compared.count += 1;
        compared.largest = compared.largest.max(largest);
        if let Some(error) = found {
            compared.differs.get_or_insert_with(|| error.to_string());
        }
    });
}

/// `OMP_VERIFY` can't compare a region.
pub(super) fn not_compared(place: &Place, reason: &str) {
    with_compared(place, |compared| compared.not_compared = Some(reason.to_owned()));
}

/// A region is not tuned.
pub(super) fn not_tuned(place: &Place, why: &str) {
    if wants(REPORT) {
        let mut report = lock(&REPORTED);
        report.get_or_insert_default().untuned.insert(of_place(place).0, why.to_owned());
    }
}

/// A search has tried some of the candidates that it knows of.
pub(crate) fn searching(place: &Place, (tried, of): (usize, usize), best_us: f64) {
    if !wants(REPORT) {
        return;
    }
    let mut state = of_place(place);
    state.json("tried", tried).json("of", of).maybe("best_us", Some(best_us).filter(|us| us.is_finite()));
    replace(&format!("{{\"searching\":{}}}\n", state.object()));
}

/// Writes the file, at the end of the process.
pub(super) fn write() {
    if FILE.get().is_some() {
        replace(&text(lock(&REPORTED).take().unwrap_or_default(), times::rows()));
    }
}

fn replace(text: &str) {
    let Some(file) = FILE.get() else { return };
    // A child that inherited the variable may have written its own: the last process that ends has the file.
    let mut file = lock(file);
    let written = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(text.as_bytes()));
    if let Err(e) = written {
        // stderr may be closed.
        let _ = writeln!(io::stderr(), "omp: OMP_REPORT is not whole: {e}");
    }
}

fn text(report: Report, mut rows: Vec<times::Row>) -> String {
    rows.sort_by_key(|row| std::cmp::Reverse(row.total));
    let runs = rows.iter().map(|row| {
        let mut run = of_place(row.place);
        let known = row.launches > 0;
        run.text("kind", &if row.kind.is_empty() { "region" } else { row.kind })
            .text("device", &row.device)
            .text("backend", &row.backend)
            .json("runs", row.runs)
            .json("total_ns", row.total.as_nanos())
            .json("least_ns", row.least.as_nanos())
            .json("most_ns", row.most.as_nanos())
            .json("kernel_ns", row.kernel.as_nanos())
            .json("bytes_to_device", row.to_device)
            .json("bytes_from_device", row.from_device)
            .json("fallbacks", row.fallbacks)
            .maybe_text("fallback", row.fallback.as_ref().map(|why| why as _))
            .json("checks", row.checks)
            .json("launches", row.launches)
            .maybe("bytes", row.bytes.filter(|_| known))
            .maybe("operations", row.operations.filter(|_| known));
        run.object()
    });
    let regions = report.regions.into_values().map(|region| {
        let mut members = Members(region.members);
        members.json("launches", list(region.launches)).json("more", region.more);
        members.object()
    });
    let untuned = report.untuned.into_iter().map(|(place, why)| {
        let mut members = Members(place);
        members.text("why", &why);
        members.object()
    });
    let compared = report.compared.into_values().map(|compared| {
        let mut members = Members(compared.place);
        members
            .json("count", compared.count)
            .maybe("largest", Some(compared.largest).filter(|f| f.is_finite()).map(|f| format!("{f:e}")))
            .maybe_text("differs", compared.differs.as_ref().map(|what| what as _))
            .maybe_text("not_compared", compared.not_compared.as_ref().map(|why| why as _));
        members.object()
    });
    let mut all = Members::default();
    all.json("version", 1)
        .json("runs", list(runs))
        .json("regions", list(regions))
        .json("compared", list(compared))
        .json("untuned", list(untuned));
    all.object() + "\n"
}
