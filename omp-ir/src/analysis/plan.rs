//! The launch plan: the formulas that a launch evaluates with its sizes.
//!
//! [`LaunchPlan::build`] lists, for a typed kernel, every formula that a launch needs (`graph`). [`LaunchPlan::decide`]
//! evaluates them once, as affine functions of the loop variables with intervals ([`super::numbers`]), and reads off
//! whether each subscript is in bounds, whether two iterations can conflict (`conflict`, `system`), and which elements
//! are certainly overwritten (`cover`). [`LaunchPlan::inspect`] decides the rest by computing the subscripts of all
//! iterations (`settle`).
mod build;
mod conflict;
mod cover;
mod decide;
mod interior;
mod nest;
pub mod numbering;
mod settle;
mod stride;
mod system;
mod values;

use crate::analysis::inspect::{Executor, Memory};
pub use crate::analysis::survey::ScalarPart;
use crate::ids::{AccessId, ArrayId, ExprId, LocalId, ScalarId};
use crate::kernel::{BoundsVerdict, Kernel};
use std::collections::{BTreeMap, BTreeSet};

/// Formulas over loop variables, scalars and lengths. Built once per typed kernel.
#[derive(Debug, Clone, Default)]
pub struct LaunchPlan {
    formulas: build::Formulas,
    scalars: BTreeSet<ScalarId>,
}

/// The numbers of a launch.
#[derive(Debug, Clone, Copy)]
pub struct LaunchValues<'a> {
    /// By dimension; `None` for one whose bounds depend on outer variables.
    pub dims: &'a [Option<DimValues>],
    /// By scalar; `None` for those that are no integers, or [decide](LaunchPlan::uses) nothing. After them,
    /// [`LaunchPlan::parts`].
    pub scalars: &'a [Option<i128>],
    /// Length of each mapped array, in elements.
    pub lens: &'a [u64],
    /// The section of each mapped array that is mapped, `lo..hi` in elements.
    pub sections: &'a [(u64, u64)],
}

/// A counted loop: iteration `k` of `0..count` has the value `first + k * step`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct DimValues {
    pub first: i128,
    pub step: i128,
    pub count: u64,
}

/// What a launch may rely on.
#[derive(Debug, Clone, PartialEq)]
pub struct LaunchFacts {
    /// By dimension: for a host dimension its values; for a dependent one, the most iterations that it has for any
    /// value of the outer variables (`first` and `step` are then those that the kernel computes; here 0 and 1).
    pub dims: Vec<DimValues>,
    /// The product of the counts, if it fits.
    pub total: Option<u64>,
    /// Subscripts of the body with [`BoundsVerdict::AtLaunch`] that these sizes do not prove: the kernel must check them.
    pub unproved: BTreeSet<AccessId>,
    /// Two iterations may touch one element with these sizes.
    pub race: Option<RaceAtLaunch>,
    /// Accesses that no formula shows to keep apart: [`LaunchPlan::inspect`] looks at them. Until it has, [`race`](Self::race)
    /// is the first of them.
    pub open: Vec<OpenPair>,
    /// Arrays in which two iterations may conflict with these sizes: the kernel must check it. They are under `disjoint`, or an
    /// inspection has found that data decides.
    pub claims: BTreeSet<ArrayId>,
    /// As [`claims`](Self::claims), of arrays that no kernel can check: only in order, iterations may touch them.
    pub ordered: BTreeSet<ArrayId>,
    /// Numbers of the iterations, for such checks.
    pub numbering: numbering::Numbering,
    /// Trip counts, loop variables and all proved subscripts fit 31 bits: the kernel may compute them in 32.
    pub index32: bool,
    /// With that: values of 64 bits that divisions and comparisons have, or variables with signed values and quotients, and that fit 32
    /// bits with all that they are made of.
    pub short: BTreeSet<ExprId>,
    /// The most iterations that an inner nest for a team has, where that is known; 0 if there is none.
    pub inner_trips: Option<u64>,
    /// By variable of a sequential loop: the most iterations that it has, where that is known.
    pub trips: BTreeMap<LocalId, u64>,
    /// Of a single loop: subscripts that move by [records](Record), whose elements are in bounds for all iterations: also for
    /// those that an assertion before them ends. (What the [strides](AccessStride) say of forms is true of numbers only
    /// where nothing wraps.)
    pub in_step: BTreeSet<AccessId>,
    /// The same, of subscripts that are the variable and a constant, and that others may follow: `x[i].row[k]`.
    pub in_step_inner: BTreeSet<AccessId>,
    /// In nests: subscripts that are the number of the iteration among all, and in bounds for all of these.
    pub in_row: BTreeSet<AccessId>,
    /// In nests of two or three loops with steps of 1: what is known of memory along the innermost one.
    pub lines: Lines,
    /// All loops and subscripts in numbers, where they have such.
    pub nest: Option<Nest>,
    /// The nest in the order of loops that [`interchanged`](crate::flow::interchange) gives it, where that is another.
    pub interchanged: Option<Box<Nest>>,
    /// The nest whose sequential loops are [coalesced](crate::flow::coalesce), where some are.
    pub coalesced: Option<Box<Nest>>,
    /// The iterations of a nest away from its borders.
    pub interior: Option<Box<Interior>>,
    /// By array: every element of its section, or without a `map` every one that is touched, is certainly written (if the
    /// region does not fail), and none is read.
    pub overwritten: Vec<bool>,
    /// By array: what is accessed, if the subscripts of all accesses are understood.
    pub footprint: Vec<Option<Footprint>>,
}

