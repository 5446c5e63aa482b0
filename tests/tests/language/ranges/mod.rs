//! Ranges as values: consts, results of functions, subscripts.
mod const_ranges;
mod range_methods;
mod ranges_given;
mod ranges_of_calls;
mod without_ends;
