//! Reductions on the host.
//!
//! * [`reduce`]: identities and operators; [`items`]: the operator of an item.
//! * [`copies`]: private copies of reduced arrays, for threads or runs of iterations; [`reproducible`]: private copies of
//!   a reproducible loop on one thread.
pub mod copies;
pub mod items;
pub mod reduce;
pub mod reproducible;
