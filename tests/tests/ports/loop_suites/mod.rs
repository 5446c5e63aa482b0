//! Suites of loops and of memory access, and arrays in every kind of owner.
mod arrays_from_fn;
mod babelstream;
mod gups;
mod lists_in_parts;
mod livermore;
mod mri;
mod rajaperf;
mod shared_tables;
mod tsvc;
mod zonal;
