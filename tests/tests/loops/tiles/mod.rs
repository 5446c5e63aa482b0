//! Nests with reuse: products, windows, triangles, rows in shared memory.
mod borders;
mod comparisons;
mod flipped_windows;
mod gathers;
mod jointly;
mod products_and_windows;
mod rows_on_the_chip;
mod small_nests;
mod tiles_of_rows;
mod tiles_of_structs;
mod triangles;
mod window_forms;
