//! One execution of a region, from the launch values to the report.
//!
//! 1. [`site`]: the static data that the macros place at a region, and its typed instances with their compiled kernels.
//! 2. [`region`]: the data and clauses of one execution; decides where it runs. Decisions that depend on the numbers of a
//!    launch are cached (`plan`).
//! 3. [`execute`]: on a device: compile or find the kernel, arguments, launch, status, copy back.
//! 4. [`outcome`]: on the host: runs the user's own loop and turns its panics into the same errors; and the report of both, for
//!    `omp::last_region` and `OMP_INFO`.
//!    `task`: a region that is begun on a queue and ended later.
//! 5. `search`: trials of other schedules, on copies of what the region writes.
//!    `verify`: `OMP_VERIFY`, a device and the host compared.
pub mod context;
pub mod execute;
pub mod outcome;
pub(crate) mod plan;
pub mod region;
mod search;
pub mod site;
pub(crate) mod task;
mod verify;

pub use context::Context;
pub use outcome::{FromFailure, HostRun, Launched, Outcome};
pub use region::{ClauseInt, Region, they_met};
pub use site::{Site, SiteInfo, TypedSite};

#[cfg(test)]
mod tests;
