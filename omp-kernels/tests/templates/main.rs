//! Templates typed and interpreted: hand-made kernels, random ones, every method, what is refused and how failures are worded.
mod errors;
mod kernels;
mod methods;
mod random;
mod sketch;
