//! Tests for which the reference interpreter is one more device of the process: the battery, random tasks, random blocks. Each
//! calls `add_interpreter` before it looks for devices.
//!
//! `::core` and `::alloc` are this crate itself, which no directive may notice (`redirected.rs`).
#![allow(
    missing_docs,
    non_camel_case_types,
    dead_code,
    unused_imports,
    reason = "modules with the names of others"
)]
mod battery;
mod random_blocks;
mod random_tasks;
mod redirected;

extern crate self as alloc;
extern crate self as core;

/// What generated code would find at `::core`: no macro, type or function of the standard library.
#[macro_export]
macro_rules! nothing {
    ($($t:tt)*) => {
        ()
    };
}
pub use nothing as panic;
pub use nothing as assert;
pub use nothing as unreachable;
pub mod option {
    pub enum Option {}
}
pub mod result {
    pub enum Result {}
}
pub mod mem {
    pub fn swap<T>(_: &mut T, _: &mut T) {}
    pub fn replace<T: Clone>(a: &mut T, _: T) -> T {
        a.clone()
    }
}
pub mod primitive {
    pub type usize = u8;
    pub type bool = u8;
}
pub mod slice {
    pub fn from_ref<T>(_: &T) -> &[T] {
        &[]
    }
}
pub mod cmp {}
pub mod marker {}
pub mod any {}
pub mod convert {}
pub mod clone {}
