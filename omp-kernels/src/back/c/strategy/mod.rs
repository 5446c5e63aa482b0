//! The loops that distribute iterations to threads, one file for each [`Strategy`](crate::schedule::Strategy) and each of its parts.
//!
//! * [`vector`], [`cpu_rows`]: iterations in chunks, on GPUs and on CPU cores; [`program`]: device programs (tiles).
//! * [`reduce`], [`tiles`], [`ordered`], [`reproducible`]: reductions of scalars, over two dimensions, in order, and reproducible.
//! * [`atomic_privatisation`], [`copy_privatisation`], [`accumulators`]: reductions of arrays by atomic privatisation, by copy privatisation, and of floats by
//!   wide integers.
//! * [`look_back`], [`scan`], [`rows`]: scans in one launch, in three launches, and along inner loops.
//! * [`team`]: one outer iteration for a team.
//! * [`unroll_and_jam`]: unroll and jam; [`staging`]: shared-memory staging; [`warp_loads`]: warp-contiguous loads; [`compaction`]: stream
//!   compaction.
pub(crate) mod accumulators;
pub(crate) mod atomic_privatisation;
pub(crate) mod compaction;
pub(crate) mod copy_privatisation;
pub(crate) mod cpu_rows;
pub(crate) mod look_back;
pub(crate) mod ordered;
pub(crate) mod program;
pub(crate) mod reduce;
pub(crate) mod reproducible;
pub(crate) mod rows;
pub(crate) mod scan;
pub(crate) mod staging;
pub(crate) mod team;
pub(crate) mod tiles;
pub(crate) mod unroll_and_jam;
pub(crate) mod vector;
pub(crate) mod warp_loads;
