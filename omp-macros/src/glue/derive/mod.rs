//! The derives: `omp::Device` (layouts of device types) and `omp::Mapper` (the arrays of a struct).
pub(super) mod derived;
pub mod device;
pub mod mapper;
