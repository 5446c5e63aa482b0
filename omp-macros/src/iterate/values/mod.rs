//! Iterators, options, closures and whole arrays in expressions: they become blocks with loops, conditions and variables.
//!
//! * [`arrays`]: methods of whole arrays and slices: `fill`, `copy_from_slice`, `sort`, `map`.
//! * [`array_chunks`]: `as_chunks` of slices.
//! * [`selection`]: `select_nth_unstable` and its like.
//! * [`parts`]: parts that may not exist, `x.get(a..b)`.
//! * [`splits`]: slices that are taken apart by patterns; [`conversions`]: conversions that may fail.
//! * [`pipeline`]: adaptors with closures, and consumers of iterators, as loops.
//! * [`closure`]: inlines calls of closures.
//! * [`declared`]: which names hold `Option`s.
//! * [`number_methods`]: methods of numbers, written out with others.
//! * [`evaluated_first`]: names for what is evaluated once, and before the rest of a call.
//! * [`swaps`]: `mem::swap` of two parts of one array.
//! * [`zips`]: `std::iter::zip(a, b)`, as a method.
//! * [`option`]: methods of `Option` with closures, and options of references; [`option_types`]: those without a written type;
//!   [`option_methods`]: methods that combine options or put values in them.
mod array_chunks;
pub(super) mod arrays;
pub(super) mod closure;
mod conversions;
pub(in crate::iterate) mod declared;
mod evaluated_first;
pub(in crate::iterate) mod number_methods;
pub(super) mod option;
pub(super) mod option_methods;
mod option_types;
mod parts;
pub(super) mod pipeline;
mod selection;
pub(in crate::iterate) mod shapes;
pub mod splits;
mod swaps;
pub(super) mod zips;
