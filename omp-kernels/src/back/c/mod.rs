//! What CUDA C++ and OpenCL C share.
//!
//! * [`writer`]: the source as a whole: which parts there are and in which order they stand.
//! * [`names`], [`types`], [`literal`], [`helpers`]: made on demand, each definition before its first use.
//! * [`body`]: the state while one body (the kernel's or a device function's) is written; [`expr`], [`place`],
//!   [`method`], [`stmt`], [`check`] and [`range`] write the nodes.
//! * [`function`]: device functions, once per combination of address spaces.
//! * [`recursion`]: what guards the stack of functions that call themselves.
//! * [`inner`]: inner nests by one thread; [`ahead`]: loops that load ahead of their checks.
//! * [`kernel`], [`vector`], [`reduce`], [`ordered`], [`fixed`], [`bins`], [`accumulators`], [`scan`], [`look_back`], [`rows`],
//!   [`team`], [`parts`]: a kernel around the body for each strategy.
//! * [`jam`]: several iterations in one thread; [`tiles`]: reductions by such.
//! * [`staged`]: arrays on their way through shared memory.
//! * [`turns`]: what a failure tells of inner loops.
//! * [`operator`]: reduction items and what combines them.
pub(crate) mod accumulators;
mod ahead;
mod atomic;
pub(crate) mod bins;
pub(crate) mod body;
pub(crate) mod check;
mod claim;
mod copies;
pub(crate) mod expr;
pub(crate) mod fixed;
pub(crate) mod function;
pub(crate) mod helpers;
pub(crate) mod inner;
pub(crate) mod jam;
pub(crate) mod kernel;
pub(crate) mod literal;
pub(crate) mod look_back;
pub(crate) mod method;
pub(crate) mod names;
pub(crate) mod operator;
mod order;
pub(crate) mod ordered;
pub(crate) mod packed;
pub(crate) mod parts;
pub(crate) mod place;
pub(crate) mod program;
pub(crate) mod range;
pub(crate) mod recursion;
pub(crate) mod reduce;
pub(crate) mod rows;
mod runs;
pub(crate) mod scan;
pub(crate) mod staged;
pub(crate) mod stmt;
mod team;
pub(crate) mod tiles;
mod turns;
pub(crate) mod types;
pub(crate) mod vector;
pub(crate) mod writer;
