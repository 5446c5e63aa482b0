//! One execution of a region, from the user's numbers to the report.
//!
//! 1. [`site`]: what the macros planted, and its typed instances with their compiled kernels.
//! 2. [`region`]: the data and clauses of one execution; decides where it runs.
//!    What follows from the numbers of a launch is remembered (`decisions`).
//! 3. [`execute`]: on a device: compile or find the kernel, [`args`], launch, [`status`], copy back.
//! 4. [`outcome`]: on the host: runs the user's own loop and turns its panics into the same errors.
//!    `task`: a region that is begun on a queue and ended later; `replay`: one that is launched as it was before.
//! 5. [`timing`]: which launches the device times.
//!    `search`: trials of other schedules, on copies of what the region writes.
//!    `verify`: `OMP_VERIFY`, a device and the host compared; `reference`: the same on data that stands on the device.
//! 6. [`report`]: what `omp::last_region` and `OMP_INFO` tell.
pub mod args;
pub mod context;
pub(crate) mod decisions;
pub mod execute;
pub mod fault;
mod inspect;
pub mod outcome;
mod reference;
pub mod region;
pub(crate) mod replay;
pub mod report;
mod scratch;
mod search;
mod seen;
pub mod site;
pub mod status;
pub(crate) mod task;
pub mod timing;
mod verify;
mod waits;

pub use context::Context;
pub use outcome::{FromFailure, HostRun, Launched, Outcome};
pub use region::{ClauseInt, Region, they_met};
pub use site::{Site, SiteInfo, TypedSite};

#[cfg(test)]
mod tests;
