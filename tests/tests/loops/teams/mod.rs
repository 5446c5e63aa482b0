//! Inner loops that the threads of a team share, with a directive and without.
mod arrays_around;
mod coloured_rows;
mod empty_inner_loops;
mod few_rows;
mod inner_directives;
mod inner_parts;
mod nests_over_slices;
