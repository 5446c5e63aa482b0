//! Reductions.
//!
//! * [`reduce`], [`tiles`], [`ordered`], [`reproducible`]: of scalars, over two dimensions, in order, and reproducible.
//! * [`atomic_privatisation`], [`copy_privatisation`], [`accumulators`]: of arrays by atomic privatisation, by copy privatisation, and
//!   of floats by wide integers.
//! * [`warp_loads`]: warp-contiguous loads; [`in_flight`]: several iterations of a lane in flight.
pub(crate) mod accumulators;
pub(crate) mod atomic_privatisation;
pub(crate) mod copy_privatisation;
pub(crate) mod in_flight;
pub(crate) mod ordered;
pub(crate) mod reduce;
pub(crate) mod reproducible;
pub(crate) mod tiles;
pub(crate) mod warp_loads;
