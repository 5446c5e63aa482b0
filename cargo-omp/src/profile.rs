//! `cargo omp profile`: where the time of a run goes.
use crate::Done;
use crate::program::Program;
use crate::report::{Event, Run, Trace};
use crate::show::{bytes, escaped, print, rate, table, time, wrap};
use omp_runtime::device::measure::measure;
use omp_runtime::device::{Dev, Registry};
use omp_runtime::env::try_env;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Debug, clap::Args)]
pub struct Options {
    /// Write a timeline to this file, for a browser
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Keep the trace in this file, for Perfetto (ui.perfetto.dev)
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    #[command(flatten)]
    program: Program,
}

pub fn run(options: &Options) -> Done {
    try_env().map_err(ToString::to_string)?;
    let ran = options.program.run(|folder| vec![("OMP_TRACE", folder.join("trace.json").into())])?;
    let file = ran.folder.path().join("trace.json");
    let text = fs::read_to_string(&file).map_err(|e| format!("the program wrote no trace: {e}"))?;
    let trace = Trace::read(&text)?;
    let lines: Vec<Line<'_>> = ran.report.runs.iter().map(|run| Line::of(run, &trace)).collect();
    let mut out = String::new();
    if lines.is_empty() {
        out.push_str("the program ran no region\n");
    } else {
        out.push_str(&times(&lines));
        out.push_str(&roofline(&lines));
        out.push_str(&advice(&lines));
    }
    if let Some(path) = &options.svg {
        fs::write(path, svg(&trace)).map_err(|e| format!("{}: {e}", path.display()))?;
        let _ = writeln!(out, "\ntimeline: {}", path.display());
    }
    if let Some(path) = &options.trace {
        fs::write(path, &text).map_err(|e| format!("{}: {e}", path.display()))?;
        let _ = writeln!(out, "\ntrace: {} (open it in https://ui.perfetto.dev)", path.display());
    }
    print(&out);
    match ran.failure() {
        Some(failure) => Err(failure),
        None => Ok(ExitCode::SUCCESS),
    }
}

/// A region or directive on a device, with what the trace says of it, in nanoseconds.
struct Line<'a> {
    run: &'a Run,
    kernel: f64,
    copies: f64,
    compile: f64,
}

impl<'a> Line<'a> {
    fn of(run: &'a Run, trace: &Trace) -> Self {
        let on_device = run.backend != "host";
        let region = run.kind == "region";
        let time = |kind| if region { trace.time(&run.place, kind) } else { 0.0 };
        Self {
            run,
            kernel: if on_device { time("kernel") } else { run.kernel_ns },
            copies: if on_device { trace.time(&run.place, "transfer") } else { 0.0 },
            compile: if on_device { time("compile") } else { 0.0 },
        }
    }

    /// The time that is neither kernel nor copy nor compilation: launches, waits, checks.
    fn rest(&self) -> f64 {
        (self.run.total_ns - self.kernel - self.copies - self.compile).max(0.0)
    }

    fn name(&self) -> String {
        match self.run.kind.as_str() {
            "region" => self.run.place.short(),
            kind => format!("{} ({kind})", self.run.place.short()),
        }
    }
}

