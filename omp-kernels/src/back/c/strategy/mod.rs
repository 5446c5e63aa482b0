//! The loops that distribute iterations to threads, one file for each [`Strategy`](crate::schedule::Strategy) and each of its parts.
//!
//! * [`vector`], [`cpu_rows`]: iterations in chunks, on GPUs and on CPU cores; [`program`]: device programs (tiles).
//! * [`reduction`], [`scan`]: reductions and scans.
//! * [`team`]: one outer iteration for a team.
//! * [`staged_stores`]: an iteration a thread, whose large elements a warp stores together.
//! * [`interleaved`]: arrays of iterations in shared memory.
//! * [`shares`]: contiguous shares of threads and warps; [`unroll_and_jam`]: unroll and jam; [`wide`]: groups along the innermost loop.
pub(crate) mod cpu_rows;
pub(crate) mod interleaved;
pub(crate) mod program;
pub(crate) mod reduction;
pub(crate) mod scan;
pub(crate) mod shares;
pub(crate) mod staged_stores;
pub(crate) mod team;
pub(crate) mod unroll_and_jam;
pub(crate) mod vector;
pub(crate) mod wide;
