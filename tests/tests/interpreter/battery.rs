//! The battery: see `omp_tests::battery` for how to add a loop, which takes one line.
mod control;
mod floats;
mod functions;
mod integers;
mod reductions;
mod shapes;
mod values;
