//! References: `&mut` of elements and parts, tuples of references, what patterns bind, and `Deref`.
mod bound_references;
mod changed_in_patterns;
mod chosen_references;
mod derefs;
mod mutable_references;
mod nested_patterns;
mod places_written_back;
mod references_in_tuples;
mod references_to_values;
mod struct_references;
mod tuple_parameters;
mod tuples_chosen;
