//! The outcome of a region for generated code: nothing is left to do, or the host has to run the loop.
pub mod fault;
pub mod report;

use super::plan::decisions::LaunchDecisions;
use super::site::TypedSite;
use crate::data::directive::region::Scope;
use crate::error::{Error, PanicKind};
use crate::host::failure_record::{FailureRecord, Spot, watch};
use crate::host::loops::pace::Pace;
use crate::host::loops::schedule::Schedule;
use omp_ir::ids::{AccessId, SrcId};
use omp_ir::kernel::{BoundsVerdict, Kernel, TypedCode};
use omp_ir::template::{Code, Src};
use omp_kernels::valid::{checked_array, checked_len};
use report::{KernelTime, Record, remember};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How a region went.
#[derive(Debug, Clone, Copy)]
pub enum Outcome {
    /// It ran on a device, or there was nothing to run.
    Done,
    /// The host has to run it.
    Host(HostRun),
}

/// How a region that is a task was launched.
#[derive(Debug, Clone, Copy)]
pub enum Launched {
    /// It has run, or the host has to run it.
    Now(Outcome),
    /// It is on its way, under this number.
    Later(crate::task::TaskNumber),
    /// It does not run: there is nothing to do, or what it needs has failed.
    Not,
}

/// What is done with a task's reduction items when it has ended.
pub(crate) type Then = Box<dyn FnOnce(&mut super::region::Region) + Send>;

/// How the host runs a region's loop.
#[derive(Debug, Clone, Copy)]
pub struct HostRun {
    pub(crate) serial: bool,
    /// Arrays have to be checked: how many under `disjoint`.
    pub(crate) claims: Option<u32>,
    /// Arrays to which iterations that follow one another write far apart.
    pub(crate) scattered: u32,
    /// The most threads to use.
    pub(crate) threads: usize,
    /// As many if the threads don't access the same elements atomically.
    pub(crate) apart: usize,
    /// Threads update the same elements atomically.
    pub(crate) shared: bool,
    /// Iterations cost little.
    pub(crate) light: bool,
    /// What iterations took before.
    pub(crate) pace: Option<&'static Pace>,
    /// Which of them runs which iterations.
    pub(crate) schedule: Schedule,
}

impl HostRun {
    /// The same of a loop without calls and inner loops.
    #[must_use]
    pub const fn light(self) -> Self {
        Self { light: true, ..self }
    }

    /// Whether the loop must run as it stands: with these sizes not every subscript is known to be in bounds, and
    /// the loop panics where Rust does.
    #[must_use]
    pub const fn serial(self) -> bool {
        self.serial
    }

    /// Whether the launch could not prove all of `disjoint(…)`, so that elements have to be claimed.
    #[must_use]
    pub const fn claims(self) -> bool {
        self.claims.is_some()
    }
}

/// A region's loop on the host, to be timed and reported.
#[derive(Debug)]
pub(crate) struct HostLoop {
    pub site: &'static TypedSite,
    pub started: Instant,
    pub fallback: Option<Arc<str>>,
    /// The report is about the device that the host is compared with.
    pub quiet: bool,
    /// The target block around it.
    pub scope: Option<Arc<Scope>>,
    /// What the launch found.
    pub decided: Option<Arc<LaunchDecisions>>,
}

impl HostLoop {
    /// Runs the loop.
    pub fn run<R>(&self, body: impl FnOnce() -> R) -> Result<R, Box<FailureRecord>> {
        let (mut body, mut value) = (Some(body), None);
        self.run_once(&mut || value = body.take().map(|body| body()))?;
        Ok(value.expect("it ran"))
    }

    /// One copy for all loops.
    fn run_once(&self, body: &mut dyn FnMut()) -> Result<(), Box<FailureRecord>> {
        let start = Instant::now();
        let result = watch(body);
        let time = start.elapsed();
        if let Some(decided) = &self.decided {
            decided.owed.spent(time);
        }
        crate::observe::host_loop(self, start, time);
        self.record([time, self.started.elapsed()], result.as_ref().err().map(|w| &**w));
        result
    }

    /// Runs the loop on this thread; another one reports it ([`Ran::report`]).
    pub fn run_elsewhere(self, body: impl FnOnce()) -> Ran {
        let start = Instant::now();
        let result = watch(body);
        let time = start.elapsed();
        crate::observe::host_loop(&self, start, time);
        Ran { times: [time, self.started.elapsed()], result, host: self }
    }

    /// The report, of the loop's time and the region's.
    fn record(&self, [kernel_time, wall_time]: [Duration; 2], record: Option<&FailureRecord>) {
        if !self.quiet {
            let record = Record {
                place: &self.site.place,
                device: None,
                grid: [0; 3],
                block: [0; 3],
                bytes_to_device: 0,
                bytes_from_device: 0,
                kernel_time: KernelTime::Known(kernel_time),
                wall_time,
                residual_checks: 0,
                fallback: self.fallback.clone(),
            };
            if let Some(scope) = &self.scope {
                scope.totals.add(&record);
            }
            remember(record);
        }
        if let Some(record) = record {
            crate::observe::failed(&self.site.place, || self.error(record));
        }
    }