/// Which iterations of a launch, and in which order of its loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Iterations {
    /// All of them, as they are written.
    #[default]
    All,
    /// All of them, with the loops interchanged.
    Interchanged,
    /// All of them, with sequential loops that stand one in the other as one loop.
    Coalesced,
    /// Those of the interior.
    Interior,
}

impl LaunchFacts {
    /// The nest of these iterations.
    #[must_use]
    pub fn nest_of(&self, iterations: Iterations) -> Option<&Nest> {
        match iterations {
            Iterations::All => self.nest.as_ref(),
            Iterations::Interchanged => self.interchanged.as_deref(),
            Iterations::Coalesced => self.coalesced.as_deref(),
            Iterations::Interior => self.interior.as_ref().map(|of| &of.nest),
        }
    }
}

/// A nest whose loops all have numbers, and whose subscripts are affine but for those of [`gathers`](Self::gathers).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Nest {
    /// The parallel loops, then the sequential ones in the order of the code; each has iterations.
    pub loops: Vec<DimValues>,
    /// Sequential loops whose variable begins at a value that depends on loops around it; they count from 0 here.
    pub moving: BTreeSet<u32>,
    /// Loops whose bounds depend on loops around them, as those of a triangle. [`loops`](Self::loops) has all values that their
    /// variables take, of which each iteration around runs a part.
    pub limits: BTreeMap<u32, Limits>,
    /// All subscripts of mapped arrays, by their first one where elements are fixed arrays; counted in the numbers that these, or
    /// structs, hold. Of a field it is the subscript of its struct.
    pub subscripts: BTreeMap<AccessId, Affine>,
    /// Subscripts that are not affine, as those that data gives, of arrays that the nest only reads.
    pub gathers: BTreeSet<AccessId>,
    /// All trip counts and all other subscripts fit 31 bits.
    pub narrow: bool,
    /// Those whose elements are on the device in all iterations of the loops, whatever the conditions and limits.
    pub everywhere: BTreeSet<AccessId>,
    /// Operators that the code checks for overflow and that have none in any iteration.
    pub fits: BTreeSet<ExprId>,
    /// Conditions of the body that have one value in all iterations. The nest is without the sides that are not taken.
    pub decided: BTreeMap<ExprId, bool>,
    /// Sequential loops, by their numbers in the order of the code, that are one with the loop in them.
    pub coalesced: BTreeSet<u32>,
}

/// The iterations of a loop that run in one iteration of the loops around it: from the lower limit up to the upper one, which is not
/// among them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Limits {
    /// `None`: they begin at 0.
    pub lower: Option<Affine>,
    /// `None`: all up to the loop's last one.
    pub upper: Option<Affine>,
}

/// A box of the iterations of a nest's parallel loops in which conditions on loop variables have one value, and in which clamps,
/// remainders and conversions of subscripts change nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Interior {
    /// The nest of these iterations.
    pub nest: Nest,
    /// By parallel loop: the number of the first iteration in the box.
    pub starts: Vec<u64>,
}

