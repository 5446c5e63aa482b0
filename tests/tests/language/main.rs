//! What bodies and device functions may say, in every form: types, operators, methods, calls, names, orders of evaluation, failures.
#![recursion_limit = "65536"]
mod declared_elsewhere;
mod derefs;
mod edges;
mod evaluation;
mod forms;
mod fp;
mod functions;
mod generic_types;
mod hygiene;
mod language;
mod language_more;
mod lints;
mod local_consts;
mod methods;
mod negations;
mod numbers;
mod ordered_parts;
mod orders;
mod own_meanings;
mod panics;
mod references;
mod shadows;
mod strategies;
mod types;
mod unreached;
mod whole_arrays;
