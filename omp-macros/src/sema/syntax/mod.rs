//! Queries of the rules on tokens: places, scopes, side effects, jumps, names, uses of variables, items of iterators, names of std, forms of types, and types of fields.
pub mod effects;
pub mod field_types;
pub mod forms;
pub mod free_numbers;
pub mod host_functions;
pub mod items;
pub mod jumps;
pub mod names;
pub mod place;
pub mod scope;
pub mod search;
pub mod shadowing;
pub mod std_names;
pub mod types;
pub mod uses;