/// An affine function of the numbers of iterations, which count from 0.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Affine {
    /// Where all numbers are 0.
    pub base: i64,
    /// By loop of the [`Nest`].
    pub strides: Vec<i64>,
}

impl Affine {
    /// The function with others in the place of its numbers.
    #[must_use]
    pub fn map(&self, number: impl Fn(i64) -> i64) -> Self {
        Self { base: number(self.base), strides: self.strides.iter().map(|by| number(*by)).collect() }
    }
}

/// How a nest goes through memory along its innermost loop, in groups of [`Lines::GROUP`] elements.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lines {
    /// The subscripts that follow the inner variable, while outer ones move them by whole groups, and which place of a
    /// group they have where the inner variable is the first of one.
    pub places: BTreeMap<AccessId, u32>,
    /// The subscripts that the inner variable does not move.
    pub same: BTreeSet<AccessId>,
    /// The captured integers that are multiples of a group, and whose being so the places follow from.
    pub multiples: BTreeSet<ScalarId>,
}

impl Lines {
    /// Elements of a group.
    pub const GROUP: u32 = 4;
}

/// The elements of an array that a launch touches at most: ranges `lo..hi`, in order, apart from each other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Footprint {
    /// Read or written.
    pub all: Vec<(u64, u64)>,
    /// Written.
    pub written: Vec<(u64, u64)>,
}

/// Values of each parallel variable in both iterations, and the element that both access (its first subscript).
pub type LaunchWitness = (Vec<(String, i128, i128)>, i128);

/// Two accesses of one array, by their numbers among all touches, in iterations of the region or of an inner nest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenPair {
    nest: Option<usize>,
    first: usize,
    second: usize,
}

/// What an inspection has found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// No two iterations conflict, whatever the data.
    Apart,
    /// Two do, whatever the data.
    Race,
    /// Two may: it depends on the data.
    Data,
    /// There was more to look at than allowed.
    TooMuch,
    /// A subscript depends on data.
    NotUnderstood,
}

/// What an inspection with the contents of arrays has found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WithData {
    /// For any but [`Verdict::Apart`], claims check the accesses.
    pub verdict: Verdict,
    /// How many points were looked at.
    pub points: u64,
    /// In how many arrays iterations that follow one another mostly write elements that are far apart.
    pub scattered: u32,
}

/// A conflict that only the sizes show.
#[derive(Debug, Clone, PartialEq)]
pub struct RaceAtLaunch {
    /// Through which array.
    pub array: ArrayId,
    /// A write.
    pub first: AccessId,
    /// The other access.
    pub second: AccessId,
    /// An example, when one was found: values of the parallel variables in both iterations, and the element.
    pub witness: Option<LaunchWitness>,
    /// Why nothing is known of a subscript: "the index is the result of `find`".
    pub reason: Option<String>,
}

impl LaunchPlan {
    /// The plan of a typed kernel, and the verdict on each subscript of its body.
    #[must_use]
    pub fn build(kernel: &Kernel) -> (Self, Vec<BoundsVerdict>) {
        let (mut formulas, verdicts) = build::formulas(kernel);
        formulas.strides = stride::strides(kernel, &formulas.survey);
        let scalars = build::uses::scalars(&formulas.survey);
        (Self { formulas, scalars }, verdicts)
    }

    /// Whether a captured integer decides anything: the values of others need not be given.
    #[must_use]
    pub fn uses(&self, scalar: ScalarId) -> bool {
        self.scalars.contains(&scalar)
    }

    /// The numbers in captured structs that decide something.
    #[must_use]
    pub fn parts(&self) -> &[ScalarPart] {
        &self.formulas.survey.parts
    }

    /// Decides the plan for the numbers of a launch.
    #[must_use]
    pub fn decide(&self, values: &LaunchValues<'_>) -> LaunchFacts {
        decide::decide(&self.formulas, values)
    }

    /// Decides what the formulas have left open, by an inspection of all iterations: of at most `budget` points. Gives how many points
    /// it has inspected. With a budget of 0, the kernel checks everything while it runs.
    pub fn inspect(
        &self,
        values: &LaunchValues<'_>,
        facts: &mut LaunchFacts,
        budget: u64,
        executor: &dyn Executor,
    ) -> (Verdict, u64) {
        settle::settle(&self.formulas, values, facts, budget, executor)
    }

