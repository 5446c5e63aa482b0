//! The host's loops.
//!
//! * [`counted`]: loops as numbers for the launch, and as typed ranges for the body; [`items_of`]: sums and products of iterators.
//! * [`parallel`]: chunks on threads, with and without reduction; [`schedule`]: which thread gets which chunk.
//! * [`scan`]: loops that carry values; [`contended`]: the number of threads for a loop with atomic accesses; [`pace`]:
//!   the measured time of iterations.
pub(crate) mod contended;
pub mod counted;
pub mod items_of;
pub(crate) mod pace;
pub mod parallel;
pub(super) mod scan;
pub mod schedule;
