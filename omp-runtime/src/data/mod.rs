//! The data environment: the maps of single regions, and the data that data directives keep on a device.
//!
//! * [`mod@array`]: a mapped array as an argument of generated code.
//! * [`device_slice`]: device memory without a host copy.
//! * [`mapper`]: the arrays of what a data directive names: one, or those of a struct.
//! * [`section`]: which part of it is mapped, and which mapped parts may not overlap.
//! * [`mapping`]: device memory of a region's arrays, what is copied to it and what comes back.
//! * [`block`]: device memory, and the tasks that use it; [`present`]: the present table: what data directives have put there.
//! * [`directive`]: the data directives. In its folder: `work`: what they do on a device; `region`: one that lasts as long as a
//!   block or loop; `try_operator`: `?` in it; `update`: an update that is a task.
//!
//! The maps of a plain region are its own: nothing is published, so overlapping shared slices and threads that map
//! the same read-only data never conflict.
pub mod array;
pub mod block;
pub mod device_slice;
pub mod directive;
pub mod mapper;
pub mod mapping;
pub mod present;
pub mod section;

pub use array::{HostArray, RawArray};

#[cfg(test)]
mod tests;
