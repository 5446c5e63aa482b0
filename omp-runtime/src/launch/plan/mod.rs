//! Decisions of a launch that depend on its numbers, and are kept for later launches.
//!
//! * [`decisions`]: the cache of facts, schedules and kernels by the launch's numbers.
//! * [`inspect`]: iterations are inspected if formulas don't decide.
//! * [`replay`]: reuses the launch plan of an identical launch.
//! * [`seen`]: cached verdicts of inspections that read data.
pub(crate) mod decisions;
pub(super) mod inspect;
pub(crate) mod replay;
mod seen;
