//! The parts of the files of `OMP_REPORT` and `OMP_TRACE` that the commands show. Their formats are described in the
//! runtime (`omp-runtime/src/observe/report.rs`, `trace.rs`).
use serde::Deserialize;
use serde_json::{Map, Value};

/// The format that this program reads.
const VERSION: u32 = 1;

#[derive(Debug, Deserialize, Default)]
pub struct Report {
    pub version: u32,
    pub runs: Vec<Run>,
    pub regions: Vec<Region>,
    pub compared: Vec<Compared>,
    #[serde(default)]
    pub untuned: Vec<Untuned>,
}

/// A region that no search tried.
#[derive(Debug, Deserialize)]
pub struct Untuned {
    #[serde(flatten)]
    pub place: Place,
    pub why: String,
}

/// The position of a directive.
#[derive(Debug, Deserialize, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub region: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl Place {
    /// `saxpy main.rs:25`: the path's end is enough to find it.
    pub fn short(&self) -> String {
        let file = self.file.rsplit(['/', '\\']).next().unwrap_or(&self.file);
        format!("{} {file}:{}", self.region, self.line)
    }

    /// The form that the events of the trace have.
    pub fn in_trace(&self) -> String {
        format!("{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A region or data directive on a device.
#[derive(Debug, Deserialize)]
pub struct Run {
    #[serde(flatten)]
    pub place: Place,
    pub kind: String,
    pub device: String,
    pub backend: String,
    pub runs: u64,
    pub total_ns: f64,
    pub kernel_ns: f64,
    pub bytes_to_device: u64,
    pub bytes_from_device: u64,
    pub fallback: Option<String>,
    pub bytes: Option<u64>,
    pub operations: Option<u64>,
}

/// An instance of a region.
#[derive(Debug, Deserialize)]
pub struct Region {
    #[serde(flatten)]
    pub place: Place,
    pub loops: Vec<Loop>,
    pub arrays: Vec<Array>,
    pub reductions: Vec<Reduction>,
    pub scan: bool,
    pub subscripts: Vec<Subscript>,
    pub not_on_devices: Option<String>,
    pub ir: String,
    pub launches: Vec<Launch>,
    /// Runs of other launches than those.
    pub more: u64,
}

#[derive(Debug, Deserialize)]
pub struct Loop {
    pub variable: String,
    pub line: Option<u32>,
}

#[derive(Debug, Deserialize)]
pub struct Array {
    pub name: String,
    pub map: String,
    pub derived: bool,
    pub read: bool,
    pub written: bool,
}

#[derive(Debug, Deserialize)]
pub struct Reduction {
    pub variable: String,
    pub operator: String,
}

#[derive(Debug, Deserialize)]
pub struct Subscript {
    pub array: String,
    pub line: Option<u32>,
    pub read: bool,
    pub written: bool,
    /// Its rung: `proved`, `at launch`, `in the kernel`, `promised`.
    pub check: Option<String>,
    /// By parallel loop.
    pub strides: Option<Vec<Option<i64>>>,
    pub in_loop: bool,
    pub conditional: bool,
}

/// A schedule that a region had, or a run on the host.
#[derive(Debug, Deserialize)]
pub struct Launch {
    pub device: String,
    pub backend: String,
    #[serde(default)]
    pub grid: Vec<u32>,
    #[serde(default)]
    pub block: Vec<u32>,
    pub schedule: Option<String>,
    #[serde(default)]
    pub steps: Vec<Step>,
    pub program: Option<String>,
    /// Changes that would make it faster, as the choice of the schedule recorded them.
    #[serde(default)]
    pub faster: Vec<String>,
    /// Why it ran on the host, though a device was requested.
    pub fallback: Option<String>,
    /// Why one thread of the host runs the loop: `data`, `bounds` or `sums`.
    pub serial: Option<String>,
    #[serde(default)]
    pub trips: Vec<u64>,
    pub iterations: Option<u64>,
}

#[derive(Debug, Deserialize)]
pub struct Step {
    pub step: String,
    /// The reason that the choice of the schedule recorded.
    pub why: Option<String>,
}

/// A region under `OMP_VERIFY`.
#[derive(Debug, Deserialize)]
pub struct Compared {
    #[serde(flatten)]
    pub place: Place,
    pub count: u64,
    pub largest: Option<f64>,
    pub differs: Option<String>,
    pub not_compared: Option<String>,
}

impl Report {
    pub fn read(text: &str) -> Result<Self, String> {
        let report: Self =
            serde_json::from_str(text).map_err(|e| format!("the program's report can't be read: {e}"))?;
        match report.version {
            VERSION => Ok(report),
            other => Err(format!(
                "the program is built with another omp-offload: its report has format {other}, this cargo-omp reads {VERSION}"
            )),
        }
    }
}

/// An event of the trace with a length.
#[derive(Debug)]
pub struct Event {
    pub track: (u64, u64),
    pub kind: String,
    pub name: String,
    /// Microseconds.
    pub start: f64,
    pub length: f64,
    pub region: String,
    pub place: String,
}

/// The trace: its events and the names of processes and threads.
#[derive(Debug, Default)]
pub struct Trace {
    pub events: Vec<Event>,
    pub names: std::collections::BTreeMap<(u64, Option<u64>), String>,
}

impl Trace {
    pub fn read(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text).map_err(|e| format!("the trace can't be read: {e}"))?;
        let mut trace = Self::default();
        for event in value["traceEvents"].as_array().into_iter().flatten() {
            let empty = Map::new();
            let args = event["args"].as_object().unwrap_or(&empty);
            let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
            let number = |key: &str| event[key].as_u64().unwrap_or_default();
            let track = (number("pid"), number("tid"));
            match event["ph"].as_str() {
                Some("M") => {
                    let thread = (event["name"] == "thread_name").then_some(track.1);
                    trace.names.insert((track.0, thread), text(args.get("name")));
                }
                Some("X") => trace.events.push(Event {
                    track,
                    kind: text(event.get("cat")),
                    name: text(event.get("name")),
                    start: event["ts"].as_f64().unwrap_or_default(),
                    length: event["dur"].as_f64().unwrap_or_default(),
                    region: text(args.get("region")),
                    place: text(args.get("place")),
                }),
                _ => {}
            }
        }
        Ok(trace)
    }

    /// The time of a region's events of a kind, in nanoseconds.
    pub fn time(&self, place: &Place, kind: &str) -> f64 {
        let at = place.in_trace();
        let own = self.events.iter().filter(|e| e.kind == kind && e.place == at && e.region == place.region);
        own.map(|event| event.length * 1e3).sum()
    }
}
