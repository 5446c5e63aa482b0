//! Statements with a meaning that emitters and schedules know: stream compaction, scans in inner loops, and updates of elements.
pub mod compaction;
pub mod rows;
pub mod updates;
