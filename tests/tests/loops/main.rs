//! Parallel loops: nests, iterators, loops in loops, atomics, conflicts that are decided at the launch, privacy, the host's threads.
#![recursion_limit = "65536"]
mod atomics;
mod borders;
mod counted_rows;
mod disjoint;
mod hard_to_prove;
mod host_parallel;
mod index_helpers;
mod inspections;
mod iterators;
mod jointly;
mod lastprivate;
mod loaded_bounds;
mod loop_shapes;
mod nests;
mod numbered_ranges;
mod pins;
mod private_arrays;
mod sparse_rows;
mod teams;
mod tiles;
mod tiles_of_rows;
mod tiles_of_structs;
mod wide_tiles;
