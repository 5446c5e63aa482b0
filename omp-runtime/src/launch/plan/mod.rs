//! What a launch decides from its numbers, and keeps for later launches.
//!
//! * [`decisions`]: the cache of facts, schedules and kernels by the launch's numbers.
//! * [`inspect`]: iterations are inspected if formulas don't decide.
//! * [`replay`]: the same launch again.
//! * [`seen`]: what inspections with data have found.
pub(crate) mod decisions;
pub(super) mod inspect;
pub(crate) mod replay;
mod seen;
