//! Names of what devices have no value of: ranges, halves of a split slice, and structs that own arrays.
//!
//! * [`halves`]: the parts of `split_at_mut`, in the place of their names.
//! * [`iterators`]: named iterators.
//! * [`ranges`]: named ranges.
//! * [`subscripts`]: `m[(i, j)]` of structs that own arrays.
pub(super) mod halves;
mod iterators;
pub(super) mod ranges;
pub(super) mod subscripts;
