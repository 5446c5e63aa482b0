//! How threads access memory: groups of elements, records, staged and late stores, loads ahead, arrays of iterations.
mod byte_groups;
mod large_elements;
mod late_stores;
mod loads_ahead;
mod own_arrays;
mod records;
mod short_arrays;
mod signed_offsets;
mod wide_tiles;
