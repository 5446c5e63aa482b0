//! The parts of a region other than its statements: heads of loops, captured variables, inner nests, and private copies.
pub(super) mod capture;
pub(super) mod chain;
pub(super) mod checked;
pub mod copies;
pub mod draft;
pub(super) mod head;
pub(super) mod inner;
pub(super) mod iterated;
pub mod update_forms;
