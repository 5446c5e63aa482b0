//! Which iterations touch one element: proofs, inspections, claims, and rows whose bounds are loaded.
mod counted_rows;
mod disjoint;
mod hard_to_prove;
mod index_helpers;
mod inspections;
mod loaded_bounds;
mod narrow_values;
mod optional_indices;
mod private_arrays;
mod sparse_rows;
