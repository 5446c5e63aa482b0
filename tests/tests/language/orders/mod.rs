//! Orders: comparisons of tuples, arrays, options and enums, derived and declared ones.
mod clamped;
mod comparisons;
mod derived;
mod ordered_parts;
mod orders_with_parameters;
mod reversed_orders;