    /// The error of a panic.
    pub fn error(&self, record: &FailureRecord) -> Error {
        let message = record.text().unwrap_or("a panic without text").to_owned();
        let kind = PanicKind::of_message(&message);
        let of_array = matches!(kind, PanicKind::IndexOutOfBounds | PanicKind::OverlappingWrites);
        let found = record.at.as_ref().filter(|_| of_array).and_then(|at| self.subscripted(at, &message));
        let (variable, src) = found.map(|(name, src)| (name.into(), src)).unzip();
        let at = record.at.as_ref().map(|spot| {
            let Src { line, column } = src.unwrap_or(Src { line: spot.line, column: spot.column });
            format!("{}:{line}:{column}", spot.file).into()
        });
        let (place, iteration) = (&self.site.place, record.iteration.clone());
        Error::Panic { place, device: "the host".into(), kind, at, message, variable, iteration }
    }

    /// The variable whose subscript failed there, and where that begins: a `Vec` panics at its `[`.
    fn subscripted(&self, at: &Spot, message: &str) -> Option<(String, Src)> {
        let of = |code: &Code, typed: Option<(&Kernel, &TypedCode)>| {
            let here = |src: SrcId| {
                code.srcs.get(src.index()).is_some_and(|s| (s.line, s.column) == (at.line, at.column))
            };
            let named = || code.accesses.iter().enumerate().filter(|(_, a)| !a.name.is_empty());
            let found = named().find(|(_, a)| a.bracket != a.src && here(a.bracket));
            let (_, access) = found.or_else(|| {
                // `a[i][j]` and `a[i]` begin at one place: which can fail, and has that length?
                let len = message
                    .split_once("the len is ")
                    .and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
                named().filter(|(_, a)| here(a.src)).min_by_key(|(k, a)| {
                    let known = typed.map(|(kernel, typed)| {
                        let id = AccessId::new(*k);
                        match checked_len(kernel, typed, id) {
                            None => 3,
                            Some(_) if self.is_proved(typed, id) => 3,
                            Some(Some(fixed)) => {
                                if Some(fixed) == len {
                                    0
                                } else {
                                    2
                                }
                            }
                            Some(None) => match self.len_of(id) {
                                known if known.is_none() => 1,
                                known if known == len => 0,
                                _ => 2,
                            },
                        }
                    });
                    (known, a.name.len())
                })
            })?;
            Some((access.name.clone(), *code.srcs.get(access.src.index())?))
        };
        let kernel = self.site.body.as_ref().ok().map(|ready| &ready.kernel);
        let body = (at.file == self.site.place.file)
            .then(|| of(&self.site.template.code, kernel.map(|k| (k, &k.body))))
            .flatten();
        body.or_else(|| {
            let kernel = kernel?;
            let mut fns = kernel.fns.iter().filter(|f| f.body.file == at.file);
            fns.find_map(|f| of(&f.body.code, Some((kernel, &f.body))))
        })
    }

    /// The length of a mapped array that this is a subscript of.
    fn len_of(&self, access: AccessId) -> Option<u64> {
        let kernel = &self.site.body.as_ref().ok()?.kernel;
        let array = checked_array(kernel, access)?;
        self.decided.as_ref()?.len_of(array.index())
    }

    /// The launch has proved a subscript of the body.
    fn is_proved(&self, code: &TypedCode, access: AccessId) -> bool {
        match code.bounds.get(access.index()) {
            Some(BoundsVerdict::AtLaunch) => {
                self.decided.as_ref().is_some_and(|decided| !decided.facts.unproved.contains(&access))
            }
            Some(BoundsVerdict::Proved) => true,
            Some(BoundsVerdict::Residual | BoundsVerdict::Trusted) | None => false,
        }
    }

    /// Goes on with a panic, as an error of the region.
    #[track_caller]
    pub fn resume(&self, record: FailureRecord) -> ! {
        match record.text() {
            // (The payload is the same.)
            Some(_) if record.reported => resume_unwind(Box::new(self.error(&record).to_string())),
            Some(_) => panic!("{}", self.error(&record)),
            None => resume_unwind(record.payload),
        }
    }
}

/// A region's loop that has run on another thread.
#[derive(Debug)]
pub(crate) struct Ran {
    host: HostLoop,
    times: [Duration; 2],
    result: Result<(), Box<FailureRecord>>,
}

impl Ran {
    /// Whether it came to its end.
    pub fn went_well(&self) -> bool {
        self.result.is_ok()
    }

    /// Reports it, on the thread of the function that it is of.
    pub fn report(self) -> Result<(), Error> {
        let Self { host, times, result } = self;
        host.record(times, result.as_ref().err().map(|w| &**w));
        result.map_err(|record| host.error(&record))
    }
}

/// What `#[omp::offload(try)]` needs of a function's error type. Everything that is made from [`Error`] has it.
#[diagnostic::on_unimplemented(
    message = "`#[omp::offload(try)]` can't make a `{Self}` of an `omp::Error` [omp::E0105]",
    label = "a region's failure has to become a `{Self}` here",
    note = "help: let the function return `Result<_, omp::Error>`, `Result<_, Box<dyn std::error::Error>>`, or implement `From<omp::Error>` for `{Self}`"
)]
pub trait FromFailure {
    /// The error as the function returns it.
    fn from_failure(error: Error) -> Self;
}

#[diagnostic::do_not_recommend]
impl<E: From<Error>> FromFailure for E {
    fn from_failure(error: Error) -> Self {
        error.into()
    }
}
