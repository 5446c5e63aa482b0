//! OpenMP-style directives on ordinary Rust loops: CUDA, OpenCL and host threads from one binary, on stable Rust.
//!
//! ```ignore
//! #[omp::offload]
//! fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
//!     #[omp::target]
//!     for i in 0..x.len() {
//!         y[i] = a * x[i] + y[i];
//!     }
//! }
//! ```
#![forbid(unsafe_code)]

pub use omp_macros::*;
pub use omp_runtime::error;
pub use omp_runtime::typing::Device;
pub use omp_runtime::{
    DeviceInfo, Error, RegionReport, devices, get_default_device, get_initial_device, get_max_threads,
    get_num_devices, get_num_teams, get_num_threads, get_team_num, get_thread_num, get_wtime,
    is_initial_device, last_region, set_default_device, set_num_threads,
};

/// What generated code names. Not part of the public interface: it changes without notice.
#[doc(hidden)]
pub use omp_runtime::__private;
