//! Backends: devices that can run a kernel.
//!
//! [`api`] is the contract, [`queue`] that of asynchronous work, [`erased`] the contract without types, [`submission`] the part that
//! both share, and [`size`] the sizes of allocations. [`cuda`] and [`opencl`] are found at run time and may be missing. [`mock`]
//! is for tests. The host is not a backend: it runs the user's own loop ([`crate::host`]).
pub mod api;
mod count;
pub mod cuda;
pub mod erased;
pub mod mock;
pub mod opencl;
mod pool;
pub mod queue;
pub mod size;
pub mod submission;

/// Why a backend has no device to offer: which library was looked for, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Unavailable {
    /// In words.
    pub reason: String,
}
