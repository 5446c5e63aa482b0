//! What is left to do for generated code after a region: nothing, or the loop on the host.
use super::report::{Record, remember};
use super::site::TypedSite;
use crate::data::region::Scope;
use crate::error::{Error, PanicKind};
use crate::host::schedule::Schedule;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
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

/// How the host runs a region's loop.
#[derive(Debug, Clone, Copy)]
pub struct HostRun {
    pub(crate) serial: bool,
    /// The most threads to use.
    pub(crate) threads: usize,
    /// Which of them runs which iterations.
    pub(crate) schedule: Schedule,
}

impl HostRun {
    /// Whether the loop must run as it stands: with these sizes not every subscript is known to be in bounds, and
    /// the loop panics where Rust does.
    #[must_use]
    pub fn serial(&self) -> bool {
        self.serial
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
}

impl HostLoop {
    /// Runs the loop; its panic comes back as the payload.
    pub fn run<R>(&self, body: impl FnOnce() -> R) -> Result<R, Box<dyn Any + Send>> {
        let start = Instant::now();
        // The loop's data is borrowed by the region; what a panic leaves in it is unspecified but valid, as
        // for any Rust loop.
        let result = catch_unwind(AssertUnwindSafe(body));
        self.report(start.elapsed());
        result
    }

    fn report(&self, kernel_time: Duration) {
        crate::observe::host_loop(self.site, kernel_time);
        if self.quiet {
            return;
        }
        let record = Record {
            place: &self.site.place,
            device: None,
            grid: [0; 3],
            block: [0; 3],
            bytes_to_device: 0,
            bytes_from_device: 0,
            kernel_time: Some(kernel_time),
            wall_time: self.started.elapsed(),
            residual_checks: 0,
            fallback: self.fallback.clone(),
        };
        if let Some(scope) = &self.scope {
            scope.totals.add(&record);
        }
        remember(record);
    }

    /// The error of a panic.
    pub fn error(&self, payload: &(dyn Any + Send)) -> Error {
        let message = text_of(payload).unwrap_or("a panic without text").to_owned();
        Error::Panic {
            place: &self.site.place,
            kind: PanicKind::of_message(&message),
            at: None,
            message,
            variable: None,
            iteration: Vec::new(),
        }
    }
}

fn text_of(payload: &(dyn Any + Send)) -> Option<&str> {
    payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&'static str>().copied())
}

/// Goes on with the panic of a loop on the host. The panic hook has told it already.
pub(crate) fn resume(host: &HostLoop, payload: Box<dyn Any + Send>) -> ! {
    match text_of(&*payload) {
        Some(_) => resume_unwind(Box::new(host.error(&*payload).to_string())),
        None => resume_unwind(payload),
    }
}

/// What `#[omp::offload(try)]` needs of a function's error type. Everything that is made from [`Error`] has it.
#[diagnostic::on_unimplemented(
    message = "`#[omp::offload(try)]` can't make a `{Self}` of an `omp::Error` [omp::E0105]",
    label = "a region's failure has to become a `{Self}` here",
    note = "let the function return `Result<_, omp::Error>`, `Result<_, Box<dyn std::error::Error>>`, or implement `From<omp::Error>` for `{Self}`"
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
