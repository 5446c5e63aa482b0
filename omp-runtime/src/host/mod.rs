//! The host's parallel loop: fallback of every region, and the oracle of all backends.
//!
//! * [`atomic`]: accesses under `#[omp::atomic]`.
//! * [`claims`]: `disjoint(…)`, checked.
//! * [`mod@view`]: how a loop body touches an array that several threads write; `subscript`: by what.
//! * [`counted`]: the loops themselves, as numbers for the launch and as typed ranges for the body.
//! * [`parallel`]: chunks on threads, with and without reduction.
//! * [`schedule`]: which thread gets which chunk.
//! * [`failure_record`]: where a loop panicked.
//! * `scan`: parts of a loop that carries values.
//! * [`reduce`]: identities and operators; [`items`]: which of them an item has; [`copies`]: elements of a reduced array that
//!   a thread or a run has for itself, [`reproducible`]: those of a reproducible loop on one thread.
//!
//! Overlapping `&mut` never exist: a written array is a [`view::View`], whose places are made one at a time from a raw
//! pointer. The chunks of a loop depend on the trip count, the schedule and the number of threads alone, so that
//! results are the same from run to run. A thread that waits may run another region's chunks meanwhile: no lock and
//! no thread-local state of a region is held across user code (who the thread is in its team is restored).

pub mod atomic;
pub mod claims;
pub(crate) mod contended;
pub mod copies;
pub mod counted;
pub mod failure_record;
pub mod items;
pub mod items_of;
pub mod parallel;
pub mod reduce;
pub mod reproducible;
mod scan;
pub mod schedule;
mod subscript;
pub mod view;

pub use atomic::{
    AtomicAccess, accessed_atomically, atomic_read, atomic_update, copied_update, overflows, updating,
};
pub use claims::{Claims, IterationNumbers};
pub use copies::{Copied, CopyView};
pub use counted::{
    Counted, Dim, StdIterator, Steps, assigned, inner_len, innermost_len, no_iterations, nth, nth_back,
    of_range, ordinal, ordinal_before, product, range, repeated, rows, steps, trips, zero,
};
pub use failure_record::{InnerIteration, Iteration};
pub use items::{
    Caught, Item, Known, Open, OperatorOf, Reduced0, Reduced1, ReducedW, TakenType, TellNoOperator,
    TellOpenOperator, TellOperator, by, taken_type,
};
pub use items_of::{
    ClosureTypes, Summed, added, closure_types, multiplied, one_type, product_start, sum_start,
};
pub use omp_kernels::schedule::reproducible_run;
pub use parallel::LEAF;
pub use reduce::{
    Commutes, Fold, Operator, Ordered, ReduceWith, SameOperator, Turned, Turned0, Turned1, UpdatedBy,
    item_of, op, operands_of, ordered, right_operand_first, same_operands, same_operator,
};
pub use reproducible::{SerialReductions, bytes_of};
pub use schedule::Schedule as HostSchedule;
pub use view::{ReadView, View, read_view, view};
