//! Types: structs, enums, generic types, what rustc infers, and layouts.
mod borrowing_structs;
mod chosen_structs;
mod data_enums;
mod device_values;
mod enums_of_rustc;
mod expected_types;
mod generic_types;
mod generic_variants;
mod inferred_types;
mod items_of_the_file;
mod needed_bounds;
mod parameters_and_ranges;
mod representations;
mod strategies;
mod structs_alone;
mod types_of_results;
mod zero_sized;
