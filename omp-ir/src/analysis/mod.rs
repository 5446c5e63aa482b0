//! What can be known of a region's subscripts: index forms, races, bounds.
//!
//! Analysis runs three times. At macro time, on the untyped template ([`race::at_compile_time`],
//! [`bounds::at_compile_time`]): verdicts become compile errors or nothing. At finalisation, with types, it builds
//! a [`plan::LaunchPlan`]. At every launch the plan meets the numbers ([`plan::LaunchPlan::decide`]), which costs
//! nanoseconds and no allocation beyond its result.
pub mod bounds;
pub mod compaction;
mod form;
pub mod inspect;
mod numbers;
pub mod plan;
mod points;
pub mod race;
pub mod rows;
mod survey;
pub mod updates;
mod value;
mod walk;
