//! Rules of loops under directives: their form, bounds, early exits, and directives inside a region.
pub mod bounds;
pub mod canonical_loop;
pub mod early_exit;
pub(super) mod inner;
pub mod nesting;
