//! Rules of clauses: combinations, data sharing, `map`, `lastprivate`, `depend`, and the items of data directives.
pub(super) mod combine;
pub(super) mod data;
pub(super) mod data_sharing;
pub mod immutable;
pub mod lastprivate;
pub(super) mod mapping;
pub(super) mod task;
