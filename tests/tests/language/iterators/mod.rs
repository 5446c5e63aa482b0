//! Iterators in bodies: adaptors, sources, consumers, iterators under names, and iterators that functions take and return.
mod adaptors_in_any_order;
mod asked_iterators;
mod bases_of_iterators;
mod found_items;
mod iterated_by_name;
mod iterator_parameters;
mod iterators_of_pairs;
mod iterators_returned;
mod least_items;
mod maps_in_zips;
mod moved_further;
mod moved_on;
mod names_in_zips;
mod own_iterators;
mod parts_of_items;
mod scanned_references;
