//! `OMP_TRACE`.
use super::{badly, on_opencl, run, well};
use std::process::Output;

/// What a program's trace says: each event as (process, kind, name, object).
struct Trace(Vec<serde_json::Value>);

impl Trace {
    /// The file has to be JSON, whatever became of the program.
    fn of(program: &str, variables: &[(&str, &str)]) -> (Self, Output) {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("trace.json");
        let file = path.to_str().expect("a path in Unicode");
        let output = run(program, &[&[("OMP_TRACE", file)], variables].concat());
        let text = std::fs::read_to_string(&path).expect("the trace was written");
        let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
        let events = json["traceEvents"].as_array().expect("a list of events").clone();
        (Self(events), output)
    }

    fn of_kind(&self, kind: &str) -> impl Iterator<Item = &serde_json::Value> {
        self.0.iter().filter(move |e| e["cat"] == kind)
    }

    fn one(&self, kind: &str, name: &str) -> &serde_json::Value {
        let mut found = self.of_kind(kind).filter(|e| e["name"] == name);
        let one = found.next().unwrap_or_else(|| panic!("no {kind} {name}: {:#?}", self.0));
        assert!(found.next().is_none(), "{kind} {name} twice");
        one
    }

    /// The names of tracks and processes.
    fn names(&self) -> Vec<&str> {
        let names = self.0.iter().filter(|e| e["ph"] == "M");
        names.filter_map(|e| e["args"]["name"].as_str()).collect()
    }
}

fn span(event: &serde_json::Value) -> (f64, f64) {
    let start = event["ts"].as_f64().expect("a time");
    (start, start + event["dur"].as_f64().expect("a length"))
}

/// Each track is one thing after another, as viewers want it.
fn in_turns(trace: &Trace) {
    let mut spans: Vec<_> = trace.of_kind("transfer").chain(trace.of_kind("kernel")).collect();
    spans.sort_by(|a, b| span(a).0.total_cmp(&span(b).0));
    for (i, a) in spans.iter().enumerate() {
        let same = |b: &&&serde_json::Value| b["pid"] == a["pid"] && b["tid"] == a["tid"];
        if let Some(b) = spans[i + 1..].iter().find(same) {
            // (The file has whole nanoseconds.)
            assert!(span(a).1 <= span(b).0 + 0.002, "{a} and {b}");
        }
    }
}

#[test]
fn traces_show_copies_in_their_queues() {
    let Some(_) = on_opencl("nothing", &[]) else { return };
    let (trace, output) = Trace::of("both ways", &[("OMP_BACKEND", "opencl")]);
    well(&output);
    // (A queue's first track and those beside it.)
    let queue = |e: &serde_json::Value| e["tid"].as_u64().expect("a number") / 8;
    let mut queues: Vec<_> = trace.of_kind("transfer").map(|e| (e["name"].as_str(), queue(e))).collect();
    assert_eq!(queues.len(), 4, "{queues:?}");
    let default = queues[0].1;
    queues.retain(|(_, queue)| *queue != default);
    assert!(queues.iter().any(|(name, _)| *name == Some("up to device")), "{queues:?}");
    assert!(queues.iter().any(|(name, _)| *name == Some("down from device")), "{queues:?}");
    in_turns(&trace);
}

#[test]
fn traces_show_host_loops_and_fallbacks() {
    let (trace, output) = Trace::of("scale", &[("OMP_BACKEND", "host")]);
    well(&output);
    let (region, host) = (trace.one("region", "scale"), trace.one("host loop", "scale"));
    assert!(span(region).0 <= span(host).0 && span(host).1 <= span(region).1 + 1000.0, "{region} {host}");
    assert_eq!(region["args"]["device"], "host");
    let place = region["args"]["place"].as_str().expect("a place");
    assert!(place.contains("programs.rs:"), "{place}");
    assert!(trace.names().contains(&"host"));
}

#[test]
fn traces_show_kernels_and_transfers_with_bytes() {
    let Some(_) = on_opencl("nothing", &[]) else { return };
    let (trace, output) = Trace::of("scale", &[("OMP_BACKEND", "opencl")]);
    well(&output);
    let kernel = trace.one("kernel", "scale");
    let (up, down) = (trace.one("transfer", "x to device"), trace.one("transfer", "y from device"));
    assert!(span(up).1 <= span(kernel).1 && span(kernel).1 <= span(down).1, "{kernel}");
    assert_eq!((&up["args"]["bytes"], &down["args"]["bytes"]), (&8000.into(), &8000.into()));
    assert!(kernel["pid"] == up["pid"] && kernel["pid"] != trace.one("region", "scale")["pid"]);
    assert_eq!((trace.of_kind("compile").count(), trace.of_kind("wait").count()), (1, 1));
    assert!(trace.names().iter().any(|n| n.contains("(opencl)")) && trace.names().contains(&"queue 0"));

    let (trace, output) = Trace::of("exits", &[("OMP_BACKEND", "opencl")]);
    well(&output);
    assert_eq!(trace.one("directive", "data region")["args"]["bytes_to_device"], 36);
    assert_eq!(trace.one("directive", "end of the data region")["args"]["bytes_from_device"], 36);
    assert_eq!(trace.of_kind("transfer").count(), 2);
    for name in ["map y", "present y", "release y"] {
        trace.one("data", name);
    }
    let (trace, output) =
        Trace::of("slice", &[("OMP_BACKEND", "opencl"), ("OMP_TARGET_OFFLOAD", "mandatory")]);
    well(&output);
    assert_eq!(trace.one("transfer", "DeviceSlice from device")["args"]["bytes"], 28);
}

#[test]
fn traces_are_whole_after_panics_aborts_and_of_many_threads() {
    let (trace, output) = Trace::of("both fail", &[("OMP_BACKEND", "host")]);
    badly(&output, &["the len is 3"]);
    let what = trace.one("failure", "failure")["args"]["what"].as_str().expect("a text");
    assert!(what.contains("the len is 3 but the index is 9"), "{what}");
    let (trace, output) = Trace::of("aborts", &[("OMP_BACKEND", "host")]);
    badly(&output, &[]);
    trace.one("failure", "failure");
    let (trace, output) = Trace::of("threads", &[("OMP_BACKEND", "host")]);
    well(&output);
    assert_eq!(trace.of_kind("region").count(), 400);
    let tracks: std::collections::BTreeSet<u64> =
        trace.of_kind("region").filter_map(|e| e["tid"].as_u64()).collect();
    assert_eq!(tracks.len(), 8);
}

#[test]
fn a_trace_that_cannot_be_written_is_an_error_at_the_start() {
    for program in ["scale", "nothing"] {
        let words = ["OMP_TRACE", "/nowhere/at/all.json", "a file that can be written"];
        badly(&run(program, &[("OMP_TRACE", "/nowhere/at/all.json")]), &words);
    }
}
