//! Scans.
//!
//! * [`look_back`], [`three_launches`], [`rows`]: in one launch, in three launches, and along inner loops.
//! * [`staging`]: shared-memory staging; [`compaction`]: stream compaction.
pub(crate) mod compaction;
pub(crate) mod look_back;
pub(crate) mod rows;
pub(crate) mod staging;
pub(crate) mod three_launches;
