//! Evaluation: its order, its number, panics, and where loops come near an edge.
mod edges;
mod evaluated_once;
mod evaluation;
mod later_values;
mod panics;
mod reductions_written_otherwise;
mod unreached;
