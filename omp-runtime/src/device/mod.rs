//! Devices: which ones exist ([`registry`]), which one a region uses ([`select`]), the public functions about them ([`api`]), and
//! the number of a host thread in its team ([`team`]).
mod ahead;
pub mod api;
pub mod measure;
pub mod registry;
pub mod select;
pub mod team;

pub use registry::{Dev, Registry};

/// What the public interface tells of a device.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DeviceInfo {
    /// The number that `device(e)` takes.
    pub number: usize,
    /// `cuda`, `opencl` or `host`.
    pub backend: &'static str,
    /// The name that the driver gives.
    pub name: String,
    /// Driver and compiler versions.
    pub versions: String,
    /// Bytes of device memory; 0 for the host.
    pub memory: u64,
    /// Multiprocessors, compute units, or threads of the host.
    pub units: u32,
    /// The device has double precision.
    pub f64: bool,
    /// It is a GPU.
    pub gpu: bool,
}
