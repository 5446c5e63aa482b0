//! Kernels for tests: [`build`] writes one down in few lines, [`sketch`] node by node, [`random`] makes programs.
#![forbid(unsafe_code)]

pub mod build;
pub mod nests;
pub mod random;
pub mod sketch;
