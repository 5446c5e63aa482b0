//! What CUDA C++ and OpenCL C share.
//!
//! * [`writer`]: the source as a whole: which parts there are and in which order they stand.
//! * [`names`], [`types`], [`literal`], [`helpers`]: made on demand, each definition before its first use.
//! * [`body`]: the state while one body (the kernel's or a device function's) is written; [`expr`], [`place`],
//!   [`method`], [`stmt`], [`check`] and [`range`] write the nodes.
//! * [`function`]: device functions, once per combination of address spaces.
//! * [`recursion`]: what guards the stack of functions that call themselves.
//! * [`inner`]: inner nests by one thread; [`load_ahead`]: loops that load ahead of their checks.
//! * [`kernel`]: the kernel around a body; [`strategy`]: the loops of each strategy.
//! * [`inner_iterations`]: the iteration of inner loops in a failure record.
//! * [`operator`]: reduction items and what combines them.
mod atomic;
pub(crate) mod body;
pub(crate) mod check;
mod claim;
pub(crate) mod expr;
pub(crate) mod function;
pub(crate) mod helpers;
pub(crate) mod inner;
mod inner_iterations;
pub(crate) mod kernel;
pub(crate) mod literal;
mod load_ahead;
pub(crate) mod method;
pub(crate) mod names;
pub(crate) mod operator;
mod order;
pub(crate) mod place;
pub(crate) mod range;
pub(crate) mod recursion;
pub(crate) mod stmt;
pub(crate) mod strategy;
pub(crate) mod types;
pub(crate) mod writer;
