//! Kernels of omp-offload: typed templates ([`omp_ir`]), their schedules, and the emitters of CUDA C++ and OpenCL C.
//!
//! Data flows one way: [`omp_ir::template::KernelTemplate`] (made by the macros, untyped, embedded in the user's binary) →
//! [`valid::finalise`] with the types that rustc inferred → [`omp_ir::kernel::Kernel`] and [`valid::KernelInfo`] → [`schedule`] →
//! [`back`] → source text. [`interp`] runs the typed form and is the oracle of every emitter. Nothing here does I/O, knows a
//! device, or uses `unsafe`.
#![forbid(unsafe_code)]

pub mod back;
pub mod interp;
pub mod program;
pub mod schedule;
pub mod valid;
