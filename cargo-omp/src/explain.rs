//! `cargo omp explain`: how each region of a run was executed, and why, next to its source lines.
use crate::Done;
use crate::program::{Program, no_region};
use crate::report::{Launch, Region, Subscript};
use crate::show::{escaped, print, wrap};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Debug, clap::Args)]
pub struct Options {
    /// Only regions of this name
    #[arg(long, value_name = "NAME")]
    region: Option<String>,
    /// Print JSON: the regions as the runtime describes them
    #[arg(long)]
    json: bool,
    /// Write one HTML page to this file
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    html: Option<PathBuf>,
    #[command(flatten)]
    program: Program,
}

pub fn run(options: &Options) -> Done {
    let ran = options.program.run(|_| Vec::new())?;
    let mut regions: Vec<&Region> = ran.report.regions.iter().collect();
    regions.sort_by(|a, b| {
        (&a.place.file, a.place.line, a.place.column).cmp(&(&b.place.file, b.place.line, b.place.column))
    });
    let names: Vec<_> = regions.iter().map(|region| region.place.region.clone()).collect();
    regions.retain(|region| options.region.as_ref().is_none_or(|name| *name == region.place.region));
    if let (Some(region), true) = (&options.region, regions.is_empty()) {
        return Err(no_region(region, names));
    }
    if regions.is_empty() {
        return Err("the program ran no loop of a region".into());
    }
    if options.json {
        let mut all: serde_json::Value = serde_json::from_str(&ran.text).map_err(|e| e.to_string())?;
        let mut list = all["regions"].take();
        if let (Some(list), Some(name)) = (list.as_array_mut(), &options.region) {
            list.retain(|region| region["region"] == name.as_str());
        }
        print(&format!("{list:#}\n"));
    } else {
        let parts: Vec<Vec<Part>> = regions
            .iter()
            .map(|region| described(region, options.program.source(&region.place.file)))
            .collect();
        match &options.html {
            Some(path) => {
                fs::write(path, html(&parts)).map_err(|e| format!("{}: {e}", path.display()))?;
                let regions = if parts.len() == 1 { "region" } else { "regions" };
                print(&format!("{} {regions} in {}\n", parts.len(), path.display()));
            }
            None => print(&parts.iter().map(|part| text(part)).collect::<Vec<_>>().join("\n")),
        }
    }
    match ran.failure() {
        Some(failure) => Err(failure),
        None => Ok(ExitCode::SUCCESS),
    }
}

/// A piece of a description, whatever it is shown on.
enum Part {
    Title(String),
    Heading(String),
    /// A line of source with its number.
    Source(u32, String),
    /// A note on the line above, or on the region.
    Note(String),
    /// A step, and its reason if that is known.
    Step(String, Option<String>),
}

fn described(region: &Region, source: Option<String>) -> Vec<Part> {
    let place = &region.place;
    let mut parts = vec![Part::Title(format!("{} at {}:{}", place.region, place.file, place.line))];
    let mut notes = notes(region);
    let last = notes.iter().map(|(line, _)| *line).max().unwrap_or(place.line);
    match source {
        Some(source) => {
            let lines = source.lines().zip(1..).skip(place.line.saturating_sub(1) as usize);
            for (line, number) in lines.take_while(|(_, number)| *number <= last) {
                parts.push(Part::Source(number, line.to_owned()));
                parts.extend(
                    notes.iter().filter(|(at, _)| *at == number).map(|(_, note)| Part::Note(note.clone())),
                );
            }
            notes.retain(|(at, _)| *at < place.line);
        }
        None => parts.push(Part::Note(format!("{} is not here: its lines are given by number", place.file))),
    }
    parts.extend(notes.into_iter().map(|(line, note)| Part::Note(format!("line {line}: {note}"))));

    parts.push(Part::Heading("Data".into()));
    for array in &region.arrays {
        let how = match array.map.as_str() {
            _ if array.derived && array.written && !array.read => {
                "copied back; to the device only where the loop doesn't write every element"
            }
            "to" => "copied to the device before the loop",
            "from" => "copied back after it",
            "alloc" => "only on the device",
            _ => "copied to the device and back",
        };
        let uses = match (array.read, array.written) {
            (true, true) => "the loop reads and writes it",
            (true, false) => "the loop only reads it",
            (false, true) => "the loop only writes it",
            (false, false) => "the loop doesn't touch its elements",
        };
        let reduced = region.reductions.iter().any(|reduction| reduction.variable == array.name);
        let why = if reduced {
            format!("results are combined into it; {uses}")
        } else if array.derived {
            format!("{uses}; no `map` names it")
        } else {
            format!("a `map` clause says so; {uses}")
        };
        parts.push(Part::Step(format!("`{}`: map({}), {how}", array.name, array.map), Some(why)));
    }
    for reduction in &region.reductions {
        let kind = if region.scan { "scan" } else { "reduction" };
        parts.push(Part::Step(
            format!("`{}`: {kind}({})", reduction.variable, reduction.operator),
            Some("each thread has a copy, and copies are combined".into()),
        ));
    }
    if region.arrays.is_empty() && region.reductions.is_empty() {
        parts.push(Part::Note("no arrays".into()));
    }
    if let Some(why) = &region.not_on_devices {
        parts.push(Part::Heading("Not on devices".into()));
        parts.push(Part::Note(why.clone()));
    }
    for launch in &region.launches {
        launched(launch, &mut parts);
    }
    if region.more > 0 {
        parts.push(Part::Note(format!("{} runs with other sizes or schedules are not shown", region.more)));
    }
    parts.push(Part::Heading("What would make it faster".into()));
    let advice = advice(region);
    match advice.is_empty() {
        true => parts.push(Part::Note("nothing that shows here; `cargo omp profile` measures it".into())),
        false => parts.extend(advice.into_iter().map(Part::Note)),
    }
    parts
}

