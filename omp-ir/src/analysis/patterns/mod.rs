//! Patterns of statements that emitters and schedules treat specially: stream compaction, scans in inner loops, and
//! updates of elements.
pub mod compaction;
pub mod rows;
pub mod updates;
