//! Rules of what iterations access: races, atomic accesses, private copies, and values that are read after the region.
pub mod atomic;
pub mod copies;
pub mod host_types;
pub mod iterated_numbers;
pub mod live_after;
pub(super) mod race;
pub(super) mod scalar_race;
