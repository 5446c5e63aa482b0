//! Backends: what can run a kernel. [`api`] is the contract, [`queue`] that of asynchronous work, [`erased`] their form
//! without types, [`via`] what both have in common, [`size`] how much memory is asked for; [`cuda`] and [`opencl`] are found at run time and may be missing; [`mock`] is for tests. The host is no
//! backend: it runs the user's own loop ([`crate::host`]).
pub mod api;
mod count;
pub mod cuda;
pub mod erased;
pub mod mock;
pub mod opencl;
mod pool;
pub mod queue;
pub mod size;
pub mod via;

/// Why a backend has no device to offer: which library was looked for, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Unavailable {
    /// In words.
    pub reason: String,
}
