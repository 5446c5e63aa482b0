//! Schedules of loop nests: unroll and jam, neighbouring columns, and inner loops that a warp or a team runs.
mod folds;
pub(crate) mod independent;
pub(super) mod rows;
pub(crate) mod teams;
pub(super) mod unroll_and_jam;
pub(super) mod wide;
