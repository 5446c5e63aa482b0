//! Forms of loops: nests, iterators, numbered ranges, conditions, clauses, the host's threads.
mod host_parallel;
mod induction;
mod iterators;
mod lastprivate;
mod loop_shapes;
mod masked;
mod nests;
mod numbered_ranges;
mod pins;
mod regrouped_items;
mod running_stores;
mod while_loops;
