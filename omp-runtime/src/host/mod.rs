//! The host's parallel loop: fallback of every region, and the oracle of all backends.
//!
//! * [`access`]: how the body of a parallel loop accesses arrays.
//! * [`loops`]: loops, their chunks and threads.
//! * The folder [`reduction`]: reductions.
//! * [`failure_record`]: where a loop panicked.
//!
//! Overlapping `&mut` never exist: a written array is a [`View`], whose places are made one at a time from a raw pointer.
//! The chunks of a loop depend on the trip count, the schedule and the number of threads alone, so that results are the
//! same from run to run. A thread that waits may run another region's chunks meanwhile: no lock and no thread-local state
//! of a region is held across user code (the thread's number in its team is restored).

pub mod access;
pub mod failure_record;
pub mod loops;
pub mod reduction;

pub use access::atomic::{
    AtomicAccess, accessed_atomically, atomic_read, atomic_update, copied_update, overflows, updating,
};
pub use access::claims::{Claims, IterationNumbers};
pub use access::view::{ReadView, View, read_view, view};
pub use failure_record::{InnerIteration, Iteration};
pub use loops::counted::{
    CopiedRange, Counted, Dim, StdIterator, Steps, alike, assigned, count, ends_of_range, fewer, inner_len,
    innermost_len, known, no_iterations, nth, nth_back, of_range, ordinal, ordinal_before, product, range,
    repeated, rows, steps, trips, windows, zero,
};
pub use loops::items_of::{
    ClosureTypes, Summed, added, added_of_any, closure_types, multiplied, multiplied_of_any, one_type,
    option_of, product_start, product_start_of_any, some_of, sum_start, sum_start_of_any,
};
pub use loops::parallel::LEAF;
pub use loops::schedule::Schedule as HostSchedule;
pub use omp_kernels::schedule::reproducible_run;
pub use reduction::copies::{Copied, CopyView};
pub use reduction::items::{
    Caught, Item, Known, Open, OperatorOf, Reduced0, Reduced1, ReducedW, TellNoOperator, TellOpenOperator,
    TellOperator, by,
};
pub use reduction::reduce::{
    Commutes, Fold, Operator, Ordered, ReduceWith, RightFirst, SameOperator, TakesAnyOrder, Turned, Turned0,
    Turned1, UpdatedBy, item_of, op, operands_of, ordered, right_operand_first, same_operator,
};
pub use reduction::reproducible::{SerialReductions, bytes_of};
