//! The intermediate representation of omp-offload's kernels, its interpreter, and the analyses that need no device.
//!
//! * [`desc`]: descriptions of types ([`desc::TypeDesc`], static data made by `omp::Device`).
//! * [`template`]: a region or a device function as the macros write it. Types are numbered slots.
//! * [`kernel`]: the same with all types known: the input of validation, schedules, emitters and the interpreter.
//! * [`message`]: messages of panics.
//! * [`mod@print`]: templates as text.
//! * [`method`]: the table of the built-in methods of primitives, `Option` and slices.
//! * [`interp`]: the interpreter, which defines what a kernel means. It is slow and plain.
//! * [`flow`]: dataflow over templates.
//! * [`analysis`]: races and bounds, at compile time and with the numbers of a launch.
//!
//! All nodes are closed enums, and every match over them is exhaustive. Nothing here does I/O, knows a device, or uses
//! `unsafe`.
#![forbid(unsafe_code)]

pub mod analysis;
pub mod desc;
pub mod flow;
pub mod ids;
pub mod interp;
pub mod kernel;
pub mod message;
pub mod method;
pub mod print;
pub mod reduce;
pub mod template;
pub mod visit;
