//! Device programs give the bytes of the nest, before and after each step.
mod batches;
mod borders;
mod case;
mod choice;
mod cores;
mod matrices;
mod permutations;
mod products;
mod rows;
mod sources;
mod streams;
mod sums;
mod triangles;
mod windows;