fn launched(launch: &Launch, parts: &mut Vec<Part>) {
    let trips: Vec<_> = launch.trips.iter().map(u64::to_string).collect();
    // A schedule serves all sizes that give it.
    let first = if launch.backend == "host" { "" } else { "first launched with " };
    let iterations = match launch.iterations {
        Some(n) if trips.len() > 1 => format!(", {first}{n} iterations ({})", trips.join(" x ")),
        Some(n) => format!(", {first}{n} iterations"),
        None => String::new(),
    };
    parts.push(Part::Heading(format!("On {} ({}){iterations}", launch.device, launch.backend)));
    if launch.backend == "host" {
        if let Some(reason) = &launch.fallback {
            parts.push(Part::Note(format!("in place of a device: {reason}")));
        }
        let why = match launch.serial.as_deref() {
            None => None,
            Some("bounds") => {
                Some("subscripts are not proved for these sizes, and must fail where Rust does")
            }
            Some("sums") => Some("it adds integers up with overflow checks, and must fail where Rust does"),
            Some(_) => Some("only the data shows whether two iterations access the same element"),
        };
        parts.push(match why {
            Some(why) => Part::Step("one thread runs the loop as it stands".into(), Some(why.into())),
            None => Part::Step(
                "the host's threads share the iterations".into(),
                Some(
                    "they are independent; a loop that is short, or OMP_NUM_THREADS=1, leaves one thread"
                        .into(),
                ),
            ),
        });
        return;
    }
    let axes = |of: &[u32]| of.iter().map(u32::to_string).collect::<Vec<_>>().join("x");
    parts.push(Part::Step(
        format!(
            "schedule: {}; grid {}, block {}",
            launch.schedule.as_deref().unwrap_or("unknown"),
            axes(&launch.grid),
            axes(&launch.block)
        ),
        None,
    ));
    parts.extend(launch.steps.iter().map(|step| Part::Step(step.step.clone(), step.why.clone())));
}

/// The notes on lines.
fn notes(region: &Region) -> Vec<(u32, String)> {
    let mut notes = Vec::new();
    let dims = region.loops.len();
    for (n, of) in region.loops.iter().enumerate() {
        let who = if dims > 1 {
            format!("loop {} of {dims} that run in parallel", n + 1)
        } else {
            "runs in parallel".to_owned()
        };
        notes.push((of.line.unwrap_or(region.place.line), format!("`{}`: {who}", of.variable)));
    }
    for subscript in &region.subscripts {
        let uses = match (subscript.read, subscript.written) {
            (true, true) => "read and written",
            (false, true) => "written",
            _ => "read",
        };
        let strides = strides(subscript, region).map(|s| format!("; {s}")).unwrap_or_default();
        let note = format!("`{}[…]` {uses}{strides}; {}", subscript.array, rung(subscript));
        notes.push((subscript.line.unwrap_or(region.place.line), note));
    }
    notes.dedup();
    notes
}

/// Its place on the ladder of checks.
fn rung(subscript: &Subscript) -> &'static str {
    match subscript.check.as_deref() {
        Some("proved") => "bounds are proved: no check",
        Some("at launch") => "bounds are decided at launch by a formula of lengths and trip counts",
        Some("in the kernel") => {
            "checked in the kernel, because the index depends on data or is not understood"
        }
        Some("promised") => "not checked: `unsafe(unchecked)` promises it",
        _ => "its bounds are unknown",
    }
}

