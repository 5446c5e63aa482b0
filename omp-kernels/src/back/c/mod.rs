//! The emitter of C: what CUDA C++ and OpenCL C share.
//!
//! * [`writer`]: the source as a whole: which parts there are and in which order they stand.
//! * [`names`], [`types`], [`helpers`]: made on demand, each definition before its first use.
//! * [`body`]: the state while one body (the kernel's or a device function's) is written; [`expr`] and [`stmt`] write the nodes.
//! * [`function`]: device functions, once per combination of address spaces.
//! * [`recursion`]: the stack checks of recursive functions.
//! * [`kernel`]: the kernel around a body; [`strategy`]: the loops of each strategy.
//! * [`operator`]: reduction items and what combines them.
pub(crate) mod body;
pub(crate) mod expr;
pub(crate) mod function;
pub(crate) mod helpers;
pub(crate) mod kernel;
pub(crate) mod names;
pub(crate) mod operator;
pub(crate) mod recursion;
pub(crate) mod stmt;
pub(crate) mod strategy;
pub(crate) mod types;
pub(crate) mod writer;
