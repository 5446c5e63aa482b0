//! Reductions and scans: operators, types, targets, geometries, tiles, bounds of errors, reproducible ones, stream compaction.
#![recursion_limit = "65536"]
mod carrying;
mod compaction;
mod copied_arrays;
mod declared;
mod failing_operators;
mod float_sums;
mod folding;
mod generic_scans;
mod geometries;
mod geometry_types;
mod mixed_widths;
mod reduced_arrays;
mod reduction_edges;
mod reduction_places;
mod reduction_waves;
mod reductions;
mod reproducible;
mod reproducible_forms;
mod row_scans;
mod scan_places;
mod scan_statements;
mod scan_tiles;
mod scans_beside;
mod sollve_reductions;
mod sums_in_place;
mod update_forms;
