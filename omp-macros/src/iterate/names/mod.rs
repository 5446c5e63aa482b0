//! Names of values that devices don't have: ranges, slice variables, halves of a split slice, and structs that own
//! arrays.
//!
//! * [`chosen`]: references that a branch chooses; [`chosen_part`]: parts of one array.
//! * [`cursors`]: slice variables that are assigned parts of themselves.
//! * [`free_numbers`]: variables for the numbers without a type of closures and iterators that have several uses.
//! * [`halves`]: the parts of `split_at_mut`, in the place of their names.
//! * [`iterators`]: named iterators; [`moved_on`]: those with several uses, each of which goes on behind the one before.
//! * [`optional_parts`]: options of parts of an array.
//! * [`ranges`]: named ranges.
//! * [`slice_patterns`]: patterns of slices that are changed through their names.
//! * [`split_off`]: slice variables that methods split parts off.
//! * [`subscripts`]: `m[(i, j)]` of structs that own arrays.
pub(super) mod chosen;
pub mod chosen_part;
pub(super) mod cursors;
pub(super) mod free_numbers;
pub(super) mod halves;
pub(super) mod iterators;
pub(super) mod moved_on;
mod optional_parts;
pub(super) mod ranges;
pub(super) mod slice_patterns;
mod split_off;
pub(super) mod subscripts;
