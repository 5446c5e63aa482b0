//! `cargo omp`: lists the devices, and shows which regions of a program run where, why, and how fast.
//!
//! The commands that look at a program run it with the runtime's environment variables (`OMP_REPORT`, `OMP_TRACE`,
//! `OMP_DUMP`, `OMP_VERIFY`) and show what it wrote. Their own output goes to stdout, the program's output to stderr.
#![forbid(unsafe_code)]

mod emit;
mod explain;
mod info;
mod profile;
mod program;
mod report;
mod show;
mod tune;
mod verify;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// What cargo calls: `cargo-omp omp …`.
#[derive(Parser)]
#[command(name = "cargo", bin_name = "cargo", disable_help_subcommand = true)]
enum Cargo {
    /// Devices, schedules, generated code and times of programs with omp directives
    #[command(version, arg_required_else_help = true)]
    Omp {
        #[command(subcommand)]
        command: Command,
    },
}

#[derive(Subcommand)]
enum Command {
    /// Lists the devices, their limits, and why backends are missing
    #[command(after_help = "Example:\n  cargo omp info --measure")]
    Info(info::Options),
    /// Explains for each region what runs where and why: loops, maps, checks, schedule
    #[command(
        after_help = "Example:\n  cargo omp explain --backend opencl --html laplace.html --example laplace -- --size 512"
    )]
    Explain(explain::Options),
    /// Prints the generated code for the types and sizes of a run
    #[command(
        after_help = "Example:\n  cargo omp emit --region saxpy --cuda --backend opencl --release -- -n 1000"
    )]
    Emit(emit::Options),
    /// Shows where the time of a run goes: regions, kernels, copies, waits
    #[command(
        after_help = "Example:\n  cargo omp profile --svg timeline.svg --trace trace.json --release -- -n 1000000"
    )]
    Profile(profile::Options),
    /// Searches faster schedules for the regions of a run, and keeps them
    #[command(after_help = "Example:\n  cargo omp tune --file tuned.json --release -- -n 1000000")]
    Tune(tune::Options),
    /// Runs every region on its device and on the host, and compares the results
    #[command(after_help = "Example:\n  cargo omp verify --backend opencl --release -- -n 100000")]
    Verify(verify::Options),
}

/// The exit code of a command: 0, or 1 if it found something wrong.
type Done = Result<ExitCode, String>;

fn main() -> ExitCode {
    let mut words: Vec<_> = std::env::args_os().collect();
    // Cargo calls `cargo-omp omp explain`; a person may call `cargo-omp explain`.
    if words.get(1).is_none_or(|first| first != "omp") {
        words.insert(words.len().min(1), "omp".into());
    }
    let Cargo::Omp { command } = Cargo::parse_from(words);
    let done = match command {
        Command::Info(options) => info::run(&options),
        Command::Explain(options) => explain::run(&options),
        Command::Emit(options) => emit::run(&options),
        Command::Profile(options) => profile::run(&options),
        Command::Tune(options) => tune::run(&options),
        Command::Verify(options) => verify::run(&options),
    };
    done.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::FAILURE
    })
}
