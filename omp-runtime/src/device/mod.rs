//! Devices: which ones exist ([`registry`]), which one a region uses ([`select`]), the public functions about them ([`api`]), and
//! the number of a host thread in its team ([`team`]).
pub mod api;
pub mod measure;
pub mod registry;
pub mod select;
pub mod team;
mod unwaited;

pub use registry::{Dev, Registry};

/// A device, as [`crate::devices`] lists it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DeviceInfo {
    /// The number that `device(e)` takes.
    pub number: usize,
    /// `cuda`, `opencl` or `host`.
    pub backend: &'static str,
    /// The name by the driver.
    pub name: String,
    /// Driver and compiler versions.
    pub versions: String,
    /// Bytes of device memory; 0 for the host.
    pub memory: u64,
    /// Number of multiprocessors, compute units, or threads of the host.
    pub units: u32,
    /// Whether the device supports `f64`.
    pub f64: bool,
    /// Whether the device is a GPU.
    pub gpu: bool,
}
