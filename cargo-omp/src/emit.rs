//! `cargo omp emit`: the generated code of a run.
use crate::Done;
use crate::program::{Program, no_region};
use crate::report::Place;
use crate::show::print;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Debug, clap::Args)]
pub struct Options {
    /// Only regions of this name
    #[arg(long, value_name = "NAME")]
    region: Option<String>,
    /// CUDA C++ (without any of these: the sources for all kinds of device)
    #[arg(long)]
    cuda: bool,
    /// OpenCL C
    #[arg(long)]
    opencl: bool,
    /// The region as the macros wrote it down
    #[arg(long)]
    ir: bool,
    /// The device program, of regions that run by tiles
    #[arg(long)]
    program: bool,
    /// Write the sources into this folder as well
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    run: Program,
}

pub fn run(options: &Options) -> Done {
    let ran = options.run.run(|folder| vec![("OMP_DUMP", folder.join("sources").into())])?;
    let wanted = |name: &str| options.region.as_deref().is_none_or(|region| region == name);
    let forms = options.ir || options.program;
    // The printed texts, by the name of the file.
    let mut found: Vec<(String, String)> = Vec::new();
    let mut logs = Vec::new();
    let mut regions: Vec<_> =
        ran.report.regions.iter().filter(|region| wanted(&region.place.region)).collect();
    regions.sort_by(|a, b| a.place.cmp(&b.place));
    for region in &regions {
        let Place { region: name, line, .. } = &region.place;
        let mut add = |kind: &str, text: &str| {
            let text = format!("// region `{name}` at {}\n{text}", region.place.in_trace());
            // Instances of a generic region, and schedules of one, have one place.
            let of = |n: usize| match n {
                1 => format!("{name}-{line}.{kind}"),
                n => format!("{name}-{line}-{n}.{kind}"),
            };
            let free = |file: &String| !found.iter().any(|(other, _)| other == file);
            found.extend((1..).map(of).find(free).map(|file| (file, text)));
        };
        if options.ir {
            add("ir", &region.ir);
        }
        if options.program {
            for launch in &region.launches {
                if let Some(program) = &launch.program {
                    add("program", &format!("// for {}\n{program}", launch.device));
                }
            }
        }
    }
    if !forms || options.cuda || options.opencl {
        let both = options.cuda == options.opencl;
        let mut files: Vec<PathBuf> = fs::read_dir(ran.folder.path().join("sources"))
            .map(|files| files.filter_map(|file| Some(file.ok()?.path())).collect())
            .unwrap_or_default();
        files.sort();
        for path in files {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            // The first line says whose it is, as errors do: region `saxpy` at src/main.rs:25:5.
            let head = text.lines().next().unwrap_or_default();
            let own = options.region.as_ref().is_none_or(|region| head.contains(&format!("`{region}`")));
            let kind =
                both || options.cuda && name.ends_with(".cu") || options.opencl && name.ends_with(".cl");
            if name.ends_with(".log") {
                logs.push((name, text));
            } else if own && kind {
                found.push((name, text));
            }
        }
    }
    // A compiler's log is next to its source.
    logs.retain(|(log, _)| {
        found.iter().any(|(name, _)| Path::new(name).file_stem() == Path::new(log).file_stem())
    });
    if let Some(out) = options.out.as_ref().filter(|_| !found.is_empty()) {
        fs::create_dir_all(out).map_err(|e| format!("{}: {e}", out.display()))?;
        for (name, text) in found.iter().chain(&logs) {
            let path = out.join(name);
            fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        }
    }
    for (name, text) in &found {
        print(&format!("// ---- {name}\n{}\n\n", text.trim_end()));
    }
    if let Some(failure) = ran.failure() {
        return Err(failure);
    }
    if !found.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let names = ran.report.regions.iter().map(|region| region.place.region.clone());
    Err(match (&options.region, regions.is_empty()) {
        (Some(region), true) => no_region(region, names),
        _ if options.program && regions.iter().any(|r| r.launches.iter().any(|l| l.schedule.is_some())) => {
            "no region of the run has a device program: those are for nests that run by tiles; `cargo omp explain` says why not"
                .into()
        }
        _ => format!("no kernel was made: nothing ran on a device: {}", options.run.without_device()),
    })
}