fn strides(subscript: &Subscript, region: &Region) -> Option<String> {
    let strides = subscript.strides.as_ref()?;
    let by_data = subscript.check.as_deref() == Some("in the kernel");
    let of = |(stride, of): (&Option<i64>, &crate::report::Loop)| match stride {
        Some(0) => format!("the same for all `{}`", of.variable),
        Some(1) => format!("contiguous along `{}`", of.variable),
        Some(n) => format!("{n} elements apart along `{}`", of.variable),
        None if by_data => format!("no stride is known along `{}`", of.variable),
        None => format!("a stride along `{}` that depends on the sizes", of.variable),
    };
    let mut words: Vec<_> = strides.iter().zip(&region.loops).map(of).collect();
    if subscript.in_loop {
        words.push("moves with an inner loop".into());
    }
    if subscript.conditional {
        words.push("not in every iteration".into());
    }
    Some(words.join(", "))
}

/// Advice: what the choice of the schedule has recorded, how to keep data where it is, and the use of a device.
fn advice(region: &Region) -> Vec<String> {
    let mut advice: Vec<String> = Vec::new();
    for what in region.launches.iter().flat_map(|launch| &launch.faster) {
        if !advice.contains(what) {
            advice.push(what.clone());
        }
    }
    if region.arrays.iter().any(|array| array.derived) {
        advice.push(
            "where the region runs several times, `#[omp::target_data(map(…))]` around the runs keeps its arrays on the device"
                .into(),
        );
    }
    let fell_back = region.launches.iter().any(|launch| launch.fallback.is_some());
    if !fell_back
        && !region.launches.is_empty()
        && region.launches.iter().all(|launch| launch.backend == "host")
    {
        advice.push(
            "it ran on the host only: `cargo omp info` lists the devices; an `if` clause that is false and the \
             initial device mean the host, too"
                .into(),
        );
    }
    advice
}

fn text(parts: &[Part]) -> String {
    let mut text = String::new();
    for part in parts {
        let _ = match part {
            Part::Title(title) => writeln!(text, "{title}\n{}", "=".repeat(title.chars().count().min(80))),
            Part::Heading(heading) => writeln!(text, "\n{}", wrap(heading, 2)),
            Part::Source(number, line) => writeln!(text, "{number:>5} | {line}"),
            Part::Note(note) => writeln!(text, "      - {}", wrap(note, 8)),
            Part::Step(what, None) => writeln!(text, "  * {}", wrap(what, 4)),
            Part::Step(what, Some(why)) => {
                writeln!(text, "  * {}\n    because: {}", wrap(what, 4), wrap(why, 13))
            }
        };
    }
    text
}

/// Text in HTML, with code as such.
fn marked(text: &str) -> String {
    let parts: Vec<_> = text.split('`').collect();
    let whole = parts.len() % 2 == 1;
    let one = |(n, part): (usize, &&str)| match n % 2 == 1 {
        true if whole => format!("<code>{}</code>", escaped(part)),
        true => format!("`{}", escaped(part)),
        false => escaped(part),
    };
    parts.iter().enumerate().map(one).collect()
}

const STYLE: &str = "body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}\
pre{margin:0;font:13px/1.6 monospace;background:#f4f4f4;padding:0 .6em;overflow-x:auto}pre b{color:#999;font-weight:normal}code{background:#f4f4f4}\
.note{margin:.1em 0 .1em 3.5em;color:#1a5c2e;font-size:13px}li small{color:#666;display:block}h2{border-top:1px solid #ccc;padding-top:1em}";

fn html(regions: &[Vec<Part>]) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>cargo omp explain</title><style>{STYLE}</style>\n<h1>What runs where, and why</h1>\n"
    );
    for parts in regions {
        let mut in_list = false;
        for part in parts {
            let item = matches!(part, Part::Step(..));
            if item != in_list {
                page.push_str(if item { "<ul>\n" } else { "</ul>\n" });
                in_list = item;
            }
            let _ = match part {
                Part::Title(title) => writeln!(page, "<h2>{}</h2>", escaped(title)),
                Part::Heading(heading) => writeln!(page, "<h3>{}</h3>", escaped(heading)),
                Part::Source(number, line) => {
                    writeln!(page, "<pre><b>{number:>5}</b> {}</pre>", escaped(line))
                }
                Part::Note(note) => writeln!(page, "<div class=\"note\">{}</div>", marked(note)),
                Part::Step(what, None) => writeln!(page, "<li>{}</li>", marked(what)),
                Part::Step(what, Some(why)) => {
                    writeln!(page, "<li>{}<small>because: {}</small></li>", marked(what), marked(why))
                }
            };
        }
        if in_list {
            page.push_str("</ul>\n");
        }
    }
    page + "</html>\n"
}
