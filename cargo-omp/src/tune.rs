//! `cargo omp tune`: `OMP_TUNE=full` over a whole run.
//!
//! The runtime writes its results after each region. This command reads that file while the program runs, to show
//! progress, and the results of an interrupted run.
use crate::Done;
use crate::program::{Program, REPORT, was_interrupted};
use crate::report::Untuned;
use crate::show::{field, print, table, time, wrap};
use indicatif::{ProgressBar, ProgressStyle};
use omp_runtime::env::try_env;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Write as _};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[derive(Debug, clap::Args)]
pub struct Options {
    /// Keep what is found in this file, to ship with the program (OMP_TUNE_FILE), instead of the cache directory
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Print what was found as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    program: Program,
}

/// How often the file is looked at.
const PAUSE: Duration = Duration::from_millis(200);

/// The entries of a store that is there and whole.
pub fn entries(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let stored: Value = serde_json::from_str(&text).unwrap_or_default();
    stored["entries"].as_array().cloned().unwrap_or_default()
}

fn sizes(entry: &Value) -> String {
    let all = entry["key"]["sizes"].as_array().into_iter().flatten();
    all.map(Value::to_string).collect::<Vec<_>>().join("x")
}

fn place(entry: &Value) -> String {
    let whole = entry["place"].as_str().unwrap_or("?");
    let place = whole.rsplit(['/', '\\']).next().unwrap_or(whole);
    format!("{} {place}", entry["region"].as_str().unwrap_or("?"))
}

fn micros(entry: &Value, member: &str) -> f64 {
    entry[member].as_f64().unwrap_or(0.0)
}

fn gain(entry: &Value) -> f64 {
    let best = micros(entry, "best_us");
    if best > 0.0 { micros(entry, "default_us") / best } else { 1.0 }
}

/// Fails before the search if its result can't be kept. `own`: the runtime replaces a damaged file of the cache.
fn writable(path: &Path, own: bool) -> Result<(), String> {
    let refuse = |why: &dyn Display| {
        Err(format!("what is found can't be kept in {}: {why}; --file names another file", path.display()))
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Err(e) = fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder)) {
        return refuse(&e);
    }
    if path.is_dir() {
        return refuse(&"it is a folder");
    }
    let text = fs::read(path).unwrap_or_default();
    let stored: Value = serde_json::from_slice(&text).unwrap_or_default();
    let whole = stored["version"] == 1 && stored["entries"].is_array();
    if !(own || whole || text.trim_ascii().is_empty()) {
        return refuse(&"there is something else in it, which stays");
    }
    Ok(())
}

/// The progress on a terminal while the program runs: the current search, and a line for each that has ended. Elsewhere only the lines.
struct Progress<'a> {
    bar: ProgressBar,
    found: &'a dyn Fn() -> Vec<Value>,
    reported: BTreeSet<String>,
}

impl Progress<'_> {
    /// `report`: the file in which the program leaves the state of a search.
    fn look(&mut self, report: Option<&Path>) {
        for entry in (self.found)() {
            if self.reported.insert(entry.to_string()) {
                let line = format!(
                    "tuned {}, sizes from {}: {:.2} times as fast, {} candidates, {:.1} s",
                    place(&entry),
                    sizes(&entry),
                    gain(&entry),
                    entry["candidates"],
                    entry["seconds"].as_f64().unwrap_or(0.0)
                );
                self.bar.suspend(|| eprintln!("{line}"));
            }
        }
        let state = report.and_then(|path| fs::read_to_string(path).ok()).unwrap_or_default();
        let state: Value = serde_json::from_str(&state).unwrap_or_default();
        let state = &state["searching"];
        let (Some(tried), Some(of)) = (state["tried"].as_u64(), state["of"].as_u64()) else { return };
        let best =
            state["best_us"].as_f64().map_or_else(String::new, |us| format!(", best {}", time(us * 1e3)));
        let name = state["region"].as_str().unwrap_or("?");
        self.bar.set_message(format!("candidates of `{name}` (region {}){best}", self.reported.len() + 1));
        if tried < self.bar.position() {
            self.bar.set_position(0);
        }
        self.bar.set_length(of);
        self.bar.set_position(tried);
    }
}

