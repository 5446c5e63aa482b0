//! The intermediate representation.
//!
//! * [`desc`]: how rustc describes a type to us ([`desc::TypeDesc`], static data made by `omp::Device`).
//! * [`template`]: what the macros write down of a region or a device function. Types are numbered slots.
//! * [`kernel`]: the same, with every type known: what validation, schedules, emitters and the interpreter read.
//! * [`message`]: the texts of panics.
//! * [`mod@print`]: templates as text.
//! * [`method`]: the built-in methods of primitives, `Option` and slices: one table for all of them.
//!
//! All nodes are closed enums; whoever consumes them matches exhaustively.

#[doc(hidden)]
pub mod build;
pub mod desc;
pub mod ids;
pub mod kernel;
pub mod message;
pub mod method;
pub mod print;
#[doc(hidden)]
pub mod random;
pub mod reduce;
pub mod template;
pub mod visit;
