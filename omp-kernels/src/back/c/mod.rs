//! What CUDA C++ and OpenCL C share.
//!
//! * [`writer`]: the source as a whole: which parts there are and in which order they stand.
//! * [`names`], [`types`], [`literal`], [`helpers`]: made on demand, each definition before its first use.
//! * [`body`]: the state while one body (the kernel's or a device function's) is written; [`expr`], [`place`],
//!   [`method`], [`stmt`], [`check`] and [`range`] write the nodes.
//! * [`function`]: device functions, once per combination of address spaces.
//! * [`recursion`]: what guards the stack of functions that call themselves.
//! * [`inner`]: inner nests by one thread; [`load_ahead`]: loops that load ahead of their checks.
//! * [`kernel`], [`vector`], [`reduce`], [`ordered`], [`fixed`], [`bins`], [`accumulators`], [`scan`], [`look_back`], [`rows`],
//!   [`team`], [`cpu_rows`]: a kernel around the body for each strategy.
//! * [`jam`]: several iterations in one thread; [`tiles`]: reductions by such.
//! * [`staging`]: arrays that go through shared memory.
//! * [`inner_iterations`]: the iteration of inner loops in a failure record.
//! * [`operator`]: reduction items and what combines them.
pub(crate) mod accumulators;
mod atomic;
pub(crate) mod bins;
pub(crate) mod body;
pub(crate) mod check;
mod claim;
pub(crate) mod compaction;
mod copies;
pub(crate) mod cpu_rows;
pub(crate) mod expr;
pub(crate) mod fixed;
pub(crate) mod function;
pub(crate) mod helpers;
pub(crate) mod inner;
mod inner_iterations;
pub(crate) mod jam;
pub(crate) mod kernel;
pub(crate) mod literal;
mod load_ahead;
pub(crate) mod look_back;
pub(crate) mod method;
pub(crate) mod names;
pub(crate) mod operator;
mod order;
pub(crate) mod ordered;
pub(crate) mod place;
pub(crate) mod program;
pub(crate) mod range;
pub(crate) mod recursion;
pub(crate) mod reduce;
pub(crate) mod rows;
pub(crate) mod scan;
pub(crate) mod staging;
pub(crate) mod stmt;
mod team;
pub(crate) mod tiles;
pub(crate) mod types;
pub(crate) mod vector;
mod warp_loads;
pub(crate) mod writer;
