//! Calls: functions, methods, closures, traits, and bodies that stand in the place of calls.
mod called_by_paths;
mod callees;
mod claimed_in_methods;
mod closures;
mod closures_and_slices;
mod functions;
mod inlined_bodies;
mod methods_alone;
mod methods_named_alike;
mod methods_named_as_stds;
mod methods_with_closures;
mod moving_closures;
mod names_of_bodies;
mod readers_by_reference;
mod standing_alone;
mod traits_found;
mod two_modules;