    /// Whether the iterations access different elements of the arrays in [`LaunchFacts::claims`], with the values of the arrays that
    /// the region only reads. For any verdict but [`Verdict::Apart`], claims check the accesses.
    pub fn inspect_data(
        &self,
        values: &LaunchValues<'_>,
        facts: &LaunchFacts,
        memory: &dyn Memory,
        budget: u64,
        executor: &dyn Executor,
    ) -> WithData {
        settle::with_data(&self.formulas, values, facts, memory, budget, executor)
    }

    /// Whether a kernel can check all that is open.
    #[must_use]
    pub fn is_checkable(&self, facts: &LaunchFacts) -> bool {
        settle::are_checkable(&self.formulas, &facts.open)
    }

    /// Arrays that a kernel can check while running, if the clause does not say so already.
    #[must_use]
    pub fn checkable(&self) -> Vec<ArrayId> {
        settle::checkable(&self.formulas)
    }

    /// All pairs that formulas decide, so that tests can have each of them inspected.
    #[doc(hidden)]
    #[must_use]
    pub fn every_pair(&self) -> Vec<OpenPair> {
        let outer = self.formulas.pairs.iter().map(|(a, b)| (None, *a, *b));
        let inner = self.formulas.inner_pairs.iter().map(|(n, a, b)| (Some(*n), *a, *b));
        outer.chain(inner).map(|(nest, first, second)| OpenPair { nest, first, second }).collect()
    }

    /// By subscript chain: how it moves with the parallel variables.
    #[must_use]
    pub fn strides(&self) -> &[AccessStride] {
        &self.formulas.strides
    }
}

/// The movement of one subscript chain (`x[i]`, `y[i*n+j]`), as far as constants determine it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessStride {
    /// The first subscript of the chain.
    pub access: AccessId,
    /// Of which array.
    pub array: ArrayId,
    /// For each parallel dimension, the stride per step of the *value* of its variable, when it is a constant number;
    /// 0 when the subscript does not depend on it. It is counted in what the last subscript of the chain selects:
    /// elements of the mapped array for `x[i]`, elements of its inner arrays for `a[i][j]`.
    pub per_dim: Vec<Option<i64>>,
    /// The records that the first subscript moves by; those that follow it are numbers.
    pub record: Option<Record>,
    /// Reached in every iteration of the loops around it.
    pub unconditional: bool,
    /// Reached at least once in every iteration of the parallel loops: `unconditional`, and no loop around it may be empty.
    pub reached: bool,
    /// Depends on a sequential loop variable.
    pub in_loop: bool,
}

impl AccessStride {
    /// The first subscript is exactly `var + c` of one parallel dimension, with this constant `c`.
    #[must_use]
    pub fn unit(&self) -> Option<(usize, i64)> {
        let record = self.record.as_ref().filter(|record| record.by == 1 && record.along.is_empty())?;
        Some((record.dim, record.from))
    }
}

/// A subscript by which each iteration of one parallel dimension has neighbouring elements of its own: `by * var + from`, and constant
/// multiples of the variables of loops in the body, whose bounds are constants and which stay in one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The dimension.
    pub dim: usize,
    /// Elements of a record, from 1 on.
    pub by: i64,
    /// The constant.
    pub from: i64,
    /// The loops in the body.
    pub along: Vec<Along>,
    /// The least and the greatest subscript, where the parallel variable is 0.
    pub span: (i64, i64),
}

/// How a loop in the body moves a subscript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Along {
    /// Its variable.
    pub var: LocalId,
    /// The factor.
    pub by: i64,
    /// The variable's least and greatest value; it has all values between them.
    pub values: (i64, i64),
}

impl Record {
    /// How many records it is from that of the variable's own number.
    #[must_use]
    pub fn shift(&self) -> i64 {
        self.span.0.div_euclid(self.by)
    }

    /// Where the constant stands in the record of its subscript.
    #[must_use]
    pub fn place(&self) -> i64 {
        self.from - self.shift() * self.by
    }

    /// The elements of the record that it reaches.
    #[must_use]
    pub fn places(&self) -> BTreeSet<i64> {
        self.along.iter().fold(
            BTreeSet::from([self.place()]),
            |places, Along { by, values: (lo, hi), .. }| {
                places.iter().flat_map(|place| (*lo..=*hi).map(move |value| place + by * value)).collect()
            },
        )
    }
}
