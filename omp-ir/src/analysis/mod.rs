//! Analyses of a region's subscripts: index forms, races, bounds.
//!
//! They run at three times. At macro time, on the untyped template ([`race::at_compile_time`], [`bounds::at_compile_time`]): a
//! refutation is a compile error. At finalisation, with types: the result is a [`plan::LaunchPlan`]. At every launch: the plan is
//! evaluated with the launch's numbers ([`plan::LaunchPlan::decide`]), which takes nanoseconds and allocates only its result.
pub mod bounds;
mod floats;
mod form;
pub mod inspect;
mod numbers;
pub mod patterns;
pub mod plan;
mod points;
pub mod race;
mod survey;
mod value;
mod walk;
pub mod work;
