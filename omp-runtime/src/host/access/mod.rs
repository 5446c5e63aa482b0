//! How the body of a parallel loop accesses arrays.
//!
//! * [`mod@view`]: arrays that several threads write; [`subscript`]: by which types.
//! * [`atomic`]: accesses under `#[omp::atomic]`; [`claims`]: `disjoint(…)`, checked.
pub mod atomic;
pub mod claims;
pub(super) mod subscript;
pub mod view;
