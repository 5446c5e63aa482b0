//! Names: scopes, shadowing, imports, macros of the user's, and types and methods that have names of std's.
mod declared_elsewhere;
mod hidden_parameters;
mod hygiene;
mod items_in_bodies;
mod lints;
mod local_consts;
mod modules_nearby;
mod named_as_std;
mod names_of_arrays;
mod names_of_types;
mod number_methods_first;
mod number_traits;
mod own_macros;
mod own_meanings;
mod shadowed_sources;
mod shadows;
mod users_names;
