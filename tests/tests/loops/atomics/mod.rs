//! Atomic accesses: in loops, in device functions, and sums whose values nothing uses.
mod atomic_functions;
mod atomic_sums;
mod every_form;