fn times(lines: &[Line<'_>]) -> String {
    let all: f64 = lines.iter().map(|line| line.run.total_ns).sum();
    let rows = lines.iter().map(|line| {
        let share = format!("{:.0}", 100.0 * line.run.total_ns / all.max(1.0));
        let maybe = |nanos: f64| if nanos > 0.0 { format!("{:.2}", nanos / 1e6) } else { "-".to_owned() };
        vec![
            line.name(),
            line.run.backend.clone(),
            line.run.runs.to_string(),
            format!("{:.2}", line.run.total_ns / 1e6),
            share,
            maybe(line.kernel),
            maybe(line.copies),
            maybe(line.compile),
            maybe(line.rest()),
        ]
    });
    let mut text =
        table(&["region (ms)", "on", "runs", "total", "%", "kernel", "copies", "compile", "rest"], rows, 2);
    let (to, from) = lines
        .iter()
        .fold((0, 0), |(to, from), line| (to + line.run.bytes_to_device, from + line.run.bytes_from_device));
    let _ = writeln!(text, "\ncopied: {} to devices, {} back", bytes(to), bytes(from));
    text
}

/// The peak rates of a device: as its driver reports, or else measured.
struct Peak {
    bandwidth: Option<f64>,
    flops: Option<f64>,
    measured: bool,
}

fn peak(device: &Dev) -> Peak {
    let limits = device.handle.limits();
    let measured = limits.bandwidth.is_none();
    let bandwidth = limits.bandwidth.or_else(|| measure(device).ok().map(|measured| measured.copy));
    Peak { bandwidth, flops: limits.flops32, measured }
}

fn roofline(lines: &[Line<'_>]) -> String {
    let mut peaks: BTreeMap<&str, Option<Peak>> = BTreeMap::new();
    let mut rows = Vec::new();
    for line in lines.iter().filter(|line| line.run.backend != "host" && line.kernel > 0.0) {
        // With several launches in one run (blocks) or none that is known there is nothing to compare.
        let Some(moved) = line.run.bytes.filter(|bytes| *bytes > 0) else { continue };
        let found = || Registry::global().iter().find(|d| d.handle.facts().name == line.run.device).map(peak);
        let peak = peaks.entry(&line.run.device).or_insert_with(found);
        let seconds = line.kernel / 1e9;
        // More than the peak comes out of a cache, of which the peak says nothing.
        let share = |of: f64, most: Option<f64>| match most.map(|most| 100.0 * of / seconds / most) {
            Some(percent) if percent > 100.0 => "cached".to_owned(),
            Some(percent) => format!("{percent:.0} %"),
            None => "-".to_owned(),
        };
        let peak = peak.as_ref();
        let operations = line.run.operations.filter(|n| *n > 0);
        let per_byte = operations.map(|n| n as f64 / moved.max(1) as f64);
        rows.push(vec![
            line.name(),
            rate(moved as f64 / seconds, "B/s"),
            share(moved as f64, peak.and_then(|p| p.bandwidth)),
            operations.map_or_else(|| "-".to_owned(), |n| rate(n as f64 / seconds, "FLOP/s")),
            operations.map_or_else(|| "-".to_owned(), |n| share(n as f64, peak.and_then(|p| p.flops))),
            per_byte.map_or_else(|| "-".to_owned(), |n| format!("{n:.2}")),
        ]);
    }
    if rows.is_empty() {
        return String::new();
    }
    let head = ["kernel", "memory", "of peak", "arithmetic", "of f32 peak", "FLOP/B"];
    let mut text = format!("\nroofline (each element counted once)\n{}", table(&head, rows, 1));
    for (device, peak) in &peaks {
        let Some(Peak { bandwidth, flops, measured }) = peak else { continue };
        let mut known = Vec::new();
        if let Some(bandwidth) = bandwidth {
            known.push(format!(
                "{}{}",
                rate(*bandwidth, "B/s"),
                if *measured { " (measured copy in memory: arrays in a cache exceed it)" } else { "" }
            ));
        }
        known.extend(flops.map(|flops| rate(flops, "FLOP/s")));
        if !known.is_empty() {
            let _ = writeln!(text, "{}", wrap(&format!("peak of {device}: {}", known.join(", ")), 0));
        }
    }
    text
}

/// Advice about the line that takes longest.
fn advice(lines: &[Line<'_>]) -> String {
    let Some(worst) = lines.iter().max_by(|a, b| a.run.total_ns.total_cmp(&b.run.total_ns)) else {
        return String::new();
    };
    let Run { total_ns, runs, backend, fallback, place, bytes_to_device, bytes_from_device, .. } = worst.run;
    let part = |of: f64| of / total_ns.max(1.0);
    let each = worst.kernel / (*runs).max(1) as f64;
    let what = if let Some(reason) = fallback {
        format!("it fell back to the host: {reason}")
    } else if worst.run.kind != "region" {
        "copies of a data directive: map less (sections, `to` or `from` in place of `tofrom`, `alloc`), or keep the data \
         on the device for longer"
            .to_owned()
    } else if backend == "host" {
        "it ran on the host: `cargo omp info` lists the devices, and `cargo omp explain` says whether its threads \
         share the loop"
            .to_owned()
    } else if part(worst.compile) > 0.4 {
        "most of it is compiling its kernel, once for each device: later runs find it in the kernel cache (unless \
         OMP_CACHE_DIR is emptied)"
            .to_owned()
    } else if part(worst.copies) > 0.4 {
        format!(
            "most of it is copying ({} to the device and {} back in {runs} runs): `#[omp::target_data(…)]` around the \
             runs keeps the arrays on the device",
            bytes(*bytes_to_device),
            bytes(*bytes_from_device)
        )
    } else if part(worst.kernel) < 0.4 && each < 20e3 {
        format!(
            "its kernel takes {} a run, less than launching it and waiting: larger sizes, several loops in one \
             (`collapse`), or data regions, in which launches aren't waited for",
            time(each)
        )
    } else if part(worst.kernel) < 0.4 {
        "most of it is launching, waiting and the first use of the device: several runs share what is paid once".to_owned()
    } else {
        format!(
            "most of it is the kernel: `cargo omp explain --region {}` shows its schedule, checks and strides",
            place.region
        )
    };
    format!(
        "\n{}\n",
        wrap(
            &format!("longest: {}, {:.0} % in the kernel; {what}", worst.name(), 100.0 * part(worst.kernel)),
            0
        )
    )
}

/// Pixels of the timeline.
const WIDE: f64 = 1160.0;
const NAMES: f64 = 220.0;
const HIGH: f64 = 22.0;
/// So many of the longest events of a track are drawn: browsers slow down at some ten thousand.
const DRAWN: usize = 2000;

fn colour(kind: &str) -> &'static str {
    match kind {
        "kernel" => "#2f7ed8",
        "transfer" => "#e8a33d",
        "wait" => "#bbbbbb",
        "compile" => "#8e5ea2",
        "host loop" => "#3cba54",
        "region" => "#d7e3f4",
        "directive" => "#f4e3c8",
        _ => "#dddddd",
    }
}

/// The tracks of the trace below each other: nested events of a thread are drawn over those around them.
fn svg(trace: &Trace) -> String {
    let mut tracks: BTreeMap<(u64, u64), Vec<&Event>> = BTreeMap::new();
    for event in &trace.events {
        tracks.entry(event.track).or_default().push(event);
    }
    let begin = trace.events.iter().map(|e| e.start).fold(f64::INFINITY, f64::min);
    let end = trace.events.iter().map(|e| e.start + e.length).fold(0.0, f64::max);
    let scale = (WIDE - NAMES) / (end - begin).max(1e-3);
    let high = 60.0 + HIGH * 1.3 * tracks.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {high:.0}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        WIDE + 20.0
    );
    let kinds = ["kernel", "transfer", "wait", "compile", "host loop", "region", "directive"];
    for (n, kind) in kinds.iter().enumerate() {
        let x = 10.0 + 110.0 * n as f64;
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"8\" width=\"12\" height=\"12\" fill=\"{}\"/><text x=\"{}\" y=\"18\">{kind}</text>",
            colour(kind),
            x + 17.0
        );
    }
    if tracks.is_empty() {
        svg.push_str("<text x=\"10\" y=\"45\">nothing ran</text>\n");
    }
    for (n, ((process, thread), mut events)) in tracks.into_iter().enumerate() {
        let y = 32.0 + HIGH * 1.3 * n as f64;
        let name = |thread| trace.names.get(&(process, thread)).map_or("", String::as_str);
        let label: String =
            format!("{} {}", name(None), name(Some(thread))).trim().chars().take(36).collect();
        let _ = writeln!(svg, "<text x=\"10\" y=\"{:.1}\">{}</text>", y + 15.0, escaped(&label));
        events.sort_by(|a, b| b.length.total_cmp(&a.length));
        events.truncate(DRAWN);
        for event in events {
            let (x, width) = (NAMES + (event.start - begin) * scale, (event.length * scale).max(0.4));
            let _ = writeln!(
                svg,
                "<rect x=\"{x:.2}\" y=\"{y:.1}\" width=\"{width:.2}\" height=\"{HIGH}\" fill=\"{}\"><title>{}: {}, {} after {}</title></rect>",
                colour(&event.kind),
                escaped(&event.kind),
                escaped(&format!("{} {}", event.name, event.place)),
                time(event.length * 1e3),
                time((event.start - begin) * 1e3)
            );
        }
    }
    let _ = writeln!(
        svg,
        "<text x=\"{NAMES}\" y=\"{:.1}\">0</text><text x=\"{WIDE}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n</svg>",
        high - 8.0,
        high - 8.0,
        time((end - begin).max(0.0) * 1e3)
    );
    svg
}
