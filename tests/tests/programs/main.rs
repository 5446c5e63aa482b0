//! Programs as users have them, and random loop bodies: every device against plain Rust.
#![recursion_limit = "65536"]
mod differential;
mod everyday;
mod habits;
mod idioms;
mod images;
mod matrices;
mod random_bodies;
mod simulations;
mod small;
mod workloads;