pub fn run(options: &Options) -> Done {
    let env = try_env().map_err(ToString::to_string)?;
    let here = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    let chosen = options.file.as_ref().or(env.tune_file.as_ref()).map(here);
    let path = chosen.clone().or_else(|| env.cache_dir.as_ref().map(|dir| here(&dir.join("tune.json"))));
    let path = path.ok_or("there is no place for what is found: set OMP_CACHE_DIR, or use --file")?;
    writable(&path, chosen.is_none())?;
    let before: BTreeSet<String> = entries(&path).iter().map(Value::to_string).collect();
    let found = || {
        let mut found = entries(&path);
        found.retain(|entry| !before.contains(&entry.to_string()));
        found
    };
    let (ended, report) = (AtomicBool::new(false), OnceLock::new());
    let bar = ProgressBar::new(1);
    // The template is constant, and right.
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}/{len} {msg}") {
        bar.set_style(style.progress_chars("=> "));
    }
    let ran = std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut progress = Progress { bar: bar.clone(), found: &found, reported: BTreeSet::new() };
            while !ended.load(Ordering::SeqCst) {
                progress.look(report.get().map(PathBuf::as_path));
                std::thread::sleep(PAUSE);
            }
            progress.look(None);
            bar.finish_and_clear();
        });
        let ran = options.program.run(|folder| {
            let _ = report.set(folder.join(REPORT));
            let mut variables = vec![("OMP_TUNE", "full".into())];
            variables.extend(chosen.iter().map(|path| ("OMP_TUNE_FILE", path.clone().into_os_string())));
            variables
        });
        ended.store(true, Ordering::SeqCst);
        ran
    });
    let found = found();
    let (failure, untuned) = match ran {
        Ok(ran) => (ran.failure(), ran.report.untuned),
        Err(why) => (Some(why), Vec::new()),
    };
    if options.json {
        print(&format!("{}\n", Value::from(found.clone())));
    } else if !found.is_empty() || failure.is_none() {
        print(&shown(&found, &untuned, &path, options));
    }
    match failure {
        Some(_) if was_interrupted() && !found.is_empty() => {
            Err("interrupted; what was found before is kept".into())
        }
        Some(failure) => Err(failure),
        None if found.is_empty() => Ok(ExitCode::FAILURE),
        None => Ok(ExitCode::SUCCESS),
    }
}

fn shown(found: &[Value], untuned: &[Untuned], path: &Path, options: &Options) -> String {
    let mut left = String::new();
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    untuned.iter().for_each(|of| reasons.entry(&of.why).or_default().push(of.place.short()));
    for (why, regions) in reasons {
        let _ =
            write!(left, "\nnot tuned\n{}{}", field("regions", &regions.join(", ")), field("because", why));
    }
    if found.is_empty() && untuned.is_empty() {
        return wrap(
            &format!("no region was tuned: nothing ran on a device: {}", options.program.without_device()),
            0,
        ) + "\n";
    }
    if found.is_empty() {
        return format!("no region was tuned\n{left}");
    }
    let rows = found.iter().map(|entry| {
        vec![
            place(entry),
            sizes(entry),
            entry["schedule"].as_str().unwrap_or("?").to_owned(),
            time(micros(entry, "default_us") * 1e3),
            time(micros(entry, "best_us") * 1e3),
            format!("{:.2}", gain(entry)),
        ]
    });
    let mut text = table(&["region", "sizes from", "schedule", "default", "tuned", "gain"], rows, 3);
    let sum = |member: &str| found.iter().filter_map(|entry| entry[member].as_u64()).sum::<u64>();
    let _ = writeln!(
        text,
        "\nregions tuned: {}, {} schedules tried, {} dropped",
        found.len(),
        sum("candidates"),
        sum("dropped")
    );
    text + &wrap(&format!("kept in {}", path.display()), 0) + "\n" + &left
}
