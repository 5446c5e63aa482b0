//! Reductions on the host.
//!
//! * [`reduce`]: identities and operators; [`items`]: which of them an item has.
//! * [`copies`]: elements of a reduced array that a thread or a run has for itself; [`reproducible`]: those of a reproducible loop on
//!   one thread.
pub mod copies;
pub mod items;
pub mod reduce;
pub mod reproducible;
