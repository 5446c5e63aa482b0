//! Slices: parts, patterns, slice variables that move on, and what splits them.
mod byte_parts;
mod chosen_parts;
mod chunks_of_parts;
mod consumed_slices;
mod cursors;
mod halves;
mod lookups_and_calls;
mod own_copies;
mod parts_and_items;
mod parts_by_elements;
mod parts_by_name;
mod readers;
mod rests_in_arms;
mod slice_patterns;
mod slices_taken_apart;
mod trimmed;
mod tuple_lets;
