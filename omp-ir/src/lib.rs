//! The intermediate representation of omp-offload's kernels, and what can be known of one before it runs.
//!
//! * [`desc`]: how rustc describes a type to us ([`desc::TypeDesc`], static data made by `omp::Device`).
//! * [`template`]: what the macros write down of a region or a device function. Types are numbered slots.
//! * [`kernel`]: the same, with every type known: what validation, schedules, emitters and the interpreter read.
//! * [`message`]: the texts of panics.
//! * [`mod@print`]: templates as text.
//! * [`method`]: the built-in methods of primitives, `Option` and slices: one table for all of them.
//! * [`interp`]: what a kernel means: it runs one, slowly and plainly.
//! * [`flow`]: dataflow over templates.
//! * [`analysis`]: races and bounds, at compile time and with the numbers of a launch.
//!
//! All nodes are closed enums; whoever consumes them matches exhaustively. Nothing here does I/O, knows a device, or uses
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
