//! Iterators, options, closures and whole arrays in expressions: they become blocks with loops, conditions and variables.
//!
//! * [`arrays`]: methods of whole arrays and slices: `fill`, `copy_from_slice`, `sort`, `map`.
//! * [`array_depths`]: how deep arrays are.
//! * [`array_chunks`]: `as_chunks` of slices.
//! * [`selection`]: `select_nth_unstable` and its like.
//! * [`parts`]: parts that may not exist, `x.get(a..b)`.
//! * [`splits`]: slices that are taken apart by patterns; [`conversions`]: conversions that may fail.
//! * [`pipeline`]: adaptors with closures, and consumers of iterators, as loops.
//! * [`closure`]: inlines calls of closures.
//! * [`declared`]: which names hold `Option`s.
//! * [`number_methods`]: methods of numbers, written out with others.
//! * [`evaluated_first`]: names for what is evaluated once, and before the rest of a call.
//! * [`regrouped`]: what a loop's `map` only regroups, as the loop's pattern.
//! * [`swaps`]: `mem::swap` of two parts of one array.
//! * [`trims`]: `trim_ascii` of slices, as parts of them.
//! * [`zips`]: `std::iter::zip(a, b)`, as a method.
//! * [`option`]: options and results, their methods, and options of references.
mod array_chunks;
pub mod array_depths;
pub(super) mod arrays;
pub(super) mod closure;
mod conversions;
pub(in crate::iterate) mod declared;
mod evaluated_first;
pub(in crate::iterate) mod number_methods;
pub(super) mod option;
mod parts;
pub(super) mod pipeline;
mod regrouped;
mod selection;
pub mod splits;
mod swaps;
mod trims;
pub(super) mod zips;
