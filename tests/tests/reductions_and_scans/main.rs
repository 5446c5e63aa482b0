//! Reductions and scans: operators, types, targets, geometries, tiles, bounds of errors, reproducible ones, stream compaction.
mod compaction;
mod reductions;
mod reproducible;
mod scans;
