//! The user's program: built and run by cargo, or an existing executable, with the runtime's environment variables.
use crate::report::Report;
use clap::{Args, ValueEnum};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

/// Ctrl-C was pressed.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether Ctrl-C was pressed while the program ran.
pub fn was_interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Refuses the name of a region that none of the run has.
pub fn no_region(wanted: &str, names: impl IntoIterator<Item = String>) -> String {
    let names: BTreeSet<String> = names.into_iter().collect();
    let near = |name: &&String| strsim::damerau_levenshtein(wanted, name) <= 1 + wanted.chars().count() / 4;
    let closest = names.iter().filter(near).min_by_key(|name| strsim::damerau_levenshtein(wanted, name));
    let meant = closest.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
    let all = names.iter().cloned().collect::<Vec<_>>().join(", ");
    format!("no region `{wanted}` ran{meant} (regions that did: {all})")
}

/// Which program, and on which devices.
#[derive(Debug, Args)]
pub struct Program {
    /// Run this program, which is built already, in place of `cargo run`
    #[arg(
        long,
        value_name = "PATH",
        conflicts_with_all = ["package", "bin", "example", "release", "profile", "features", "all_features", "no_default_features", "manifest_path"]
    )]
    bin_path: Option<PathBuf>,
    /// Which backends the program looks for (OMP_BACKEND); `opencl` includes OpenCL on the CPU
    #[arg(long)]
    backend: Option<Backend>,
    #[command(flatten)]
    cargo: CargoRun,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    args: Vec<OsString>,
}

/// What `cargo run` gets.
#[derive(Debug, Args)]
#[command(next_help_heading = "Passed to cargo run")]
struct CargoRun {
    #[arg(short, long, value_name = "NAME", help = "Package with the program")]
    package: Option<OsString>,
    #[arg(long, value_name = "NAME", help = "Binary to run")]
    bin: Option<OsString>,
    #[arg(long, value_name = "NAME", help = "Example to run")]
    example: Option<OsString>,
    #[arg(short, long, help = "Build with optimisation")]
    release: bool,
    #[arg(long, value_name = "NAME", help = "Build profile")]
    profile: Option<OsString>,
    #[arg(short = 'F', long, value_name = "LIST", help = "Features")]
    features: Vec<OsString>,
    #[arg(long, help = "All features")]
    all_features: bool,
    #[arg(long, help = "No default feature")]
    no_default_features: bool,
    #[arg(long, value_name = "PATH", help = "Path of Cargo.toml")]
    manifest_path: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Backend {
    Auto,
    Cuda,
    Opencl,
    Host,
}

impl Backend {
    fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Cuda => "cuda",
            Self::Opencl => "opencl",
            Self::Host => "host",
        }
    }
}

/// The file of the report, in the folder of the run.
pub const REPORT: &str = "report.json";

/// The state of a search, in place of the report: see the runtime's `observe/report.rs`.
const SEARCHING: &str = "{\"searching\":";

/// A run that has ended.
pub struct Ran {
    pub report: Report,
    /// The report as the program wrote it.
    pub text: String,
    pub status: ExitStatus,
    /// The folder of the other files of the run.
    pub folder: tempfile::TempDir,
}

impl Ran {
    /// Describes how a program ended that did not end well.
    pub fn failure(&self) -> Option<String> {
        (!self.status.success()).then(|| format!("the program ended with {}", self.status))
    }
}

impl Program {
    /// Runs it. `variables` gets the folder of the run.
    pub fn run(&self, variables: impl FnOnce(&Path) -> Vec<(&'static str, OsString)>) -> Result<Ran, String> {
        let folder = tempfile::tempdir().map_err(|e| format!("no folder for the program's report: {e}"))?;
        let file = folder.path().join(REPORT);
        let mut command = self.command();
        command.env("OMP_REPORT", &file).envs(variables(folder.path()));
        if let Some(backend) = self.backend {
            command.env("OMP_BACKEND", backend.word());
        }
        // Ctrl-C ends the program, which shares the terminal. This one stays, shows what there is and removes the folder.
        let _ = ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::SeqCst));
        let status = command
            .stdout(Stdio::from(std::io::stderr()))
            .status()
            .map_err(|e| format!("{} can't be started: {e}", command.get_program().display()))?;
        let text = match fs::read_to_string(&file) {
            // A run that was stopped has left the state of a search.
            Ok(text) if !text.is_empty() && !text.starts_with(SEARCHING) => text,
            _ if was_interrupted() => return Err("interrupted".into()),
            _ if !status.success() && self.bin_path.is_none() => {
                return Err(format!(
                    "the build failed, or the program ended before it could write a report (cargo run: {status})"
                ));
            }
            _ if !status.success() => {
                return Err(format!("the program ended before it could write a report ({status})"));
            }
            Ok(_) => return Err("the program wrote no report: it was killed, or left without `exit`".into()),
            Err(_) => {
                return Err("the program ran no region: no `#[omp::target]` loop was reached, or it is built with an \
                            omp-offload that has no OMP_REPORT"
                    .into());
            }
        };
        Ok(Ran { report: Report::read(&text)?, text, status, folder })
    }

    fn command(&self) -> Command {
        if let Some(path) = &self.bin_path {
            // A bare name is a file here, not a program of the search path.
            let mut command = Command::new(Path::new(".").join(path));
            command.args(&self.args);
            return command;
        }
        // Cargo passes its own path to subcommands.
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        let CargoRun {
            package,
            bin,
            example,
            release,
            profile,
            features,
            all_features,
            no_default_features,
            manifest_path,
        } = &self.cargo;
        command.arg("run");
        let path = manifest_path.as_ref().map(|path| path.clone().into_os_string());
        let named = [
            ("--package", package),
            ("--bin", bin),
            ("--example", example),
            ("--profile", profile),
            ("--manifest-path", &path),
        ];
        for (option, value) in named {
            if let Some(value) = value {
                command.arg(option).arg(value);
            }
        }
        for list in features {
            command.arg("--features").arg(list);
        }
        for (option, on) in [
            ("--release", release),
            ("--all-features", all_features),
            ("--no-default-features", no_default_features),
        ] {
            if *on {
                command.arg(option);
            }
        }
        command.arg("--").args(&self.args);
        command
    }

    /// A source file as rustc named it: relative to the workspace, where the program was built.
    pub fn source(&self, file: &str) -> Option<String> {
        let here = std::env::current_dir().ok()?;
        // A program that is built lies in its project, wherever this command is called.
        let start = match (&self.bin_path, &self.cargo.manifest_path) {
            (Some(program), _) => program.canonicalize().ok()?,
            (None, Some(manifest)) => here.join(manifest),
            (None, None) => here,
        };
        start.ancestors().find_map(|folder| fs::read_to_string(folder.join(file)).ok())
    }

    /// Advice if nothing ran on a device.
    pub fn without_device(&self) -> &'static str {
        match self.backend {
            Some(Backend::Host) => "with --backend host none is used",
            Some(Backend::Opencl) => "no OpenCL device was used; `cargo omp info` lists those there are",
            _ => {
                "`cargo omp info` lists the devices; `--backend opencl` runs OpenCL on the CPU where it is installed"
            }
        }
    }
}
