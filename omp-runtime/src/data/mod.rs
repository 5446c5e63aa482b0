//! The data environment of a single region.
//!
//! * [`mod@array`]: a mapped array as generated code hands it over.
//! * [`section`]: which part of it is mapped, and which mapped parts may not overlap.
//! * [`mapping`]: device memory of a region's arrays, what is copied to it and what comes back.
//!
//! The maps of a plain region are its own: nothing is published, so overlapping shared slices and threads that map
//! the same read-only data never meet. The present table of data regions will stand beside `mapping` and be asked
//! by it first.
pub mod array;
pub mod mapping;
pub mod section;

pub use array::{HostArray, RawArray};
