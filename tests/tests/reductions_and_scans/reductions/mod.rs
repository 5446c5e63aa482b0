//! Reductions: operators, types, places, bounds of errors, geometries.
mod copied_arrays;
mod declared;
mod failing_operators;
mod float_sums;
mod folding;
mod geometries;
mod geometry_types;
mod items_and_scans;
mod mixed_widths;
mod named_methods;
mod reduced_arrays;
mod reduction_edges;
mod reduction_places;
mod reduction_waves;
mod sollve_reductions;
mod sums_in_place;
mod update_forms;
