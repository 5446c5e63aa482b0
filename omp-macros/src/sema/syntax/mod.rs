//! Queries of the rules on tokens: places, scopes, side effects, jumps, names, uses of variables, and names of std.
pub mod effects;
pub mod forms;
pub mod host_functions;
pub mod jumps;
pub mod names;
pub mod place;
pub mod scope;
pub mod search;
pub mod std_names;
pub mod uses;
