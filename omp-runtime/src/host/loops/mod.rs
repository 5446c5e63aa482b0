//! The host's loops.
//!
//! * [`counted`]: loops as numbers for the launch, and as typed ranges for the body; [`items_of`]: sums and products of iterators.
//! * [`parallel`]: chunks on threads, with and without reduction; [`schedule`]: which thread gets which chunk.
//! * [`scan`]: loops that carry values; [`contended`]: how many threads a loop with atomic accesses is worth;
//!   [`pace`]: what iterations took before.
pub(crate) mod contended;
pub mod counted;
pub mod items_of;
pub(crate) mod pace;
pub mod parallel;
pub(super) mod scan;
pub mod schedule;
