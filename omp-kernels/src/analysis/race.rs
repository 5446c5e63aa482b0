//! Races between the iterations of a region's parallel loops.
use crate::ir::ids::{AccessId, ArrayId, SrcId};
use crate::ir::template::KernelTemplate;

/// What macro time knows of the conflicts through one array.
#[derive(Debug, Clone, PartialEq)]
pub struct RaceFinding {
    /// The array.
    pub array: ArrayId,
    /// A write.
    pub first: AccessId,
    /// The other access (may be the same).
    pub second: AccessId,
    /// Its places, for the message.
    pub places: (SrcId, SrcId),
    /// Verdict.
    pub verdict: RaceVerdict,
}

/// The ladder.
#[derive(Debug, Clone, PartialEq)]
pub enum RaceVerdict {
    /// Two iterations touch one element whatever the sizes: a compile error with this witness.
    Refuted(Witness),
    /// Nothing can be proved (an index that is loaded, called, …): a compile error that names `disjoint`.
    Unknown {
        /// Why, in a few words: "the index is read from `to`".
        reason: String,
    },
}

/// Two iterations that meet.
#[derive(Debug, Clone, PartialEq)]
pub struct Witness {
    /// Values of the parallel loop variables in one iteration and the other, by dimension: `("i", 0, 1)`.
    pub iterations: Vec<(String, i128, i128)>,
    /// The subscripts with which they meet: `[3]` or `[1][2]`.
    pub element: Vec<i128>,
    /// Sizes that were assumed for the example: `("n", 4)`.
    pub assuming: Vec<(String, i128)>,
    /// Both write (write/write), or one reads.
    pub both_write: bool,
}

/// Every pair of accesses through a written array that is refuted or unknown. Pairs that are proved, or that the
/// launch decides, are not listed. Arrays under `trust_disjoint` or `check_disjoint` are left out.
#[must_use]
pub fn at_compile_time(template: &KernelTemplate) -> Vec<RaceFinding> {
    let _ = template;
    todo!()
}
