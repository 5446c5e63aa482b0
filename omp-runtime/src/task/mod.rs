//! Tasks: regions and updates under `nowait`.
//!
//! * [`Tasks`] is the scope that generated code makes first of all in a function. No task outlives it.
//! * The guards ([`TaskArray`], [`TaskShared`], [`TaskValue`]) hold the borrows of what tasks use, from the first
//!   `nowait` to the wait. Host code reaches the data through them alone.
//!
//! A task's failure is kept until somebody waits for the task: `taskwait!`, the end of a group or of the function, or
//! an access through a guard. Tasks that would have used what a failed one left do not run.
pub mod graph;
mod guard;
mod scope;

pub use guard::{Guarded, TaskArray, TaskShared, TaskValue};
pub use scope::Tasks;
