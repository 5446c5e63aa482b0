//! Kernels for tests: [`build`] writes one down in few lines, [`random`] makes programs.
#![forbid(unsafe_code)]

pub mod build;
pub mod nests;
pub mod random;
