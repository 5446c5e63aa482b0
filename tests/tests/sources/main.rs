//! Texts: every source that is emitted compiles, and every piece of unsafe Rust is documented.
mod emitted;
mod public_api;
mod soundness;
