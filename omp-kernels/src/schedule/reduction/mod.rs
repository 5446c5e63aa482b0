//! Schedules of reductions: of scalars, in order, reproducible, and of arrays.
pub(super) mod accumulators;
pub(super) mod atomic_privatisation;
pub(super) mod copy_privatisation;
pub(super) mod ordered;
pub(super) mod reproducible;
pub(super) mod scalars;
