//! The table of entries, what a program checks with, and the harness.
use omp_tests::{panic_text, skipped};
use std::collections::BTreeSet;
use std::fmt::{Debug, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The standard that a section belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spec {
    OpenMp,
    OpenAcc,
}

/// A construct with a clause: a line of the book's table. The clause is a key: a program checks it under this name.
pub struct Entry {
    pub spec: Spec,
    pub section: &'static str,
    pub construct: &'static str,
    pub clause: &'static str,
}

/// A function that checks entries.
pub struct Program {
    pub name: &'static str,
    pub file: &'static str,
    pub run: fn(&mut Checks),
    pub entries: &'static [Entry],
}

/// Declares the programs of a module with their entries:
/// `function { OpenAcc "2.5.1" "parallel": "reduction(+)", "reduction(*)"; }`.
macro_rules! programs {
    ($($run:path { $($spec:ident $section:literal $construct:literal: $($clause:literal),+;)+ })+) => {
        pub static PROGRAMS: &[$crate::table::Program] = &[$($crate::table::Program {
            name: stringify!($run),
            file: file!(),
            run: $run,
            entries: &[$($($crate::table::Entry {
                spec: $crate::table::Spec::$spec,
                section: $section,
                construct: $construct,
                clause: $clause,
            }),+),+],
        }),+];
    };
}

impl Entry {
    /// What stands for the entry in the record of a run.
    pub fn id(&self) -> String {
        let spec = match self.spec {
            Spec::OpenMp => "omp",
            Spec::OpenAcc => "acc",
        };
        format!("{spec} {} | {}", self.construct, self.clause)
    }
}

/// What a program found.
pub struct Checks {
    on_device: bool,
    seen: BTreeSet<&'static str>,
    failures: String,
}

impl Checks {
    /// Whether regions run on a device, not on the host's threads.
    pub fn on_device(&self) -> bool {
        self.on_device
    }

    /// An entry holds if the last region ran where it was to run, and if `got` is `want`.
    #[track_caller]
    pub fn eq<T: Debug + PartialEq>(&mut self, key: &'static str, got: T, want: T) {
        self.compare(key, self.on_device, got, want);
    }

    /// The same for a region that the host has to run.
    #[track_caller]
    pub fn eq_on_host<T: Debug + PartialEq>(&mut self, key: &'static str, got: T, want: T) {
        self.compare(key, false, got, want);
    }

    #[track_caller]
    fn compare<T: Debug + PartialEq>(&mut self, key: &'static str, on_device: bool, got: T, want: T) {
        self.seen.insert(key);
        let line = std::panic::Location::caller().line();
        let report = omp::last_region();
        if report.name == MARK {
            writeln!(self.failures, "  {key} (line {line}): no region has run").expect("a string");
        } else if report.fallback.is_some() || (report.backend != "host") != on_device {
            writeln!(self.failures, "  {key} (line {line}): ran elsewhere: {report}").expect("a string");
        }
        if got != want {
            writeln!(self.failures, "  {key} (line {line}): {got:?} instead of {want:?}").expect("a string");
        }
    }
}

/// The name of a region of the harness: what is the last region before a program runs.
const MARK: &str = "before the program";

#[omp::offload]
fn mark() {
    let mut x = [0u8];
    #[omp::target(name("before the program"), device(omp::get_initial_device()))]
    for i in 0..1 {
        x[i] = 1;
    }
}

/// Runs programs on the host and on every device, and prints a line for each entry that passes.
///
/// # Panics
/// With a list of all entries that fail.
pub fn run(programs: &[Program]) {
    let devices = omp::get_num_devices();
    if devices == 0 {
        skipped("opencl", "no OpenCL device");
    }
    let before = omp::get_default_device();
    let mut failures = String::new();
    for device in 0..=devices {
        let backend = omp::devices()[device].backend;
        for program in programs {
            omp::set_default_device(device);
            mark();
            let mut checks =
                Checks { on_device: device < devices, seen: BTreeSet::new(), failures: String::new() };
            let start = std::time::Instant::now();
            if let Err(payload) = catch_unwind(AssertUnwindSafe(|| (program.run)(&mut checks))) {
                writeln!(checks.failures, "  panicked: {}", panic_text(&*payload)).expect("a string");
            }
            if std::env::var_os("CONFORMANCE_TIMES").is_some() {
                println!("{:?} {backend} {}", start.elapsed(), program.name);
            }
            let missed = program.entries.iter().filter(|e| !checks.seen.contains(e.clause));
            missed.for_each(|e| writeln!(checks.failures, "  {} is not checked", e.id()).expect("a string"));
            for key in checks.seen.iter().filter(|key| program.entries.iter().all(|e| e.clause != **key)) {
                writeln!(checks.failures, "  {key} is no entry").expect("a string");
            }
            if checks.failures.is_empty() {
                program.entries.iter().for_each(|e| println!("passed: {backend}: {}", e.id()));
            } else {
                writeln!(failures, "{} on {backend} ({}):\n{}", program.name, program.file, checks.failures)
                    .expect("a string");
            }
        }
    }
    omp::set_default_device(before);
    assert!(failures.is_empty(), "entries of conformance fail\n{failures}");
}
