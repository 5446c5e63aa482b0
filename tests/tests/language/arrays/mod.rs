//! Arrays of the program: fixed ones, those of owners and of `ndarray`, tables, and arrays as values.
mod array_types;
mod arrays_by_declarations;
mod arrays_by_name;
mod arrays_of_calls;
mod arrays_of_parameters;
mod arrays_of_patterns;
mod given_arrays;
mod ndarrays;
mod owners_of_any_type;
mod rests_by_value;
mod structs_in_arrays;
mod tables_and_rests;
mod tables_behind_references;
mod whole_arrays;
mod whole_values;
