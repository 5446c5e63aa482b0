//! `Option` and `Result`: methods, layouts, `?`, and places that may not be there.
mod combined_options;
mod element_options;
mod kept_options;
mod mapped_results;
mod missing_parts;
mod niches;
mod option_tuples;
mod options_and_sums;
mod options_in_memory;
mod options_named;
mod options_of_references;
mod options_of_rows;
mod results;
mod tried_elements;
mod tried_places;
