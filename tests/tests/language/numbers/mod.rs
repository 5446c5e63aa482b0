//! Numbers: methods of the primitives, conversions, wide integers, generic numbers.
mod carried_numbers;
mod float_subscripts;
mod fp;
mod generic_numerics;
mod generic_sums;
mod kept_above_zero;
mod methods;
mod negations;
mod num_traits;
mod numbers;
mod wide_integers;
mod wrapping_and_saturating;
mod wrapping_in_structs;
