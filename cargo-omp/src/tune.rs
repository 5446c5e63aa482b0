//! `cargo omp tune`: `OMP_TUNE=full` over a whole run.
//!
//! The runtime writes what it has found after each region, so this command looks at that file while the program runs: for
//! progress, and for what is left of a run that was interrupted.
use crate::Done;
use crate::program::Program;
use crate::show::{print, table, time, wrap};
use omp_runtime::env::try_env;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
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
fn entries(path: &Path) -> Vec<Value> {
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

pub fn run(options: &Options) -> Done {
    let env = try_env().map_err(ToString::to_string)?;
    let here = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    let chosen = options.file.as_ref().or(env.tune_file.as_ref()).map(here);
    let path = chosen.clone().or_else(|| env.cache_dir.as_ref().map(|dir| here(&dir.join("tune.json"))));
    let path = path.ok_or("there is no place for what is found: set OMP_CACHE_DIR, or use --file")?;
    let before: BTreeSet<String> = entries(&path).iter().map(Value::to_string).collect();
    let found = || {
        let mut found = entries(&path);
        found.retain(|entry| !before.contains(&entry.to_string()));
        found
    };
    let ended = AtomicBool::new(false);
    let ran = std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut told = BTreeSet::new();
            while !ended.load(Ordering::SeqCst) {
                for entry in found() {
                    if told.insert(entry.to_string()) {
                        eprintln!(
                            "tuned {}, sizes from {}: {:.2} times as fast, {} candidates, {:.1} s",
                            place(&entry),
                            sizes(&entry),
                            gain(&entry),
                            entry["candidates"],
                            entry["seconds"].as_f64().unwrap_or(0.0)
                        );
                    }
                }
                std::thread::sleep(PAUSE);
            }
        });
        let ran = options.program.run(|_| {
            let mut variables = vec![("OMP_TUNE", "full".into())];
            variables.extend(chosen.iter().map(|path| ("OMP_TUNE_FILE", path.clone().into_os_string())));
            variables
        });
        ended.store(true, Ordering::SeqCst);
        ran
    });
    let found = found();
    if options.json {
        print(&format!("{}\n", Value::from(found.clone())));
    } else {
        print(&shown(&found, &path, options));
    }
    let failure = match ran {
        Ok(ran) => ran.failure(),
        Err(why) => Some(why),
    };
    match failure {
        Some(failure) => Err(failure),
        None if found.is_empty() => Ok(ExitCode::FAILURE),
        None => Ok(ExitCode::SUCCESS),
    }
}

fn shown(found: &[Value], path: &Path, options: &Options) -> String {
    if found.is_empty() {
        let why = format!(
            "no region was tuned; OMP_INFO=tune tells why for each. If nothing ran on a device: {}",
            options.program.without_device()
        );
        return wrap(&why, 0) + "\n";
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
    text + &wrap(&format!("kept in {}", path.display()), 0) + "\n"
}
